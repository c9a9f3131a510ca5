// All transactions of one user agent: matching, limits, and the one door to the flows (RFC 3261, 17 and 18). Knows nothing of dialogs.
import type { Clock } from '../kernel/clock.ts';
import type { Flow } from './flow.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { MAX_MESSAGE_BYTES } from './parse.ts';
import { serialise } from './serialise.ts';
import { ClientTransaction, type ClientUser, type TransactionHost } from './transaction-client.ts';
import { FlowUsers } from './transaction-flows.ts';
import { type Arrival, keyOfCancelled, mergeKeyOf } from './transaction-match.ts';
import { ServerTransaction } from './transaction-server.ts';
import type { MessageObserver, SendOnFlow, Session } from './user-agent-api.ts';

export interface TransactionLimits {
  /** Requests of peers that await their final response. */
  readonly open: number;
  /** All that are kept, finished ones that absorb late copies included. */
  readonly kept: number;
}

/** At 4,000 calls a second over UDP about 260,000 finished transactions linger for their 32 seconds. */
export const TRANSACTION_LIMITS: TransactionLimits = { open: 100_000, kept: 500_000 };

export class TransactionLayer implements TransactionHost {
  readonly clock: Clock;
  readonly flows: FlowUsers;
  readonly #observer: MessageObserver | undefined;
  readonly #limits: TransactionLimits;
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #servers = new Map<string, ServerTransaction>();
  readonly #merged = new Map<string, ServerTransaction>();
  readonly #send: SendOnFlow;
  #openServers = 0;

  constructor(
    clock: Clock,
    observer: MessageObserver | undefined,
    limits: TransactionLimits = TRANSACTION_LIMITS,
    send: SendOnFlow = (flow, bytes) => flow.send(bytes),
  ) {
    this.clock = clock;
    this.flows = new FlowUsers(clock);
    this.#observer = observer;
    this.#limits = limits;
    this.#send = send;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  get serverCount(): number {
    return this.#servers.size;
  }

  /** No further server transaction is to be opened: 503 with Retry-After is owed. */
  get full(): boolean {
    return this.#openServers >= this.#limits.open || this.#servers.size >= this.#limits.kept;
  }

  /** Sends a request (not ACK) whose top Via carries `branch`. */
  request(request: SipRequest, flow: Flow, branch: string, user: ClientUser, session?: Session): ClientTransaction {
    const transaction = new ClientTransaction(this, request, flow, branch, user, session);
    this.#clients.set(clientKey(branch, request.method), transaction);
    this.flows.enter(flow, transaction);
    transaction.start();
    return transaction;
  }

  /** The transaction that a response belongs to (RFC 3261, 17.1.3). */
  findClient(arrival: Arrival): ClientTransaction | undefined {
    const transaction = this.#clients.get(clientKey(arrival.via.branch ?? '', arrival.method));
    return transaction?.request.method === arrival.method ? transaction : undefined;
  }

  /** Opens the transaction of a new request. */
  serve(request: SipRequest, arrival: Arrival): ServerTransaction {
    const mergeKey = mergeKeyOf(arrival);
    const transaction = new ServerTransaction(this, request, arrival, mergeKey);
    this.#servers.set(transaction.key, transaction);
    if (mergeKey !== undefined && !this.#merged.has(mergeKey)) this.#merged.set(mergeKey, transaction);
    this.flows.enter(transaction.flow, transaction);
    this.#openServers += 1;
    return transaction;
  }

  /** The transaction of which this request is a copy or, for an ACK, which it may acknowledge (RFC 3261, 17.2.3). */
  findServer(arrival: Arrival): ServerTransaction | undefined {
    return this.#servers.get(arrival.key);
  }

  /** The INVITE that a CANCEL is about. */
  findCancelled(arrival: Arrival): ServerTransaction | undefined {
    return this.#servers.get(keyOfCancelled(arrival.key));
  }

  /** True when the same request is being served already, having come another way (RFC 3261, 8.2.2.2). */
  isMerged(arrival: Arrival): boolean {
    const mergeKey = mergeKeyOf(arrival);
    return mergeKey !== undefined && this.#merged.has(mergeKey);
  }

  /** Sends what no transaction resends: the ACK of a 2xx, a stateless response. Returns the bytes, to send them again. */
  sendAlone(flow: Flow, message: SipMessage, session?: Session): Uint8Array {
    const bytes = serialise(message);
    this.transmit(flow, message, bytes, session);
    return bytes;
  }

  transmit(flow: Flow, message: SipRequest | SipResponse, bytes: Uint8Array, session: Session | undefined): void {
    if (!flow.open) return;
    // A request may be so long that its answer, which copies much of it, is longer than anybody takes: it is lost.
    if (bytes.length > MAX_MESSAGE_BYTES) {
      this.#observer?.discarded(flow, bytes, 'too long to be sent');
      return;
    }
    this.#observer?.observed('out', flow, message, bytes, session);
    this.#send(flow, bytes);
  }

  finished(transaction: ClientTransaction | ServerTransaction): void {
    this.flows.leave(transaction.flow, transaction);
    if (transaction instanceof ClientTransaction) return;
    this.#openServers -= 1;
    // The same request with credentials is no loop, even from a peer that forgot to raise CSeq.
    if (transaction.finalStatus === 401 || transaction.finalStatus === 407) this.#unmerge(transaction);
  }

  forget(transaction: ClientTransaction | ServerTransaction): void {
    if (transaction instanceof ClientTransaction) {
      this.#clients.delete(clientKey(transaction.branch, transaction.request.method));
      return;
    }
    this.#servers.delete(transaction.key);
    this.#unmerge(transaction);
  }

  /** Drops everything without a word. */
  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.abandon();
    this.flows.clear();
  }

  #unmerge(transaction: ServerTransaction): void {
    const { mergeKey } = transaction;
    if (mergeKey !== undefined && this.#merged.get(mergeKey) === transaction) this.#merged.delete(mergeKey);
  }
}

/** A CANCEL has the branch of its INVITE (RFC 3261, 9.1). */
function clientKey(branch: string, method: string): string {
  return method === 'CANCEL' ? `${branch} CANCEL` : branch;
}
