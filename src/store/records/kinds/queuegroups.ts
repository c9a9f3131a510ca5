// Queue groups: queues are in them by id.
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const queueGroupRules = rulesFor<Stored['queuegroups']>({
  required: ['name'],
  settle: ({ store, customerId }, { before, after }) => {
    if (before === undefined || after !== undefined) return;
    for (const { id, groups } of [...store.queues.list(customerId)])
      if (groups.includes(before.id))
        store.queues.update(id, { groups: groups.filter((group) => group !== before.id) });
  },
});
