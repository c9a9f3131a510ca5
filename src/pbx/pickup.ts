// Pickup: by dialling a code a user answers a call that rings at a colleague (CHOICE-PICKUP). Finds the call; whoever rings hands it over.
import type { User } from '../contract/resources/customer.ts';
import type { Call } from './call.ts';
import type { Switchboard } from './switchboard.ts';
import { answerFor, isWaiting, type Taker } from './take-over.ts';

/** What rings at the colleagues of one's pickup group. */
const GROUP_CODE = '*8';
/** What rings at the extension that follows. */
const DIRECTED_CODE = '**';

export interface PickupWish {
  /** Undefined: whoever of the group. */
  readonly ext: string | undefined;
}

/** What a dialled code asks for; undefined for every other number. */
export function pickupIn(dialled: string): PickupWish | undefined {
  if (dialled === GROUP_CODE) return { ext: undefined };
  const ext = dialled.startsWith(DIRECTED_CODE) ? dialled.slice(DIRECTED_CODE.length) : '';
  return /^\d{1,10}$/.test(ext) ? { ext } : undefined;
}

/** Joins the taker to the caller who has waited longest, or answers its INVITE with the status that tells why not. */
export function pickUp(board: Switchboard, taker: Taker, { ext }: PickupWish): void {
  const { user, session } = taker;
  const called = ext === undefined ? undefined : board.directory.userByExtension(user.customer, ext);
  if (ext !== undefined && called === undefined) return session.reject(404, { reason: 'Nobody has that extension' });
  if (called !== undefined && called.id !== user.id && !areColleagues(user, called))
    return session.reject(403, { reason: 'No pickup group in common' });
  const isWanted = (one: User): boolean =>
    called === undefined ? one.id !== user.id && areColleagues(user, one) : one.id === called.id;
  const call = board.calls.ofCustomer(user.customer).find((one) => ringsAt(board, one, isWanted, user));
  if (call === undefined) return session.reject(480, { reason: 'Nothing rings there' });
  const status = answerFor(board, taker, call);
  if (status !== undefined) session.reject(status);
}

/** At whose phones it rings tells the leg, not the call: a transferred party is with whom it was before until somebody answers. */
function ringsAt({ directory }: Switchboard, call: Call, isWanted: (user: User) => boolean, by: User): boolean {
  if (call.pickUp === undefined || isWaiting(call, by)) return false;
  return call.ringing().some(({ party: { userId } }) => {
    const user = userId === null ? undefined : directory.user(userId);
    return user !== undefined && isWanted(user);
  });
}

function areColleagues(one: User, other: User): boolean {
  return one.pickup_group_id > 0 && one.pickup_group_id === other.pickup_group_id;
}
