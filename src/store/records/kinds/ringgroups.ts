// Ring groups: whose phones ring together.
import { codeOf, destinationTypeCodes, ringGroupStrategyCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';
import { strangers } from './people.ts';

export const ringGroupRules = rulesFor<Stored['ringgroups']>({
  letter: 'R',
  required: ['name'],
  extension: { member: 'number', first: 700 },
  references: { moh_id: 'mohs' },
  usual: () => ({
    strategy: codeOf(ringGroupStrategyCodes, 'ring_all'),
    final_dst_type: codeOf(destinationTypeCodes, 'H'),
    ring_time: 20,
  }),
  problems: (ground, { users }, before) => (users === before?.users ? [] : strangers(ground, 'users', users)),
});
