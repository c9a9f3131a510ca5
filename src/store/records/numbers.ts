// Which numbers lead where: a number's target, and the `ddis` of what it leads to. Knows no call.
import { codeOf, type DestinationType, targetTypeCodes } from '../../contract/codes.ts';
import type { Stored } from '../stored.ts';
import type { Ground } from './rules.ts';

const nowhere = { target_type: codeOf(targetTypeCodes, 'none'), target_id: 0 };

/** The account's numbers that lead to a record. */
export function numbersOf({ store, customerId }: Ground, letter: DestinationType, id: number): Stored['ddis'][] {
  const type = codeOf(targetTypeCodes, letter);
  return store.ddis
    .find('target_id', id)
    .filter((ddi) => ddi.target_type === type && store.ddis.customerOf(ddi.id) === customerId);
}

/** The account's number that is written in E.164, with or without `+`, or by its id unless `by` says otherwise. */
export function numberNamed({ store, customerId }: Ground, written: unknown, by?: 'e164'): Stored['ddis'] | undefined {
  const text = String(written);
  const digits = text.replace('+', '');
  const byId = by === undefined ? [store.ddis.get(text)] : [];
  const found = [...byId, ...store.ddis.find('e164', `+${digits}`), ...store.ddis.find('e164', digits)];
  return found.find((ddi) => ddi !== undefined && store.ddis.customerOf(ddi.id) === customerId);
}

/** A sentence for each of `ddis` that is no number of the account. */
export function strangeNumbers(ground: Ground, ddis: readonly unknown[], by?: 'e164'): string[] {
  return ddis.flatMap((written, index) =>
    numberNamed(ground, written, by) === undefined
      ? [`ddis[${index}]: there is no number ${JSON.stringify(written)} in this account`]
      : [],
  );
}

/** Those numbers, and no others, lead to the record from now on. */
export function leadNumbers(
  ground: Ground,
  letter: DestinationType,
  id: number,
  ddis: readonly unknown[],
  by?: 'e164',
): void {
  const { store } = ground;
  const chosen = new Set(ddis.flatMap((written) => numberNamed(ground, written, by)?.id ?? []));
  for (const ddi of numbersOf(ground, letter, id)) if (!chosen.has(ddi.id)) store.ddis.update(ddi.id, nowhere);
  for (const ddi of chosen) store.ddis.update(ddi, { target_type: codeOf(targetTypeCodes, letter), target_id: id });
}
