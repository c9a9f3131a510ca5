// Barging in: by dialling a code with an extension a supervisor listens in on the call that is talked there (CHOICE-BARGE). Says who
// may, and which call that is; the attendant does it.
import type { User } from '../contract/resources/customer.ts';
import type { Call } from './call.ts';
import type { Destination } from './directory.ts';
import { BARGE_CODE } from './service-codes.ts';
import { MOST_SUPERVISORS } from './supervision.ts';
import type { Switchboard } from './switchboard.ts';

const DIGITS = /^\d{1,10}$/;
const OWN_CALL = 'Nobody barges into a call of their own';

/** Where the code leads for that supervisor: to the call, or nowhere and why; undefined for every other number. */
export function bargeAt(board: Switchboard, supervisor: User, dialled: string): Destination | undefined {
  const ext = dialled.startsWith(BARGE_CODE) ? dialled.slice(BARGE_CODE.length) : '';
  if (!DIGITS.test(ext)) return undefined;
  // Who may not learns nothing, not even who has an extension.
  if (!supervisor.call_barge_allowed) return nowhere(403, 'Barging is not allowed');
  const user = board.directory.userByExtension(supervisor.customer, ext);
  if (user === undefined) return nowhere(404, 'Nobody has that extension');
  if (user.id === supervisor.id) return nowhere(403, OWN_CALL);
  if (!shareGroup(board, supervisor, user)) return nowhere(403, 'No user group in common');
  const call = talkOf(board, user);
  if (call === undefined) return nowhere(480, 'Not in a call');
  if (call.legs().some(({ party }) => party.userId === supervisor.id)) return nowhere(403, OWN_CALL);
  if ((call.supervision?.size ?? 0) >= MOST_SUPERVISORS) return nowhere(486, 'Too many listen to that call');
  return { kind: 'barge', user };
}

/** The call in which the user talks to somebody: the one that is not on hold, the youngest of several. */
export function talkOf({ calls }: Switchboard, user: User): Call | undefined {
  return calls
    .ofCustomer(user.customer)
    .filter((call) => isTalk(call) && call.legs().some(({ isUp, party }) => isUp && party.userId === user.id))
    .toSorted((a, b) => Number(b.holders.size === 0) - Number(a.holders.size === 0) || whenTalked(b) - whenTalked(a))
    .at(0);
}

/** Two parties have been joined. A call at a group is none: they talk in the call of the member who answered. */
export function isTalk(call: Call): boolean {
  const { srcLeg, dstLeg, answeredBy } = call;
  return call.isAnswered && !call.isOver && answeredBy === undefined && srcLeg !== undefined && dstLeg !== undefined;
}

function whenTalked({ connectedAt }: Call): number {
  return connectedAt ?? 0;
}

/** The permission that is configured besides the attribute: the user groups of both. */
function shareGroup({ store }: Switchboard, supervisor: User, user: User): boolean {
  const own = store.users.get(supervisor.id)?.groups ?? [];
  return (store.users.get(user.id)?.groups ?? []).some((id) => own.includes(id));
}

function nowhere(status: 403 | 404 | 480 | 486, why: string): Destination {
  return { kind: 'nowhere', status, why, reason: why };
}
