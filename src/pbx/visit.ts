// One caller at one destination that is rung: a user's phones, or a number of the public network. When nobody answers, the caller
// goes on to the next destination as a call of its own.
import type { SipResponse } from '../sip/message.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { causeOfHangup, closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { clidOf, type Shown } from './caller-id.ts';
import type { CallerSide } from './caller-side.ts';
import { CALLER_CANCELLED, type Cause, causeOfStatus, isCalleesWish, reasonHeader } from './causes.ts';
import { Dial, type Target } from './dial.ts';
import type { Leg } from './leg.ts';
import { nextTarget, openVisit, type Visits, visitsAfter } from './onward.ts';
import type { Switchboard } from './switchboard.ts';

export interface VisitFacts {
  readonly call: Call;
  readonly caller: CallerSide;
  readonly target: Target;
  /** What the called party is shown. */
  readonly shown: (target: Target) => Shown;
  readonly maxForwards?: number;
  /** Whom the caller has been sent to before. */
  readonly visits: Visits;
}

export class Visit {
  readonly #board: Switchboard;
  readonly #facts: VisitFacts;
  readonly #dial: Dial;

  constructor(board: Switchboard, facts: VisitFacts) {
    const { call, caller, target, shown, maxForwards } = facts;
    this.#board = board;
    this.#facts = facts;
    this.#dial = new Dial(board, {
      call,
      target,
      shown: shown(target),
      ...(maxForwards === undefined ? {} : { maxForwards }),
      codecs: caller.codecs,
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
    call.srcLeg = caller.leg;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#dial.ringing();
    caller.attach(call, (ending) => this.#callerLeft(ending));
    this.#dial.start();
  }

  #ringing(leg: Leg, response: SipResponse): void {
    const { call, caller } = this.#facts;
    call.dstLeg = leg;
    this.#board.calls.move(call, 'ringing');
    caller.ringing(leg, response);
  }

  #answered(leg: Leg): void {
    const { call, caller } = this.#facts;
    if (caller.connect(call, leg)) return;
    // The two have no codec in common: whoever picked up is told so, and the caller gets 488.
    leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
    closeLeg(this.#board, call, leg);
    this.#failed(causeOfStatus(488));
  }

  #failed(cause: Cause): void {
    const { call, caller, visits } = this.#facts;
    const by = isCalleesWish(cause) ? 'callee' : null;
    const next = caller.leg.isUp ? nextTarget(this.#board.directory, this.#dial.target, visits, cause) : undefined;
    if (next !== undefined) return this.#moveOn(next, cause, by);
    caller.dismiss(call, cause);
    this.#board.calls.end(call, cause, by);
  }

  /** Nobody answered here: this call is over, and the caller, who heard nothing of it, is a call at the next destination. */
  #moveOn(target: Target, cause: Cause, by: 'callee' | null): void {
    const { call, caller, shown, visits } = this.#facts;
    const { webcallId } = call;
    call.webcallId = null;
    this.#board.calls.end(call, cause, by);
    const visit = openVisit(this.#board, call, target, clidOf(shown(target)));
    visit.webcallId = webcallId;
    this.#board.fileDialog(caller.leg.session.callId, visit);
    const facts = { ...this.#facts, call: visit, target, visits: visitsAfter(visits, this.#dial.target) };
    new Visit(this.#board, facts).start();
  }

  #callerLeft(ending: Ending): void {
    const { call, caller } = this.#facts;
    this.#dial.cancel(undefined);
    closeLeg(this.#board, call, caller.leg);
    const gaveUp = ending.by === 'cancel' || ending.by === 'remote-bye';
    this.#board.calls.end(call, gaveUp ? CALLER_CANCELLED : causeOfHangup(ending), gaveUp ? 'caller' : null);
  }

  #hangUp(cause: Cause): void {
    const { call, caller } = this.#facts;
    this.#dial.cancel(reasonHeader(cause));
    caller.dismiss(call, cause);
    this.#board.calls.end(call, cause, null);
  }
}
