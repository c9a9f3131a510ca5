// What the fields of numbers, contacts, conferences, groups, rules, IVRs and music on hold mean. Knows no dialplan.

import type { Conference, Contact, Ddi, Ivr, Moh, PickupGroup, RingGroup, RoutingRule } from '../resources/settings.ts';
import type { Words } from './words.ts';

const finalType = 'kind of destination of calls that nobody here takes';
const finalId = 'id of that destination';

const ddi: Words<Ddi> = {
  id: 'identifies the number; digits as text',
  channels: 'how many calls it takes at the same time',
  cli_prefix: 'whether a prefix is put before the caller ID (1) or not (0)',
  flag: 'marks kept for the administration application',
  status: 'whether the number is in service',
  target_id: 'id of what its calls reach',
  target_type: 'kind of what its calls reach',
  cli_hide: 'calls made with it withhold the number',
  esc_enabled: 'may be shown to emergency services',
  fax_enabled: 'receives faxes',
  has_fax_password: 'sending a fax with it takes a password',
  sms_enabled: 'sends and receives SMS',
  tel_verified: 'proved to belong to the account',
  created_at: 'when the account got it',
  e164: 'the number, in E.164 with its plus',
  fax_email: 'where received faxes are sent',
  info: 'remarks',
  name: 'what people call it; for a campaign its name',
  sms_email: 'where received SMS are sent',
  uri: 'SIP URI that its calls go to, if any; for a campaign its address on the web',
  rate: 'price per month',
};

const contact: Words<Contact> = {
  id: 'identifies the contact; contact:<id> in src_id and dst_id of calls',
  company: 'company',
  created_at: 'when it was made',
  email: 'email address',
  ext: 'extension, for a colleague',
  first_name: 'first name',
  last_name: 'last name',
  group_name: 'group that it is listed under',
  mobile: 'mobile number',
  mobile_1: 'second mobile number',
  mobile_2: 'third mobile number',
  notes: 'remarks',
  tel: 'telephone number',
  tel_1: 'second telephone number',
  tel_2: 'third telephone number',
  dialler_source_id: 'list of the dialler that it came from, 0 for none',
  nb_call_attempts: 'how often the dialler has tried',
  outcome_id: 'outcome of the last attempt, 0 for none',
  rel_user_id: 'user whom the contact stands for, 0 for none',
  user_id: 'user whose contact it is, 0 when it is shared',
  global: 'everybody in the account sees it',
  internal: 'a colleague rather than somebody outside',
  last_call_at: 'when the dialler last called',
  next_call_at: 'when the dialler calls next',
  type: 'kind of contact',
};

const conference: Words<Conference> = {
  id: 'identifies the conference room',
  name: 'what people call it',
  pin: 'digits that participants key in, empty for none',
  pin_pstn: 'digits that participants from the public network key in, empty for none',
  confno: 'number to dial from an extension',
  confno_pstn: 'number to key in when dialling in from the public network',
  ann_join_leave: 'announces who comes and goes',
  monitor: 'conferences are recorded',
};

const ringGroup: Words<RingGroup> = {
  id: 'identifies the ring group',
  name: 'what people call it',
  number: 'number to dial from an extension',
  strategy: 'who rings when',
  ring_time: 'how long its phones ring',
  final_dst_type: finalType,
  final_dst_id: finalId,
  moh_id: 'music that callers hear on hold',
  cli_prefix: "puts the group's name before the caller ID",
};

const pickupGroup: Words<PickupGroup> = {
  id: 'identifies the pickup group',
  name: 'what people call it',
  users: "how many users can take one another's calls",
};

const routingRule: Words<RoutingRule> = {
  id: 'identifies the rule',
  customer: 'account that it belongs to',
  pos: 'place among the rules: the lowest that fits a call decides',
  action: 'what is done: block, or redirect:<letter>:<id> with the letter of a final destination',
  source:
    'who calls: numbers, extensions, ids, 4420* for all that begin so, anonymous or group:<id>, with commas; empty for everybody',
  destination: 'who is called, in the same words; empty for everybody',
  time_interval:
    'when it holds: days and times in UTC such as mon-fri@09:00-17:30, or ids of intervals, with commas; empty for always',
  direction: 'calls that it looks at; fixed when the rule is made',
  final_dst: 'the action names a destination of its own',
};

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
type Digit = (typeof digits)[number];

function forDigits<D extends Digit, S extends string>(
  list: readonly D[],
  suffix: S,
  text: (digit: string) => string,
): Readonly<Record<`${D}${S}`, string>> {
  return Object.fromEntries(
    list.map((digit) => [`${digit}${suffix}`, text(String(digits.indexOf(digit)))]),
  ) as Readonly<Record<`${D}${S}`, string>>;
}

const soundDigits = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;

const ivr: Words<Ivr> = {
  id: 'identifies the IVR',
  name: 'what people call it',
  number: 'number to dial from an extension',
  final_dst_type: 'kind of destination of callers who choose nothing',
  final_dst_id: finalId,
  language: 'language of the announcements',
  repeats: 'how often the menu is played again',
  ring_time: 'how long the phone rings that a caller has chosen; 0 for its own time',
  timeout: 'how long it waits for a key',
  ext_dialing: 'callers may key in an extension',
  random_choice: 'callers go to one of the random destinations without choosing',
  random_dst: 'destinations of the random choice, with commas',
  sounds: 'sounds of the menu, with commas',
  post_sounds: 'sounds for callers who have chosen nothing, with commas',
  ...forDigits(digits, '', (digit) => `key ${digit}`),
  star: 'key *',
  hash: 'key #',
  ...forDigits(soundDigits, '_sounds', (digit) => `sounds of key ${digit}`),
};

const moh: Words<Moh> = {
  id: 'identifies the music on hold; moh and moh_id of queues and ring groups',
  locked: 'comes with the system and cannot be changed',
  name: 'what people call it',
};

export const settingsWords = {
  ddis: ddi,
  campaigns: ddi,
  trackedcalls: ddi,
  contacts: contact,
  conferences: conference,
  ringgroups: ringGroup,
  pickupgroups: pickupGroup,
  routingrules: routingRule,
  ivrs: ivr,
  mohs: moh,
} as const;
