// User groups: users are in them by id.
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const userGroupRules = rulesFor<Stored['usergroups']>({
  required: ['name'],
  settle: ({ store, customerId }, { before, after }) => {
    if (before === undefined || after !== undefined) return;
    for (const { id, groups = [] } of [...store.users.list(customerId)])
      if (groups.includes(before.id)) store.users.update(id, { groups: groups.filter((group) => group !== before.id) });
  },
});
