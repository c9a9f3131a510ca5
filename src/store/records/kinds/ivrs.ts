// IVRs: menus that callers answer with keys.
import { codeOf, destinationTypeCodes, languageCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { ivrKeys, leadsSomewhere, leadsToItself } from '../destinations.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Ivr = Stored['ivrs'];

export const ivrRules = rulesFor<Ivr>({
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
  problems: (ground, after, before) => [
    ...leadsToItself('I', after),
    ...ivrKeys.flatMap((key) => (after[key] === before?.[key] ? [] : strangeKey(ground, key, after[key]))),
  ],
});

/** Empty where the key does nothing. */
function strangeKey(ground: Ground, key: string, written: string): string[] {
  const places = written === '' ? [] : written.split(',');
  const isList = key === 'random_dst';
  const isRight = places.every((place) => leadsSomewhere(ground, place.trim())) && (isList || places.length <= 1);
  return isRight ? [] : [`${key}: expected H or a letter and an id of this account, as in Q:10000001`];
}
