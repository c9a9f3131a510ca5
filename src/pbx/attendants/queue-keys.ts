// Where a key leads that a waiting caller presses: to what the queue's IVR has on that key. Knows no caller.
import { parseDestination } from '../../store/records/destinations.ts';
import type { Place } from '../place.ts';
import type { Switchboard } from '../switchboard.ts';

const members = {
  '0': 'zero',
  '1': 'one',
  '2': 'two',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  '*': 'star',
  '#': 'hash',
} as const;

/** Undefined where the key does nothing: there is no such IVR, or it has nothing on it. */
export function keyDestination(
  { store, directory }: Switchboard,
  customerId: number,
  ivrId: number,
  key: string,
): Place | undefined {
  const ivr = store.ivrs.get(ivrId);
  if (ivr === undefined || !isKey(key)) return undefined;
  const destination = parseDestination(ivr[members[key]]);
  return destination?.id === undefined ? undefined : directory.placeOf(customerId, destination.letter, destination.id);
}

function isKey(key: string): key is keyof typeof members {
  return Object.hasOwn(members, key);
}
