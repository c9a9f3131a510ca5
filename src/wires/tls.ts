// SIP over TLS: a listening port and the connections that phones make, each a flow. Makes none itself: phones are reached by the one they made (RFC 5626).
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Address, FlowListener } from '../sip/flow.ts';
import type { ServerIdentity } from './authority/local-authority.ts';
import { ownHostFor } from './ip-address.ts';
import { CannotListen } from './listening.ts';
import { type MakeFramer, StreamFlow, type StreamLimits, streamLimits } from './stream-flow.ts';
import { MAX_TCP_CONNECTIONS } from './tcp.ts';
import { HANDSHAKE_MS, MIN_TLS_VERSION, RENEWAL_MS } from './tls-door.ts';

/** Connections whose handshake is under way, beside those that speak. */
export const MAX_HANDSHAKES = 200;
/** The name by which SIP is agreed on in the handshake where a phone asks (IANA, ALPN). Others ask for nothing. */
const SIP_PROTOCOLS = ['sip/2'];
const BACKLOG = 1024;

export interface TlsOptions {
  /** A numeric address of this machine; `0.0.0.0` or `::` for all of its family. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly listener: FlowListener;
  readonly makeFramer: MakeFramer;
  /** Asked at the start, and again after `RENEWAL_MS`. */
  readonly identity: () => ServerIdentity;
  /** Default `MAX_TCP_CONNECTIONS`. */
  readonly maxConnections?: number;
  /** Default `HANDSHAKE_MS`. */
  readonly handshakeMs?: number;
  readonly limits?: Partial<StreamLimits>;
}

export class TlsTransport {
  readonly address: Address;
  readonly #server: Server;
  readonly #options: TlsOptions;
  readonly #limits: StreamLimits;
  readonly #flows = new Set<StreamFlow>();
  /** Of connections that have not shaken hands yet. */
  readonly #arriving: Set<Socket>;
  readonly #renewal: NodeJS.Timeout;
  #closed = false;

  private constructor(server: Server, options: TlsOptions, arriving: Set<Socket>) {
    const { address, port } = server.address() as AddressInfo;
    this.address = { host: address, port };
    this.#server = server;
    this.#options = options;
    this.#limits = { ...streamLimits, ...options.limits };
    this.#arriving = arriving;
    server.on('secureConnection', (socket) => this.#accept(socket));
    // Who speaks no TLS, or none of ours, is let go: nothing that we could say would be understood.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('error', () => {});
    const { identity } = options;
    this.#renewal = setInterval(
      () => server.setSecureContext({ ...identity(), minVersion: MIN_TLS_VERSION }),
      RENEWAL_MS,
    );
    this.#renewal.unref();
  }

  /** Rejects with `CannotListen`. */
  static open(options: TlsOptions): Promise<TlsTransport> {
    const { host, port, identity, handshakeMs = HANDSHAKE_MS, maxConnections = MAX_TCP_CONNECTIONS } = options;
    return new Promise((resolve, reject) => {
      const arriving = new Set<Socket>();
      const server = createServer({
        ...identity(),
        minVersion: MIN_TLS_VERSION,
        handshakeTimeout: handshakeMs,
        ALPNProtocols: SIP_PROTOCOLS,
      });
      server.maxConnections = maxConnections + MAX_HANDSHAKES;
      server.on('connection', (socket: Socket) => {
        arriving.add(socket);
        socket.once('close', () => arriving.delete(socket));
      });
      server.once('error', (error) => reject(new CannotListen('SIP over TLS', { host, port }, error)));
      server.listen({ host, port, backlog: BACKLOG, ipv6Only: true }, () => {
        server.removeAllListeners('error');
        resolve(new TlsTransport(server, options, arriving));
      });
    });
  }

  /** Sends what waits, closes all connections and frees the port. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#renewal);
    const serverClosed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await Promise.all([...this.#flows].map((flow) => flow.end('shut down')));
    for (const socket of this.#arriving) socket.destroy();
    await serverClosed;
  }

  #accept(socket: TLSSocket): void {
    const { remoteAddress, remotePort } = socket;
    const isFull = this.#flows.size >= (this.#options.maxConnections ?? MAX_TCP_CONNECTIONS);
    if (this.#closed || isFull || remoteAddress === undefined || remotePort === undefined) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    const { listener, makeFramer } = this.#options;
    const flow = new StreamFlow({
      socket,
      transport: 'TLS',
      local: { host: ownHostFor(this.address.host, remoteAddress), port: this.address.port },
      remote: { host: remoteAddress, port: remotePort },
      listener,
      makeFramer,
      limits: this.#limits,
      onClosed: (gone) => this.#flows.delete(gone),
    });
    this.#flows.add(flow);
  }
}
