// Users: what the account's other records have to do with one. What a user logs in with goes with it (see store.ts).
import type { Stored } from '../../stored.ts';
import { leadNumbers } from '../numbers.ts';
import { type Ground, rulesFor } from '../rules.ts';

/** A user whom nobody has configured: an agent whose phone rings 20 s and takes a second call. */
export const usualUser: Partial<Stored['users']> = {
  active: true,
  two_factor_auth: 'D',
  roles: ['ROLE_AGENT'],
  ring_time: '20',
  final_dst_type: 'H',
  vm_pin: '0000',
  cw: true,
  rec_allowed: true,
  fm_allowed: true,
  fm_ring_time: '20',
  fm_strategy: 'A',
  vm_tts: 'N',
  email_missed: 'N',
  fm_final_dst_type: 'H',
  log_missed_calls: true,
  language: 'en',
};

export const userRules = rulesFor<Stored['users']>({
  letter: 'U',
  required: ['email', 'ext'],
  ofAccount: ['customer', 'customer_id_id'],
  usual: ({ store, customerId }) => ({ ...usualUser, cc: store.customers.get(customerId)?.countryCode ?? '' }),
  references: {
    pickup_group_id: 'pickupgroups',
    vm_announcement_id: 'vmannouncements',
    fm_announcement_id: 'vmannouncements',
  },
  owns: { contacts: 'user_id', vmannouncements: 'extension', voicemessages: 'extension_id' },
  problems: ({ store, customerId }, { groups = [] }, before) =>
    groups === before?.groups
      ? []
      : groups.flatMap((id, index) =>
          store.usergroups.customerOf(id) === customerId
            ? []
            : [`groups[${index}]: there is no user group ${id} in this account`],
        ),
  settle: (ground, { before, after }) => {
    if (before !== undefined && after === undefined) leave(ground, before.id);
    if (before?.pickup_group_id !== after?.pickup_group_id)
      for (const group of [before?.pickup_group_id, after?.pickup_group_id]) countPickupUsers(ground, group ?? 0);
  },
});

/** Nobody logs in as somebody who is gone, no number leads to the voicemail box, and queues and ring groups do not wait. */
function leave(ground: Ground, userId: number): void {
  const { store, customerId } = ground;
  store.accounts.delete(userId);
  leadNumbers(ground, 'V', userId, []);
  for (const queue of [...store.queues.list(customerId)])
    if (queue.users.some(({ id }) => id === userId))
      store.queues.update(queue.id, { users: queue.users.filter(({ id }) => id !== userId) });
  for (const group of [...store.ringgroups.list(customerId)])
    if (group.users.includes(userId))
      store.ringgroups.update(group.id, { users: group.users.filter((id) => id !== userId) });
}

/** `users` of a pickup group is their number: CHOICE-PICKUP-USERS. */
function countPickupUsers({ store }: Ground, groupId: number): void {
  const users = store.users.find('pickup_group_id', groupId).length;
  if (groupId > 0) store.pickupgroups.update(groupId, { users });
}
