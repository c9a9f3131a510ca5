// Where a caller goes whom nobody answered: the final destination of the user who was called. Knows no signalling.
import type { User } from '../contract/resources/customer.ts';
import type { Call } from './call.ts';
import { CALLER_CANCELLED, type Cause } from './causes.ts';
import type { Target } from './dial.ts';
import type { Directory } from './directory.ts';
import { digitsOf } from './party.ts';
import { rateFor } from './rates.ts';
import type { Switchboard } from './switchboard.ts';

/** Destinations that one caller visits in turn; one more ends the call. */
const MAX_VISITS = 10;

/** The users whom a caller has been sent to, in order: nobody is visited twice, so no forwarding goes round in circles. */
export type Visits = readonly number[];

/** Undefined when the call ends here. */
export function nextTarget(directory: Directory, target: Target, visits: Visits, cause: Cause): Target | undefined {
  if (target.kind !== 'user' || cause === CALLER_CANCELLED || visits.length >= MAX_VISITS) return undefined;
  const next = finalDestinationOf(directory, target.user);
  return next === undefined || [...visits, target.user.id].includes(next.user.id) ? undefined : next;
}

/** The users visited when this target has been left. */
export function visitsAfter(visits: Visits, target: Target): Visits {
  return target.kind === 'user' ? [...visits, target.user.id] : visits;
}

/** The same caller at the next destination: a live call of its own, whose parent is the one that nobody answered. */
export function openVisit(board: Switchboard, parent: Call, target: Target, clid: string): Call {
  const { directory, calls } = board;
  return calls.open({
    parent,
    customerId: parent.customerId,
    direction: target.kind === 'public' ? 'out' : 'in',
    origin: parent.origin,
    src: parent.src,
    dst: target.kind === 'public' ? directory.outsider(target.number) : directory.partyOf(target.user),
    clid,
    rate: target.kind === 'public' ? rateFor(digitsOf(target.number)) : 0,
    srcRate: parent.srcRate,
  });
}

function finalDestinationOf(directory: Directory, user: User): { kind: 'user'; user: User } | undefined {
  const next = user.final_dst_type === 'U' ? directory.user(user.final_dst_id) : undefined;
  return next?.active && next.customer === user.customer ? { kind: 'user', user: next } : undefined;
}
