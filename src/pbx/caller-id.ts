// Whom a called party sees, and `clid`: the caller's extension inside the company, its public number outside.
import type { User } from '../contract/resources/customer.ts';
import { isEmergency } from './dialplan.ts';
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
  if (place.kind === 'public' && isEmergency(place.number)) return shownInEmergency(user, party);
  if (wish === ANONYMOUS) return { number: ANONYMOUS, name: '' };
  if (wish !== undefined) return { number: `+${digitsOf(wish)}`, name: party.name };
  if (place.kind !== 'public') return { number: party.number, name: party.name };
  return { number: user.cli === '' ? party.number : `+${digitsOf(user.cli)}`, name: party.name };
}

/** Who calls for help is never hidden, and is shown where it can be called back (`esc_cli`). */
function shownInEmergency({ esc_cli, cli }: User, party: Party): Shown {
  const number = esc_cli === '' ? cli : esc_cli;
  return { number: number === '' ? party.number : `+${digitsOf(number)}`, name: party.name };
}

/** What a number sees to which a user's calls go on (`fm_cli`): the caller, or that user. */
export function shownByForwarding(user: User, own: Party, caller: Shown, place: Place): Shown {
  return user.fm_cli === 'L' ? shownBy(user, own, place) : caller;
}

export function clidOf(shown: Shown): string {
  return callerId(`${shown.prefix ?? ''} ${shown.name}`.trim(), shown.number);
}
