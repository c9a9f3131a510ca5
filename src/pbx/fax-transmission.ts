// One fax on its way: the exchange calls the number on the trunk, stays as long as the pages take, and hangs up. Knows no record.
import type { Timer } from '../kernel/clock.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { causeOfHangup, closeLeg, endLeg, eventsAlone } from './bridge.ts';
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { type Cause, isCalleesWish, NORMAL_CLEARING } from './causes.ts';
import { Dial } from './dial.ts';
import { transmissionMs } from './fax-times.ts';
import type { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import type { Switchboard } from './switchboard.ts';

export interface TransmissionFacts {
  readonly call: Call;
  /** E.164 with `+`. */
  readonly to: string;
  readonly shown: Shown;
  readonly pages: number;
  /** The INVITE has left. */
  readonly onSending: () => void;
  /** Told once, when the call is over. */
  readonly onEnded: (isSent: boolean) => void;
}

export class FaxTransmission {
  readonly #board: Switchboard;
  readonly #facts: TransmissionFacts;
  readonly #dial: Dial;
  #timer: Timer | undefined;
  #over = false;

  constructor(board: Switchboard, facts: TransmissionFacts) {
    this.#board = board;
    this.#facts = facts;
    const { call, to, shown } = facts;
    this.#dial = new Dial(board, {
      ...{ call, target: { kind: 'public', number: to }, shown, codecs: CODECS },
      events: {
        onInvited: (leg) => {
          call.dstLeg ??= leg;
          board.calls.move(call, 'invited');
          facts.onSending();
        },
        onProvisional: (leg) => {
          call.dstLeg = leg;
          board.calls.move(call, 'ringing');
        },
        onRedirected: (party) => {
          call.referredBy = call.dst.number;
          call.dst = party;
          call.dstLeg = undefined;
        },
        onAnswered: (leg) => this.#answered(leg),
        onFailed: (cause) => this.#end(cause, isCalleesWish(cause) ? 'callee' : null, false),
      },
    });
  }

  start(): void {
    const { call } = this.#facts;
    call.hangUp = (cause) => this.#hangUp(cause);
    this.#dial.start();
  }

  /** Whoever answers is taken for a machine. */
  #answered(leg: Leg): void {
    const { call, pages } = this.#facts;
    call.dstLeg = leg;
    leg.session.events = eventsAlone(this.#board, call, leg, (ending) => this.#left(leg, ending));
    this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, leg);
    this.#timer = this.#board.clock.after(transmissionMs(pages), `fax in call ${call.id}`, () => {
      endLeg(this.#board, call, leg, NORMAL_CLEARING);
      this.#end(NORMAL_CLEARING, 'caller', true);
    });
  }

  /** The other side is gone before the last page. */
  #left(leg: Leg, ending: Ending): void {
    closeLeg(this.#board, this.#facts.call, leg, causeOfHangup(ending));
    this.#end(causeOfHangup(ending), ending.by === 'remote-bye' ? 'callee' : null, false);
  }

  #hangUp(cause: Cause): void {
    const { call } = this.#facts;
    this.#dial.cancel(cause);
    if (call.isAnswered && call.dstLeg !== undefined) endLeg(this.#board, call, call.dstLeg, cause);
    this.#end(cause, null, false);
  }

  #end(cause: Cause, by: 'caller' | 'callee' | null, isSent: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.cancel();
    this.#board.calls.end(this.#facts.call, cause, by);
    this.#facts.onEnded(isSent);
  }
}
