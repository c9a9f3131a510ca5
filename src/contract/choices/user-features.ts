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
] as const satisfies readonly Choice[];
