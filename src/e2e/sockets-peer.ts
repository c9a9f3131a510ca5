// A raw peer of the exchange on UDP, TCP or WebSocket: sends any bytes, keeps what comes back as text. Knows next to nothing of SIP.
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { SipAddresses } from '../simulator.ts';
import { until } from './sockets-stage.ts';

export type Wire = 'UDP' | 'TCP' | 'WS';
export const WIRES: readonly Wire[] = ['UDP', 'TCP', 'WS'];

export class RawPeer {
  readonly wire: Wire;
  /** Everything that came, message by message. */
  readonly heard: string[] = [];
  /** Our own end, as Via and Contact write it. */
  host = '';
  /** The exchange has closed the connection. */
  closed = false;
  #write: (bytes: Uint8Array) => void = () => {};
  #end: () => Promise<void> = () => Promise.resolve();
  readonly #listeners = new Set<() => void>();

  private constructor(wire: Wire) {
    this.wire = wire;
  }

  static async open(wire: Wire, sip: SipAddresses): Promise<RawPeer> {
    const peer = new RawPeer(wire);
    if (wire === 'UDP') await peer.#openUdp(sip);
    else if (wire === 'TCP') await peer.#openTcp(sip);
    else await peer.#openWebSocket(sip);
    return peer;
  }

  send(bytes: string | Uint8Array): void {
    this.#write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  /** The first thing heard that matches: already, or in time. */
  hears(pattern: RegExp, deadlineMs?: number): Promise<string> {
    return until(
      () => this.heard.find((text) => pattern.test(text)),
      (changed) => this.#onChange(changed),
      `${this.wire} peer hears ${pattern}, heard ${JSON.stringify(this.heard.slice(-3))}`,
      deadlineMs,
    );
  }

  hasBeenClosed(): Promise<true> {
    return until(
      () => (this.closed ? true : undefined),
      (changed) => this.#onChange(changed),
      `the exchange closes the ${this.wire} connection`,
    );
  }

  close(): Promise<void> {
    return this.#end();
  }

  #onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  readonly #take = (bytes: Buffer): void => {
    // A stream may bring several answers in one chunk.
    this.heard.push(...bytes.toString().split(/(?=^SIP\/2\.0 )/m));
    this.#changed();
  };

  readonly #gone = (): void => {
    this.closed = true;
    this.#changed();
  };

  async #openUdp({ udp }: SipAddresses): Promise<void> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    socket.on('message', this.#take);
    // What is too long for a datagram is no news to the exchange.
    socket.on('error', () => {});
    this.host = `127.0.0.1:${socket.address().port}`;
    this.#write = (bytes) => socket.send(bytes, udp.port, udp.host);
    this.#end = () => new Promise((resolve) => socket.close(() => resolve()));
  }

  async #openTcp({ tcp }: SipAddresses): Promise<void> {
    const socket = connect(tcp.port, tcp.host);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.setNoDelay(true);
    socket.on('data', this.#take);
    socket.on('error', () => {});
    socket.on('close', this.#gone);
    this.host = `127.0.0.1:${socket.localPort}`;
    this.#write = (bytes) => void socket.write(bytes);
    this.#end = () => {
      socket.destroy();
      return Promise.resolve();
    };
  }

  async #openWebSocket({ ws }: SipAddresses): Promise<void> {
    const socket = new WebSocket(ws, 'sip');
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.on('message', (data: Buffer) => this.#take(data));
    socket.on('error', () => {});
    socket.on('close', this.#gone);
    this.host = 'df7jal23ls0d.invalid';
    this.#write = (bytes) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: false });
    };
    this.#end = () => {
      socket.terminate();
      return Promise.resolve();
    };
  }
}

export interface RequestParts {
  readonly method: string;
  readonly uri?: string;
  /** Makes the request one of its own. */
  readonly id: string;
  readonly from?: string;
  readonly to?: string;
  readonly cseq?: number;
  /** Names of headers that are left out. */
  readonly without?: readonly string[];
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request with all that RFC 3261, 8.1.1 wants, but for what is left out. */
export function requestText(peer: Pick<RawPeer, 'wire' | 'host'>, parts: RequestParts): string {
  const { method, id, uri = 'sip:pbxsim.test', cseq = 1, without = [], headers = [], body = '' } = parts;
  const lines = [
    `Via: SIP/2.0/${peer.wire} ${peer.host};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `From: ${parts.from ?? '<sip:tester@example.net>'};tag=t${id}`,
    `To: ${parts.to ?? '<sip:pbxsim.test>'}`,
    `Call-ID: ${id}@example.net`,
    `CSeq: ${cseq} ${method}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ].filter((line) => !without.includes(line.slice(0, line.indexOf(':'))));
  return `${method} ${uri} SIP/2.0\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A response with that status to the request of `requestText` with that id and method. */
export function responseTo(id: string, method: string, status: number): RegExp {
  return new RegExp(`^SIP/2\\.0 ${status} [^]*Call-ID: ${id}@example\\.net\\r\\n[^]*CSeq: \\d+ ${method}\\r\\n`, 'm');
}

/** Resolves when the exchange answers an OPTIONS of ours: what was sent on this wire before has been dealt with. */
export async function fence(peer: RawPeer, id: string): Promise<void> {
  const ask = (): void => peer.send(requestText(peer, { method: 'OPTIONS', id }));
  ask();
  // A datagram may be lost in a burst: asked again as a SIP client would (RFC 3261, 17.1.2.2).
  const again = peer.wire === 'UDP' ? setInterval(ask, 500) : undefined;
  try {
    await peer.hears(responseTo(id, 'OPTIONS', 200), 15_000);
  } finally {
    clearInterval(again);
  }
}
