// SIP over UDP: one socket, and a flow for each peer that it talks to. Knows nothing of what the datagrams say.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { Address, Flow, FlowListener } from '../sip/flow.ts';
import { FlowMemory } from './flow-memory.ts';
import { familyOf, ownHostFor, peerAddress, written } from './ip-address.ts';
import { CannotListen } from './listening.ts';

/** Peers remembered at once. A peer forgotten and heard again gets a new flow with the same id. */
export const MAX_UDP_FLOWS = 20_000;
/** Datagrams that the system could not take at once wait in this process; beyond this they are lost, as UDP may. */
export const MAX_UDP_QUEUED_BYTES = 4 * 1024 * 1024;
/** Asked of the system for bursts that arrive while we compute; it grants what `net.core.rmem_max` allows. */
const SOCKET_BUFFER_BYTES = 4 * 1024 * 1024;
/** Shorter datagrams are keep-alives (CRLF, zero bytes) that only hold a translator's binding open: no SIP. */
const SHORTEST_MESSAGE_BYTES = 5;

export interface UdpOptions {
  /** A numeric address of this machine; `0.0.0.0` or `::` for all of its family. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly listener: FlowListener;
  /** Default `MAX_UDP_FLOWS`. */
  readonly maxFlows?: number;
}

export class UdpTransport {
  readonly address: Address;
  readonly #family: 4 | 6;
  readonly #socket: Socket;
  readonly #listener: FlowListener;
  readonly #flows: FlowMemory<UdpFlow>;
  #closed = false;

  private constructor(socket: Socket, family: 4 | 6, options: UdpOptions) {
    this.#socket = socket;
    this.#family = family;
    this.#listener = options.listener;
    this.#flows = new FlowMemory(options.maxFlows ?? MAX_UDP_FLOWS);
    const { address, port } = socket.address();
    this.address = { host: address, port };
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES);
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
    socket.on('message', (bytes, from) => this.#receive(bytes, from));
    // A peer that is not there comes back as an error of the socket: nothing that could be told to anybody.
    socket.on('error', () => {});
  }

  /** Rejects with `CannotListen`. */
  static open(options: UdpOptions): Promise<UdpTransport> {
    const { host, port } = options;
    const family = familyOf(host) ?? 4;
    return new Promise((resolve, reject) => {
      const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6', ipv6Only: family === 6, lookup: asWritten });
      socket.once('error', (error) => {
        socket.close();
        reject(new CannotListen('SIP over UDP', { host, port }, error));
      });
      socket.once('listening', () => {
        socket.removeAllListeners('error');
        resolve(new UdpTransport(socket, family, options));
      });
      socket.bind(port, host);
    });
  }

  /** The way to that peer. Undefined when it cannot be reached from here: a name, the other family, nobody's address. */
  flowTo(address: Address): Flow | undefined {
    if (this.#closed) return undefined;
    const remote = peerAddress(address, this.#family);
    return remote === undefined ? undefined : this.#flow(remote.host, remote.port);
  }

  /** From then on nothing is sent or received. Resolves when the port is free. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#flows.clear();
    return new Promise((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    if (this.#closed || bytes.length < SHORTEST_MESSAGE_BYTES || from.port === 0) return;
    this.#listener.received(this.#flow(from.address, from.port), bytes);
  }

  #flow(host: string, port: number): UdpFlow {
    return this.#flows.get(`${host} ${port}`, () => {
      const local = { host: ownHostFor(this.address.host, host), port: this.address.port };
      return new UdpFlow({ local, remote: { host, port }, send: this.#send, isOpen: () => !this.#closed });
    });
  }

  // Without a callback the system is asked at once and nothing is allocated; what it refuses (too long, no route) is lost.
  readonly #send = (bytes: Uint8Array, to: Address): void => {
    if (this.#closed || this.#socket.getSendQueueSize() > MAX_UDP_QUEUED_BYTES) return;
    this.#socket.send(bytes, to.port, to.host);
  };
}

class UdpFlow implements Flow {
  readonly id: string;
  readonly transport = 'UDP';
  readonly reliable = false;
  readonly external = true;
  readonly local: Address;
  readonly remote: Address;
  readonly #send: (bytes: Uint8Array, to: Address) => void;
  readonly #isOpen: () => boolean;

  constructor(parts: {
    local: Address;
    remote: Address;
    send: (bytes: Uint8Array, to: Address) => void;
    isOpen: () => boolean;
  }) {
    this.id = `udp:${written(parts.remote)}`;
    this.local = parts.local;
    this.remote = parts.remote;
    this.#send = parts.send;
    this.#isOpen = parts.isOpen;
  }

  get open(): boolean {
    return this.#isOpen();
  }

  send(bytes: Uint8Array): void {
    this.#send(bytes, this.remote);
  }
}

/** All hosts here are numbers already: asking the system's resolver would cost a turn of the event loop for each datagram. */
function asWritten(
  host: string,
  _options: unknown,
  found: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void {
  found(null, host, host.includes(':') ? 6 : 4);
}
