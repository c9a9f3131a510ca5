// Calls that the exchange places itself (click to call, web calls, lead calls): one party is rung, and when it has answered the other.
import type { Ending } from '../sip/user-agent-api.ts';
import { bridge, causeOfHangup, closeLeg, endCall, eventsAlone } from './bridge.ts';
import type { Call } from './call.ts';
import { clidOf, type Shown } from './caller-id.ts';
import { CALLER_CANCELLED, type Cause, isCalleesWish, reasonHeader } from './causes.ts';
import { Dial, type Target } from './dial.ts';
import { renegotiate } from './hold.ts';
import type { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import { nextTarget, openVisit, type Visits, visitsAfter } from './onward.ts';
import type { Switchboard } from './switchboard.ts';

export interface TwoLegFacts {
  readonly call: Call;
  /** Rings first. It sees `firstSees`. */
  readonly first: Target;
  readonly firstSees: Shown;
  /** Rings when the first has answered. */
  readonly second: Target;
  readonly secondSees: Shown;
  /** Whom the one rung first has been sent to before. */
  readonly visits?: Visits;
}

export class TwoLegCall {
  readonly #board: Switchboard;
  readonly #facts: TwoLegFacts;
  #dial: Dial | undefined;
  #firstLeg: Leg | undefined;

  constructor(board: Switchboard, facts: TwoLegFacts) {
    this.#board = board;
    this.#facts = facts;
  }

  start(): void {
    const { call, first, firstSees } = this.#facts;
    call.hangUp = (cause) => this.#hangUp(cause);
    this.#dial = new Dial(this.#board, {
      call,
      target: first,
      shown: firstSees,
      codecs: CODECS,
      isOwnWish: true,
      events: {
        onInvited: (leg) => {
          call.srcLeg ??= leg;
          this.#board.calls.move(call, 'invited');
        },
        // The originator's own ringing is no state of the call: nobody has been called yet.
        onProvisional: () => {},
        onRedirected: (party) => {
          call.src = party;
          call.srcLeg = undefined;
        },
        onAnswered: (leg) => this.#accepted(leg),
        onFailed: (cause) => this.#fail(cause, 'caller'),
      },
    });
    call.ringing = () => this.#dial?.ringing() ?? [];
    this.#dial.start();
  }

  #accepted(leg: Leg): void {
    const { call } = this.#facts;
    call.srcLeg = leg;
    this.#board.mediaStarted(call, leg);
    this.#board.calls.move(call, 'accepted');
    this.#ringSecond(leg);
  }

  /** The first party, who has been answered before, waits while the next one is rung. */
  #continue(leg: Leg): void {
    const { call } = this.#facts;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#dial?.ringing() ?? [];
    call.srcLeg = leg;
    this.#ringSecond(leg);
  }

  #ringSecond(leg: Leg): void {
    const { call, second, secondSees } = this.#facts;
    this.#firstLeg = leg;
    leg.session.events = eventsAlone(this.#board, call, leg, (ending) => this.#firstLeft(leg, ending));
    this.#dial = new Dial(this.#board, {
      call,
      target: second,
      shown: secondSees,
      codecs: leg.media.codecs,
      events: {
        onInvited: (invited) => {
          call.dstLeg ??= invited;
          this.#board.calls.move(call, 'invited');
        },
        onProvisional: (ringing) => {
          call.dstLeg = ringing;
          this.#board.calls.move(call, 'ringing');
        },
        onRedirected: (party) => {
          call.referredBy = call.dst.number;
          call.dst = party;
          call.dstLeg = undefined;
        },
        onAnswered: (answering) => this.#connected(leg, answering),
        onFailed: (cause) => this.#secondFailed(leg, cause),
      },
    });
    this.#dial.start();
  }

  #secondFailed(leg: Leg, cause: Cause): void {
    const { visits = [], second } = this.#facts;
    const left = this.#dial?.target ?? second;
    const next = leg.isUp ? nextTarget(this.#board.directory, left, visits, cause) : undefined;
    if (next === undefined) return this.#fail(cause, 'callee');
    const { call, secondSees } = this.#facts;
    const { webcallId } = call;
    call.webcallId = null;
    this.#board.calls.end(call, cause, isCalleesWish(cause) ? 'callee' : null);
    const visit = openVisit(this.#board, call, next, clidOf(secondSees));
    visit.webcallId = webcallId;
    this.#board.fileDialog(leg.session.callId, visit);
    const facts = { ...this.#facts, call: visit, second: next, visits: visitsAfter(visits, left) };
    new TwoLegCall(this.#board, facts).#continue(leg);
  }

  #connected(first: Leg, second: Leg): void {
    const { call } = this.#facts;
    call.dstLeg = second;
    this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, second);
    bridge(this.#board, call, first, second);
    renegotiate(call, first, second, () => [second.media.codec]);
  }

  #firstLeft(leg: Leg, ending: Ending): void {
    const { call } = this.#facts;
    this.#dial?.cancel(undefined);
    closeLeg(this.#board, call, leg);
    const left = ending.by === 'remote-bye';
    this.#board.calls.end(call, left ? CALLER_CANCELLED : causeOfHangup(ending), left ? 'caller' : null);
  }

  #fail(cause: Cause, side: 'caller' | 'callee'): void {
    this.#endFirst(cause);
    this.#board.calls.end(this.#facts.call, cause, isCalleesWish(cause) ? side : null);
  }

  #hangUp(cause: Cause): void {
    this.#dial?.cancel(reasonHeader(cause));
    this.#endFirst(cause);
    endCall(this.#board, this.#facts.call, cause, null);
  }

  #endFirst(cause: Cause): void {
    const leg = this.#firstLeg;
    if (leg === undefined) return;
    leg.session.events = {};
    if (leg.isUp) leg.session.end({ headers: [['Reason', reasonHeader(cause)]] });
    closeLeg(this.#board, this.#facts.call, leg);
  }
}
