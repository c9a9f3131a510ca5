// Certificates of version 3, signed with ECDSA on P-256 (RFC 5280, RFC 5758). Knows nothing of who vouches for whom, or of files.
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, integer, objectId, octets, sequence, set, tagged, time, utf8, yes } from './der.ts';

/** The parts of a name here: `O=pbxsim, CN=localhost`. */
export interface Name {
  readonly organization: string;
  readonly commonName: string;
}

export interface CertificateParts {
  readonly subject: Name;
  readonly issuer: Name;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whose certificate it is. */
  readonly publicKey: KeyObject;
  /** The issuer's private key. */
  readonly signedBy: KeyObject;
  /** In the order in which they are written. */
  readonly extensions: readonly Buffer[];
}

/** X9.62: ecdsa-with-SHA256. */
const SIGNATURE = sequence(objectId('1.2.840.10045.4.3.2'));
const SERIAL_BYTES = 16;
const KEY_ID_BYTES = 20;
/** X9.62: a point of P-256, not compressed. It ends what Node exports as SPKI. */
const POINT_BYTES = 65;
const LINE = 64;

export function certificate(parts: CertificateParts): string {
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    // Chance decides: two certificates of one issuer must not have the same (RFC 5280, 4.1.2.2).
    integer(randomBytes(SERIAL_BYTES)),
    SIGNATURE,
    name(parts.issuer),
    sequence(time(parts.fromMs), time(parts.untilMs)),
    name(parts.subject),
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...parts.extensions)),
  );
  const signature = sign('sha256', body, { key: parts.signedBy, dsaEncoding: 'der' });
  return pem(sequence(body, SIGNATURE, bits(signature)));
}

/** A short name for a key (RFC 7093, 2: the first method). */
export function keyId(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES);
  return createHash('sha256').update(point).digest().subarray(0, KEY_ID_BYTES);
}

/** RFC 5280, 4.2.1.9: an authority, of servers alone when it is the last of its kind in a chain; else none. */
export function basicConstraints(isAuthority: boolean): Buffer {
  const content = isAuthority ? [yes(), integer(Buffer.from([0]))] : [];
  return extension('2.5.29.19', sequence(...content), 'critical');
}

/** RFC 5280, 4.2.1.3: signs certificates and revocation lists, or handshakes. */
export function keyUsage(use: 'certificates' | 'handshakes'): Buffer {
  const value = use === 'certificates' ? bits(Buffer.from([0b0000_0110]), 1) : bits(Buffer.from([0b1000_0000]), 7);
  return extension('2.5.29.15', value, 'critical');
}

/** RFC 5280, 4.2.1.12: TLS servers and nothing else. */
export function forServers(): Buffer {
  return extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1')));
}

/** RFC 5280, 4.2.1.10: of names only these and what ends in them; addresses are free. */
export function onlyNames(names: readonly string[]): Buffer {
  const subtrees = names.map((one) => sequence(dnsName(one)));
  return extension('2.5.29.30', sequence(tagged(0xa0, ...subtrees)), 'critical');
}

/** RFC 5280, 4.2.1.6. Addresses are their 4 or 16 bytes. */
export function subjectNames(hosts: readonly (string | Uint8Array)[]): Buffer {
  const names = hosts.map((host) => (typeof host === 'string' ? dnsName(host) : tagged(0x87, host)));
  return extension('2.5.29.17', sequence(...names));
}

/** RFC 5280, 4.2.1.2. */
export function subjectKey(publicKey: KeyObject): Buffer {
  return extension('2.5.29.14', octets(keyId(publicKey)));
}

/** RFC 5280, 4.2.1.1. */
export function issuerKey(publicKey: KeyObject): Buffer {
  return extension('2.5.29.35', sequence(tagged(0x80, keyId(publicKey))));
}

function dnsName(text: string): Buffer {
  return tagged(0x82, Buffer.from(text));
}

function extension(id: string, value: Uint8Array, critical?: 'critical'): Buffer {
  return sequence(objectId(id), ...(critical === undefined ? [] : [yes()]), octets(value));
}

/** RFC 5280, 4.1.2.4. */
function name({ organization, commonName }: Name): Buffer {
  const attribute = (id: string, text: string): Buffer => set(sequence(objectId(id), utf8(text)));
  return sequence(attribute('2.5.4.10', organization), attribute('2.5.4.3', commonName));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
