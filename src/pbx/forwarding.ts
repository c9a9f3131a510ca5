// Where a user's calls go on to before its final destination: follow-me, and the number for a phone that is offline. Pure.
import type { User } from '../contract/resources/customer.ts';
import { parseUri } from '../sip/uri.ts';
import { type Cause, DO_NOT_DISTURB, NOT_REGISTERED } from './causes.ts';
import type { Directory } from './directory.ts';
import { isTarget, nameOfPlace, type Place, type Target } from './place.ts';

/** Targets of follow-me that are rung; more are not. */
const MAX_TARGETS = 20;
const DEFAULT_RING_TIME_MS = 20_000;

/** How long the user's own phones ring before follow-me takes over; undefined when it does not. */
export function initialRingTimeMs(target: Target, isDirect: boolean): number | undefined {
  if (target.kind !== 'user' || target.forwardedBy !== undefined) return undefined;
  return followsMe(target.user, isDirect) ? Math.max(0, target.user.fm_init_ring_time) * 1000 : undefined;
}

/** Where a user's caller goes whom its phones did not answer, if the user is followed (CHOICE-FOLLOW-ME, CHOICE-NUN). */
export function forwardOf(directory: Directory, place: Place, isDirect: boolean, cause: Cause): Place | undefined {
  if (place.kind !== 'user' || place.forwardedBy !== undefined || cause === DO_NOT_DISTURB) return undefined;
  const { user } = place;
  if (followsMe(user, isDirect)) return { kind: 'follow-me', user };
  const isOffline = cause === NOT_REGISTERED && user.nun !== '' && (isDirect || !user.nun_only_direct);
  const target = isOffline ? targetOf(directory, user, user.nun) : undefined;
  const ringTimeMs = user.nun_ring_time > 0 ? user.nun_ring_time * 1000 : DEFAULT_RING_TIME_MS;
  return target && { ...target, forwardedBy: { user, ringTimeMs } };
}

/** Whom follow-me rings, in the order of the user, each once. What is neither an extension nor a number is left out. */
export function followMeTargets(directory: Directory, user: User): Target[] {
  const targets = user.fm_targets.slice(0, MAX_TARGETS).flatMap((written) => targetOf(directory, user, written) ?? []);
  return [...new Map(targets.map((target) => [nameOfPlace(target), target])).values()];
}

function followsMe(user: User, isDirect: boolean): boolean {
  return user.fm && user.fm_allowed && user.fm_targets.length > 0 && (isDirect || !user.fm_only_direct);
}

/** One party: an extension, a number as the user dials it, or a SIP URI whose user part is one of them. */
function targetOf(directory: Directory, user: User, written: string): Target | undefined {
  const number = /^sips?:/i.test(written) ? (parseUri(written)?.user ?? '') : written;
  const destination = directory.dialled(user.customer, number, user);
  return destination.kind !== 'nowhere' && isTarget(destination) ? destination : undefined;
}
