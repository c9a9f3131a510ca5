// Where unanswered calls go: a letter and an id, in every record that has a final destination. Knows no call.
import { codeOf, type DestinationType, destinationTypeCodes, isWord, wordOf } from '../../contract/codes.ts';
import type { StoredRecord } from '../store.ts';
import { collectionOf } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';
import type { Ground, Members } from './rules.ts';

/** What each letter leads to; a voicemail box is its user's, and nothing is behind hanging up. */
export const destinationKinds: Readonly<Record<DestinationType, StoredResourceId | undefined>> = {
  U: 'users',
  V: 'users',
  R: 'ringgroups',
  I: 'ivrs',
  Q: 'queues',
  C: 'conferences',
  H: undefined,
};

/** Members that hold a final destination: `<name>_type` and `<name>_id`. */
const names = ['final_dst', 'fm_final_dst'] as const;
const holders: readonly StoredResourceId[] = ['users', 'ringgroups', 'queues', 'ivrs'];

/** The letter of a final destination, written as a letter (users) or as its number. */
export function letterOf(type: unknown): DestinationType | undefined {
  if (typeof type === 'number') return wordOf(destinationTypeCodes, type);
  return typeof type === 'string' && isWord(destinationTypeCodes, type) ? type : undefined;
}

/** A sentence for each final destination that leads to nothing of the account. A user's `V` may leave its id open: the own box. */
export function strangeDestinations(
  { store, customerId }: Ground,
  resource: StoredResourceId,
  after: Members,
  before?: Members,
): string[] {
  return names.flatMap((name) => {
    const type = after[`${name}_type`];
    const id = Number(after[`${name}_id`] ?? 0);
    if (type === undefined) return [];
    if (before !== undefined && before[`${name}_type`] === type && before[`${name}_id`] === after[`${name}_id`])
      return [];
    const letter = letterOf(type);
    const kind = letter === undefined ? undefined : destinationKinds[letter];
    if (kind === undefined || (resource === 'users' && letter === 'V' && id === 0)) return [];
    if (collectionOf(store, kind).customerOf(id) === customerId) return [];
    return [`${name}_id: there is nothing with the id ${id} that ${name}_type ${letter} leads to`];
  });
}

/** A sentence when a record's own calls that nobody answered would come back to it. */
export function leadsToItself(letter: DestinationType, record: object): string[] {
  const { id, final_dst_type, final_dst_id } = record as Partial<Record<string, unknown>>;
  const isOwn = letterOf(final_dst_type) === letter && final_dst_id === id && id !== 0;
  return isOwn ? ['final_dst_id: calls that nobody answers would come back for ever'] : [];
}

/** Where a key of an IVR leads: `H`, or a letter and an id, `Q:10000001` (CHOICE-IVR-KEYS). Undefined for other text. */
export function parseDestination(
  text: string,
): { readonly letter: DestinationType; readonly id: number | undefined } | undefined {
  if (text === 'H') return { letter: 'H', id: undefined };
  const [, letter = '', id] = /^([UVRIQC]):([1-9]\d{0,14})$/.exec(text) ?? [];
  return isWord(destinationTypeCodes, letter) ? { letter, id: Number(id) } : undefined;
}

/** Whether there is something of the account that a destination in text leads to. */
export function leadsSomewhere({ store, customerId }: Ground, text: string): boolean {
  const parsed = parseDestination(text);
  const kind = parsed === undefined ? undefined : destinationKinds[parsed.letter];
  if (kind === undefined || parsed?.id === undefined) return parsed?.letter === 'H';
  return collectionOf(store, kind).customerOf(parsed.id) === customerId;
}

/** The members of an IVR that say where a key leads, and the one that lists what chance chooses from. */
export const ivrKeys = [
  ...(['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'star', 'hash'] as const),
  'random_dst' as const,
];

/** Keys that led to one of the destinations lead nowhere, and rules that redirected there block. */
function forgetInText({ store, customerId }: Ground, gone: readonly string[]): void {
  for (const ivr of [...store.ivrs.list(customerId)]) {
    const changes = ivrKeys.flatMap((key) => {
      const kept = ivr[key].split(',').filter((text) => !gone.includes(text.trim()));
      const text = kept.join(',');
      return text === ivr[key] ? [] : [[key, text] as const];
    });
    if (changes.length > 0) store.ivrs.update(ivr.id, Object.fromEntries(changes));
  }
  for (const { id, action } of [...store.routingrules.list(customerId)])
    if (gone.some((text) => action === `redirect:${text}`))
      store.routingrules.update(id, { action: 'block', final_dst: false });
}

/** Calls that went to a record that is gone end from now on. */
export function forgetDestination(ground: Ground, letters: readonly DestinationType[], id: number): void {
  const { store, customerId } = ground;
  forgetInText(
    ground,
    letters.map((letter) => `${letter}:${id}`),
  );
  for (const holder of holders) {
    const collection = collectionOf(store, holder);
    for (const record of [...collection.list(customerId)]) {
      const changes = names.flatMap((name) => endOf(record, name, letters, id));
      if (changes.length > 0) collection.update(record.id, Object.fromEntries(changes));
    }
  }
}

function endOf(
  record: StoredRecord,
  name: string,
  letters: readonly DestinationType[],
  id: number,
): Array<[string, unknown]> {
  const type = record[`${name}_type`];
  const letter = letterOf(type);
  if (letter === undefined || !letters.includes(letter) || record[`${name}_id`] !== id) return [];
  const hangUp = typeof type === 'number' ? codeOf(destinationTypeCodes, 'H') : 'H';
  return [
    [`${name}_type`, hangUp],
    [`${name}_id`, 0],
  ];
}
