// Queues: who waits for whom, and what a new queue does when nobody has said.
import { codeOf, destinationTypeCodes, languageCodes, queueStrategyCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { leadsToItself } from '../destinations.ts';
import { type Ground, rulesFor } from '../rules.ts';
import { strangers } from './people.ts';

export const queueRules = rulesFor<Stored['queues']>({
  letter: 'Q',
  required: ['name'],
  extension: { member: 'number', first: 600 },
  references: { moh: 'mohs', ivr: 'ivrs', post_call_ivr_id: 'ivrs' },
  usual: () => ({
    ring_strategy: codeOf(queueStrategyCodes, 'ring_all'),
    language: codeOf(languageCodes, 'en'),
    final_dst_type: codeOf(destinationTypeCodes, 'H'),
    ring_time: 20,
    retry: 5,
    max_wait_time: 300,
    max_callers: 20,
    ann_freq: 60,
    join_empty: true,
    skip_busy: true,
  }),
  /** Whoever is put into a queue is logged in there, unless it is said otherwise. */
  derived: (_, { users, groups }, before) => ({
    ...(users === before?.users ? {} : { users: users.map(({ id, status = true }) => ({ id, status })) }),
    ...(groups === before?.groups ? {} : { groups: groups.map(idOf) }),
  }),
  problems: (ground, after, before) => [
    ...leadsToItself('Q', after),
    ...(after.users === before?.users ? [] : strangers(ground, 'users', idsOf(after))),
    ...(after.groups === before?.groups ? [] : strangeGroups(ground, after.groups)),
  ],
});

/** Groups are named by their ids or by objects that have one: CHOICE-QUEUE-GROUPS. */
function idOf(group: number | { readonly id: number }): number {
  return typeof group === 'number' ? group : group.id;
}

function strangeGroups({ store, customerId }: Ground, ids: readonly number[]): string[] {
  return ids.flatMap((id, index) =>
    store.queuegroups.customerOf(id) === customerId
      ? []
      : [`groups[${index}]: there is no queue group ${id} in this account`],
  );
}

function idsOf({ users }: Pick<Stored['queues'], 'users'>): number[] {
  return users.map(({ id }) => id);
}
