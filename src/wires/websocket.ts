// SIP over WebSocket, with TLS and without (RFC 7118): each connection is a flow, each frame one message. Knows nothing of what the messages say.
import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Address, Flow, FlowListener } from '../sip/flow.ts';
import type { ServerIdentity } from './authority/local-authority.ts';
import { ownHostFor, written } from './ip-address.ts';
import { CannotListen } from './listening.ts';

export interface WebSocketLimits {
  /** Connections at once; more get 503. */
  readonly maxConnections: number;
  /** A longer frame closes the connection (RFC 6455, 7.4.1: status 1009). */
  readonly maxMessageBytes: number;
  /** A peer that leaves more than this unread is cut off. */
  readonly maxQueuedBytes: number;
  /** How often each peer is pinged; one that did not answer the last ping is gone. */
  readonly pingMs: number;
  /** How long a peer has to answer our closing. */
  readonly farewellMs: number;
}

export const webSocketLimits: WebSocketLimits = {
  maxConnections: 10_000,
  maxMessageBytes: 65_536,
  maxQueuedBytes: 1024 * 1024,
  pingMs: 30_000,
  farewellMs: 250,
};

export interface WebSocketOptions {
  /** A numeric address of this machine; `0.0.0.0` or `::` for all of its family. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly listener: FlowListener;
  /** For WSS: asked at the start, and again when it is time for a fresh certificate. Without it WS. */
  readonly identity?: () => ServerIdentity;
  readonly limits?: Partial<WebSocketLimits>;
}

/** The name by which SIP is asked for (RFC 7118, 4). */
const SUBPROTOCOL = 'sip';
const GOING_AWAY = 1001;
/** Connections that are not WebSocket yet, or are about to hear that there is no room. */
const MAX_ASKING = 200;
const LINE_ENDS = /^[\r\n\0]*$/;

export class WebSocketTransport {
  readonly address: Address;
  readonly #made: Made;
  readonly #listener: FlowListener;
  readonly #limits: WebSocketLimits;
  readonly #sockets: WebSocketServer;
  readonly #flows = new Set<WebSocketFlow>();
  readonly #pinging: NodeJS.Timeout;
  #count = 0;
  #closed = false;

  private constructor(made: Made, options: WebSocketOptions) {
    const { server } = made;
    const { address, port } = server.address() as AddressInfo;
    this.address = { host: address, port };
    this.#made = made;
    this.#listener = options.listener;
    this.#limits = { ...webSocketLimits, ...options.limits };
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.maxMessageBytes,
      handleProtocols: () => SUBPROTOCOL,
    });
    server.maxConnections = this.#limits.maxConnections + MAX_ASKING;
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('error', () => {});
    this.#pinging = setInterval(() => {
      for (const flow of this.#flows) flow.ping();
    }, this.#limits.pingMs);
  }

  /** Takes any path. Rejects with `CannotListen`. */
  static async open(options: WebSocketOptions): Promise<WebSocketTransport> {
    const { host, port } = options;
    const made = await makeServer(options);
    const { server, what } = made;
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        made.cut();
        reject(new CannotListen(what, { host, port }, error));
      });
      server.listen({ host, port, ipv6Only: true }, () => {
        server.removeAllListeners('error');
        resolve(new WebSocketTransport(made, options));
      });
    });
  }

  /** Where peers connect to: `ws://127.0.0.1:8088`, `wss:` with TLS. */
  get url(): string {
    return `${this.#made.transport.toLowerCase()}://${written(this.address)}`;
  }

  /** Closes all connections (status 1001) and frees the port. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#pinging);
    const serverClosed = new Promise<void>((resolve) => {
      this.#made.server.close(() => resolve());
    });
    await Promise.all([...this.#flows].map((flow) => flow.end('shut down')));
    this.#made.cut();
    await serverClosed;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const asked = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (!asked.includes(SUBPROTOCOL)) refuse(socket, '400 Bad Request', 'The WebSocket subprotocol must be sip.');
    else if (this.#closed || this.#flows.size >= this.#limits.maxConnections)
      refuse(socket, '503 Service Unavailable', 'There are too many connections.');
    else this.#sockets.handleUpgrade(request, socket, head, (ws) => this.#connected(ws, request));
  }

  #connected(socket: WebSocket, request: IncomingMessage): void {
    const { remoteAddress = '', remotePort = 0 } = request.socket;
    const remote = { host: remoteAddress, port: remotePort };
    this.#count += 1;
    const { transport } = this.#made;
    const flow = new WebSocketFlow({
      id: `${transport.toLowerCase()}:${written(remote)}#${this.#count}`,
      transport,
      socket,
      local: { host: ownHostFor(this.address.host, remote.host), port: this.address.port },
      remote,
      listener: this.#listener,
      limits: this.#limits,
      onClosed: (gone) => this.#flows.delete(gone),
    });
    this.#flows.add(flow);
  }
}

/** A server that does not listen yet. */
interface Made {
  readonly transport: 'WS' | 'WSS';
  /** For people. */
  readonly what: string;
  readonly server: Server;
  /** Cuts every connection. */
  cut(): void;
}

const NO_PAGE: RequestListener = (_request, response) => {
  response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket', connection: 'upgrade' });
  response.end('This port speaks SIP over WebSocket (subprotocol sip).\n');
};

/** What only WSS needs is loaded only for WSS. */
async function makeServer({ identity }: WebSocketOptions): Promise<Made> {
  if (identity === undefined) {
    const server = createServer(NO_PAGE);
    return { transport: 'WS', what: 'SIP over WebSocket', server, cut: () => server.closeAllConnections() };
  }
  const { tlsDoor } = await import('./tls-door.ts');
  const refusePlain = (socket: Duplex): void => refuse(socket, '400 Bad Request', 'This port speaks wss:, not ws:.');
  const { server, close } = tlsDoor({ options: {}, handler: NO_PAGE, identity, refusePlain });
  return { transport: 'WSS', what: 'SIP over secure WebSocket', server, cut: close };
}

interface WebSocketFlowParts {
  readonly id: string;
  readonly transport: 'WS' | 'WSS';
  readonly socket: WebSocket;
  readonly local: Address;
  readonly remote: Address;
  readonly listener: FlowListener;
  readonly limits: WebSocketLimits;
  readonly onClosed: (flow: WebSocketFlow) => void;
}

class WebSocketFlow implements Flow {
  readonly id: string;
  readonly transport: 'WS' | 'WSS';
  readonly reliable = true;
  readonly external = true;
  readonly local: Address;
  readonly remote: Address;
  readonly #parts: WebSocketFlowParts;
  readonly #socket: WebSocket;
  #why: string | undefined;
  #answered = true;

  constructor(parts: WebSocketFlowParts) {
    this.id = parts.id;
    this.transport = parts.transport;
    this.local = parts.local;
    this.remote = parts.remote;
    this.#parts = parts;
    this.#socket = parts.socket;
    this.#socket.on('message', (data: RawData) => this.#receive(data));
    this.#socket.on('pong', () => {
      this.#answered = true;
    });
    this.#socket.on('error', (error) => {
      this.#why ??= error.message;
    });
    this.#socket.once('close', () => {
      parts.onClosed(this);
      parts.listener.closed(this, this.#why ?? 'closed by the peer');
    });
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN && this.#why === undefined;
  }

  send(bytes: Uint8Array): void {
    if (!this.open) return;
    const queued = this.#socket.bufferedAmount + bytes.length;
    if (queued > this.#parts.limits.maxQueuedBytes) {
      this.#cut(`the peer reads too slowly: ${queued} bytes wait for it`);
      return;
    }
    // Text is what browsers expect; a body that is no text would make the peer fail the connection (RFC 7118, 5).
    this.#socket.send(bytes, { binary: !isUtf8(bytes) });
  }

  ping(): void {
    if (!this.#answered) return this.#cut('the last ping had no answer');
    this.#answered = false;
    this.#socket.ping();
  }

  /** Closes as RFC 6455 asks, for a peer that takes too long the hard way. The listener has heard when it resolves. */
  end(why: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.CLOSED) return resolve();
      this.#why ??= why;
      const late = setTimeout(() => this.#socket.terminate(), this.#parts.limits.farewellMs);
      this.#socket.once('close', () => {
        clearTimeout(late);
        resolve();
      });
      this.#socket.close(GOING_AWAY, why);
    });
  }

  #receive(data: RawData): void {
    this.#answered = true;
    if (!this.open) return;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (bytes.length <= 4 && LINE_ENDS.test(bytes.toString('latin1'))) {
      // A keep-alive of the kind that RFC 5626, 4.4.1 has for streams: a pair of line ends wants one back.
      if (bytes.length === 4) this.send(Buffer.from('\r\n'));
      return;
    }
    this.#parts.listener.received(this, bytes);
  }

  #cut(why: string): void {
    this.#why ??= why;
    this.#socket.terminate();
  }
}

function refuse(socket: Duplex, status: string, reason: string): void {
  const body = `${reason}\n`;
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}`;
  socket.once('finish', () => socket.destroy());
  socket.end(`${head}\r\n\r\n${body}`);
}
