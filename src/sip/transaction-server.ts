// One server transaction: a request of a peer until its final response, and after it (RFC 3261, 17.2). Runs the tables; knows nothing of dialogs.

import type { Flow } from './flow.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { serialise } from './serialise.ts';
import type { TransactionHost } from './transaction-client.ts';
import type { FlowUser } from './transaction-flows.ts';
import type { Arrival } from './transaction-match.ts';
import {
  INVITE_SERVER,
  NON_INVITE_SERVER,
  type ServerEffect,
  type ServerInput,
  type ServerMachine,
  type ServerState,
} from './transaction-tables.ts';
import { TransactionTimers } from './transaction-timers.ts';
import type { Session } from './user-agent-api.ts';

/** Whoever answers the request. */
export interface ServerUser {
  /** An ACK of a 2xx that carries the INVITE's own branch, as RFC 2543 peers send it. */
  acknowledged(ack: SipRequest): void;
  /** A CANCEL came before the final response. */
  cancelled(cancel: SipRequest): void;
  /** The flow closed before the final response. */
  flowLost(why: string): void;
}

export class ServerTransaction implements FlowUser {
  readonly flow: Flow;
  readonly key: string;
  readonly mergeKey: string | undefined;
  state: ServerState;
  session: Session | undefined;
  user: ServerUser | undefined;
  /** The status of the final response; 0 before it. */
  finalStatus = 0;
  readonly #host: TransactionHost;
  readonly #machine: ServerMachine;
  readonly #timers: TransactionTimers;
  #last: SipResponse | undefined;
  #lastBytes: Uint8Array | undefined;

  constructor(host: TransactionHost, request: SipRequest, arrival: Arrival, mergeKey: string | undefined) {
    this.flow = arrival.flow;
    this.key = arrival.key;
    this.mergeKey = mergeKey;
    this.#machine = request.method === 'INVITE' ? INVITE_SERVER : NON_INVITE_SERVER;
    this.state = request.method === 'INVITE' ? 'proceeding' : 'trying';
    this.#host = host;
    const name = arrival.via.branch ?? arrival.callId;
    this.#timers = new TransactionTimers(host.clock, name, arrival.flow.reliable, (input) => this.#input(input));
  }

  /** Sends a response and keeps it for copies of the request. After a final one all others are ignored. */
  respond(response: SipResponse): void {
    if (this.finalStatus !== 0) return;
    if (response.status >= 200) this.finalStatus = response.status;
    this.#last = response;
    this.#lastBytes = undefined;
    this.#input(response.status < 200 ? 'send 1xx' : response.status < 300 ? 'send 2xx' : 'send 3xx-6xx');
  }

  /** Sends the last response once more: the 2xx of an INVITE until its ACK, a provisional while it rings. */
  repeat(): void {
    this.#input(this.finalStatus === 0 ? 'send 1xx' : 'send 2xx');
  }

  /** A copy of the request came. */
  requestAgain(): void {
    this.#input('request');
  }

  acknowledged(ack: SipRequest): void {
    this.#input('ACK', ack);
  }

  flowClosed(why: string): void {
    this.#input('transport error', undefined, why);
  }

  /**
   * The answered INVITE has its ACK, or its session is over: only copies of it are still to be absorbed. At a thousand
   * calls a second tens of thousands of these linger, so that they hold on to nothing else.
   */
  retire(): void {
    if (this.state !== 'accepted') return;
    if (this.session?.state === 'terminated') this.session = undefined;
    this.user = undefined;
    this.#last = undefined;
    this.#lastBytes = undefined;
  }

  /** Ends the transaction without a word to anyone. */
  abandon(): void {
    this.#input('abandon');
  }

  #input(input: ServerInput, ack?: SipRequest, why = ''): void {
    const row = this.#machine[this.state]?.[input];
    if (row === undefined) return;
    this.state = row.to;
    for (const effect of row.effects) this.#apply(effect, ack, why);
    if (row.to === 'terminated') this.#host.forget(this);
    const { expired } = this.#timers;
    if (expired === undefined) return;
    this.#timers.expired = undefined;
    this.#input(expired);
  }

  #apply(effect: ServerEffect, ack: SipRequest | undefined, why: string): void {
    switch (effect) {
      case 'send response':
      case 'resend response':
        this.#send();
        break;
      case 'finish':
        this.#host.finished(this);
        break;
      case 'pass ACK':
        if (ack !== undefined) this.user?.acknowledged(ack);
        break;
      case 'report transport':
        this.user?.flowLost(why);
        break;
      default:
        this.#timers.apply(effect);
        break;
    }
  }

  #send(): void {
    if (this.#last === undefined) return;
    this.#lastBytes ??= serialise(this.#last);
    this.#host.transmit(this.flow, this.#last, this.#lastBytes, this.session);
  }
}
