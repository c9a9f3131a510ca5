// Two answered legs joined to one call: who hangs up, who holds, who presses keys, who transfers. Ends with the call.
import { bodyText } from '../sip/fields.ts';
import type { Ending, ServerRequest, SessionEvents } from '../sip/user-agent-api.ts';
import type { Call } from './call.ts';
import {
  type Cause,
  causeOfStatus,
  LOST,
  NO_ACK,
  NO_SOUND,
  NORMAL_CLEARING,
  reasonHeader,
  SESSION_EXPIRED,
} from './causes.ts';
import { agreeOnCodec } from './codec-agreement.ts';
import { DTMF_TYPES, readInfo } from './dtmf.ts';
import { answerReoffer, joinUnlessHeld, takeAnswer } from './hold.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';
import { acceptRefer, acceptReferAlone, transferByCommand } from './transfer.ts';

/** Joins the call's two legs. Both must be answered; from here on the bridge conducts them. */
export function bridge(board: Switchboard, call: Call, src: Leg, dst: Leg): void {
  call.srcLeg = src;
  call.dstLeg = dst;
  joinUnlessHeld(call, src, dst);
  board.recorder.joined(call);
  // A party may have held while the other was still being called.
  if (call.holders.size > 0 && call.phase === 'CONNECTED') board.calls.move(call, 'held');
  src.session.events = eventsFor(board, call, src, dst);
  dst.session.events = eventsFor(board, call, dst, src);
  call.hangUp = (cause) => endCall(board, call, cause, null);
  call.surrender = undefined;
  call.pickUp = undefined;
  call.transfer = (to, by) => transferByCommand(board, call, to, by);
}

/** Ends both legs and the call. */
export function endCall(board: Switchboard, call: Call, cause: Cause, by: 'caller' | 'callee' | null): void {
  for (const leg of call.legs()) endLeg(board, call, leg, cause);
  board.calls.end(call, cause, by);
}

export function endLeg(board: Switchboard, call: Call, leg: Leg, cause: Cause): void {
  if (leg.isUp)
    leg.session.end({
      headers: [['Reason', reasonHeader(cause)]],
      ...(cause.status >= 400 ? { status: cause.status } : {}),
    });
  closeLeg(board, call, leg, cause);
}

/** Gives back what a leg that is over used; `cause` is why it is, for its media session. */
export function closeLeg(board: Switchboard, call: Call, leg: Leg, cause: Cause): void {
  leg.media.close();
  board.mediaEnded(call, leg, cause);
  call.supervision?.look();
}

/** What an answered leg's end means for the call. */
export function causeOfHangup(ending: Ending): Cause {
  if (ending.by === 'remote-bye' || ending.by === 'local-bye') return NORMAL_CLEARING;
  if (ending.by === 'no-ack') return NO_ACK;
  if (ending.by === 'expired') return SESSION_EXPIRED;
  if (ending.by === 'failure') return causeOfStatus(ending.outcome.status);
  return LOST;
}

function eventsFor(board: Switchboard, call: Call, leg: Leg, other: Leg): SessionEvents {
  heedSound(board, call, leg, other);
  return {
    onEnded: (_, ending) => {
      const cause = causeOfHangup(ending);
      closeLeg(board, call, leg, cause);
      // A lost ACK or a lost dialog is nobody's wish to hang up.
      const by = ending.by === 'remote-bye' ? call.sideOf(leg) : null;
      if (by === 'callee' && call.calleeGone?.(leg) === true) return;
      endCall(board, call, cause, by);
    },
    onReinvite: (_, request) => {
      answerReoffer(board, call, leg, other, request);
      followInCodec(board, call, leg, other);
    },
    onAck: (_, ack) => {
      const answer = bodyText(ack);
      if (answer !== '') {
        takeAnswer(board, call, leg, other, answer);
        followInCodec(board, call, leg, other);
      }
      // RFC 3261, 13.3.1.4 and 14.2: our offer in the 2xx was never answered, so that nothing is agreed at all.
      if (leg.media.codec === '') endCall(board, call, causeOfStatus(488), null);
    },
    onRequest: (_, request) => answerInDialog(board, call, leg, other, request),
  };
}

/** What passes between the parties is passed on as it is: who has another codec since the last offer makes the other one follow. */
function followInCodec(board: Switchboard, call: Call, leg: Leg, other: Leg): void {
  if (leg.media.codec !== '' && other.media.codec !== '') agreeOnCodec(board, call, leg, other);
}

function answerInDialog(board: Switchboard, call: Call, leg: Leg, other: Leg, request: ServerRequest): void {
  switch (request.request.method) {
    case 'INFO':
      return pressKey(board, call, leg, other, request);
    case 'REFER':
      return acceptRefer(board, call, leg, other, request);
    case 'NOTIFY':
      // Nobody of ours has subscribed to anything at a phone.
      return request.respond(481);
    default:
      return request.respond(405);
  }
}

/** What a party may do that speaks to nobody while somebody is being dialled for it, or for whom it spoke to. */
export function eventsAlone(
  board: Switchboard,
  call: Call,
  leg: Leg,
  onEnded: (ending: Ending) => void,
): SessionEvents {
  heedSound(board, call, leg, undefined);
  return {
    onEnded: (_, ending) => onEnded(ending),
    onReinvite: (_, request) => answerReoffer(board, call, leg, undefined, request),
    onAck: (_, ack) => takeAnswer(board, call, leg, undefined, bodyText(ack)),
    onRequest: (_, request) => {
      if (request.request.method === 'INFO') return pressKey(board, call, leg, undefined, request);
      if (request.request.method === 'REFER') return acceptReferAlone(board, call, leg, request);
      request.respond(481);
    },
  };
}

/** A key that SIP brought (INFO): the webhooks hear of it, and the other party gets it too. */
export function pressKey(
  board: Switchboard,
  call: Call,
  leg: Leg,
  other: Leg | undefined,
  request: ServerRequest,
): void {
  const content = readInfo(request.request);
  if (content.kind === 'other') return request.respond(415, { headers: [['Accept', DTMF_TYPES]] });
  if (content.kind === 'malformed') return request.respond(400, { reason: 'Signal is not a key' });
  request.respond(200);
  takeKey(board, call, leg, content.digit);
  if (other?.isUp) passKeyOn(other, content.digit);
}

/** By INFO; in its sound to a phone that refuses that. */
function passKeyOn(to: Leg, digit: string): void {
  const body = `Signal=${digit}\r\nDuration=160\r\n`;
  to.session.request('INFO', { contentType: 'application/dtmf-relay', body }, ({ response, status }) => {
    if (response !== undefined && status >= 300) to.media.sendDigit(digit);
  });
}

/** What comes in a party's sound and not in its dialog: keys (RFC 4733), and that there is no sound any more. */
function heedSound(board: Switchboard, call: Call, leg: Leg, other: Leg | undefined): void {
  leg.media.onDigit = (digit) => {
    takeKey(board, call, leg, digit);
    // A party that has agreed on keys in its sound hears them there.
    if (other?.isUp && !other.media.hearsKeys) passKeyOn(other, digit);
  };
  leg.media.onSilent = (seconds) => {
    const data = { by: call.sideOf(leg), seconds };
    const seq = board.journal.append('media.silent', { callId: call.id, customerId: call.customerId, data });
    board.journal.within(seq, () => call.hangUp(NO_SOUND));
  };
}

/** A key, whatever way it came: an event, and for whoever of the exchange speaks to the party. */
export function takeKey(board: Switchboard, call: Call, leg: Leg, digit: string): void {
  const by = call.sideOf(leg);
  board.calls.publish((seq, id) => ({ kind: 'dtmf', id, seq, ...board.calls.factsOf(call), digit, by }));
  leg.onKey?.(digit);
}
