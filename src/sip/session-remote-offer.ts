// One re-INVITE or UPDATE of the peer, until its answer and, for the first, the ACK (RFC 3261, 14.2; RFC 3311, 5.2). Does not look into SDP.
import type { SipRequest } from './message.ts';
import type { DialogSession } from './session.ts';
import { UnackedAnswer } from './session-unacked.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction, ServerUser } from './transaction-server.ts';
import type { HeaderList, ResponseOptions, ServerRequest } from './user-agent-api.ts';

/** Told of each final response. */
export interface AnswerTurns {
  answered(offer: RemoteOffer, status: number): void;
}

export class RemoteOffer implements ServerRequest, ServerUser {
  readonly request: SipRequest;
  readonly cseq: number;
  readonly #session: DialogSession;
  readonly #turns: AnswerTurns;
  readonly #transaction: ServerTransaction;
  #answer: UnackedAnswer | undefined;

  constructor(
    session: DialogSession,
    turns: AnswerTurns,
    request: SipRequest,
    arrival: Arrival,
    transaction: ServerTransaction,
  ) {
    this.#session = session;
    this.#turns = turns;
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

  /** An ACK is to come after our 2xx. */
  get isInvite(): boolean {
    return this.request.method === 'INVITE';
  }

  respond(status: number, options?: ResponseOptions): void {
    if (this.answered) return;
    const { core, localTag, callId } = this.#session;
    const said = status >= 200 && status < 300 ? this.#agreed(options) : options;
    this.#transaction.respond(core.buildResponse(this.request, status, localTag, said, this.flow));
    if (status < 200) return;
    if (status < 300 && this.isInvite) {
      this.#answer = new UnackedAnswer(core.clock, this.#transaction, this.cseq, callId, () => this.#silence());
    }
    this.#turns.answered(this, status);
  }

  /** A 2xx says what we want to send and hear, and how long the session lasts. */
  #agreed(options: ResponseOptions = {}): ResponseOptions {
    if (options.body !== undefined && options.body !== '') this.#session.described = options.body;
    // A PRACK belongs to no agreement on time.
    const timing = this.request.method === 'PRACK' ? [] : this.#session.timerAnswer(this.request);
    return timing.length === 0 ? options : { ...options, headers: [...(options.headers ?? []), ...timing] };
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
    this.#turns.answered(this, 503);
  }

  // RFC 3261, 13.3.1.4 holds for re-INVITEs too.
  #silence(): void {
    this.#session.sendBye();
    this.#session.conclude({ by: 'no-ack' });
  }
}
