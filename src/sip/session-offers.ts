// Re-INVITEs of one session, both ways: one at a time, glare and its pauses, 2xx until ACK (RFC 3261, 14). Does not look into SDP.

import type { Timer } from '../kernel/clock.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { DialogSession } from './session.ts';
import { UnackedAnswer } from './session-unacked.ts';
import type { ClientTransaction, ClientUser } from './transaction-client.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction, ServerUser } from './transaction-server.ts';
import { SILENCE_MS } from './transaction-timers.ts';
import type { HeaderList, OfferSource, Outcome, ResponseOptions, ServerRequest } from './user-agent-api.ts';
import { type Attempt, outcomeOf, outcomeWithout } from './user-agent-attempt.ts';

/** Offers that wait for their turn; one more fails with 491 at once. */
export const MAX_WAITING_OFFERS = 16;
/** Re-INVITEs of the peer whose 2xx it did not acknowledge; to one more it gets 500. */
export const MAX_UNACKED = 4;
/** A peer that answers 491 this often gets its way: the outcome is 491. */
export const MAX_GLARES = 10;

export class Offers {
  readonly #session: DialogSession;
  readonly #waiting: LocalOffer[] = [];
  #current: LocalOffer | undefined;
  #pause: Timer | undefined;
  #incoming: RemoteOffer | undefined;
  readonly #unacked: RemoteOffer[] = [];

  constructor(session: DialogSession) {
    this.#session = session;
  }

  /** Sends a re-INVITE as soon as the dialog is free for it. */
  offer(sdp: OfferSource, onOutcome: (outcome: Outcome) => void, headers: HeaderList): void {
    const offer = new LocalOffer(this.#session, this, sdp, onOutcome, headers);
    const { clock } = this.#session.core;
    if (this.#session.state === 'terminated') clock.soon(() => offer.settle(outcomeWithout('terminated')));
    else if (this.#waiting.length >= MAX_WAITING_OFFERS) {
      clock.soon(() => offer.settle({ status: 491, reason: 'Request Pending', by: 'terminated' }));
    } else {
      this.#waiting.push(offer);
      this.next();
    }
  }

  /** The ACK with our answer, to the 2xx of a re-INVITE of ours that had no offer. */
  ack(sdp: string): void {
    if (this.#current?.owesAck !== true) {
      throw new BrokenInvariant(
        `session ${this.#session.id} owes no ACK`,
        'no 2xx with an offer is waiting for our answer',
        'call ack once, after an INVITE without an offer was answered',
      );
    }
    this.#current.acknowledge(sdp);
    this.#current = undefined;
    this.next();
  }

  /** Sends the next offer, if one waits and RFC 3261, 14.1 lets it: no INVITE in progress in either direction. */
  next(): void {
    if (this.#session.state !== 'confirmed' || this.#pause !== undefined) return;
    if (this.#current !== undefined || this.#incoming !== undefined || this.#unacked.length > 0) return;
    this.#current = this.#waiting.shift();
    this.#current?.send();
  }

  /** The INVITE of `offer` is over: its outcome goes to its owner, and the turn to the next. */
  done(offer: LocalOffer, outcome: Outcome): void {
    if (!offer.owesAck && this.#current === offer) this.#current = undefined;
    offer.settle(outcome);
    this.#session.judge('INVITE', outcome);
    this.next();
  }

  /** RFC 3261, 14.1: both sides offered at once. Who made the Call-ID waits 2.1 to 4 s, the other up to 2 s. */
  glare(offer: LocalOffer): void {
    const { core, role, callId } = this.#session;
    this.#current = undefined;
    this.#waiting.unshift(offer);
    const pauseMs = role === 'uac' ? 2_100 + 10 * core.draw(191) : 10 * core.draw(201);
    this.#pause = core.clock.after(pauseMs, `glare ${callId}`, () => {
      this.#pause = undefined;
      this.next();
    });
  }

  /** A re-INVITE came. */
  receive(request: SipRequest, arrival: Arrival, transaction: ServerTransaction): void {
    const session = this.#session;
    const busy = this.#incoming !== undefined || this.#unacked.length >= MAX_UNACKED;
    const refusal = this.#current !== undefined ? 491 : busy ? 500 : session.offerRefusal();
    const offer = new RemoteOffer(session, this, request, arrival, transaction);
    transaction.user = offer;
    if (refusal !== 0) {
      offer.refuse(refusal, refusal === 500 ? [['Retry-After', String(session.core.draw(11))]] : []);
      return;
    }
    this.#incoming = offer;
    transaction.respond(session.core.buildResponse(request, 100, ''));
    session.refresh(request);
    if (session.events.onReinvite === undefined) offer.respond(488);
    else session.events.onReinvite(session, offer);
  }

  /** A final response went out. */
  answered(offer: RemoteOffer, status: number): void {
    if (this.#incoming === offer) this.#incoming = undefined;
    if (status < 300) this.#unacked.push(offer);
    else this.next();
  }

  /** False when the ACK is not that of a re-INVITE. */
  receiveAck(ack: SipRequest, cseq: number): boolean {
    const at = this.#unacked.findIndex((offer) => offer.cseq === cseq);
    if (at < 0) return false;
    const [offer] = this.#unacked.splice(at, 1);
    offer?.stop();
    this.#session.events.onAck?.(this.#session, ack);
    this.next();
    return true;
  }

  /** The session has ended: nothing is sent or repeated any more, open INVITEs of the peer get 487 (RFC 3261, 15.1.2). */
  stop(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    for (const offer of this.#unacked) offer.stop();
    this.#unacked.length = 0;
    this.#incoming?.refuse(487, []);
    this.#incoming = undefined;
    this.#current?.stop();
  }

  /** A 2xx that still waits for our answer gets its ACK without one. */
  acknowledgeOwed(): void {
    if (this.#current?.owesAck === true) this.#current.acknowledge(undefined);
  }

  /** Outcomes that can no longer come. */
  abort(): void {
    const offers = [this.#current, ...this.#waiting];
    this.#current = undefined;
    this.#waiting.length = 0;
    for (const offer of offers) offer?.settle(outcomeWithout('terminated'));
  }
}

/** A re-INVITE of ours. */
export class LocalOffer implements ClientUser {
  /** A 2xx without an ACK: the answer is still to come from our owner. */
  owesAck = false;
  readonly #session: DialogSession;
  readonly #offers: Offers;
  readonly #sdp: OfferSource;
  readonly #headers: HeaderList;
  readonly #offered: boolean;
  #onOutcome: ((outcome: Outcome) => void) | undefined;
  #attempt: Attempt | undefined;
  #ack: (() => void) | undefined;
  #giveUp: Timer | undefined;
  #glares = 0;

  constructor(
    session: DialogSession,
    offers: Offers,
    sdp: OfferSource,
    onOutcome: (outcome: Outcome) => void,
    headers: HeaderList,
  ) {
    this.#session = session;
    this.#offers = offers;
    this.#offered = sdp !== undefined;
    this.#sdp = sdp;
    this.#headers = headers;
    this.#onOutcome = onOutcome;
  }

  send(): void {
    const { dialog } = this.#session;
    if (dialog === undefined) return;
    this.#ack = undefined;
    const body = typeof this.#sdp === 'function' ? this.#sdp() : this.#sdp;
    const headers = this.#headers;
    this.#attempt = this.#session.attempt(dialog, 'INVITE', body === undefined ? { headers } : { headers, body }, this);
    this.#attempt.send();
  }

  settle(outcome: Outcome): void {
    const onOutcome = this.#onOutcome;
    this.#onOutcome = undefined;
    onOutcome?.(outcome);
  }

  response(response: SipResponse, transaction: ClientTransaction): void {
    if (response.status < 200 || transaction !== this.#attempt?.transaction) return;
    this.#giveUp?.cancel();
    if (response.status >= 300) this.#refused(response);
    else if (this.#ack !== undefined) this.#ack();
    else if (!this.owesAck) this.#accepted(response);
  }

  failed(why: 'timeout' | 'transport'): void {
    this.#giveUp?.cancel();
    this.#offers.done(this, outcomeWithout(why));
  }

  acknowledge(sdp: string | undefined): void {
    const { dialog } = this.#session;
    if (dialog === undefined || this.#attempt === undefined) return;
    this.owesAck = false;
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

  #accepted(response: SipResponse): void {
    const over = this.#session.state === 'terminated';
    this.owesAck = !this.#offered && !over;
    if (!this.owesAck) this.acknowledge(undefined);
    if (over) return;
    this.#session.refresh(response);
    this.#offers.done(this, outcomeOf(response));
  }

  #refused(response: SipResponse): void {
    if (this.#session.state === 'terminated') return;
    if (response.status === 491 && this.#glares < MAX_GLARES) {
      this.#glares += 1;
      this.#offers.glare(this);
      return;
    }
    this.#offers.done(this, outcomeOf(response));
  }
}

/** A re-INVITE of the peer. */
class RemoteOffer implements ServerRequest, ServerUser {
  readonly request: SipRequest;
  readonly cseq: number;
  readonly #session: DialogSession;
  readonly #offers: Offers;
  readonly #transaction: ServerTransaction;
  #answer: UnackedAnswer | undefined;

  constructor(
    session: DialogSession,
    offers: Offers,
    request: SipRequest,
    arrival: Arrival,
    transaction: ServerTransaction,
  ) {
    this.#session = session;
    this.#offers = offers;
    this.request = request;
    this.cseq = arrival.cseq;
    this.#transaction = transaction;
  }

  get flow(): DialogSession['flow'] {
    return this.#transaction.flow;
  }

  get answered(): boolean {
    return this.#transaction.finalStatus !== 0;
  }

  respond(status: number, options?: ResponseOptions): void {
    if (this.answered) return;
    const { core, localTag, callId } = this.#session;
    this.#transaction.respond(core.buildResponse(this.request, status, localTag, options, this.flow));
    if (status < 200) return;
    if (status < 300) {
      this.#answer = new UnackedAnswer(core.clock, this.#transaction, this.cseq, callId, () => this.#silence());
    }
    this.#offers.answered(this, status);
  }

  /** Answers without a word to the owner. */
  refuse(status: number, headers: HeaderList): void {
    const { core, localTag } = this.#session;
    this.#transaction.respond(core.buildResponse(this.request, status, localTag, { headers }));
  }

  stop(): void {
    this.#answer?.stop();
  }

  acknowledged(ack: SipRequest): void {
    this.#session.receiveAck(ack, this.cseq);
  }

  cancelled(): void {
    this.respond(487);
  }

  flowLost(): void {
    this.#offers.answered(this, 503);
  }

  // RFC 3261, 13.3.1.4 holds for re-INVITEs too.
  #silence(): void {
    this.#session.sendBye();
    this.#session.conclude({ by: 'no-ack' });
  }
}
