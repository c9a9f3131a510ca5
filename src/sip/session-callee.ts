// The called side of a session: provisionals, the answer until its ACK, CANCEL (RFC 3261, 13.3 and 9.2). Knows no calls.
import type { Timer } from '../kernel/clock.ts';
import { contactUri, Dialog } from './dialog.ts';
import { tokensOf } from './fields.ts';
import { ownText } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { DialogSession, type EndOptions } from './session.ts';
import type { OpenOffer } from './session-offers.ts';
import { ReliableProvisionals } from './session-reliable.ts';
import { UnackedAnswer } from './session-unacked.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction, ServerUser } from './transaction-server.ts';
import type { HeaderList, ResponseOptions, ServerRequest } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

/** A ringing call says so again this often (RFC 3261, 13.3.1.1). */
const PROVISIONAL_REFRESH_MS = 60_000;
const MAX_FIRST_RSEQ = 2 ** 31 - 2;

export class CalleeSession extends DialogSession implements ServerUser {
  readonly role = 'uas';
  readonly invite: SipRequest;
  readonly #transaction: ServerTransaction;
  readonly #cseq: number;
  #refresh: Timer | undefined;
  #answer: UnackedAnswer | undefined;
  /** Our 2xx carried an offer: until its ACK brought the answer no other may be made. */
  #offerOpen = false;
  /** Ended by us before the ACK: the BYE waits for it (RFC 3261, 15). */
  #endOptions: EndOptions | undefined;
  /** The caller wants each provisional acknowledged (RFC 3262). */
  #reliable: ReliableProvisionals | undefined;
  /** How far our answer has come with a provisional of which the caller must say that it has it. */
  #early: 'none' | 'queued' | 'sent' | 'known' = 'none';
  /** Answered, but a session description is to be acknowledged first. */
  #heldAnswer: (() => void) | undefined;

  constructor(core: Core, invite: SipRequest, transaction: ServerTransaction, arrival: Arrival) {
    super(core, arrival.flow, ownText(arrival.callId), core.newTag(), undefined);
    this.invite = invite;
    this.#transaction = transaction;
    this.#cseq = arrival.cseq;
    transaction.session = this;
    transaction.user = this;
    this.remoteTag = arrival.fromTag;
    this.dialog = Dialog.ofCallee(invite, arrival, this.localTag);
    this.remoteContact = contactUri(invite) ?? '';
    this.notePeer(invite);
  }

  /** 100 at once: the caller stops resending (RFC 3261, 8.2.6.1). */
  trying(): void {
    this.#transaction.respond(this.core.buildResponse(this.invite, 100, ''));
  }

  override provisional(status: number, options?: ResponseOptions): void {
    if (!this.#unanswered || status <= 100 || status >= 200) return;
    if (this.#wantsReliable) this.#provisionalReliably(status, options);
    else this.#transaction.respond(this.core.buildResponse(this.invite, status, this.localTag, options, this.flow));
    this.state = 'early';
    this.#refresh?.cancel();
    this.#refreshLater();
    this.offers.next();
  }

  override accept(sdp: string, headers: HeaderList = []): void {
    if (!this.#unanswered || this.#heldAnswer !== undefined) return;
    if (this.#reliable?.describes === true) {
      this.#heldAnswer = () => this.#acceptNow(sdp, headers);
      return;
    }
    this.#acceptNow(sdp, headers);
  }

  #acceptNow(sdp: string, headers: HeaderList): void {
    this.#stopRefreshing();
    this.#reliable?.stop();
    this.state = 'answered';
    this.#offerOpen = this.invite.body.length === 0;
    // RFC 3262, 5: what was answered reliably is not answered again.
    const body = this.#early === 'known' ? '' : sdp;
    if (body !== '') this.described = body;
    const options = { headers: [...headers, ...this.timerAnswer(this.invite)], body };
    this.#transaction.respond(this.core.buildResponse(this.invite, 200, this.localTag, options, this.flow));
    const { clock } = this.core;
    this.#answer = new UnackedAnswer(clock, this.#transaction, this.#cseq, this.callId, () => this.#silence());
  }

  override reject(status: number, options?: ResponseOptions): void {
    if (!this.#unanswered || status < 300 || status > 699) return;
    this.#reliable?.stop();
    const response = this.core.buildResponse(this.invite, status, this.localTag, options);
    this.#transaction.respond(response);
    const { reason } = response;
    this.conclude({ by: 'failure', outcome: { status, reason, response, by: 'response' } }, 'soon');
  }

  end(options: EndOptions = {}): void {
    if (this.#unanswered) this.reject(options.status ?? 480, options);
    else if (this.state === 'answered') this.#endOptions ??= options;
    else if (this.state === 'confirmed') this.hangUp(options);
  }

  cancelled(cancel: SipRequest): void {
    if (!this.#unanswered) return;
    this.#transaction.respond(this.core.buildResponse(this.invite, 487, this.localTag));
    this.conclude({ by: 'cancel', request: cancel });
  }

  override acknowledged(ack: SipRequest): void {
    if (this.state !== 'answered') return;
    this.#answer?.stop();
    this.#answer = undefined;
    this.#transaction.retire();
    this.#offerOpen = false;
    this.state = 'confirmed';
    if (this.#endOptions !== undefined) {
      this.hangUp(this.#endOptions);
      return;
    }
    this.events.onAck?.(this, ack);
    this.offers.next();
  }

  override get isLeaving(): boolean {
    return this.#endOptions !== undefined;
  }

  flowLost(why: string): void {
    this.flowClosed(why);
  }

  /** RFC 3262, 3: 481 to what acknowledges nothing. An offer in it is answered like one in an UPDATE. */
  override receivePrack(prack: SipRequest, arrival: Arrival, transaction: ServerTransaction): void {
    const response = this.#reliable?.acknowledged(prack);
    if (response !== undefined && response.body.length > 0) {
      this.#early = 'known';
      this.described = Buffer.from(response.body).toString();
    }
    if (response === undefined) transaction.respond(this.core.buildResponse(prack, 481, this.localTag));
    else if (prack.body.length > 0) this.offers.receiveUpdate(prack, arrival, transaction);
    else transaction.respond(this.core.buildResponse(prack, 200, this.localTag));
    if (response !== undefined) this.#reliable?.goOn();
  }

  offerRefusal(): 0 | 491 | 500 {
    if (this.#unanswered) return 500;
    return this.#offerOpen ? 491 : 0;
  }

  openOffer(): OpenOffer {
    if (!this.#unanswered) return this.#offerOpen ? 'ours' : 'none';
    // RFC 3261, 13.2.1: without an offer in the INVITE it is on us to make one.
    if (this.invite.body.length === 0) return 'ours';
    return this.#early === 'sent' || this.#early === 'known' ? 'none' : 'theirs';
  }

  override get hasAgreed(): boolean {
    return this.#unanswered ? this.#early === 'known' : !this.#offerOpen;
  }

  /** What `onInvite` hands out: answered through it or through the session, all the same. */
  asRequest(): ServerRequest {
    const session = this;
    return {
      request: this.invite,
      flow: this.flow,
      get answered() {
        return !session.#unanswered || session.#heldAnswer !== undefined;
      },
      respond(status, options) {
        if (status < 200) session.provisional(status, options);
        else if (status < 300) session.accept(options?.body ?? '', options?.headers);
        else session.reject(status, options);
      },
    };
  }

  protected released(): void {
    this.#stopRefreshing();
    this.#reliable?.stop();
    this.#answer?.stop();
    this.#transaction.retire();
    // The peer hung up an early dialog with BYE, or its flow closed: the INVITE is still owed its final response (RFC 3261, 15.1.2).
    if (this.#transaction.finalStatus === 0 && !this.core.closed) {
      this.#transaction.respond(this.core.buildResponse(this.invite, 487, this.localTag));
    }
  }

  #provisionalReliably(status: number, options: ResponseOptions = {}): void {
    // RFC 3261, 13.2.1: the first reliable response to an INVITE without an offer has to bring ours; that is left to the 2xx.
    if (this.invite.body.length === 0) return;
    this.#reliable ??= this.#beReliable();
    // RFC 3261, 13.2.1: after the answer no response to this INVITE describes anything.
    const { body = '' } = this.#early === 'none' ? options : {};
    if (body !== '') this.#early = 'queued';
    this.#reliable.push((rseq) => {
      if (body !== '') this.#early = 'sent';
      const headers: HeaderList = [...(options.headers ?? []), ['Require', '100rel'], ['RSeq', String(rseq)]];
      return this.core.buildResponse(this.invite, status, this.localTag, { ...options, body, headers }, this.flow);
    });
  }

  #beReliable(): ReliableProvisionals {
    const { core, callId } = this;
    const host = {
      ...{ clock: core.clock, callId, cseq: this.#cseq },
      send: (response: SipResponse) => this.#transaction.respond(response),
      repeat: () => this.#transaction.repeat(),
      settled: () => this.#heldAnswer?.(),
      unheard: () => this.reject(504),
    };
    return new ReliableProvisionals(host, 1 + core.draw(MAX_FIRST_RSEQ));
  }

  get #wantsReliable(): boolean {
    return this.invite.headers.has('Require') && tokensOf(this.invite, 'Require').includes('100rel');
  }

  get #unanswered(): boolean {
    return this.state === 'calling' || this.state === 'early';
  }

  #silence(): void {
    this.sendBye(this.#endOptions?.headers);
    this.conclude(this.#endOptions === undefined ? { by: 'no-ack' } : { by: 'local-bye' });
  }

  #refreshLater(): void {
    const repeat = () => {
      this.#transaction.repeat();
      this.#refreshLater();
    };
    // In the background: a call that only rings is no reason for a fast clock to jump.
    const name = `refresh 1xx ${this.callId}`;
    this.#refresh = this.core.clock.after(PROVISIONAL_REFRESH_MS, name, repeat, { background: true });
  }

  #stopRefreshing(): void {
    this.#refresh?.cancel();
    this.#refresh = undefined;
  }
}
