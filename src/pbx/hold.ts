// Re-offers from a party of an answered call: hold, resume, a moved address, other codecs (RFC 3264, 8). Changes the call's holders.
import { bodyText } from '../sip/fields.ts';
import { isHold, parseSdp } from '../sip/sdp.ts';
import type { ServerRequest } from '../sip/user-agent-api.ts';
import type { Call } from './call.ts';
import type { Leg } from './leg.ts';
import { CODECS, holdWithMusic, join } from './leg-media.ts';
import type { Switchboard } from './switchboard.ts';

/** Answers a re-INVITE of `leg`. `other` is whom it speaks to, if anybody: what is agreed must suit both. */
export function answerReoffer(
  board: Switchboard,
  call: Call,
  leg: Leg,
  other: Leg | undefined,
  request: ServerRequest,
): void {
  const codecs = other?.media.codecs ?? CODECS;
  const body = bodyText(request.request);
  if (body === '') return offerAgain(leg, codecs, request);
  const offer = parseSdp(body);
  if (offer === undefined) return request.respond(400, { reason: 'Bad session description' });
  // In the codec in use, where the offer has it: nobody has to follow into another one because a phone holds.
  const answer = leg.media.answer(offer, [leg.media.codec]) ?? leg.media.answer(offer, codecs);
  if (answer === undefined) return request.respond(488);
  request.respond(200, { body: answer });
  settleHold(board, call, leg, isHold(offer), other);
}

/** Takes in the answer that an ACK brought to an offer of ours (a re-INVITE without one). */
export function takeAnswer(board: Switchboard, call: Call, leg: Leg, other: Leg | undefined, answerText: string): void {
  const answer = parseSdp(answerText);
  if (answer === undefined || !leg.media.accept(answerText)) return;
  settleHold(board, call, leg, isHold(answer), other);
}

/** Notes that the leg holds or no longer holds; the call is on hold while anybody does. */
export function settleHold(board: Switchboard, call: Call, leg: Leg, holds: boolean, other: Leg | undefined): void {
  const held = call.holders.has(leg);
  if (holds && !held) {
    call.holders.add(leg);
    board.calls.move(call, 'held');
  } else if (!holds && held) {
    release(board, call, leg);
  }
  if (other !== undefined) joinUnlessHeld(call, leg, other);
}

/** The leg holds no more, because it resumed or left; the last one to do so resumes the call. */
export function release(board: Switchboard, call: Call, leg: Leg): void {
  if (!call.holders.delete(leg)) return;
  if (call.holders.size === 0 && call.phase === 'ON_HOLD') board.calls.move(call, 'resumed');
  else board.calls.touched(call);
}

export function joinUnlessHeld(call: Call, a: Leg, b: Leg): void {
  if (call.holders.size === 0) join(a.media, b.media);
  else holdWithMusic(a, b, (leg) => call.holders.has(leg), call.holdMusic);
}

/**
 * Tells an answered party by re-INVITE what it can do with whom it speaks to now; the codecs are read when the offer
 * leaves. A refusal changes nothing: it goes on with what was agreed.
 */
export function renegotiate(call: Call, leg: Leg, other: Leg, codecs: () => readonly string[]): void {
  const offer = (): string => leg.media.offer(codecs()) ?? '';
  leg.session.reinvite(offer, (outcome) => {
    if (outcome.response === undefined || outcome.status >= 300) return;
    leg.media.accept(bodyText(outcome.response));
    joinUnlessHeld(call, leg, other);
  });
}

// RFC 3261, 14.2: a re-INVITE without an offer asks for ours; the answer comes in the ACK.
function offerAgain(leg: Leg, codecs: readonly string[], request: ServerRequest): void {
  const offer = leg.media.offer(codecs);
  if (offer === undefined) return request.respond(500);
  request.respond(200, { body: offer });
}
