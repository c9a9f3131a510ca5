// Where a caller can go from an IVR: by a key, by an extension, by chance. Knows no sound and no time.
import { parseDestination } from '../../store/records/destinations.ts';
import type { Ivr, Place } from '../place.ts';
import type { Switchboard } from '../switchboard.ts';

/** The members of an IVR that belong to a key. */
const members = {
  '0': ['zero', undefined],
  '1': ['one', 'one_sounds'],
  '2': ['two', 'two_sounds'],
  '3': ['three', 'three_sounds'],
  '4': ['four', 'four_sounds'],
  '5': ['five', 'five_sounds'],
  '6': ['six', 'six_sounds'],
  '7': ['seven', 'seven_sounds'],
  '8': ['eight', 'eight_sounds'],
  '9': ['nine', 'nine_sounds'],
  '*': ['star', undefined],
  '#': ['hash', undefined],
} as const satisfies Readonly<Record<string, readonly [keyof Ivr, keyof Ivr | undefined]>>;

/** A place, or the end of the call. */
export type Way = Place | 'hang up';

/** Where a key leads, and what is said on the way; undefined for a key that does nothing. */
export function wayOfKey(
  board: Switchboard,
  customerId: number,
  ivr: Ivr,
  key: string,
): { readonly way: Way; readonly sounds: string } | undefined {
  if (!isKey(key)) return undefined;
  const [leads, says] = members[key];
  const way = wayOf(board, customerId, ivr[leads]);
  return way && { way, sounds: says === undefined ? '' : ivr[says] };
}

/** One of those that `random_dst` lists and that can be reached; undefined when there is none. */
export function wayByChance(board: Switchboard, customerId: number, { random_dst }: Ivr): Way | undefined {
  const [first, ...others] = random_dst.split(',').flatMap((text) => wayOf(board, customerId, text.trim()) ?? []);
  return first && board.chance.pick([first, ...others]);
}

function wayOf({ directory }: Switchboard, customerId: number, text: string): Way | undefined {
  const parsed = parseDestination(text);
  if (parsed === undefined) return undefined;
  return parsed.letter === 'H' ? 'hang up' : directory.placeOf(customerId, parsed.letter, parsed.id ?? 0);
}

/** What digits come to that a caller keys in. */
export interface Dialled {
  /** What has exactly that extension. */
  readonly place: Place | undefined;
  /** Some extension is longer and begins so. */
  readonly goesOn: boolean;
}

/** Extensions of the account, and the numbers that its conferences have for callers from outside: no caller dials out through a menu, and none reaches a service. */
export function dialledInIvr({ store, directory }: Switchboard, customerId: number, digits: string): Dialled {
  const extensions = [
    ...[...store.users.list(customerId)].filter(({ active }) => active).map(({ ext }) => ext),
    ...[...store.ringgroups.list(customerId)].map(({ number }) => String(number)),
    ...[...store.queues.list(customerId)].map(({ number }) => String(number)),
    ...[...store.ivrs.list(customerId)].map(({ number }) => String(number)),
    ...[...store.conferences.list(customerId)].flatMap(({ confno, confno_pstn }) => [
      String(confno),
      String(confno_pstn),
    ]),
  ];
  const found = extensions.includes(digits) ? directory.dialled(customerId, digits) : undefined;
  return {
    place: found === undefined || found.kind === 'nowhere' ? undefined : found,
    goesOn: extensions.some((extension) => extension.length > digits.length && extension.startsWith(digits)),
  };
}

function isKey(key: string): key is keyof typeof members {
  return Object.hasOwn(members, key);
}
