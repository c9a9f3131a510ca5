// What the fields of queues mean. Knows no agent and no caller.

import type { Queue } from '../resources/queues.ts';
import type { Words } from './words.ts';

const queue: Words<Queue> = {
  id: 'identifies the queue',
  name: 'what people call it',
  number: 'number to dial from an extension',
  max_callers: 'how many callers may wait, 0 for any number',
  max_wait_time: 'how long a caller waits at most before going to the final destination',
  join_empty: 'callers may wait although no agent is logged in',
  ring_strategy: 'which agent rings next',
  ring_time: "how long an agent's phone rings",
  retry: 'how long an agent who did not answer is left alone',
  wrap_up_time: 'rest of an agent after a call',
  wrap_up_panel: 'agents see a panel for their remarks after a call',
  wrap_up_panel_timeout: 'how long that panel stays',
  skip_busy: 'agents in a call are passed over',
  liaf: 'agents who have rested longest come first among equals',
  language: 'language of the announcements',
  pos_ann: 'callers hear their place in the queue',
  hold_ann: 'callers hear how long it will take',
  ann_freq: 'pause between those announcements',
  caller_sounds: 'sounds for callers who wait, with commas',
  moh: 'music on hold for callers who wait',
  ivr: 'IVR whose keys lead callers who wait out of the queue',
  hash_to_exit: 'callers leave the queue with #',
  post_call_ivr_id: 'IVR that callers reach when the agent has hung up',
  final_dst_type: 'kind of destination of callers whom no agent takes',
  final_dst_id: 'id of that destination',
  cli_prefix: "puts the queue's name before the caller ID",
  wait_time_prefix: 'puts the time waited before the caller ID',
  monitor: 'which calls are recorded',
};

export const queueWords = { queues: queue } as const;
