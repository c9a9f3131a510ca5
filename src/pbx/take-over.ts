// An INVITE with Replaces (RFC 3891): whoever sends it takes the place of a party of ours, or answers for a phone that rings.
import type { User } from '../contract/resources/customer.ts';
import type { SessionDescription } from '../sip/sdp.ts';
import type { Replacement, Session } from '../sip/user-agent-api.ts';
import { bridge, endLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { COMPLETED_ELSEWHERE } from './causes.ts';
import { agreeOnCodec } from './codec-agreement.ts';
import { release } from './hold.ts';
import { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import type { Switchboard } from './switchboard.ts';

export interface Taker {
  readonly user: User;
  readonly session: Session;
  /** Undefined: it wants our offer. */
  readonly offer: SessionDescription | undefined;
}

/** Joins the taker, or answers its INVITE with the status that tells why not. */
export function takeOver(board: Switchboard, taker: Taker, replacement: Exclude<Replacement, { kind: 'none' }>): void {
  const { session, user } = taker;
  if (replacement.kind === 'refused') {
    const { status, reason } = replacement;
    return session.reject(status, reason === undefined ? {} : { reason });
  }
  const replaced = replacement.session.owner;
  if (!(replaced instanceof Leg)) return session.reject(481);
  const calls = board.calls.ofCustomer(user.customer);
  const call = replacement.early
    ? calls.find((one) => one.pickUp !== undefined && one.ringing().includes(replaced))
    : calls.find((one) => one.transfer !== undefined && one.legs().includes(replaced));
  // A dialog of another account, or one in which nobody can be replaced now.
  if (call === undefined) return session.reject(481);
  if (!mayTake(board, user, replaced, replacement.early)) return session.reject(403);
  const status = replacement.early ? answerFor(board, taker, call) : replace(board, taker, call, replaced);
  if (status !== undefined) session.reject(status);
}

/** One's own dialogs, and what rings at a colleague of the same pickup group (CHOICE-REPLACES). */
function mayTake({ directory }: Switchboard, user: User, { party }: Leg, early: boolean): boolean {
  if (party.userId === user.id) return true;
  const colleague = party.userId === null ? undefined : directory.user(party.userId);
  return early && user.pickup_group_id > 0 && colleague?.pickup_group_id === user.pickup_group_id;
}

/** Whether the user is the one who waits for the answer: nobody answers a call of its own. */
export function isWaiting({ pickUp }: Call, { id }: User): boolean {
  return pickUp?.caller().party.userId === id;
}

/** Answers for the phones that ring; the status of the refusal when it cannot. */
export function answerFor(board: Switchboard, taker: Taker, call: Call): number | undefined {
  if (isWaiting(call, taker.user)) return 403;
  const leg = legOf(board, taker, call);
  if (call.pickUp?.by(leg, (codecs) => answer(taker, leg, codecs)) === true) return undefined;
  leg.media.close();
  return 488;
}

function replace(board: Switchboard, taker: Taker, call: Call, replaced: Leg): number | undefined {
  const isCaller = replaced === call.srcLeg;
  const other = isCaller ? call.dstLeg : call.srcLeg;
  if (other === undefined) return 481;
  const leg = legOf(board, taker, call);
  // What the other has spoken so far, what it named, and else what it may be asked for.
  if (![[other.media.codec], other.media.codecs, CODECS].some((codecs) => answer(taker, leg, codecs))) {
    leg.media.close();
    return 488;
  }
  release(board, call, replaced);
  replaced.session.events = {};
  endLeg(board, call, replaced, COMPLETED_ELSEWHERE);
  board.mediaStarted(call, leg);
  bridge(board, call, isCaller ? leg : other, isCaller ? other : leg);
  board.calls.touched(call);
  if (leg.media.codec !== '') agreeOnCodec(board, call, leg, other);
  return undefined;
}

function legOf(board: Switchboard, { user, session }: Taker, call: Call): Leg {
  board.fileDialog(session.callId, call);
  return board.newLeg(call, session, board.directory.partyOf(user), board.mediaOn(session.flow));
}

/** 200 to the taker; false when it can do none of these codecs. */
function answer({ session, offer }: Taker, leg: Leg, codecs: readonly string[]): boolean {
  const sdp = offer === undefined ? leg.media.offer(codecs) : leg.media.answer(offer, codecs);
  if (sdp === undefined) return false;
  session.accept(sdp);
  return true;
}
