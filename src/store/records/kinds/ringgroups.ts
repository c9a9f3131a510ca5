// Ring groups: whose phones ring together.
import { codeOf, destinationTypeCodes, ringGroupStrategyCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { leadsToItself } from '../destinations.ts';
import { rulesFor } from '../rules.ts';
import { strangers } from './people.ts';

export const ringGroupRules = rulesFor<Stored['ringgroups']>({
  letter: 'R',
  /** What is published for them is E.164; queues, rooms and menus say nothing of the form. */
  ddisBy: 'e164',
  required: ['name'],
  extension: { member: 'number', first: 700 },
  references: { moh_id: 'mohs' },
  usual: () => ({
    strategy: codeOf(ringGroupStrategyCodes, 'ring_all'),
    final_dst_type: codeOf(destinationTypeCodes, 'H'),
    ring_time: 20,
  }),
  problems: (ground, after, before) => [
    ...leadsToItself('R', after),
    ...(after.users === before?.users ? [] : strangers(ground, 'users', after.users)),
  ],
});
