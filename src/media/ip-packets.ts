// IP packets around UDP and TCP payloads, with their checksums, made up for captures. Knows nothing of SIP and sends nothing.

export interface Endpoint {
  /** 4 or 16 bytes. */
  readonly address: Uint8Array;
  readonly port: number;
}

/** What the packets of a capture count up: identification (RFC 791) and sequence numbers (RFC 9293), by direction. */
export class IpWriter {
  #identification = 0;
  readonly #sequences = new Map<string, number>();

  /** One datagram: several packets where it is longer than a network takes. Payloads up to `MAX_UDP_PAYLOAD` bytes. */
  udp(from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array[] {
    const datagram = new Uint8Array(8 + payload.length);
    const view = new DataView(datagram.buffer);
    view.setUint16(0, from.port);
    view.setUint16(2, to.port);
    view.setUint16(4, datagram.length);
    datagram.set(payload, 8);
    // RFC 768: a sum of zero is sent as all ones.
    view.setUint16(6, transportChecksum(UDP, from, to, datagram) || 0xffff);
    return this.#packets(UDP, from, to, datagram);
  }

  /** A piece of a stream that was open before the capture began. Longer payloads become several segments. */
  tcp(from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let start = 0; start < payload.length; start += MAX_SEGMENT)
      packets.push(this.#segment(from, to, payload.subarray(start, start + MAX_SEGMENT)));
    return packets;
  }

  #segment(from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array {
    const segment = new Uint8Array(20 + payload.length);
    const view = new DataView(segment.buffer);
    const [own, other] = [direction(from, to), direction(to, from)];
    const sequence = this.#sequences.get(own) ?? 1;
    view.setUint16(0, from.port);
    view.setUint16(2, to.port);
    view.setUint32(4, sequence);
    view.setUint32(8, this.#sequences.get(other) ?? 1);
    segment[12] = 5 << 4;
    segment[13] = PSH | ACK;
    view.setUint16(14, WINDOW);
    segment.set(payload, 20);
    view.setUint16(16, transportChecksum(TCP, from, to, segment));
    this.#sequences.set(own, (sequence + payload.length) >>> 0);
    return this.#packet(TCP, from, to, segment);
  }

  #packets(protocol: number, from: Endpoint, to: Endpoint, whole: Uint8Array): Uint8Array[] {
    if (whole.length + headerLength(from) <= MTU) return [this.#packet(protocol, from, to, whole)];
    this.#identification += 1;
    const packets: Uint8Array[] = [];
    for (let start = 0; start < whole.length; start += FRAGMENT) {
      const part = whole.subarray(start, start + FRAGMENT);
      const fragment = { id: this.#identification, offset: start / 8, more: start + FRAGMENT < whole.length };
      packets.push(
        from.address.length === 4
          ? ipv4(protocol, from, to, part, fragment)
          : ipv6Part(protocol, from, to, part, fragment),
      );
    }
    return packets;
  }

  #packet(protocol: number, from: Endpoint, to: Endpoint, content: Uint8Array): Uint8Array {
    if (from.address.length !== 4) return ipv6(protocol, from, to, content);
    this.#identification += 1;
    return ipv4(protocol, from, to, content, { id: this.#identification, offset: 0, more: false });
  }
}

interface Fragment {
  readonly id: number;
  /** In units of eight bytes. */
  readonly offset: number;
  readonly more: boolean;
}

const TCP = 6;
const UDP = 17;
const IPV6_FRAGMENT = 44;
const PSH = 8;
const ACK = 16;
const WINDOW = 65_535;
const HOPS = 64;
const MTU = 1500;
/** Content of one fragment: a multiple of eight that fits with either header. */
const FRAGMENT = 1448;
const MAX_SEGMENT = 32_768;
/** 65,535 less the headers of IPv4 and UDP. */
export const MAX_UDP_PAYLOAD = 65_507;

/** RFC 791, 3.1 */
function ipv4(
  protocol: number,
  from: Endpoint,
  to: Endpoint,
  content: Uint8Array,
  { id, offset, more }: Fragment,
): Uint8Array {
  const packet = new Uint8Array(20 + content.length);
  const view = new DataView(packet.buffer);
  packet[0] = 0x45;
  view.setUint16(2, packet.length);
  view.setUint16(4, id & 0xffff);
  view.setUint16(6, (more ? 0x2000 : 0) | offset);
  packet[8] = HOPS;
  packet[9] = protocol;
  packet.set(from.address, 12);
  packet.set(to.address, 16);
  view.setUint16(10, checksum([packet.subarray(0, 20)]));
  packet.set(content, 20);
  return packet;
}

/** RFC 8200, 3 */
function ipv6(protocol: number, from: Endpoint, to: Endpoint, content: Uint8Array): Uint8Array {
  const packet = new Uint8Array(40 + content.length);
  const view = new DataView(packet.buffer);
  packet[0] = 0x60;
  view.setUint16(4, content.length);
  packet[6] = protocol;
  packet[7] = HOPS;
  packet.set(from.address, 8);
  packet.set(to.address, 24);
  packet.set(content, 40);
  return packet;
}

/** RFC 8200, 4.5 */
function ipv6Part(
  protocol: number,
  from: Endpoint,
  to: Endpoint,
  content: Uint8Array,
  { id, offset, more }: Fragment,
): Uint8Array {
  const part = new Uint8Array(8 + content.length);
  const view = new DataView(part.buffer);
  part[0] = protocol;
  view.setUint16(2, (offset << 3) | (more ? 1 : 0));
  view.setUint32(4, id);
  part.set(content, 8);
  return ipv6(IPV6_FRAGMENT, from, to, part);
}

/** Over the pseudo-header and the whole segment or datagram, whose checksum field is zero (RFC 768, RFC 9293, 3.1, RFC 8200, 8.1). */
function transportChecksum(protocol: number, from: Endpoint, to: Endpoint, content: Uint8Array): number {
  const tail = new Uint8Array(8);
  const view = new DataView(tail.buffer);
  view.setUint32(0, content.length);
  tail[7] = protocol;
  return checksum([from.address, to.address, tail, content]);
}

/** The Internet checksum (RFC 1071). Only the last part may have an odd length. */
function checksum(parts: readonly Uint8Array[]): number {
  let sum = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 2) sum += ((part[at] ?? 0) << 8) | (part[at + 1] ?? 0);
  }
  while (sum > 0xffff) sum = (sum % 0x10000) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

function headerLength({ address }: Endpoint): number {
  return address.length === 4 ? 20 : 40;
}

function direction(from: Endpoint, to: Endpoint): string {
  return `${from.address.join('.')}:${from.port} ${to.address.join('.')}:${to.port}`;
}
