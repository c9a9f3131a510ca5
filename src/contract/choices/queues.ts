// Choices about queues, their agents and their callers, and about conferences. Knows no signalling.

import type { Choice } from '../choice.ts';

export const queueChoices = [
  {
    id: 'CHOICE-QUEUE-CALLS',
    topic: 'live calls, events and records of a queue',
    unspecified:
      'What states a caller in a queue goes through, what queue_state holds, and what the calls of its agents are.',
    ours: "The caller is answered (200) and hears music; its live call (context QUEUE; dst, dst_id and dst_name are the queue's) stays INITIAL, RINGING from the first agent's ringing, CONNECTED when an agent has it, and ends with the agent's call. queue_state is waiting, ringing or connected, and empty for every other call. Each agent that is rung has a call of its own whose parent is the queue's, CONNECTED from the agent's 200: as in a ring group, agents whose phones ring when another answers have missed nothing, and log_missed_calls false spares the others the CDR. What ends without an agent (longest wait, caller gone, hash, nobody there, full) is call.missed with context QUEUE, type M, before the next destination is called; the call of who was transferred into the queue was answered before, and ends with call.hangup, context QUEUE.",
    why: 'The rule for queues needs an event of the queue itself, and whoever looks at an agent sees what its phone did.',
    resources: ['calls', 'cdrs', 'queues'],
    accepts: [
      'other words of queue_state',
      'CONNECTED while the caller waits',
      'no calls of agents who did not answer',
    ],
  },
  {
    id: 'CHOICE-QUEUE-STRATEGIES',
    topic: 'which agents of a queue are rung',
    unspecified: 'The words of ring_strategy, and what ring_time, retry, wrap_up_time, skip_busy and liaf mean.',
    ours: "ring_all rings all who are free, the others one after the other: linear in the order of users, round_robin from the one after who was rung last, longest_idle whose last call from a queue is longest ago, fewest_calls who took the fewest from this queue, random drawn anew; nobody twice before everybody who is free had a turn. liaf (longest idle agent first) decides among equals of fewest_calls. Free is who is logged in, has a registered phone, wants calls, rests no longer (wrap_up_time since its last caller of any queue) and does not talk; with skip_busy false an agent who talks and has call waiting is rung too. Nobody is rung for its own call. A phone rings for ring_time (0: 20 s); who did not take the caller is left alone for retry seconds, at least one, and the next is rung at once. Several callers are served at a time, first come, first served. What agents have done counts from the simulator's start.",
    why: 'The words are those of the trade; nothing rings without an end, and no agent is pestered.',
    resources: ['queues'],
    accepts: ['other words', 'retry as a pause of the caller'],
  },
  {
    id: 'CHOICE-QUEUE-WAIT',
    topic: 'how a wait in a queue ends',
    unspecified:
      'What max_wait_time, max_callers, join_empty and hash_to_exit do in detail, and when post_call_ivr_id comes.',
    ours: "All lead to the final destination, or to the end of the call: max_wait_time (0: no limit) also while a phone rings, but not once an agent has answered (t_cause No answer); as many waiting as max_callers (0: no limit; Switching equipment congestion); join_empty false and nobody logged in, at the beginning or later (Subscriber absent); the hash key (Normal clearing). A key that the queue's ivr has a destination for leads there. Who was put through goes to post_call_ivr_id when the agent hangs up, as a call of its own whose parent is the queue's; who was transferred into the queue, in the call that goes on; not who was transferred on by the agent.",
    why: 'One way out of a queue for all reasons, and no caller is lost.',
    resources: ['queues'],
    accepts: ['join_empty asked when a caller comes alone', 'other words of t_cause'],
  },
  {
    id: 'CHOICE-QUEUE-SOUNDS',
    topic: 'what callers and agents of a queue hear and see',
    unspecified: 'The elements of caller_sounds and agent_sounds, and when announcements come.',
    ours: "Sounds are listed as in an IVR, or as a JSON array of names, ids and objects with id. The caller hears caller_sounds (without them a word of welcome when nobody is free), its position (pos_ann) and the minutes to wait (hold_ann: the average of the last ten waits for each place, at least one), how to leave (hash_to_exit), then music; the announcements again every ann_freq seconds. An agent's answer cuts all short. agent_sounds are heard by the agent alone before it is joined; who hangs up meanwhile has answered its call, and the caller keeps its place. Phones of agents show the name of the queue (cli_prefix) and the time waited as 1:05 (wait_time_prefix) before the caller's name. The music is that of moh (CHOICE-MUSIC), prompts and texts are in the queue's language (CHOICE-LANGUAGE). wrap_up_panel and wrap_up_panel_timeout are a matter of the agent's screen.",
    why: 'Each attribute does what its name says where signalling or sound can do it.',
    resources: ['queues'],
    accepts: ['any'],
  },
  {
    id: 'CHOICE-QUEUE-LOGIN',
    topic: 'login of agents',
    unspecified: 'How an agent logs in and out; status is the login by default.',
    ours: "status of the queue's users is the login itself. *45 logs its user out of every queue, or in to all when it is in none; *45 and a queue's extension is about that queue. The control API does the same, and shows who waits. groups of a queue group queues, not agents.",
    why: 'One place holds it, and it outlives a restart.',
    resources: ['queues', 'queuegroups'],
    accepts: ['a login apart from the default', 'other codes'],
  },
  {
    id: 'CHOICE-QUEUE-RECORDING',
    topic: 'monitor of a queue and of a conference',
    unspecified: "Which calls of a queue its monitor means, and whose record it is; what a conference's true does.",
    ours: "Every caller of a queue is inbound: A and I record each conversation from its beginning, N and O none by themselves, and users who never want internal calls recorded have their way. It is the record of the agent's call. In a conference each participant hears that it is recorded, and has a recording of its own call while it lasts.",
    why: 'A recording belongs to one live call.',
    resources: ['queues', 'conferences', 'monitors'],
    accepts: ['one recording for the whole conference', 'another word for inbound'],
  },
  {
    id: 'CHOICE-CONFERENCES',
    topic: 'calls in a conference',
    unspecified: 'How PINs are asked for, who may be in, what is announced, and what a participant is in records.',
    ours: 'Each participant is a live call of its own (context CONFERENCE; dst is the room), CONNECTED from its answer. A room is reached at confno, at confno_pstn and by a number that leads there. The PIN (pin for users of the account, pin_pstn for callers from outside; empty: none) is asked for three times, 10 s for the first key and 5 s for each further one; then the call ends. A hundred participants at most. ann_join_leave tells the others of each one who comes or goes. Who is alone is told so and hears music. Who holds is neither heard nor hears. There is no leader: a room is open from the first to the last.',
    why: 'The simplest room that has all its attributes.',
    resources: ['conferences', 'calls', 'cdrs'],
    accepts: ['any number of attempts and participants', 'other announcements'],
  },
] as const satisfies readonly Choice[];
