// The caller of a call as destinations see it: one whose INVITE waits for an answer, or one who was answered before. Knows no destination.
import { bodyText } from '../sip/fields.ts';
import type { SipResponse } from '../sip/message.ts';
import { isHold, type SessionDescription } from '../sip/sdp.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { bridge, closeLeg, eventsAlone } from './bridge.ts';
import type { Call } from './call.ts';
import { type Cause, reasonHeader } from './causes.ts';
import { agreeOnCodec } from './codec-agreement.ts';
import { answerEarly } from './early-offer.ts';
import { renegotiate, settleHold } from './hold.ts';
import type { Leg } from './leg.ts';
import { CODECS } from './leg-media.ts';
import type { Switchboard } from './switchboard.ts';
import { acceptReferAlone } from './transfer.ts';

/** A provisional response of the one phone that is called: it may bring sound before the answer. */
export interface Early {
  readonly leg: Leg;
  readonly response: SipResponse;
}

export interface CallerSide {
  readonly leg: Leg;
  /** What the called party may be offered. */
  readonly codecs: readonly string[];
  /** From now on the caller is party to this call; `onLeft` is told, once, when it goes. */
  attach(call: Call, onLeft: (ending: Ending) => void): void;
  /** A called phone says that it rings; `early` when what it lets hear is to be heard. */
  ringing(early: Early | undefined): void;
  /** The called party has answered: both speak, conducted by the bridge. False when they have no codec in common. */
  connect(call: Call, leg: Leg): boolean;
  /**
   * The exchange itself answers the caller, who speaks to us from now on; `attach` is to be asked anew. Undefined when there
   * is no sound that both can do.
   */
  answer(): AnsweredCaller | undefined;
  /** Nobody answers: the caller is told why, and is gone without another word. */
  dismiss(call: Call, cause: Cause): void;
}

/** A caller whose INVITE was admitted and has no final answer yet. */
export class WaitingCaller implements CallerSide {
  readonly leg: Leg;
  readonly #board: Switchboard;
  /** What the caller offered last. Undefined: it wants our offer (RFC 3261, 13.2.1). */
  #offer: SessionDescription | undefined;
  /** It has our answer with a provisional: no other follows with the 2xx (RFC 3261, 13.2.1). */
  #hasAnswer = false;

  constructor(board: Switchboard, leg: Leg, offer: SessionDescription | undefined) {
    this.#board = board;
    this.leg = leg;
    this.#offer = offer;
  }

  get codecs(): readonly string[] {
    return this.#offer === undefined ? CODECS : this.leg.media.codecs;
  }

  attach(call: Call, onLeft: (ending: Ending) => void): void {
    this.leg.session.events = {
      onEnded: (_, ending) => onLeft(ending),
      onReinvite: (_, request) => {
        this.#offer = answerEarly(this.leg.media, CODECS, request) ?? this.#offer;
      },
      onRequest: (_, request) => {
        if (request.request.method === 'REFER') acceptReferAlone(this.#board, call, this.leg, request);
        else request.respond(405);
      },
    };
  }

  ringing(early: Early | undefined): void {
    const sound = early?.response.status === 183 ? bodyText(early.response) : '';
    if (early !== undefined && sound !== '' && early.leg.media.accept(sound)) {
      const answer = this.#answerFor(early.leg);
      if (answer !== undefined && this.leg.media.codec === early.leg.media.codec) {
        this.#hasAnswer = this.#offer !== undefined;
        return this.leg.session.provisional(183, { body: answer });
      }
    }
    this.leg.session.provisional(180);
  }

  connect(call: Call, leg: Leg): boolean {
    const answer = this.#answerFor(leg);
    if (answer === undefined) return false;
    call.dstLeg = leg;
    this.leg.session.accept(answer);
    this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, this.leg);
    this.#board.mediaStarted(call, leg);
    bridge(this.#board, call, this.leg, leg);
    // The phone that answers may not be the one whose sound the caller heard before.
    if (this.#hasAnswer) agreeOnCodec(this.#board, call, this.leg, leg);
    // A caller may start on hold: its very first offer says so.
    if (this.#offer !== undefined && isHold(this.#offer)) settleHold(this.#board, call, this.leg, true, leg);
    return true;
  }

  answer(): AnsweredCaller | undefined {
    const { media, session } = this.leg;
    const sdp = this.#offer === undefined ? media.offer(CODECS) : this.#answerIn(CODECS);
    if (sdp === undefined) return undefined;
    session.accept(sdp);
    return new AnsweredCaller(this.#board, this.leg);
  }

  dismiss(_call: Call, cause: Cause): void {
    const { session, media } = this.leg;
    session.events = {};
    const headers = [['Reason', reasonHeader(cause)]] as const;
    if (this.leg.isUp) session.reject(cause.status >= 400 ? cause.status : 480, { headers });
    media.close();
  }

  /** Our answer to the caller's offer, or our offer when it had none, in codecs that the called party can do. */
  #answerFor(leg: Leg): string | undefined {
    const { media } = this.leg;
    const codecs = leg.media.codec === '' ? leg.media.codecs : [leg.media.codec];
    return this.#offer === undefined ? media.offer(codecs) : this.#answerIn(codecs);
  }

  #answerIn(codecs: readonly string[]): string | undefined {
    const { media } = this.leg;
    if (this.#hasAnswer) return media.sent;
    return this.#offer === undefined ? undefined : media.answer(this.#offer, codecs);
  }
}

/** A caller who speaks to us already: rung first by command, or answered by the exchange itself. */
export class AnsweredCaller implements CallerSide {
  readonly leg: Leg;
  readonly #board: Switchboard;

  constructor(board: Switchboard, leg: Leg) {
    this.#board = board;
    this.leg = leg;
  }

  get codecs(): readonly string[] {
    return this.leg.media.codecs;
  }

  attach(call: Call, onLeft: (ending: Ending) => void): void {
    this.leg.session.events = eventsAlone(this.#board, call, this.leg, onLeft);
  }

  /** It hears what the exchange plays; no signalling says that somebody else's phone rings. */
  ringing(): void {}

  connect(call: Call, leg: Leg): boolean {
    call.dstLeg = leg;
    if (!call.isAnswered) this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, leg);
    bridge(this.#board, call, this.leg, leg);
    renegotiate(call, this.leg, leg, () => (leg.media.codec === '' ? leg.media.codecs : [leg.media.codec]));
    return true;
  }

  answer(): AnsweredCaller {
    return this;
  }

  dismiss(call: Call, cause: Cause): void {
    this.leg.session.events = {};
    if (this.leg.isUp) this.leg.session.end({ headers: [['Reason', reasonHeader(cause)]] });
    closeLeg(this.#board, call, this.leg, cause);
  }
}
