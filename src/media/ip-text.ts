// Addresses of hosts as bytes: those that are numbers, and documentation addresses for those that are only names. Resolves nothing.
import type { Endpoint } from './ip-packets.ts';

/** The port of a SIP peer that names none. */
const SIP_PORT = 5060;

/** `192.0.2.7:5060`, `[2001:db8::7]:5060`, `phone-1.invalid:5060`: host without brackets, and port. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } {
  const match = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(text) ?? /^([^:]*)(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[2] ?? SIP_PORT);
  return { host: match?.[1] ?? text, port: port > 0 && port <= 65_535 ? port : SIP_PORT };
}

/** The bytes of a numeric address; undefined for a name. IPv4 within IPv6 counts as IPv4. */
export function addressBytes(host: string): Uint8Array | undefined {
  return (
    ipv4Bytes(host) ?? ipv4Bytes(/^::ffff:([\d.]+)$/i.exec(host)?.[1] ?? '') ?? ipv6Bytes(host.replace(/%.*$/, ''))
  );
}

function ipv4Bytes(host: string): Uint8Array | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) === true ? Uint8Array.from(parts) : undefined;
}

function ipv6Bytes(host: string): Uint8Array | undefined {
  if (!/^[0-9a-f:]{2,39}$/i.test(host)) return undefined;
  const halves = host.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const zeros = 8 - head.length - tail.length;
  const isWhole = halves.length === 2 ? zeros >= 1 : zeros === 0;
  const groups = isWhole ? [...head, ...Array<string>(zeros).fill('0'), ...tail] : [];
  if (groups.length !== 8 || groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  );
}

/**
 * Gives each host that is only a name an address that is set aside for documentation, in order of appearance:
 * 192.0.2.1, 192.0.2.2 ... (RFC 5737), or beside an IPv6 peer 2001:db8::1 ... (RFC 3849).
 */
export class HostAddresses {
  readonly #numbers = new Map<string, number>();

  /** Both ends of one packet: of one family. */
  pair(one: string, other: string): [Endpoint, Endpoint] {
    const [here, there] = [splitHostPort(one), splitHostPort(other)];
    const family = (addressBytes(here.host) ?? addressBytes(there.host))?.length === 16 ? 6 : 4;
    return [
      { address: this.#addressOf(here.host, family), port: here.port },
      { address: this.#addressOf(there.host, family), port: there.port },
    ];
  }

  #addressOf(host: string, family: 4 | 6): Uint8Array {
    const bytes = addressBytes(host);
    if (bytes !== undefined && bytes.length === (family === 4 ? 4 : 16)) return bytes;
    const number = this.#numbers.get(host) ?? this.#numbers.size + 1;
    this.#numbers.set(host, number);
    const last = ((number - 1) % 254) + 1;
    return family === 4
      ? Uint8Array.of(192, 0, 2, last)
      : Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), last);
  }
}
