// Users, the current user's metadata, and groups. Knows no credentials.

import type { Static } from 'typebox';
import { destinationTypeCodes, monitorModeCodes, twoFactorCodes } from '../codes.ts';
import { name, timestamp, writtenId } from '../fields.ts';
import { bulkLimit } from '../limits.ts';
import type { ResourceRow } from '../resource.ts';
import { array, body, boolean, either, integer, number, record, string, word } from '../schema.ts';

const letter = { destination: word(destinationTypeCodes.words), party: word(['R', 'L']) };

/** Every attribute of the model, and those that only the list shows (`customer`), in the model's types. */
export const UserSchema = record({
  id: integer(),
  is_initial: boolean(),
  email: string(),
  first_name: string(),
  last_name: string(),
  roles: array(string()),
  active: boolean(),
  visited_apps: array(string()),
  is_root: boolean(),
  two_factor_auth: word(twoFactorCodes.words),
  created_at: timestamp,
  customer: integer(),
  customer_id_id: integer({ description: 'equals customer' }),
  mobile_activated: boolean(),
  mobile: string(),
  ext: string(),
  cli: string(),
  esc_cli: string(),
  cc: string(),
  area_code: string(),
  ring_time: string({ pattern: '^\\d+$', description: 'seconds' }),
  final_dst_type: letter.destination,
  final_dst_id: integer({ description: '0 for none' }),
  vm_pin: string({ pattern: '^(\\d{4})?$', description: '4 digits, or empty for none' }),
  vm_to_email: boolean(),
  vm_emails: array(string()),
  vm_tts: string(),
  vm_new: integer(),
  vm_old: integer(),
  cw: boolean(),
  dnd: boolean(),
  rec_allowed: boolean(),
  rec_never_internal: boolean(),
  fm: boolean(),
  fm_only_direct: boolean(),
  fm_init_ring_time: integer({ description: 'seconds' }),
  fm_announcement_enabled: boolean(),
  fm_confirm_required: boolean(),
  fm_allowed: boolean(),
  fm_targets: array(string()),
  fm_ring_time: string({ pattern: '^\\d+$', description: 'seconds' }),
  fm_strategy: word(['A', 'H', 'M']),
  fm_final_dst_type: letter.destination,
  fm_final_dst_id: integer({ description: '0 for none' }),
  fm_cli: letter.party,
  nun: string(),
  nun_only_direct: boolean(),
  nun_ring_time: integer({ description: 'seconds' }),
  monitor: word(monitorModeCodes.words),
  monitor_transcript: word(['D', 'Y']),
  auto_answer_header: string(),
  log_missed_calls: boolean(),
  language: string(),
  cnam: boolean(),
  email_missed: string(),
  call_barge_allowed: boolean(),
  transfer_cli: letter.party,
  nb_sip_locations: integer(),
  pickup_group_id: integer({ description: '0 for none' }),
  location_id: string(),
  vm_announcement_id: integer({ description: '0 for none' }),
  fm_announcement_id: integer({ description: '0 for none' }),
  legacy_api_key: string({ description: 'deprecated, always empty' }),
});
export type User = Static<typeof UserSchema>;

/** Ids of the user groups that the user is in. */
export const KeptOfUser = record({ groups: array(integer()) });
export type KeptOfUser = Static<typeof KeptOfUser>;

const UserChange = body(
  {
    id: writtenId,
    location_id: either(integer({ minimum: 0 }), string({ pattern: '^\\d+$', description: 'digits' })),
    groups: array(either(writtenId, body({ id: writtenId }, ['id'])), { maxItems: 1000 }),
  },
  ['id'],
);
export const UpdateUsersBody = array(UserChange, { minItems: 1, maxItems: bulkLimit });
export type UpdateUsersBody = Static<typeof UpdateUsersBody>;

export const MeSchema = record({
  id: string(),
  balance: number(),
  cc: string(),
  cli: string(),
  currency_iso: string(),
  is_root: string(),
  language: string(),
});
export type Me = Static<typeof MeSchema>;

export const QueueGroupSchema = record({ id: integer(), name: string() });
export type QueueGroup = Static<typeof QueueGroupSchema>;
export const CreateQueueGroupBody = body({ name }, ['name']);
export type CreateQueueGroupBody = Static<typeof CreateQueueGroupBody>;
export const UpdateQueueGroupBody = body({ name }, []);
export type UpdateQueueGroupBody = Static<typeof UpdateQueueGroupBody>;

/** User groups and user group policies have one shape. */
export const UserGroupSchema = record({ id: integer(), color: string(), name: string() });
export type UserGroup = Static<typeof UserGroupSchema>;
const groupMembers = { name, color: string({ maxLength: 64 }) };
export const CreateUserGroupBody = body(groupMembers, ['name']);
export type CreateUserGroupBody = Static<typeof CreateUserGroupBody>;
export const UpdateUserGroupBody = body(groupMembers, []);
export type UpdateUserGroupBody = Static<typeof UpdateUserGroupBody>;

export const customerResources = {
  queuegroups: {
    name: 'queue group',
    schema: QueueGroupSchema,
    writable: UpdateQueueGroupBody,
    published: true,
    spec: 'Queue group',
  },
  usergroups: {
    name: 'user group',
    schema: UserGroupSchema,
    writable: UpdateUserGroupBody,
    published: true,
    spec: 'User group and user group policy',
  },
  usergrouppolicies: {
    name: 'user group policy',
    schema: UserGroupSchema,
    writable: UpdateUserGroupBody,
    published: true,
    spec: 'User group and user group policy',
  },
  users: {
    name: 'user',
    schema: UserSchema,
    writable: UserChange,
    kept: KeptOfUser,
    published: true,
    spec: 'User',
  },
  me: { name: 'current user', schema: MeSchema, published: true, spec: 'Current user metadata' },
} as const satisfies Record<string, ResourceRow>;
