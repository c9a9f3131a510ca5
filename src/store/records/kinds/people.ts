// Users as members of something: they must be of the account, and leave with their record. Knows no group.
import type { Ground } from '../rules.ts';

/** A sentence for each id that is no user of the account, or that comes twice. */
export function strangers({ store, customerId }: Ground, member: string, ids: readonly number[]): string[] {
  return ids.flatMap((id, index) => {
    if (store.users.customerOf(id) !== customerId)
      return [`${member}[${index}]: there is no user ${id} in this account`];
    return ids.indexOf(id) === index ? [] : [`${member}[${index}]: the user ${id} is named twice`];
  });
}
