// Choices about what users have set up: recording, forwarding, pickup, caller ids, mails. Knows no signalling.

import type { Choice } from '../choice.ts';

export const userFeatureChoices = [
  {
    id: 'CHOICE-RECORDINGS',
    topic: 'what is recorded by itself, and the records',
    unspecified:
      'Which calls monitor, rec_never_internal and the monitor of queues and conferences are about, whose record it is, and when it is there.',
    ours: "Conversations of two parties: by the callee's monitor A or I, else by the caller's A or O; none between extensions of which one has rec_never_internal. A call to a group or queue is recorded as the call of the member who answered; what the exchange plays alone (menus, waiting) is not. The record is written when the recording ends: with the call, or with a transfer. user_id and sip_endpoint_id are the user whose setting or order it was, caller, called, src_id, dst_id and dst_name the parties, type and context those of the CDR, timestamp the beginning, duration the recorded whole seconds without pauses. Hold does not interrupt it. A recording that a restart of the system interrupts leaves no record.",
    why: 'One conversation is recorded once, and a record does not change.',
    resources: ['monitors', 'users', 'queues', 'conferences'],
    accepts: ['a record from the beginning of the recording', 'one of each user'],
  },
  {
    id: 'CHOICE-RECORDING-TRANSFER',
    topic: 'recording of a call that is transferred',
    unspecified: 'What becomes of a recording when a party is led on.',
    ours: 'When the new party answers, the record of those before is written. Recording goes on, paused if it was, as one more record, when it was ordered by hand or the settings of the users who talk now want it.',
    why: 'A record names two parties, and they are who is heard.',
    resources: ['monitors'],
    accepts: ['one record for the whole call'],
  },
  {
    id: 'CHOICE-RECORDING-TEXT',
    topic: 'transcript, summary and sentiment',
    unspecified: 'Their form, and whose monitor_transcript makes them.',
    ours: 'With Y of the user whose record it is: a line for each turn ("[00:03] Name speaks for 2.4 s.", 500 at most), a sentence with the seconds of both, and negative below 10 s, positive from 60 s on, else neutral. Otherwise all three are empty.',
    why: 'The same call has the same text, all three moods can be had in tests, and nothing that was never said is put into words.',
    resources: ['monitors'],
    accepts: ['any texts'],
  },
  {
    id: 'CHOICE-CALLER-ID',
    topic: 'whom a called party sees',
    unspecified: 'When cli, fm_cli and transfer_cli are shown, and their forms.',
    ours: 'Within the account the extension and name of the caller, outside its cli (the extension of who has none), always with +. fm_cli and transfer_cli: R shows the remote party (the caller; the party that is transferred), L the user as in a call of its own. A caller who wants to be anonymous is.',
    why: 'Inside one knows people by extension, outside by number.',
    resources: ['users', 'calls'],
    accepts: ['other caller ids'],
  },
  {
    id: 'CHOICE-EMERGENCY',
    topic: 'calls for help',
    unspecified: 'Which numbers esc_cli is for.',
    ours: '112, 911 and 999, unless an extension of the account has these digits. They leave on the trunk as dialled, cost nothing, and show esc_cli (cli where it is empty) of callers who want to be anonymous, too.',
    why: 'The numbers of Europe, North America and the United Kingdom.',
    resources: ['users', 'calls', 'cdrs'],
    accepts: ['other numbers'],
  },
  {
    id: 'CHOICE-DIALPLAN',
    topic: 'numbers as people dial them at home',
    unspecified: 'What cc and area_code make of a dialled number.',
    ours: 'On phones, after services and extensions: with cc 1 011 is abroad, ten digits are national and seven local; with another cc 00 is abroad, 0 national, and 5 to 8 digits are local when there is an area_code. Everything else, and all numbers of the API, are E.164 with or without +.',
    why: 'The prefixes of North America and of most other countries.',
    resources: ['users', 'calls'],
    accepts: ['E.164 alone'],
  },
  {
    id: 'CHOICE-CNAM',
    topic: 'names of callers from outside (cnam)',
    unspecified: 'Where the names come from.',
    ours: "From the account's contacts: the oldest with the number in tel, tel_1, tel_2, mobile, mobile_1 or mobile_2, written without blanks in E.164 with or without +, with 00, or nationally. A user with cnam is shown that name (the company without one) instead of the network's, and src_id is contact:<id>. Members of groups and agents of queues see the name of the network.",
    why: 'src_id is published with that form, and no lookup service is asked.',
    resources: ['users', 'calls', 'cdrs'],
    accepts: ['another source of names'],
  },
  {
    id: 'CHOICE-AUTO-ANSWER',
    topic: 'auto_answer_header',
    unspecified: 'Its form, and on which calls it is.',
    ours: 'One header as a line, "Name: value", of Alert-Info, Call-Info, Answer-Mode, Priv-Answer-Mode, P-Auto-Answer or any X- header; other text is not sent. It is on every INVITE to the phones of the user but those of a call that the user places by command.',
    why: 'Phones differ in what they obey, and no setting may change where a message goes.',
    resources: ['users'],
    accepts: ['other headers'],
  },
] as const satisfies readonly Choice[];
