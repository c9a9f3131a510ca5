// Whom a called party sees, and `clid`: the caller's extension inside the company, its public number outside.
import type { User } from '../contract/resources/customer.ts';
import { ANONYMOUS, callerId, digitsOf, type Party } from './party.ts';
import type { Place } from './place.ts';

export interface Shown {
  readonly number: string;
  readonly name: string;
  /** Written before the name: the group that was called. */
  readonly prefix?: string;
}

/** What a user's call shows. `wish` is the caller id asked for, if any: a number, or `anonymous`. */
export function shownBy(user: User, party: Party, place: Place, wish?: string): Shown {
  if (wish === ANONYMOUS) return { number: ANONYMOUS, name: '' };
  if (wish !== undefined) return { number: `+${digitsOf(wish)}`, name: party.name };
  if (place.kind !== 'public') return { number: party.number, name: party.name };
  return { number: user.cli === '' ? party.number : `+${digitsOf(user.cli)}`, name: party.name };
}

export function clidOf(shown: Shown): string {
  return callerId(`${shown.prefix ?? ''} ${shown.name}`.trim(), shown.number);
}
