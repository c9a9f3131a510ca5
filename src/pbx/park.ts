// Fetching parked parties: by dialling a code a user talks to whom somebody has parked (CHOICE-PARK). Finds the call; the attendant hands it over.
import { PARK_CODE } from './service-codes.ts';
import type { Switchboard } from './switchboard.ts';
import { answerFor, isWaiting, type Taker } from './take-over.ts';

const RETRIEVE = /^\*69(\d{0,10})$/;

export interface RetrieveWish {
  /** Empty: the extension of who dials. */
  readonly slot: string;
}

/** What a dialled code asks for; undefined for every other number. */
export function retrieveIn(dialled: string): RetrieveWish | undefined {
  const [, slot] = RETRIEVE.exec(dialled) ?? [];
  return slot === undefined ? undefined : { slot };
}

/** Joins the taker to whom has been parked there longest, or answers its INVITE with the status that tells why not. */
export function retrieve(board: Switchboard, taker: Taker, { slot }: RetrieveWish): void {
  const { user, session } = taker;
  const place = `${PARK_CODE}${slot === '' ? user.ext : slot}`;
  const call = board.calls
    .ofCustomer(user.customer)
    .find(
      (one) =>
        one.dst.kind === 'parked' && one.dst.number === place && one.pickUp !== undefined && !isWaiting(one, user),
    );
  if (call === undefined) return session.reject(480, { reason: `Nobody is parked at ${place}` });
  const status = answerFor(board, taker, call);
  if (status !== undefined) session.reject(status);
}
