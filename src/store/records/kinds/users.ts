// Users: what the account's other records have to do with one. How a user logs in is the account's matter (see store.ts).
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

export const userRules = rulesFor<Stored['users']>({
  letter: 'U',
  required: ['email', 'ext'],
  fixed: ['customer', 'customer_id_id'],
  references: {
    pickup_group_id: 'pickupgroups',
    vm_announcement_id: 'vmannouncements',
    fm_announcement_id: 'vmannouncements',
  },
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

/** Queues and ring groups do not wait for somebody who is gone. */
function leave({ store, customerId }: Ground, userId: number): void {
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
