// Queues. Knows no agent and no caller.

import type { Static } from 'typebox';
import { destinationTypeCodes, languageCodes, monitorModeCodes, queueStrategyCodes } from '../codes.ts';
import { coded, e164, name, wordOrCode, writtenId, writtenReference } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { anything, array, body, boolean, either, integer, record, string } from '../schema.ts';

export const QueueSchema = record({
  id: integer(),
  ann_freq: integer({ description: 'seconds' }),
  final_dst_id: integer({ description: '0 for none' }),
  ivr: integer({ description: 'id of the IVR, 0 for none' }),
  language: coded(languageCodes),
  max_callers: integer(),
  max_wait_time: integer({ description: 'seconds' }),
  moh: integer({ description: 'id of the music on hold, 0 for none' }),
  monitor: coded(monitorModeCodes),
  number: integer(),
  post_call_ivr_id: integer({ description: '0 for none' }),
  retry: integer({ description: 'seconds' }),
  ring_strategy: coded(queueStrategyCodes),
  ring_time: integer({ description: 'seconds' }),
  wrap_up_panel_timeout: integer({ description: 'seconds' }),
  wrap_up_time: integer({ description: 'seconds' }),
  final_dst_type: coded(destinationTypeCodes),
  caller_sounds: string(),
  name: string(),
  cli_prefix: boolean(),
  hash_to_exit: boolean(),
  hold_ann: boolean(),
  join_empty: boolean(),
  liaf: boolean(),
  pos_ann: boolean(),
  skip_busy: boolean(),
  wait_time_prefix: boolean(),
  wrap_up_panel: boolean(),
});
export type Queue = Static<typeof QueueSchema>;

const seconds = integer({ minimum: 0, maximum: 86_400 });
const member = body({ id: writtenId, status: boolean({ description: 'logged in to the queue by default' }) }, ['id']);

/** The written name of a twin, and its read name as the other accepted one. */
const queueMembers = {
  moh_id: writtenReference,
  moh: writtenReference,
  ivr_id: writtenReference,
  ivr: writtenReference,
  ddis: array(either(e164, writtenId), { maxItems: 1000 }),
  users: array(member, { maxItems: 1000 }),
  name,
  number: integer({ minimum: 1, maximum: 9_999_999_999, description: 'an extension' }),
  cli_prefix: boolean(),
  wait_time_prefix: boolean(),
  agent_sounds: anything(),
  caller_sounds: anything(),
  max_wait_time: seconds,
  max_callers: integer({ minimum: 0, maximum: 10_000 }),
  join_empty: boolean(),
  ring_strategy: wordOrCode(queueStrategyCodes),
  ring_time: seconds,
  retry: seconds,
  wrap_up_time: seconds,
  wrap_up_panel: boolean(),
  wrap_up_panel_timeout: seconds,
  skip_busy: boolean(),
  language: wordOrCode(languageCodes),
  pos_ann: boolean(),
  hold_ann: boolean(),
  ann_freq: seconds,
  final_dst_type: wordOrCode(destinationTypeCodes),
  final_dst_id: writtenReference,
  post_call_ivr_id: writtenReference,
  hash_to_exit: boolean(),
  liaf: boolean(),
  groups: array(either(writtenId, body({ id: writtenId }, ['id'])), { maxItems: 1000 }),
  monitor: wordOrCode(monitorModeCodes),
};
export const CreateQueueBody = body(queueMembers, ['name']);
export type CreateQueueBody = Static<typeof CreateQueueBody>;

/** Agents with their usual login state, and the ids of the queue groups that it is in. */
export const KeptOfQueue = record({
  users: array(record({ id: integer(), status: boolean() })),
  groups: array(integer()),
  agent_sounds: string(),
});
export type KeptOfQueue = Static<typeof KeptOfQueue>;

export const queueResources = {
  queues: {
    name: 'queue',
    schema: QueueSchema,
    writable: CreateQueueBody,
    kept: KeptOfQueue,
    published: true,
    spec: 'Queue',
  },
} as const satisfies Record<string, ResourceRow>;
