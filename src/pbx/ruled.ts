// What an account's routing rules make of a call before anybody is rung: blocked, sent elsewhere, or let be. Knows no signalling.
import type { User } from '../contract/resources/customer.ts';
import { firstMatch, type RuleAction } from '../store/routing-rules.ts';
import type { Stored } from '../store/stored.ts';
import type { Destination, Directory } from './directory.ts';
import type { Party } from './party.ts';
import type { Place } from './place.ts';
import type { Switchboard } from './switchboard.ts';

/** A call that somebody wants to make. */
export interface Wish {
  readonly customerId: number;
  readonly caller: Party;
  /** As it was dialled, or the number that was called from outside. */
  readonly dialled: string;
  readonly destination: Destination;
}

/** Where the call goes by the rules; the destination that was wished when no rule is about it (CHOICE-ROUTING-RULES). */
export function ruled(
  { store, directory, clock }: Pick<Switchboard, 'store' | 'directory' | 'clock'>,
  wish: Wish,
): Destination {
  const { customerId, caller, dialled, destination } = wish;
  if (destination.kind === 'nowhere' || store.routingrules.count(customerId) === 0) return destination;
  const action = firstMatch(store.routingrules.list(customerId), {
    direction: destination.kind === 'public' ? 'out' : 'in',
    src: namesOfParty(directory, caller),
    dst: namesOfPlace(directory, destination, dialled),
    atMs: clock.now(),
  });
  return action === undefined ? destination : outcomeOf(directory, customerId, action);
}

function outcomeOf(directory: Directory, customerId: number, action: RuleAction): Destination {
  if (action.kind === 'block') return { kind: 'nowhere', status: 403, why: 'a routing rule blocks this call' };
  const place = directory.placeOf(customerId, action.letter, action.id);
  return place ?? { kind: 'nowhere', status: 480, why: 'a routing rule sends this call where nobody can answer' };
}

function namesOfPlace(directory: Directory, place: Place, dialled: string): string[] {
  if (place.kind === 'public') return [place.number];
  if (place.kind === 'user') return [dialled, ...namesOfUser(place.user)];
  const { number, placeId } = directory.partyAt(place);
  return [dialled, number, ...(placeId === undefined ? [] : [String(placeId)])];
}

/** Everything that a rule may call a party. */
function namesOfParty(directory: Directory, { userId, number }: Party): string[] {
  const user = userId === null ? undefined : directory.user(userId);
  return user === undefined ? [number] : namesOfUser(user);
}

function namesOfUser(user: User & Pick<Stored['users'], 'groups'>): string[] {
  return [user.ext, String(user.id), user.cli, ...(user.groups ?? []).map((id) => `group:${id}`)].filter(
    (name) => name !== '',
  );
}
