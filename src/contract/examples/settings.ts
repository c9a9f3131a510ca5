// One plausible record of each resource of the Settings module. Knows no operation.

import type { Queue } from '../resources/queues.ts';
import type { Conference, Contact, Ddi, Ivr, Moh, PickupGroup, RingGroup, RoutingRule } from '../resources/settings.ts';
import { ada, answered, bo, carla, customerId, made } from './people.ts';

const ddi: Ddi = {
  id: '10000001',
  channels: 2,
  cli_prefix: 0,
  flag: 0,
  status: 1,
  target_id: ada.id,
  target_type: 1,
  cli_hide: false,
  esc_enabled: true,
  fax_enabled: false,
  has_fax_password: false,
  sms_enabled: true,
  tel_verified: true,
  created_at: made,
  e164: ada.number,
  fax_email: '',
  info: '',
  name: 'Reception',
  sms_email: ada.email,
  uri: '',
  rate: 1.5,
};

const campaign: Ddi = {
  ...ddi,
  target_id: 0,
  target_type: 0,
  e164: '',
  name: 'Spring',
  uri: 'https://harbour.example/',
};

const trackedCall: Ddi = { ...ddi, name: 'Spring', info: '10000031', created_at: answered };

const contact: Contact = {
  id: carla.id,
  company: 'Stone & Daughters',
  created_at: made,
  email: carla.email,
  ext: '',
  first_name: 'Carla',
  group_name: 'Customers',
  last_name: 'Stone',
  mobile: '+442079460951',
  mobile_1: '',
  mobile_2: '',
  notes: 'Prefers to be called in the morning.',
  tel: carla.number,
  tel_1: '',
  tel_2: '',
  dialler_source_id: 0,
  nb_call_attempts: 0,
  outcome_id: 0,
  rel_user_id: 0,
  user_id: ada.id,
  global: false,
  internal: false,
  last_call_at: null,
  next_call_at: null,
  type: 1,
};

const conference: Conference = {
  id: 10_000_001,
  name: 'Monday round',
  pin: '4711',
  pin_pstn: '4711',
  confno: 600,
  confno_pstn: 100_600,
  ann_join_leave: true,
  monitor: false,
};

const queue: Queue = {
  id: 10_000_001,
  name: 'Support',
  number: 700,
  max_callers: 20,
  max_wait_time: 300,
  join_empty: false,
  ring_strategy: 2,
  ring_time: 15,
  retry: 5,
  wrap_up_time: 10,
  wrap_up_panel: false,
  wrap_up_panel_timeout: 0,
  skip_busy: true,
  liaf: true,
  language: 1,
  pos_ann: true,
  hold_ann: false,
  ann_freq: 60,
  caller_sounds: '',
  moh: 10_000_001,
  ivr: 0,
  hash_to_exit: false,
  post_call_ivr_id: 0,
  final_dst_type: 2,
  final_dst_id: ada.id,
  cli_prefix: true,
  wait_time_prefix: false,
  monitor: 0,
};

const ringGroup: RingGroup = {
  id: 10_000_001,
  name: 'Sales',
  number: 500,
  strategy: 1,
  ring_time: 20,
  final_dst_type: 1,
  final_dst_id: bo.id,
  moh_id: 0,
  cli_prefix: false,
};

const pickupGroup: PickupGroup = { id: 10_000_001, name: 'Ground floor', users: 4 };

const routingRule: RoutingRule = {
  id: 10_000_001,
  customer: customerId,
  pos: 1,
  action: 'block',
  source: carla.number,
  destination: '',
  time_interval: '',
  direction: 0,
  final_dst: false,
};

const ivr: Ivr = {
  id: 10_000_001,
  name: 'Main menu',
  number: 800,
  final_dst_id: ada.id,
  final_dst_type: 1,
  language: 1,
  repeats: 2,
  ring_time: 2,
  timeout: 8,
  ext_dialing: true,
  random_choice: false,
  random_dst: '',
  sounds: 'welcome',
  post_sounds: '',
  zero: 'U:10000001',
  one: 'R:10000001',
  two: 'Q:10000001',
  three: '',
  four: '',
  five: '',
  six: '',
  seven: '',
  eight: '',
  nine: '',
  star: '',
  hash: 'H',
  one_sounds: 'sales',
  two_sounds: 'support',
  three_sounds: '',
  four_sounds: '',
  five_sounds: '',
  six_sounds: '',
  seven_sounds: '',
  eight_sounds: '',
  nine_sounds: '',
};

const moh: Moh = { id: 10_000_001, locked: true, name: 'Standard' };

export const settingsExamples = {
  ddis: ddi,
  campaigns: campaign,
  trackedcalls: trackedCall,
  contacts: contact,
  conferences: conference,
  queues: queue,
  ringgroups: ringGroup,
  pickupgroups: pickupGroup,
  routingrules: routingRule,
  ivrs: ivr,
  mohs: moh,
} as const;
