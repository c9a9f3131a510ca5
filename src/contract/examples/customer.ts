// One plausible record of each resource of the Auth and Customer modules. Knows no operation.

import type { AclRole } from '../resources/auth.ts';
import type { Me, QueueGroup, User, UserGroup } from '../resources/customer.ts';
import { ada, bo, customerId, made } from './people.ts';

const user: User = {
  id: ada.id,
  is_initial: true,
  email: ada.email,
  first_name: ada.first,
  last_name: ada.last,
  roles: ['ROLE_ADMIN'],
  active: true,
  visited_apps: ['web'],
  is_root: true,
  two_factor_auth: 'D',
  created_at: made,
  customer: customerId,
  customer_id_id: customerId,
  mobile_activated: false,
  mobile: '',
  ext: ada.ext,
  cli: ada.number,
  esc_cli: ada.number,
  cc: '44',
  area_code: '20',
  ring_time: '20',
  final_dst_type: 'V',
  final_dst_id: ada.id,
  vm_pin: '2938',
  vm_to_email: true,
  vm_emails: [ada.email],
  vm_tts: 'N',
  vm_new: 1,
  vm_old: 3,
  cw: true,
  dnd: false,
  rec_allowed: true,
  rec_never_internal: false,
  fm: true,
  fm_only_direct: false,
  fm_init_ring_time: 10,
  fm_announcement_enabled: false,
  fm_confirm_required: false,
  fm_allowed: true,
  fm_targets: [bo.number],
  fm_ring_time: '20',
  fm_strategy: 'A',
  fm_final_dst_type: 'H',
  fm_final_dst_id: 0,
  fm_cli: 'R',
  nun: '',
  nun_only_direct: false,
  nun_ring_time: 20,
  monitor: 'N',
  monitor_transcript: 'D',
  auto_answer_header: '',
  log_missed_calls: true,
  language: 'en',
  cnam: false,
  email_missed: 'N',
  call_barge_allowed: false,
  transfer_cli: 'R',
  nb_sip_locations: 1,
  pickup_group_id: 10_000_001,
  location_id: '1',
  vm_announcement_id: 10_000_001,
  fm_announcement_id: 0,
  legacy_api_key: '',
};

const me: Me = {
  id: String(ada.id),
  balance: 250,
  cc: '44',
  cli: ada.number,
  currency_iso: 'GBP',
  is_root: '1',
  language: 'en',
};

const aclRole: AclRole = { id: 10_000_001, _name: 'ROLE_ADMIN', name: 'Administrator', product_code: 'pbx' };
const queueGroup: QueueGroup = { id: 10_000_001, name: 'Support queues' };
const userGroup: UserGroup = { id: 10_000_001, color: 'teal', name: 'Front desk' };
const userGroupPolicy: UserGroup = { id: 10_000_001, color: 'grey', name: 'No calls abroad' };

export const customerExamples = {
  aclroles: aclRole,
  users: user,
  me,
  queuegroups: queueGroup,
  usergroups: userGroup,
  usergrouppolicies: userGroupPolicy,
} as const;
