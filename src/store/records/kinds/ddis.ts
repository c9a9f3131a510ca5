// Numbers: kept with `+`, each of one account, each leading somewhere of that account or nowhere.
import { codeOf, ddiStatusCodes, isWord, targetTypeCodes, wordOf } from '../../../contract/codes.ts';
import { collectionOf } from '../../store.ts';
import type { Stored } from '../../stored.ts';
import { destinationKinds } from '../destinations.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Ddi = Stored['ddis'];

export const ddiRules = rulesFor<Ddi>({
  required: ['e164'],
  references: { campaign_id: 'campaigns' },
  usual: () => ({ channels: 4, status: codeOf(ddiStatusCodes, 'active'), sms_enabled: true, tel_verified: true }),
  problems: (ground, ddi, before) => [...taken(ground, ddi, before), ...strangeTarget(ground, ddi, before)],
});

function taken({ store }: Ground, { e164 }: Ddi, before: Ddi | undefined): string[] {
  const owners = store.ddis.find('e164', e164);
  return owners.some(({ id }) => id !== before?.id) ? [`e164: ${e164} is taken`] : [];
}

function strangeTarget({ store, customerId }: Ground, ddi: Ddi, before: Ddi | undefined): string[] {
  if (before?.target_type === ddi.target_type && before.target_id === ddi.target_id) return [];
  const word = wordOf(targetTypeCodes, ddi.target_type);
  if (word === undefined || !isWord(targetTypeCodes, word)) {
    const known = targetTypeCodes.words.map((one) => `${codeOf(targetTypeCodes, one)} ${one}`);
    return [`target_type: expected one of ${known.join(', ')}`];
  }
  const kind = word === 'none' ? undefined : destinationKinds[word];
  if (kind === undefined || collectionOf(store, kind).customerOf(ddi.target_id) === customerId) return [];
  return [`target_id: there is nothing with the id ${ddi.target_id} that target_type ${word} leads to`];
}
