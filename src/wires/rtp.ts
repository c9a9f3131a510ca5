// The UDP ports of parties' sound: packets in, from those who may send them, and out. Knows nothing of calls, codecs or SDP.
import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { Address } from '../sip/flow.ts';
import { familyOf, type IpFamily, isLoopback, isUnspecified, ownHostFor, peerAddress } from './ip-address.ts';

export interface RtpPortRange {
  /** A numeric address of this machine; `0.0.0.0` or `::` for all of its family. */
  readonly host: string;
  /** Only even ports are bound: the odd one above each is its RTCP port by custom (RFC 3550, 11). */
  readonly first: number;
  readonly last: number;
  /** Written into session descriptions. Default: the host, or what others can reach when that means all addresses. */
  readonly advertised?: string;
  /** Begin at any port of the range, for pools side by side that share one: a late packet of a call here reaches no call there. */
  readonly beginAnywhere?: boolean;
}

/** Ports that another program holds are passed over, so many for one `open`. */
const MAX_TRIES = 500;
/** RTP of 20 ms of G.711 has 172 bytes, a video frame's part 1,500: what is longer is no media. */
const LONGEST_PACKET_BYTES = 2048;
const RTP_HEADER_BYTES = 12;

/** Gives out RTP ports in turn and takes them back: a late packet of one call does not reach the next one. */
export class RtpPortPool {
  readonly #host: string;
  readonly #advertised: string;
  readonly #family: IpFamily;
  readonly #first: number;
  readonly #capacity: number;
  readonly #open = new Map<number, RtpPort>();
  #turn: number;

  constructor(range: RtpPortRange) {
    this.#host = range.host;
    this.#family = familyOf(range.host) ?? 4;
    this.#advertised = range.advertised ?? ownHostFor(range.host, '');
    this.#first = range.first + (range.first % 2);
    this.#capacity = Math.max(0, Math.floor((range.last - this.#first) / 2) + 1);
    this.#turn = range.beginAnywhere === true && this.#capacity > 0 ? randomInt(this.#capacity) : 0;
  }

  /** Ports in use. */
  get size(): number {
    return this.#open.size;
  }

  /** Binds a port at once. Undefined when all are taken. */
  open(): RtpPort | undefined {
    for (let tries = 0; tries < Math.min(this.#capacity, MAX_TRIES + this.#open.size); tries += 1) {
      const port = this.#first + 2 * this.#turn;
      this.#turn = (this.#turn + 1) % this.#capacity;
      if (this.#open.has(port)) continue;
      const socket = bindNow(this.#host, port, this.#family);
      if (socket === undefined) continue;
      const opened = new RtpPort({
        socket,
        family: this.#family,
        address: { host: this.#advertised, port },
        isOurs: (address) => this.#isOurs(address),
        onClosed: () => this.#open.delete(port),
      });
      this.#open.set(port, opened);
      return opened;
    }
    return undefined;
  }

  close(): void {
    for (const port of [...this.#open.values()]) port.close();
  }

  /** A port of this pool as a target would make two of them send to each other for ever. */
  #isOurs({ host, port }: Address): boolean {
    if (!this.#open.has(port)) return false;
    return host === this.#host || host === this.#advertised || (isUnspecified(this.#host) && isOwn(host));
  }
}

interface RtpPortParts {
  readonly socket: Socket;
  readonly family: IpFamily;
  readonly address: Address;
  readonly isOurs: (address: Address) => boolean;
  readonly onClosed: () => void;
}

/**
 * One party's port. It takes packets from the hosts that signalling has named and from loopback, answers to where the
 * last one came from (symmetric RTP, RFC 4961), and sends nowhere else: a forged packet cannot turn it on a third party.
 */
export class RtpPort {
  readonly address: Address;
  readonly #parts: RtpPortParts;
  readonly #socket: Socket;
  /** Hosts that this party's session descriptions have named. */
  readonly #named = new Set<string>();
  #remote: Address | undefined;
  /** Told of each packet that is taken. */
  onPacket: ((packet: Uint8Array) => void) | undefined;
  #received = 0;
  #sent = 0;
  #refused = 0;
  #open = true;

  constructor(parts: RtpPortParts) {
    this.address = parts.address;
    this.#parts = parts;
    this.#socket = parts.socket;
    parts.socket.on('message', (packet, from) => this.#receive(packet, from));
  }

  /** Where packets to this party go now. */
  get remote(): Address | undefined {
    return this.#remote;
  }

  /** Packets taken from the party, sent to it, and not taken because they came from elsewhere or were no RTP. */
  get counts(): { readonly received: number; readonly sent: number; readonly refused: number } {
    return { received: this.#received, sent: this.#sent, refused: this.#refused };
  }

  /** Where the party says that it listens. Ignored when that cannot be one party's address. */
  setRemote(address: Address): void {
    const remote = peerAddress(address, this.#parts.family);
    if (remote === undefined || this.#parts.isOurs(remote)) return;
    if (this.#named.size < MAX_NAMED_HOSTS) this.#named.add(remote.host);
    this.#remote = remote;
  }

  /** To where the party's packets come from, or where it said that it listens; lost before either is known. */
  send(packet: Uint8Array): void {
    if (!this.#open || this.#remote === undefined) return;
    this.#sent += 1;
    this.#socket.send(packet, this.#remote.port, this.#remote.host);
  }

  /** The port is free again at once. Harmless when closed already. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.onPacket = undefined;
    this.#socket.close();
    this.#parts.onClosed();
  }

  #receive(packet: Buffer, from: RemoteInfo): void {
    const source = { host: from.address, port: from.port };
    if (!this.#open) return;
    if (!isMedia(packet) || from.port === 0 || !this.#mayTalk(source)) {
      this.#refused += 1;
      return;
    }
    this.#received += 1;
    if (this.#remote?.port !== source.port || this.#remote.host !== source.host) this.#remote = source;
    this.onPacket?.(packet);
  }

  #mayTalk(source: Address): boolean {
    return (this.#named.has(source.host) || isLoopback(source.host)) && !this.#parts.isOurs(source);
  }
}

/** A call that moves between more hosts than this is none. */
const MAX_NAMED_HOSTS = 16;

/** Version 2 and a whole header (RFC 3550, 5.1). STUN and keep-alives are not passed on. */
function isMedia(packet: Buffer): boolean {
  const length = packet.length;
  return length >= RTP_HEADER_BYTES && length <= LONGEST_PACKET_BYTES && (packet[0] ?? 0) >> 6 === 2;
}

function isOwn(host: string): boolean {
  return isLoopback(host) || ownHostFor(host.includes(':') ? '::' : '0.0.0.0', host) === host;
}

/**
 * A bound socket, or undefined when the port is taken. With a lookup that answers at once the system is asked at once,
 * so that a port can be promised in a session description before this turn of the event loop is over.
 */
function bindNow(host: string, port: number, family: IpFamily): Socket | undefined {
  const socket = createSocket({
    type: family === 4 ? 'udp4' : 'udp6',
    ipv6Only: family === 6,
    lookup: (name, _options, found) => found(null, name, family),
  });
  let bound = false;
  socket.once('listening', () => {
    bound = true;
  });
  // From then on an error is a party that is not there any more: its packets are lost, as on any network.
  socket.on('error', () => {});
  socket.bind({ address: host, port, exclusive: true });
  if (bound) return socket;
  socket.close();
  return undefined;
}
