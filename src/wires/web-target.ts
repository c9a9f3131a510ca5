// Where webhooks may be sent: HTTPS, and never to addresses that only this machine or its cloud should reach. Sends nothing.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';
import { familyOf, isListed, isLoopback, isUnicast } from './ip-address.ts';

export interface TargetRules {
  /** Plain http to loopback hosts, for trying things out. */
  readonly allowLoopbackHttp: boolean;
}

/** Link-local networks, and the addresses at which clouds hand out credentials to their machines. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) forbidden.addAddress(address, 'ipv4');
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) forbidden.addAddress(address, 'ipv6');
// The same IPv4 network as translators write it: NAT64 (RFC 6052), 6to4 (RFC 3056), IPv4-compatible (RFC 4291, 2.5.5.1).
forbidden.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6');
forbidden.addSubnet('::a9fe:0', 112, 'ipv6');

const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

const NEVER = 'must not point to a link-local or cloud metadata address';

/**
 * Why this URL may not be a webhook's, in words that follow `url:`; undefined when it may. Names are judged again when
 * they are looked up. The URL standard's reading counts, so that octal, hexadecimal and short forms of an address are that address.
 */
export function checkTarget(url: string, rules: TargetRules): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'must be a whole URL, such as https://example.com/hook';
  const host = hostOf(parsed);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'must use https';
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or password';
  if (metadataNames.has(host) || isForbidden(host)) return NEVER;
  if (familyOf(host) !== undefined && !isUnicast(host)) return 'must point to one host';
  if (parsed.protocol === 'https:') return undefined;
  if (!rules.allowLoopbackHttp) return 'must use https (plain http to loopback has to be switched on)';
  return isLoopbackHost(host) ? undefined : 'must use https (plain http is for loopback only)';
}

/** The host without brackets and without the dot that ends a complete name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '');
}

/** Whether this numeric address is never a target, whatever name led to it. */
export function isForbidden(address: string): boolean {
  return isListed(forbidden, address);
}

/** Looks a name up and leaves out addresses that are never targets: a name that may be used today may point elsewhere tomorrow. */
export function guarded(lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (name, options, found) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, []);
      const fit = addresses.filter(({ address }) => isFit(name, address));
      const [first] = fit;
      if (first === undefined) return found(refusal(name, addresses), []);
      if (options.all === true) found(null, fit);
      else found(null, first.address, first.family);
    });
  };
}

/** Plain http relies on `localhost` being this machine (RFC 6761, 6.3), so it has to be. */
function isFit(name: string, address: string): boolean {
  return !isForbidden(address) && (!isLoopbackHost(name) || isLoopback(address));
}

function refusal(name: string, addresses: readonly LookupAddress[]): Error {
  const listed = addresses.map(({ address }) => address).join(', ');
  return new Error(`${name} leads to ${listed === '' ? 'no address' : listed}, where no webhook is sent`);
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}
