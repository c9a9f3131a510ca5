// What the fields of users, of the current user and of groups mean. Knows no credentials.

import type { Me, QueueGroup, User, UserGroup } from '../resources/customer.ts';
import type { Words } from './words.ts';

const letters = 'U user, V voicemail, R ring group, I IVR, Q queue, C conference room, H hang up';

const identity = {
  id: 'identifies the user; the part before the colon of Basic credentials',
  is_initial: 'opened the account',
  email: 'email address, and name at the login',
  first_name: 'first name',
  last_name: 'last name',
  roles: 'names of the access control roles of the user',
  active: 'may log in and be called',
  visited_apps: 'applications that the user has opened',
  is_root: 'root administrator of the account',
  two_factor_auth: 'second step of the login: D none, E a code by email',
  created_at: 'when the user was made',
  customer: 'account of the user',
  customer_id_id: 'account of the user',
  location_id: 'where the user works; digits as text, empty for nowhere',
  pickup_group_id: 'group whose calls the user may take',
  legacy_api_key: 'API key of old',
};

const telephone = {
  mobile_activated: 'SMS may leave with the mobile number',
  mobile: 'mobile number',
  ext: 'extension: what colleagues dial',
  cli: 'number shown to the parties called',
  esc_cli: 'number shown to emergency services',
  cc: 'country code put before numbers dialled without one',
  area_code: 'area code put before local numbers',
  ring_time: 'how long the phone rings before the call goes to its final destination',
  final_dst_type: `where calls go that the user does not take: ${letters}`,
  final_dst_id: 'id of that destination',
  cw: 'call waiting: a second call rings during the first',
  dnd: 'do not disturb: calls go to the final destination at once',
  nb_sip_locations: 'phones that are registered now',
  auto_answer_header: 'header of incoming INVITEs that makes the phone answer by itself; empty for none',
  log_missed_calls: 'calls to ring groups and queues that others did not take either leave a missed record',
  language: 'language of announcements, two letters',
  cnam: 'names of callers are looked up',
  email_missed: 'email about missed calls: Y or N',
  call_barge_allowed: "may listen in on colleagues' calls, where the permission for it is set up too",
  transfer_cli: 'number shown after a blind transfer: R the remote party, L the local user',
};

const voicemail = {
  vm_pin: 'four digits that open the mailbox',
  vm_to_email: 'messages are sent by email',
  vm_emails: 'addresses that get them',
  vm_tts: 'messages are turned into text: Y or N',
  vm_new: 'messages not heard yet',
  vm_old: 'messages heard',
  vm_announcement_id: 'announcement of the mailbox',
};

const recording = {
  rec_allowed: 'may record a call while it goes on',
  rec_never_internal: 'calls between extensions are never recorded',
  monitor: 'calls recorded by themselves: N none, A all, I inbound, O outbound',
  monitor_transcript: 'recordings become a transcript with summary and sentiment: D no, Y yes',
};

const followMe = {
  fm: 'follow-me: calls are forwarded',
  fm_only_direct: "only calls to the user's own number are forwarded",
  fm_init_ring_time: "how long the user's phone rings first",
  fm_announcement_enabled: 'callers hear an announcement before',
  fm_confirm_required: 'who answers must confirm with a key',
  fm_allowed: 'the account has the feature',
  fm_targets: 'numbers or SIP URIs to forward to',
  fm_ring_time: 'how long each of them rings',
  fm_strategy: 'order of the targets: A all at once, H one after the other, M one more each round',
  fm_final_dst_type: `where calls go that no target takes: ${letters}`,
  fm_final_dst_id: 'id of that destination',
  fm_cli: 'number shown to the target: R the remote party, L the local user',
  fm_announcement_id: 'announcement played before',
  nun: 'number to call while no phone is registered, empty for none',
  nun_only_direct: "only for calls to the user's own number",
  nun_ring_time: 'how long that number rings',
};

const user: Words<User> = { ...identity, ...telephone, ...voicemail, ...recording, ...followMe };

const me: Words<Me> = {
  id: 'id of the user who asks; digits as text',
  balance: 'what the account has left',
  cc: 'country code put before numbers dialled without one',
  cli: 'number shown to the parties called',
  currency_iso: 'currency of balance, rates and charges, ISO 4217',
  is_root: '1 for the root administrator, else 0',
  language: 'language of announcements, two letters',
};

const queueGroup: Words<QueueGroup> = { id: 'identifies the queue group', name: 'what people call it' };

const userGroup: Words<UserGroup> = {
  id: 'identifies the group',
  color: 'colour it is shown in, as a word or in CSS form',
  name: 'what people call it',
};

export const customerWords = {
  users: user,
  me,
  queuegroups: queueGroup,
  usergroups: userGroup,
  usergrouppolicies: userGroup,
} as const;
