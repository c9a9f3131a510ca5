// Voice messages: what callers left in a user's box, and its sound. Knows no encoder.
import { isOwnVoiceMessage } from '../access.ts';
import { findRecord } from '../reading.ts';
import { changingMany, emptying, listing, reading, removingMany } from '../records.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { voiceMessageFile } from '../sound-files.ts';

function getVoiceMessageAudio(request: ApiRequest, { store, recordings }: ApiDeps): Outcome | Promise<Outcome> {
  const found = findRecord(request, 'voicemessages', store.voicemessages, isOwnVoiceMessage);
  return found.ok ? voiceMessageFile(recordings, found.value) : found;
}

export const voiceMessageHandlers = {
  listVoiceMessages: listing('voicemessages'),
  getVoiceMessage: reading('voicemessages'),
  getVoiceMessageAudio,
  updateVoiceMessages: changingMany('voicemessages'),
  deleteVoiceMessages: removingMany('voicemessages'),
  deleteAllVoiceMessages: emptying('voicemessages'),
};
