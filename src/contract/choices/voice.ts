// Choices about what the exchange itself says to callers: services, voicemail and its mailbox, menus. Knows no prompt.

import type { Choice } from '../choice.ts';

export const voiceChoices = [
  {
    id: 'CHOICE-SERVICE-CODES',
    topic: 'services that a phone reaches by dialling',
    unspecified: 'Which codes there are.',
    ours: "*97 is one's own mailbox, *43 an echo test, *45 the login of an agent to its queues. They are calls like others (context VOICEMAIL, TEST_CALL and USER_LOCAL); from outside they are numbers that nobody has. *8 and ** answer calls that ring elsewhere: CHOICE-PICKUP.",
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
  {
    id: 'CHOICE-IVR',
    topic: 'what a caller at an IVR can do',
    unspecified: 'All but the names of its fields.',
    ours: "The caller is answered and hears sounds; keys count at any time. Without one within timeout seconds after them (0: 5 s), or after a key that does nothing, the caller is told so and hears sounds again, repeats times; then post_sounds, and final_dst takes the caller on. A key's sounds are heard before its destination is called, which rings for ring_time seconds in place of its own time (0: its own); nobody answering there, its own final destination follows. ext_dialing: digits may be an extension of the account, never a number outside; a digit with which one begins waits 3 s or for the hash before it counts as a key. random_choice: after sounds, chance takes one of random_dst, and keys mean nothing; it leads nowhere twice in a row, then final_dst counts. Each visit is a live call of its own (context IVR), the parent of what follows.",
    why: 'It is what callers are used to.',
    resources: ['ivrs', 'calls', 'cdrs'],
    accepts: ['other keys and times', 'ring_time of other phones'],
  },
  {
    id: 'CHOICE-IVR-SOUNDS',
    topic: 'the sounds of an IVR, and its language',
    unspecified: 'What sounds, post_sounds and the sounds of keys name, and what language does.',
    ours: 'Up to 20 with commas between them: the id of a voicemail announcement of the account, the name of a prompt of the simulator, or any other text, which is read aloud where a voice is there. Without any the menu asks for a choice. language is kept and changes nothing: the prompts are in English.',
    why: 'Nothing else in the API holds a sound that can be uploaded.',
    resources: ['ivrs'],
    accepts: ['any names'],
  },
  {
    id: 'CHOICE-MESSAGE-WAITING',
    topic: 'how phones learn that voice messages wait',
    unspecified: 'Whether and how they do.',
    ours: "NOTIFY with Event: message-summary (RFC 3842) to every phone of the user whose REGISTER names NOTIFY in Allow or message-summary in Allow-Events, without a subscription, whenever vm_new or vm_old is another number, and when a phone registers while there are messages; one that refuses it is left alone until it registers anew. SUBSCRIBE to one's own extension or *97 is answered with a subscription in its place.",
    why: 'Most phones light their lamp either way, and some know only one of the two.',
    resources: ['users'],
    accepts: ['subscribers alone are told', 'nobody is told'],
  },
] as const satisfies readonly Choice[];
