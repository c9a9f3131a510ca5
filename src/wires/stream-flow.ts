// One connection that carries SIP as a byte stream (TCP; TLS is the same on another socket). Knows messages only as what a framer cuts.
import type { Socket } from 'node:net';
import type { Address, Flow, FlowListener, TransportName } from '../sip/flow.ts';
import { written } from './ip-address.ts';
import { plainWords } from './plain-words.ts';

/** Cuts the stream into messages; `failed` says why it cannot any more. sip/ has the real one. */
export interface Framer {
  push(chunk: Uint8Array): Uint8Array[];
  readonly failed: string | undefined;
}

/** `onPing` is called for each keep-alive between messages (RFC 5626, 4.4.1). */
export type MakeFramer = (onPing: () => void) => Framer;

export interface StreamLimits {
  /** A connection asked for by us that is not there by then is given up. */
  readonly connectMs: number;
  /** A connection made by a peer must bring a whole message by then: holding it open costs us more than them. */
  readonly firstMessageMs: number;
  /** Silence after which a connection is closed; longer than the longest registration, whose refresh breaks it. */
  readonly idleMs: number;
  /** A peer that leaves more than this unread is cut off. */
  readonly maxQueuedBytes: number;
  /** On closing, what is still to be sent gets this long. */
  readonly farewellMs: number;
}

export const streamLimits: StreamLimits = {
  connectMs: 10_000,
  firstMessageMs: 60_000,
  idleMs: 7_500_000,
  maxQueuedBytes: 1024 * 1024,
  farewellMs: 250,
};

/** How often the system asks a silent peer whether it is still there. */
const PROBE_MS = 60_000;
const PONG = Buffer.from('\r\n');

export interface StreamFlowParts {
  readonly socket: Socket;
  readonly transport: TransportName;
  readonly local: Address;
  readonly remote: Address;
  readonly listener: FlowListener;
  readonly makeFramer: MakeFramer;
  readonly limits: StreamLimits;
  readonly onClosed: (flow: StreamFlow) => void;
}

export class StreamFlow implements Flow {
  readonly id: string;
  readonly transport: TransportName;
  readonly reliable = true;
  readonly external = true;
  readonly local: Address;
  readonly remote: Address;
  readonly #parts: StreamFlowParts;
  readonly #socket: Socket;
  readonly #framer: Framer;
  #open = true;
  #corked = false;
  #why: string | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(parts: StreamFlowParts) {
    const { socket, transport, limits } = parts;
    this.id = `${transport.toLowerCase()}:${written(parts.remote)}`;
    this.transport = transport;
    this.local = parts.local;
    this.remote = parts.remote;
    this.#parts = parts;
    this.#socket = socket;
    this.#framer = parts.makeFramer(() => this.send(PONG));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, PROBE_MS);
    if (socket.connecting) this.#by(limits.connectMs, 'connection');
    else this.#by(limits.firstMessageMs, 'whole message');
    socket.setTimeout(limits.idleMs, () => this.#cut(`silent for ${limits.idleMs / 1000} s`));
    socket.once('connect', () => clearTimeout(this.#deadline));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#why ??= plainWords(error);
    });
    socket.once('close', () => this.#gone());
  }

  get open(): boolean {
    return this.#open;
  }

  /** What is sent in one turn of the event loop goes to the system in one piece. */
  send(bytes: Uint8Array): void {
    if (!this.#open) return;
    const queued = this.#socket.writableLength + bytes.length;
    if (queued > this.#parts.limits.maxQueuedBytes) {
      this.#cut(`the peer reads too slowly: ${queued} bytes wait for it`);
      return;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(bytes);
  }

  /** Sends what waits, then closes. Resolves when the connection is gone; the listener has heard so. */
  end(why: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.closed) return resolve();
      this.#socket.once('close', () => resolve());
      this.#why ??= why;
      this.#open = false;
      this.#by(this.#parts.limits.farewellMs, 'end');
      this.#socket.destroySoon();
    });
  }

  #receive(chunk: Buffer): void {
    for (const message of this.#framer.push(chunk)) {
      if (!this.#open) return;
      clearTimeout(this.#deadline);
      this.#parts.listener.received(this, message);
    }
    if (this.#framer.failed !== undefined) this.#cut(this.#framer.failed);
  }

  #by(delayMs: number, what: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#cut(`no ${what} within ${delayMs / 1000} s`), delayMs);
  }

  #cut(why: string): void {
    this.#why ??= why;
    this.#open = false;
    this.#socket.destroy();
  }

  #gone(): void {
    clearTimeout(this.#deadline);
    this.#open = false;
    this.#parts.onClosed(this);
    this.#parts.listener.closed(this, this.#why ?? 'closed by the peer');
  }
}
