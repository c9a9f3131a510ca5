// Where a caller goes whom nobody answered: to where the user is followed, or the final destination of the user or group that was
// called. Knows no signalling.
import type { Call } from './call.ts';
import { CALLER_CANCELLED, type Cause } from './causes.ts';
import { namedFor } from './cnam.ts';
import type { Directory } from './directory.ts';
import { forwardOf } from './forwarding.ts';
import { digitsOf } from './party.ts';
import { isTarget, nameOfPlace, type Place } from './place.ts';
import { rateFor } from './rates.ts';
import type { Switchboard } from './switchboard.ts';

/** Destinations that one caller visits in turn; one more ends the call. */
const MAX_VISITS = 10;

/** Where a caller has been, in order: no place is visited twice, so no forwarding goes round in circles. */
export type Visits = readonly string[];

/** Undefined when the call ends here. */
export function nextPlace(directory: Directory, place: Place, visits: Visits, cause: Cause): Place | undefined {
  if (cause === CALLER_CANCELLED) return undefined;
  const forward = forwardOf(directory, place, visits.length === 0, cause);
  return [forward, directory.finalDestinationOf(place)].find(
    (next) => next !== undefined && isNew(next, place, visits),
  );
}

/** Whether a caller who is at a place may be led to that one: it is none where it was led before, and there were not too many. */
export function isNew(next: Place, here: Place, visits: Visits): boolean {
  return visits.length < MAX_VISITS && !visitsAfter(visits, here).includes(nameOfPlace(next));
}

/** The visits when this place has been left. */
export function visitsAfter(visits: Visits, place: Place): Visits {
  return [...visits, nameOfPlace(place)];
}

/** The same caller at the next destination: a live call of its own, whose parent is the one that nobody answered. */
export function openVisit(board: Switchboard, parent: Call, place: Place, clid: string): Call {
  const { directory, calls } = board;
  return calls.open({
    parent,
    customerId: parent.customerId,
    direction: place.kind === 'public' ? 'out' : 'in',
    origin: parent.origin,
    src: namedFor(board.store, parent.customerId, parent.src, place),
    dst: directory.partyAt(place),
    ...(isTarget(place) && place.forwardedBy !== undefined ? { forUserId: place.forwardedBy.user.id } : {}),
    clid,
    rate: place.kind === 'public' ? rateFor(digitsOf(place.number)) : 0,
    srcRate: parent.srcRate,
  });
}
