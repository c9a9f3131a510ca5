// SIP over TCP: a listening port and the connections of both directions, each a flow. Knows nothing of what is said on them.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Address, Flow, FlowListener } from '../sip/flow.ts';
import { familyOf, ownHostFor, peerAddress } from './ip-address.ts';
import { CannotListen } from './listening.ts';
import { type MakeFramer, StreamFlow, type StreamLimits, streamLimits } from './stream-flow.ts';

/** Connections of both directions at once; more are refused. */
export const MAX_TCP_CONNECTIONS = 10_000;
/** Connections that the system completes for us while we compute. */
const BACKLOG = 1024;

export interface TcpOptions {
  /** A numeric address of this machine; `0.0.0.0` or `::` for all of its family. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly listener: FlowListener;
  readonly makeFramer: MakeFramer;
  /** Default `MAX_TCP_CONNECTIONS`. */
  readonly maxConnections?: number;
  readonly limits?: Partial<StreamLimits>;
}

export class TcpTransport {
  readonly address: Address;
  readonly #server: Server;
  readonly #options: TcpOptions;
  readonly #limits: StreamLimits;
  readonly #family: 4 | 6;
  readonly #flows = new Set<StreamFlow>();
  /** The newest connection of each peer: requests to it use that one (RFC 3261, 18). */
  readonly #byRemote = new Map<string, StreamFlow>();
  #closed = false;

  private constructor(server: Server, options: TcpOptions) {
    const { address, port } = server.address() as AddressInfo;
    this.address = { host: address, port };
    this.#server = server;
    this.#options = options;
    this.#limits = { ...streamLimits, ...options.limits };
    this.#family = familyOf(options.host) ?? 4;
    server.on('connection', (socket) => this.#accept(socket));
    // A connection that could not be accepted (too many open sockets) is lost to its peer, not to us.
    server.on('error', () => {});
  }

  /** Rejects with `CannotListen`. */
  static open(options: TcpOptions): Promise<TcpTransport> {
    const { host, port } = options;
    return new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', (error) => reject(new CannotListen('SIP over TCP', { host, port }, error)));
      server.listen({ host, port, backlog: BACKLOG, ipv6Only: true }, () => {
        server.removeAllListeners('error');
        resolve(new TcpTransport(server, options));
      });
    });
  }

  /**
   * The connection to that peer, a new one when there is none: what is sent meanwhile waits for it, and the listener
   * hears `closed` when it does not come about. Undefined for a name, the other family, or too many connections.
   */
  connect(address: Address): Flow | undefined {
    const remote = peerAddress(address, this.#family);
    if (remote === undefined || this.#closed) return undefined;
    const known = this.#byRemote.get(keyOf(remote));
    if (known?.open === true) return known;
    return this.#isFull ? undefined : this.#flowOn(connect({ host: remote.host, port: remote.port }), remote);
  }

  /** Sends what waits, closes all connections and frees the port. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const serverClosed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await Promise.all([...this.#flows].map((flow) => flow.end('shut down')));
    await serverClosed;
  }

  get #isFull(): boolean {
    return this.#flows.size >= (this.#options.maxConnections ?? MAX_TCP_CONNECTIONS);
  }

  #accept(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (this.#closed || this.#isFull || remoteAddress === undefined || remotePort === undefined) socket.destroy();
    else this.#flowOn(socket, { host: remoteAddress, port: remotePort });
  }

  #flowOn(socket: Socket, remote: Address): StreamFlow {
    const { listener, makeFramer } = this.#options;
    const flow = new StreamFlow({
      socket,
      transport: 'TCP',
      // Where we listen, also on a connection that we made: others answer and call back there.
      local: { host: ownHostFor(this.address.host, remote.host), port: this.address.port },
      remote,
      listener,
      makeFramer,
      limits: this.#limits,
      onClosed: (gone) => this.#forget(gone),
    });
    this.#flows.add(flow);
    this.#byRemote.set(keyOf(remote), flow);
    return flow;
  }

  #forget(flow: StreamFlow): void {
    this.#flows.delete(flow);
    const key = keyOf(flow.remote);
    if (this.#byRemote.get(key) === flow) this.#byRemote.delete(key);
  }
}

function keyOf(remote: Address): string {
  return `${remote.host} ${remote.port}`;
}
