// Numbers, contacts, conferences, groups, rules, IVRs and music on hold. Knows no dialplan. Queues are in queues.ts.

import type { Static } from 'typebox';
import {
  contactTypeCodes,
  ddiStatusCodes,
  destinationTypeCodes,
  languageCodes,
  ringGroupStrategyCodes,
  ruleDirectionCodes,
  targetTypeCodes,
} from '../codes.ts';
import {
  coded,
  e164,
  emailOrNone,
  maybeTimestamp,
  name,
  text,
  timestamp,
  wordOrCode,
  writtenId,
  writtenReference,
} from '../fields.ts';
import { bulkLimit } from '../limits.ts';
import type { ResourceRow } from '../resource.ts';
import { anything, array, body, boolean, either, having, integer, number, record, someOf, string } from '../schema.ts';
import { queueResources } from './queues.ts';

const shortText = string({ maxLength: 255 });
const list = array(anything(), { maxItems: 1000 });
const ddis = array(either(e164, writtenId), { maxItems: 1000, description: 'numbers in E.164, or their ids' });
const seconds = integer({ minimum: 0, maximum: 86_400 });
const extension = integer({ minimum: 1, maximum: 9_999_999_999, description: 'an extension' });

export const DdiSchema = record({
  id: string(),
  channels: integer(),
  cli_prefix: integer(),
  flag: integer(),
  status: coded(ddiStatusCodes),
  target_id: integer({ description: '0 for none' }),
  target_type: coded(targetTypeCodes),
  cli_hide: boolean(),
  esc_enabled: boolean(),
  fax_enabled: boolean(),
  has_fax_password: boolean(),
  sms_enabled: boolean(),
  tel_verified: boolean(),
  created_at: timestamp,
  e164: string(),
  fax_email: string(),
  info: string(),
  name: string(),
  sms_email: string(),
  uri: string(),
  rate: number(),
});
export type Ddi = Static<typeof DdiSchema>;

/** The campaign that a number belongs to; 0 for none. */
export const KeptOfDdi = record({ campaign_id: integer() });
export type KeptOfDdi = Static<typeof KeptOfDdi>;

const TrackedDdiChange = {
  ...body({ e164, campaign_id: writtenReference, id: either(writtenId, string({ minLength: 1, maxLength: 20 })) }, [
    'campaign_id',
  ]),
  anyOf: [having('e164'), having('id')],
  description: 'a number by e164 or id, and its campaign_id',
};
export const UpdateTrackedDdisBody = array(TrackedDdiChange, { minItems: 1, maxItems: bulkLimit });
export type UpdateTrackedDdisBody = Static<typeof UpdateTrackedDdisBody>;

const address = string({ maxLength: 2048 });
export const CreateCampaignBody = body(
  {
    chat_setting_id: writtenReference,
    call_me_back_setting_id: writtenReference,
    call_tracking_setting_id: writtenReference,
    name,
    url: address,
    uri: address,
    rules: list,
  },
  ['name'],
);
export type CreateCampaignBody = Static<typeof CreateCampaignBody>;

export const KeptOfCampaign = record({
  chat_setting_id: integer(),
  call_me_back_setting_id: integer(),
  call_tracking_setting_id: integer(),
  rules: array(anything()),
});
export type KeptOfCampaign = Static<typeof KeptOfCampaign>;

/** The CDR of a tracked call. */
export const KeptOfTrackedCall = record({ cdr_id: integer(), campaign_id: integer() });
export type KeptOfTrackedCall = Static<typeof KeptOfTrackedCall>;

export const ContactSchema = record({
  id: integer(),
  company: string(),
  created_at: timestamp,
  email: string(),
  ext: string(),
  first_name: string(),
  group_name: string(),
  last_name: string(),
  mobile: string(),
  mobile_1: string(),
  mobile_2: string(),
  notes: string(),
  tel: string(),
  tel_1: string(),
  tel_2: string(),
  dialler_source_id: integer(),
  nb_call_attempts: integer(),
  outcome_id: integer(),
  rel_user_id: integer(),
  user_id: integer(),
  global: boolean(),
  internal: boolean(),
  last_call_at: maybeTimestamp,
  next_call_at: maybeTimestamp,
  type: coded(contactTypeCodes),
});
export type Contact = Static<typeof ContactSchema>;

export const KeptOfContact = record({
  speed_dial_phone: string(),
  speed_dial_phone_1: string(),
  speed_dial_phone_2: string(),
  speed_dial_mobile: string(),
  speed_dial_mobile_1: string(),
  speed_dial_mobile_2: string(),
  labels: array(anything()),
  groups: array(anything()),
  transfer_list: boolean(),
});
export type KeptOfContact = Static<typeof KeptOfContact>;

const contactMembers = {
  type: wordOrCode(contactTypeCodes),
  dialler_source_id: writtenReference,
  outcome_id: writtenReference,
  group_name: shortText,
  first_name: shortText,
  last_name: shortText,
  email: emailOrNone,
  company: shortText,
  tel: shortText,
  tel_1: shortText,
  tel_2: shortText,
  speed_dial_phone: shortText,
  speed_dial_phone_1: shortText,
  speed_dial_phone_2: shortText,
  mobile: shortText,
  mobile_1: shortText,
  mobile_2: shortText,
  speed_dial_mobile: shortText,
  speed_dial_mobile_1: shortText,
  speed_dial_mobile_2: shortText,
  notes: text,
  labels: list,
  groups: list,
  transfer_list: boolean(),
  user_id: writtenReference,
};
/** A contact must be recognisable: some name or some address, which is not empty. */
const recognised = ['first_name', 'last_name', 'company', 'email', 'tel', 'mobile'] as const;
export const CreateContactBody = someOf(contactMembers, recognised);
export type CreateContactBody = Static<typeof CreateContactBody>;
export const UpdateContactBody = body(contactMembers, []);
export type UpdateContactBody = Static<typeof UpdateContactBody>;

const ContactChange = body({ id: writtenId, group_name: shortText, labels: list }, ['id']);
export const UpdateContactsBody = array(ContactChange, { minItems: 1, maxItems: bulkLimit });
export type UpdateContactsBody = Static<typeof UpdateContactsBody>;

export const ConferenceSchema = record({
  id: integer(),
  name: string(),
  pin: string(),
  pin_pstn: string(),
  confno: integer(),
  confno_pstn: integer(),
  ann_join_leave: boolean(),
  monitor: boolean(),
});
export type Conference = Static<typeof ConferenceSchema>;

const pin = string({ pattern: '^\\d{0,12}$', description: 'up to 12 digits' });
const conferenceMembers = { name, pin, pin_pstn: pin, ann_join_leave: boolean(), monitor: boolean(), ddis };
export const CreateConferenceBody = body(conferenceMembers, ['name']);
export type CreateConferenceBody = Static<typeof CreateConferenceBody>;
export const UpdateConferenceBody = body(conferenceMembers, []);
export type UpdateConferenceBody = Static<typeof UpdateConferenceBody>;

export const RingGroupSchema = record({
  id: integer(),
  final_dst_id: integer({ description: '0 for none' }),
  final_dst_type: coded(destinationTypeCodes),
  moh_id: integer({ description: '0 for none' }),
  number: integer(),
  ring_time: integer({ description: 'seconds' }),
  strategy: coded(ringGroupStrategyCodes),
  cli_prefix: boolean(),
  name: string(),
});
export type RingGroup = Static<typeof RingGroupSchema>;

/** The members' user ids, in ringing order. */
export const KeptOfRingGroup = record({ users: array(integer()) });
export type KeptOfRingGroup = Static<typeof KeptOfRingGroup>;

const ringGroupMembers = {
  name,
  users: array(writtenId, { maxItems: 1000 }),
  ddis: array(e164, { maxItems: 1000 }),
  strategy: wordOrCode(ringGroupStrategyCodes),
  final_dst_type: wordOrCode(destinationTypeCodes),
  final_dst_id: writtenReference,
  ring_time: seconds,
  cli_prefix: boolean(),
  moh_id: writtenReference,
  number: extension,
};
export const CreateRingGroupBody = body(ringGroupMembers, ['name']);
export type CreateRingGroupBody = Static<typeof CreateRingGroupBody>;
export const UpdateRingGroupBody = body(ringGroupMembers, []);
export type UpdateRingGroupBody = Static<typeof UpdateRingGroupBody>;

export const PickupGroupSchema = record({ id: integer(), name: string(), users: integer() });
export type PickupGroup = Static<typeof PickupGroupSchema>;

export const RoutingRuleSchema = record({
  id: integer(),
  customer: integer(),
  pos: integer(),
  action: string(),
  destination: string(),
  source: string(),
  time_interval: string(),
  direction: coded(ruleDirectionCodes),
  final_dst: boolean(),
});
export type RoutingRule = Static<typeof RoutingRuleSchema>;

/** What stands in a text with commas when it is read. */
const listed = either(
  integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  string({ pattern: '^[^,]{1,255}$', description: 'text without a comma' }),
);
const listOrText = either(array(listed, { maxItems: 1000 }), text, {
  description: 'an array of numbers and texts without commas, or its read form with commas',
});
const routingRuleMembers = {
  pos: integer({ minimum: 0 }),
  source: listOrText,
  destination: listOrText,
  time_interval: listOrText,
  action: name,
};
export const CreateRoutingRuleBody = body({ ...routingRuleMembers, direction: wordOrCode(ruleDirectionCodes) }, [
  'action',
  'direction',
]);
export type CreateRoutingRuleBody = Static<typeof CreateRoutingRuleBody>;
export const UpdateRoutingRuleBody = body(routingRuleMembers, []);
export type UpdateRoutingRuleBody = Static<typeof UpdateRoutingRuleBody>;

const key = string({ description: 'where the key leads' });
const sounds = string({ description: 'what the key plays' });
export const IvrSchema = record({
  id: integer(),
  name: string(),
  number: integer(),
  final_dst_id: integer({ description: '0 for none' }),
  final_dst_type: coded(destinationTypeCodes),
  language: coded(languageCodes),
  repeats: integer(),
  ring_time: integer({ description: 'seconds' }),
  timeout: integer({ description: 'seconds' }),
  ext_dialing: boolean(),
  random_choice: boolean(),
  random_dst: string(),
  sounds: string(),
  post_sounds: string(),
  zero: key,
  one: key,
  two: key,
  three: key,
  four: key,
  five: key,
  six: key,
  seven: key,
  eight: key,
  nine: key,
  star: key,
  hash: key,
  one_sounds: sounds,
  two_sounds: sounds,
  three_sounds: sounds,
  four_sounds: sounds,
  five_sounds: sounds,
  six_sounds: sounds,
  seven_sounds: sounds,
  eight_sounds: sounds,
  nine_sounds: sounds,
});
export type Ivr = Static<typeof IvrSchema>;

const ivrMembers = {
  name,
  ring_time: seconds,
  post_sounds: listOrText,
  ddis,
  timeout: seconds,
  repeats: integer({ minimum: 0, maximum: 100 }),
  ext_dialing: boolean(),
  language: wordOrCode(languageCodes),
  final_dst_type: wordOrCode(destinationTypeCodes),
  final_dst_id: writtenReference,
  number: extension,
  random_choice: boolean(),
};
export const CreateIvrBody = body(ivrMembers, ['name']);
export type CreateIvrBody = Static<typeof CreateIvrBody>;
export const UpdateIvrBody = body(ivrMembers, []);
export type UpdateIvrBody = Static<typeof UpdateIvrBody>;

export const MohSchema = record({ id: integer(), locked: boolean(), name: string() });
export type Moh = Static<typeof MohSchema>;

export const settingsResources = {
  ddis: {
    name: 'number',
    schema: DdiSchema,
    writable: TrackedDdiChange,
    kept: KeptOfDdi,
    published: true,
    spec: 'DDI',
  },
  campaigns: {
    name: 'call-tracking campaign',
    schema: DdiSchema,
    writable: CreateCampaignBody,
    kept: KeptOfCampaign,
    published: true,
    spec: 'DDI',
  },
  trackedcalls: { name: 'tracked call', schema: DdiSchema, kept: KeptOfTrackedCall, published: true, spec: 'DDI' },
  contacts: {
    name: 'contact',
    schema: ContactSchema,
    writable: UpdateContactBody,
    kept: KeptOfContact,
    published: true,
    spec: 'Contact',
  },
  conferences: {
    name: 'conference',
    schema: ConferenceSchema,
    writable: UpdateConferenceBody,
    published: true,
    spec: 'Conference',
  },
  ...queueResources,
  ringgroups: {
    name: 'ring group',
    schema: RingGroupSchema,
    writable: UpdateRingGroupBody,
    kept: KeptOfRingGroup,
    published: true,
    spec: 'Ring group',
  },
  pickupgroups: { name: 'pickup group', schema: PickupGroupSchema, published: true, spec: 'Pickup group' },
  routingrules: {
    name: 'routing rule',
    schema: RoutingRuleSchema,
    writable: CreateRoutingRuleBody,
    published: true,
    spec: 'Routing rule',
  },
  ivrs: { name: 'IVR', schema: IvrSchema, writable: UpdateIvrBody, published: true, spec: 'IVR' },
  mohs: { name: 'music on hold', schema: MohSchema, published: true, spec: 'Music on hold' },
} as const satisfies Record<string, ResourceRow>;
