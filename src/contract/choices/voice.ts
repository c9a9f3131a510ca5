// Choices about what the exchange itself says to callers: services, voicemail and its mailbox, menus. Knows no prompt.

import type { Choice } from '../choice.ts';

export const voiceChoices = [
  {
    id: 'CHOICE-SERVICE-CODES',
    topic: 'services that a phone reaches by dialling',
    unspecified: 'Which codes there are.',
    ours: "*97 is one's own mailbox, *43 an echo test. They are calls like others (context VOICEMAIL and TEST_CALL); from outside they are numbers that nobody has.",
    why: 'They are the codes of a widespread exchange.',
    resources: ['calls', 'cdrs'],
    accepts: ['other codes', 'none'],
  },
  {
    id: 'CHOICE-VOICEMAIL',
    topic: 'what a caller at a voicemail box can do',
    unspecified: 'All but that messages come about.',
    ours: "The greeting is the announcement of vm_announcement_id, else a prompt; then a tone, then up to 180 s are recorded, until the caller hangs up or presses the hash. The hash skips the greeting, too; the star in the greeting leads to the mailbox, which asks for the PIN. Less than 1 s is no message. A message's duration counts whole seconds from the tone, origtime is the end of the tone, live_id the call at the voicemail, parent_live_id the one before it, dialled the number of ours that was called from outside, else the extension. A box holds 1000 messages; then callers hear that nobody is available. The call of the visit has disposition VM and context VOICEMAIL.",
    why: 'It is what callers are used to.',
    resources: ['voicemessages', 'cdrs', 'users'],
    accepts: ['other keys', 'other times', 'duration of the whole visit'],
  },
  {
    id: 'CHOICE-VOICEMAIL-TRANSCRIPT',
    topic: 'transcript of a voice message',
    unspecified: 'The words of vm_tts, and what stands in transcript.',
    ours: 'Y: the length of the message and the caller ID in one sentence. N, or any other: empty.',
    why: 'No speech is recognised, and nothing that was never said is put into words.',
    resources: ['voicemessages', 'users'],
    accepts: ['any text'],
  },
  {
    id: 'CHOICE-MAILBOX',
    topic: 'the mailbox on the telephone',
    unspecified: 'How a user listens to messages by phone, and what vm_pin opens.',
    ours: 'The PIN is asked for whenever there is one; wrong or missing three times ends the call, and a box without a PIN opens to its own phone alone. The counts are told, then the messages play: the new ones first, each kind the oldest first. Keys: 1 again, 2 saved, 3 deleted, hash next, star ends. A message that has played to its end, or was gone past with the hash, is old from then on. The call has disposition CONNECTED and context VOICEMAIL.',
    why: 'It is what users are used to, and the folders are those of the API.',
    resources: ['voicemessages', 'cdrs', 'users'],
    accepts: ['other keys', 'no PIN from the own phone'],
  },
] as const satisfies readonly Choice[];
