// Calls that the exchange places itself (click to call, web calls, lead calls): one party is rung, and when it has answered the other.
import type { Sound } from '../media/sound.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { Announcer } from './announcer.ts';
import { causeOfHangup, closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { AnsweredCaller } from './caller-side.ts';
import { CALLER_CANCELLED, type Cause, isCalleesWish } from './causes.ts';
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
  /** The first hears it before the second rings. */
  readonly announcement?: Sound;
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
    const { call, announcement } = this.#facts;
    call.srcLeg = leg;
    this.#board.mediaStarted(call, leg);
    this.#board.calls.move(call, 'accepted');
    const caller = new AnsweredCaller(this.#board, leg);
    if (announcement === undefined) this.#ringSecond(caller);
    else this.#announce(announcement, caller);
  }

  #ringSecond(caller: AnsweredCaller): void {
    const { call, second, secondSees } = this.#facts;
    new Visit(this.#board, { call, caller, target: second, shown: () => secondSees, visits: [] }).start();
  }

  /** Whoever hangs up meanwhile has spared the second party the call. */
  #announce(sound: Sound, caller: AnsweredCaller): void {
    const { call } = this.#facts;
    const { calls } = this.#board;
    const announcer = new Announcer(this.#board, call, caller.leg);
    const left = (ending: Ending): void => {
      announcer.stop();
      closeLeg(this.#board, call, caller.leg, causeOfHangup(ending));
      const gaveUp = ending.by === 'remote-bye';
      calls.end(call, gaveUp ? CALLER_CANCELLED : causeOfHangup(ending), gaveUp ? 'caller' : null);
    };
    caller.attach(call, left);
    call.hangUp = (cause) => {
      announcer.stop();
      caller.dismiss(call, cause);
      calls.end(call, cause, null);
    };
    call.ringing = () => [];
    announcer.say([sound], () => this.#ringSecond(caller));
  }

  #hangUp(cause: Cause): void {
    const { call } = this.#facts;
    this.#dial.cancel(cause);
    if (call.srcLeg !== undefined) closeLeg(this.#board, call, call.srcLeg, cause);
    this.#board.calls.end(call, cause, null);
  }
}
