// IVRs: menus that callers answer with keys.
import { codeOf, destinationTypeCodes, languageCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const ivrRules = rulesFor<Stored['ivrs']>({
  letter: 'I',
  required: ['name'],
  extension: { member: 'number', first: 800 },
  usual: () => ({
    language: codeOf(languageCodes, 'en'),
    final_dst_type: codeOf(destinationTypeCodes, 'H'),
    ring_time: 20,
    timeout: 5,
    repeats: 2,
  }),
});
