// Hosts as the wires need them: numeric, comparable, ours or not. Knows nothing of SIP and never asks a name server.
import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Address } from '../sip/flow.ts';

export type IpFamily = 4 | 6;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const unspecified = new BlockList();
unspecified.addSubnet('0.0.0.0', 8, 'ipv4');
unspecified.addAddress('::', 'ipv6');

/** Reaches many or everybody: never the address of one peer. */
const shared = new BlockList();
shared.addSubnet('224.0.0.0', 4, 'ipv4');
shared.addAddress('255.255.255.255', 'ipv4');
shared.addSubnet('ff00::', 8, 'ipv6');

/** Whether the numeric `host` is in the list; an IPv4 address inside an IPv6 one counts as the IPv4 address. */
export function isListed(list: BlockList, host: string): boolean {
  const kind = isIP(host);
  return kind !== 0 && list.check(host, kind === 4 ? 'ipv4' : 'ipv6');
}

export function isLoopback(host: string): boolean {
  return isListed(loopback, host);
}

/** `0.0.0.0`, `::` and what else stands for "no address": to listen on, never to send to. */
export function isUnspecified(host: string): boolean {
  return isListed(unspecified, host);
}

/** True for a number that can be one peer's address. */
export function isUnicast(host: string): boolean {
  return isIP(host) !== 0 && !isUnspecified(host) && !isListed(shared, host);
}

/** The family of a numeric host; undefined for a name. */
export function familyOf(host: string): IpFamily | undefined {
  const kind = isIP(host);
  return kind === 4 || kind === 6 ? kind : undefined;
}

/**
 * The address as a socket of that family writes it: no brackets, one spelling for IPv6, `localhost` as a number.
 * Undefined when it is a name, of the other family, nobody's address, or its port is none.
 */
export function peerAddress(address: Address, family: IpFamily): Address | undefined {
  const { port } = address;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const bare = address.host.startsWith('[') ? address.host.slice(1, -1) : address.host;
  const host = bare.toLowerCase() === 'localhost' ? (family === 4 ? '127.0.0.1' : '::1') : bare;
  if (!isUnicast(host)) return undefined;
  if (family === 4) return isIPv4(host) ? { host, port } : undefined;
  return isIPv6(host) ? { host: new SocketAddress({ address: host, family: 'ipv6' }).address, port } : undefined;
}

/** The 4 or 16 bytes of a numeric host, the highest first. A zone (`%eth0`) is no part of them. */
export function addressBytes(host: string): Uint8Array {
  if (isIPv4(host)) return Uint8Array.from(host.split('.'), Number);
  // The URL parser writes an IPv4 tail as two groups.
  const [head = '', tail] = new URL(`http://[${host.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'));
  const zeros = new Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** The addresses at which a socket bound to `bound` is reached: that one, and bound to all of them those of this machine. */
export function ownHosts(bound: string): readonly string[] {
  if (!isUnspecified(bound)) return [bound];
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [bound, ...interfaces.map(({ address }) => address)];
}

/** `127.0.0.1:5060`, `[::1]:5060`. */
export function written(address: Address): string {
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}

/**
 * The address by which `remote` can reach a socket bound to `bound`: that one, or for a socket bound to all of them
 * the one in the remote's network, else the first that others can see.
 */
export function ownHostFor(bound: string, remote: string): string {
  if (!isUnspecified(bound)) return bound;
  const family = isIPv6(bound) ? 'IPv6' : 'IPv4';
  const kind = family === 'IPv6' ? 'ipv6' : 'ipv4';
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((one) => one.family === family);
  const near = own.find((one) => {
    const network = new BlockList();
    network.addSubnet(one.address, Number(one.cidr?.split('/')[1] ?? 0), kind);
    return one.cidr !== null && isListed(network, remote);
  });
  const chosen = near ?? own.find((one) => !one.internal) ?? own[0];
  return chosen?.address ?? (family === 'IPv6' ? '::1' : '127.0.0.1');
}
