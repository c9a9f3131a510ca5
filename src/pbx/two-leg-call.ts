// Calls that the exchange places itself (click to call, web calls, lead calls): one party is rung, and when it has answered the other.
import { closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { AnsweredCaller } from './caller-side.ts';
import { type Cause, isCalleesWish } from './causes.ts';
import { Dial } from './dial.ts';
import type { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import type { Place, Target } from './place.ts';
import type { Switchboard } from './switchboard.ts';
import { Visit } from './visit.ts';

export interface TwoLegFacts {
  readonly call: Call;
  /** Rings first. It sees `firstSees`. */
  readonly first: Target;
  readonly firstSees: Shown;
  /** Rings when the first has answered. */
  readonly second: Place;
  readonly secondSees: Shown;
}

export class TwoLegCall {
  readonly #board: Switchboard;
  readonly #facts: TwoLegFacts;
  readonly #dial: Dial;

  constructor(board: Switchboard, facts: TwoLegFacts) {
    const { call, first, firstSees } = facts;
    this.#board = board;
    this.#facts = facts;
    this.#dial = new Dial(board, {
      call,
      target: first,
      shown: firstSees,
      codecs: CODECS,
      isOwnWish: true,
      events: {
        onInvited: (leg) => {
          call.srcLeg ??= leg;
          board.calls.move(call, 'invited');
        },
        // The originator's own ringing is no state of the call: nobody has been called yet.
        onProvisional: () => {},
        onRedirected: (party) => {
          call.src = party;
          call.srcLeg = undefined;
        },
        onAnswered: (leg) => this.#accepted(leg),
        onFailed: (cause) => board.calls.end(call, cause, isCalleesWish(cause) ? 'caller' : null),
      },
    });
  }

  start(): void {
    const { call } = this.#facts;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#dial.ringing();
    this.#dial.start();
  }

  /** The first party is the caller from now on, and has been answered. */
  #accepted(leg: Leg): void {
    const { call, second, secondSees } = this.#facts;
    call.srcLeg = leg;
    this.#board.mediaStarted(call, leg);
    this.#board.calls.move(call, 'accepted');
    const caller = new AnsweredCaller(this.#board, leg);
    new Visit(this.#board, { call, caller, target: second, shown: () => secondSees, visits: [] }).start();
  }

  #hangUp(cause: Cause): void {
    const { call } = this.#facts;
    this.#dial.cancel(cause);
    if (call.srcLeg !== undefined) closeLeg(this.#board, call, call.srcLeg);
    this.#board.calls.end(call, cause, null);
  }
}
