// One re-INVITE or UPDATE of ours, until its outcome and its ACK (RFC 3261, 14.1; RFC 3311, 5.1). Does not look into SDP.
import type { Timer } from '../kernel/clock.ts';
import type { SipResponse } from './message.ts';
import type { DialogSession } from './session.ts';
import { rseqOf } from './session-forks.ts';
import type { ClientTransaction, ClientUser } from './transaction-client.ts';
import { SILENCE_MS } from './transaction-timers.ts';
import type { HeaderList, OfferSource, Outcome } from './user-agent-api.ts';
import { type Attempt, outcomeOf, outcomeWithout } from './user-agent-attempt.ts';

/** A peer that answers 491 this often gets its way: the outcome is 491. */
export const MAX_GLARES = 10;

/** The line in which offers wait for their turn. */
export interface OfferTurns {
  /** It is over: its outcome goes to its owner, and the turn to the next. */
  done(offer: LocalOffer, outcome: Outcome): void;
  /** Both sides offered at once: it goes again after a pause. */
  glare(offer: LocalOffer): void;
}

export interface OfferPlan {
  readonly method: 'INVITE' | 'UPDATE';
  readonly sdp: OfferSource;
  readonly headers: HeaderList;
  readonly onOutcome: (outcome: Outcome) => void;
}

export class LocalOffer implements ClientUser {
  readonly method: 'INVITE' | 'UPDATE';
  /** It says what we want to send and hear; else it asks for the peer's offer (INVITE) or moves only the dialog (UPDATE). */
  readonly offers: boolean;
  /** A 2xx without an ACK: the answer is still to come from our owner. */
  owesAck = false;
  readonly #session: DialogSession;
  readonly #turns: OfferTurns;
  readonly #sdp: OfferSource;
  readonly #headers: HeaderList;
  #onOutcome: ((outcome: Outcome) => void) | undefined;
  #attempt: Attempt | undefined;
  #ack: (() => void) | undefined;
  #giveUp: Timer | undefined;
  #glares = 0;
  /** What held before, and does again when this is refused (RFC 3261, 14.1). */
  #before: string | undefined;
  /** Of the last reliable provisional; 0 before. */
  #rseq = 0;

  constructor(session: DialogSession, turns: OfferTurns, plan: OfferPlan) {
    this.#session = session;
    this.#turns = turns;
    this.method = plan.method;
    this.offers = plan.sdp !== undefined;
    this.#sdp = plan.sdp;
    this.#headers = plan.headers;
    this.#onOutcome = plan.onOutcome;
  }

  send(): void {
    const { dialog } = this.#session;
    if (dialog === undefined) return;
    this.#ack = undefined;
    this.#rseq = 0;
    const body = typeof this.#sdp === 'function' ? this.#sdp() : this.#sdp;
    if (body !== undefined) {
      this.#before = this.#session.described;
      this.#session.described = body;
    }
    const headers = [...this.#headers, ...this.#session.timerWish()];
    this.#attempt = this.#session.attempt(
      dialog,
      this.method,
      body === undefined ? { headers } : { headers, body },
      this,
    );
    this.#attempt.send();
  }

  settle(outcome: Outcome): void {
    const onOutcome = this.#onOutcome;
    this.#onOutcome = undefined;
    onOutcome?.(outcome);
  }

  response(response: SipResponse, transaction: ClientTransaction): void {
    if (transaction !== this.#attempt?.transaction) return;
    if (response.status < 200) return this.#provisional(response);
    this.#giveUp?.cancel();
    if (response.status >= 300) this.#refused(response);
    else if (this.#ack !== undefined) this.#ack();
    else if (!this.owesAck) this.#accepted(response);
  }

  failed(why: 'timeout' | 'transport'): void {
    this.#giveUp?.cancel();
    this.#turns.done(this, outcomeWithout(why));
  }

  acknowledge(sdp: string | undefined): void {
    const { dialog } = this.#session;
    if (dialog === undefined || this.#attempt === undefined) return;
    this.owesAck = false;
    if (sdp !== undefined) this.#session.described = sdp;
    this.#ack = this.#session.sendAck(dialog, this.#attempt.cseq, this.#attempt.authorization, sdp);
  }

  /** The session ended: a challenge is not answered any more, and the final response need not come. */
  stop(): void {
    const transaction = this.#attempt?.transaction;
    if (this.#attempt === undefined || transaction === undefined) return;
    this.#attempt.givenUp = true;
    const { core, callId } = this.#session;
    if (core.closed || (transaction.state !== 'calling' && transaction.state !== 'proceeding')) return;
    this.#giveUp = core.clock.after(SILENCE_MS, `give up re-INVITE ${callId}`, () => transaction.abandon());
  }

  // RFC 3262, 4: a phone that first asks its user may say so reliably.
  #provisional(response: SipResponse): void {
    const rseq = rseqOf(response);
    if (rseq === 0 || (this.#rseq !== 0 && rseq !== this.#rseq + 1) || this.#attempt === undefined) return;
    this.#rseq = rseq;
    this.#session.acknowledgeProvisional(rseq, this.#attempt.cseq);
  }

  #accepted(response: SipResponse): void {
    const over = this.#session.state === 'terminated';
    this.owesAck = this.method === 'INVITE' && !this.offers && !over;
    if (this.method === 'INVITE' && !this.owesAck) this.acknowledge(undefined);
    if (over) return;
    this.#session.refresh(response);
    this.#session.startTimer(response);
    this.#turns.done(this, outcomeOf(response));
  }

  #refused(response: SipResponse): void {
    if (this.#session.state === 'terminated') return;
    if (this.#before !== undefined) this.#session.described = this.#before;
    if (response.status === 491 && this.#glares < MAX_GLARES) {
      this.#glares += 1;
      this.#turns.glare(this);
      return;
    }
    this.#turns.done(this, outcomeOf(response));
  }
}
