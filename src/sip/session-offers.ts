// Re-INVITEs and UPDATEs of one session, both ways: one at a time, glare and its pauses (RFC 3261, 14; RFC 3311, 5). Does not look into SDP.
import type { Timer } from '../kernel/clock.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import type { SipRequest } from './message.ts';
import type { DialogSession } from './session.ts';
import { LocalOffer, type OfferPlan, type OfferTurns } from './session-local-offer.ts';
import { type AnswerTurns, RemoteOffer } from './session-remote-offer.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction } from './transaction-server.ts';
import type { Outcome } from './user-agent-api.ts';
import { outcomeWithout } from './user-agent-attempt.ts';

/** Offers that wait for their turn; one more fails with 491 at once. */
export const MAX_WAITING_OFFERS = 16;
/** Re-INVITEs of the peer whose 2xx it did not acknowledge; to one more it gets 500. */
export const MAX_UNACKED = 4;

/** Whose offer of an INVITE is still to come or has no answer yet. */
export type OpenOffer = 'none' | 'ours' | 'theirs';

export class Offers implements OfferTurns, AnswerTurns {
  readonly #session: DialogSession;
  readonly #waiting: LocalOffer[] = [];
  #current: LocalOffer | undefined;
  #pause: Timer | undefined;
  #incoming: RemoteOffer | undefined;
  readonly #unacked: RemoteOffer[] = [];

  constructor(session: DialogSession) {
    this.#session = session;
  }

  /** Sends a re-INVITE or UPDATE as soon as the dialog is free for it. */
  offer(plan: OfferPlan): void {
    const offer = new LocalOffer(this.#session, this, plan);
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
    const [first] = this.#waiting;
    if (first === undefined || this.#pause !== undefined || !this.#isTurnOf(first)) return;
    if (this.#current !== undefined || this.#incoming !== undefined || this.#unacked.length > 0) return;
    this.#current = this.#waiting.shift();
    this.#current?.send();
  }

  done(offer: LocalOffer, outcome: Outcome): void {
    if (!offer.owesAck && this.#current === offer) this.#current = undefined;
    offer.settle(outcome);
    this.#session.judge(offer.method, outcome);
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
    const offer = this.#enter(request, arrival, transaction, refusal);
    if (offer === undefined) return;
    transaction.respond(session.core.buildResponse(request, 100, ''));
    this.#show(offer);
  }

  /** An UPDATE came, or a PRACK with an offer (RFC 3311, 5.2). */
  receiveUpdate(request: SipRequest, arrival: Arrival, transaction: ServerTransaction): void {
    const offered = request.body.length > 0;
    const offer = this.#enter(request, arrival, transaction, this.#refusalOfUpdate(offered));
    if (offer === undefined) return;
    if (offered) this.#show(offer);
    else offer.respond(200);
  }

  /** A final response went out. */
  answered(offer: RemoteOffer, status: number): void {
    if (this.#incoming === offer) this.#incoming = undefined;
    if (status < 300 && offer.isInvite) this.#unacked.push(offer);
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

  /** The session has ended: nothing is sent or repeated any more, open requests of the peer get 487 (RFC 3261, 15.1.2). */
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

  /** A re-INVITE needs an answered call; an UPDATE only a dialog, and to offer in it that nothing else is open (RFC 3311, 5.1). */
  #isTurnOf({ method, offers }: LocalOffer): boolean {
    const { state, dialog } = this.#session;
    if (state === 'confirmed') return true;
    if (method === 'INVITE' || dialog === undefined || state === 'terminated') return false;
    return !offers || this.#session.hasAgreed;
  }

  // RFC 3311, 5.2: 491 while an offer of ours has no answer, 500 while one of theirs has none. 504 is for who must ask a person first.
  #refusalOfUpdate(offered: boolean): 0 | 491 | 500 {
    if (this.#incoming !== undefined) return 500;
    if (!offered) return 0;
    if (this.#current !== undefined || this.#unacked.some(({ request }) => request.body.length === 0)) return 491;
    const open = this.#session.openOffer();
    return open === 'ours' ? 491 : open === 'theirs' ? 500 : 0;
  }

  #enter(
    request: SipRequest,
    arrival: Arrival,
    transaction: ServerTransaction,
    refusal: 0 | 491 | 500,
  ): RemoteOffer | undefined {
    const session = this.#session;
    const offer = new RemoteOffer(session, this, request, arrival, transaction);
    transaction.user = offer;
    if (refusal !== 0) {
      offer.refuse(refusal, refusal === 500 ? [['Retry-After', String(session.core.draw(11))]] : []);
      return undefined;
    }
    this.#incoming = offer;
    session.refresh(request);
    return offer;
  }

  #show(offer: RemoteOffer): void {
    const { events } = this.#session;
    if (events.onReinvite === undefined) offer.respond(488);
    else events.onReinvite(this.#session, offer);
  }
}
