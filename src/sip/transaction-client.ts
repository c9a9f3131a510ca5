// One client transaction: a request of ours until its final response (RFC 3261, 17.1). Runs the tables; knows nothing of dialogs.

import type { Clock } from '../kernel/clock.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import type { Flow } from './flow.ts';
import { Headers } from './headers.ts';
import type { SipMessage } from './message.ts';
import { NO_BODY, type SipRequest, type SipResponse } from './message.ts';
import { serialise } from './serialise.ts';
import type { FlowUser } from './transaction-flows.ts';
import type { ServerTransaction } from './transaction-server.ts';
import {
  type ClientEffect,
  type ClientInput,
  type ClientState,
  INVITE_CLIENT,
  NON_INVITE_CLIENT,
} from './transaction-tables.ts';
import { TransactionTimers } from './transaction-timers.ts';
import type { Session } from './user-agent-api.ts';

/** What a transaction needs of the layer around it. */
export interface TransactionHost {
  readonly clock: Clock;
  /** Puts a message on its flow and shows it to the observer. */
  transmit(flow: Flow, message: SipMessage, bytes: Uint8Array, session: Session | undefined): void;
  /** The outcome is known; only late copies are still to come. */
  finished(transaction: ClientTransaction | ServerTransaction): void;
  /** Nothing is to come any more. */
  forget(transaction: ClientTransaction | ServerTransaction): void;
}

/** Whoever sent the request. */
export interface ClientUser {
  /** Provisional and final responses; of an INVITE each 2xx, of whatever fork, repeated ones included. */
  response(response: SipResponse, transaction: ClientTransaction): void;
  /** No final response came. */
  failed(why: 'timeout' | 'transport', transaction: ClientTransaction): void;
}

export class ClientTransaction implements FlowUser {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly branch: string;
  readonly session: Session | undefined;
  state: ClientState = 'initial';
  readonly #host: TransactionHost;
  readonly #user: ClientUser;
  readonly #timers: TransactionTimers;
  #bytes: Uint8Array | undefined;
  #ack: { readonly message: SipRequest; readonly bytes: Uint8Array } | undefined;

  constructor(
    host: TransactionHost,
    request: SipRequest,
    flow: Flow,
    branch: string,
    user: ClientUser,
    session: Session | undefined,
  ) {
    if (request.method === 'ACK') {
      throw new BrokenInvariant('ACK has no transaction', 'it was given to one', 'send it with Core.sendAlone');
    }
    this.request = request;
    this.flow = flow;
    this.branch = branch;
    this.session = session;
    this.#host = host;
    this.#user = user;
    this.#bytes = serialise(request);
    this.#timers = new TransactionTimers(host.clock, branch, flow.reliable, (input) => this.#input(input));
  }

  /** Sends the request. On a closed flow the failure is reported in a follow-up task, never from within. */
  start(): void {
    this.#input('start');
    if (!this.flow.open) this.#host.clock.soon(() => this.flowClosed());
  }

  receive(response: SipResponse): void {
    this.#input(response.status < 200 ? '1xx' : response.status < 300 ? '2xx' : '3xx-6xx', response);
  }

  flowClosed(): void {
    this.#input('transport error');
  }

  /** Ends the transaction without a word to anyone. */
  abandon(): void {
    this.#input('abandon');
  }

  #input(input: ClientInput, response?: SipResponse): void {
    const machine = this.request.method === 'INVITE' ? INVITE_CLIENT : NON_INVITE_CLIENT;
    const row = machine[this.state]?.[input];
    if (row === undefined) return;
    this.state = row.to;
    for (const effect of row.effects) this.#apply(effect, response);
    if (row.to === 'terminated') this.#host.forget(this);
    const { expired } = this.#timers;
    if (expired === undefined) return;
    this.#timers.expired = undefined;
    this.#input(expired);
  }

  #apply(effect: ClientEffect, response: SipResponse | undefined): void {
    switch (effect) {
      case 'send request':
        if (this.#bytes !== undefined) this.#host.transmit(this.flow, this.request, this.#bytes, this.session);
        break;
      case 'send ACK':
        this.#acknowledge(response);
        break;
      case 'finish':
        // Thousands linger at a time: what is never sent again need not be kept.
        this.#bytes = undefined;
        this.#host.finished(this);
        break;
      case 'pass response':
        if (response !== undefined) this.#user.response(response, this);
        break;
      case 'report timeout':
        this.#user.failed('timeout', this);
        break;
      case 'report transport':
        this.#user.failed('transport', this);
        break;
      default:
        this.#timers.apply(effect);
        break;
    }
  }

  // RFC 3261, 17.1.1.3: the ACK of a failure belongs to the INVITE's transaction and goes the INVITE's way.
  #acknowledge(response: SipResponse | undefined): void {
    if (this.#ack === undefined) {
      const { headers } = this.request;
      const ack = new Headers().append('Via', headers.get('Via') ?? '').append('Max-Forwards', '70');
      ack.appendFrom(headers, 'Route').appendFrom(headers, 'From');
      ack.append('To', response?.headers.get('To') ?? headers.get('To') ?? '').appendFrom(headers, 'Call-ID');
      ack.append('CSeq', `${Number.parseInt(headers.get('CSeq') ?? '', 10)} ACK`);
      const message: SipRequest = {
        kind: 'request',
        method: 'ACK',
        uri: this.request.uri,
        headers: ack,
        body: NO_BODY,
      };
      this.#ack = { message, bytes: serialise(message) };
    }
    this.#host.transmit(this.flow, this.#ack.message, this.#ack.bytes, this.session);
  }
}
