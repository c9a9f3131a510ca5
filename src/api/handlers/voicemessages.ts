// Voice messages: what callers left in a user's box.
import { changingMany, emptying, listing, reading, removingMany } from '../records.ts';

export const voiceMessageHandlers = {
  listVoiceMessages: listing('voicemessages'),
  getVoiceMessage: reading('voicemessages'),
  updateVoiceMessages: changingMany('voicemessages'),
  deleteVoiceMessages: removingMany('voicemessages'),
  deleteAllVoiceMessages: emptying('voicemessages'),
};
