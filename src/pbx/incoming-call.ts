// A call that a phone or the trunk places by INVITE: the caller waits while the destination is dialled, then both are bridged.
import { bodyText } from '../sip/fields.ts';
import type { SipResponse } from '../sip/message.ts';
import { isHold, type SessionDescription } from '../sip/sdp.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { bridge, causeOfHangup, closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { clidOf, type Shown } from './caller-id.ts';
import { CALLER_CANCELLED, type Cause, causeOfStatus, isCalleesWish, reasonHeader } from './causes.ts';
import { Dial, type Target } from './dial.ts';
import { settleHold } from './hold.ts';
import type { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import { nextTarget, openVisit, type Visits, visitsAfter } from './onward.ts';
import type { Switchboard } from './switchboard.ts';

export interface IncomingCallFacts {
  readonly call: Call;
  readonly caller: Leg;
  /** Undefined: the caller wants our offer (RFC 3261, 13.2.1). */
  readonly offer: SessionDescription | undefined;
  readonly target: Target;
  /** What the called party is shown. */
  readonly shown: (target: Target) => Shown;
  readonly maxForwards: number;
  /** Whom the caller has been sent to before. */
  readonly visits: Visits;
}

/** Dials the destination for a caller whose INVITE was admitted. */
export class IncomingCall {
  readonly #board: Switchboard;
  readonly #facts: IncomingCallFacts;
  readonly #dial: Dial;

  constructor(board: Switchboard, facts: IncomingCallFacts) {
    const { call, target, shown, maxForwards } = facts;
    this.#board = board;
    this.#facts = facts;
    this.#dial = new Dial(board, {
      call,
      target,
      shown: shown(target),
      maxForwards,
      codecs: facts.offer === undefined ? CODECS : facts.caller.media.codecs,
      events: {
        onInvited: (leg) => {
          call.dstLeg ??= leg;
          board.calls.move(call, 'invited');
        },
        onProvisional: (leg, response) => this.#ringing(leg, response),
        onRedirected: (party) => {
          call.referredBy = call.dst.number;
          call.dst = party;
          call.dstLeg = undefined;
        },
        onAnswered: (leg) => this.#answered(leg),
        onFailed: (cause) => this.#failed(cause),
      },
    });
  }

  start(): void {
    const { call, caller } = this.#facts;
    call.srcLeg = caller;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#dial.ringing();
    caller.session.events = { onEnded: (_, ending) => this.#callerLeft(ending) };
    this.#dial.start();
  }

  #ringing(leg: Leg, response: SipResponse): void {
    const { call, caller } = this.#facts;
    call.dstLeg = leg;
    this.#board.calls.move(call, 'ringing');
    const early = bodyText(response);
    if (response.status === 183 && early !== '' && leg.media.accept(early)) {
      const answer = this.#answerFor(leg);
      if (answer !== undefined) return caller.session.provisional(183, { body: answer });
    }
    caller.session.provisional(180);
  }

  #answered(leg: Leg): void {
    const { call, caller, offer } = this.#facts;
    const answer = this.#answerFor(leg);
    if (answer === undefined) {
      // The two have no codec in common: whoever picked up is told so, and the caller gets 488.
      leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
      closeLeg(this.#board, call, leg);
      return this.#failed(causeOfStatus(488));
    }
    call.dstLeg = leg;
    caller.session.accept(answer);
    this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, caller);
    this.#board.mediaStarted(call, leg);
    bridge(this.#board, call, caller, leg);
    // A caller may start on hold: its very first offer says so.
    if (offer !== undefined && isHold(offer)) settleHold(this.#board, call, caller, true, leg);
  }

  /** Our answer to the caller's offer, or our offer when it had none, in codecs that the called party can do. */
  #answerFor(leg: Leg): string | undefined {
    const { caller, offer } = this.#facts;
    const codecs = leg.media.codec === '' ? leg.media.codecs : [leg.media.codec];
    return offer === undefined ? caller.media.offer(codecs) : caller.media.answer(offer, codecs);
  }

  #failed(cause: Cause): void {
    const { call, caller, visits } = this.#facts;
    const next = caller.isUp ? nextTarget(this.#board.directory, this.#dial.target, visits, cause) : undefined;
    if (next !== undefined) return this.#moveOn(next, cause);
    caller.session.events = {};
    if (caller.isUp) caller.session.reject(cause.status, { headers: [['Reason', reasonHeader(cause)]] });
    caller.media.close();
    this.#board.calls.end(call, cause, isCalleesWish(cause) ? 'callee' : null);
  }

  /** Nobody answered here: this call is over, and the caller, who heard nothing of it, is a call at the next destination. */
  #moveOn(target: Target, cause: Cause): void {
    const { call, caller, shown, visits } = this.#facts;
    this.#board.calls.end(call, cause, isCalleesWish(cause) ? 'callee' : null);
    const visit = openVisit(this.#board, call, target, clidOf(shown(target)));
    this.#board.fileDialog(caller.session.callId, visit);
    const facts = { ...this.#facts, call: visit, target, visits: visitsAfter(visits, this.#dial.target) };
    new IncomingCall(this.#board, facts).start();
  }

  #callerLeft(ending: Ending): void {
    const { call, caller } = this.#facts;
    caller.media.close();
    this.#dial.cancel(undefined);
    const cancelled = ending.by === 'cancel' || ending.by === 'remote-bye';
    this.#board.calls.end(call, cancelled ? CALLER_CANCELLED : causeOfHangup(ending), cancelled ? 'caller' : null);
  }

  #hangUp(cause: Cause): void {
    const { call, caller } = this.#facts;
    caller.session.events = {};
    this.#dial.cancel(reasonHeader(cause));
    caller.session.end({
      status: cause.status >= 400 ? cause.status : 480,
      headers: [['Reason', reasonHeader(cause)]],
    });
    caller.media.close();
    this.#board.calls.end(call, cause, null);
  }
}
