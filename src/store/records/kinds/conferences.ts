// Conference rooms: an extension of the house, and a number for callers from outside who key it in.
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const conferenceRules = rulesFor<Stored['conferences']>({
  letter: 'C',
  required: ['name'],
  extension: { member: 'confno', first: 900 },
});
