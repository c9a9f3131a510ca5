// The local authority: vouches for the servers of this machine's simulators, in real time. Knows neither files nor sockets.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { addressBytes } from '../ip-address.ts';
import {
  basicConstraints,
  certificate,
  forServers,
  issuerKey,
  keyId,
  keyUsage,
  type Name,
  onlyNames,
  subjectKey,
  subjectNames,
} from './certificate.ts';

const DAY_MS = 86_400_000;
export const AUTHORITY_DAYS = 730;
export const SERVER_DAYS = 90;
/** Certificates begin before now: a client's clock may be slow. */
const SLOW_CLOCK_MS = 3_600_000;

/** The only names that the authority can vouch for, and those of each server; its addresses come besides. */
const NAMES = ['localhost', 'pbxsim.test'];
const ORGANIZATION = 'pbxsim';
const COMMON_NAME = 'pbxsim local authority';
const MARK_BYTES = 4;

/** What a TLS server shows, in PEM. */
export interface ServerIdentity {
  readonly key: string;
  readonly cert: string;
}

export class LocalAuthority {
  /** Its certificate: what clients have to trust. */
  readonly pem: string;
  /** Certificate and key: nobody else's business. */
  readonly secret: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;

  private constructor(key: KeyObject, pem: string) {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    this.#key = key;
    this.#publicKey = createPublicKey(key);
    this.pem = pem;
    this.secret = `${key.export({ type: 'pkcs8', format: 'pem' })}${pem}`;
    this.fromMs = validFromDate.getTime();
    this.untilMs = validToDate.getTime();
  }

  /** A new one. `nowMs` is real time. */
  static make(nowMs = Date.now()): LocalAuthority {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = certificate({
      subject: nameOf(publicKey),
      issuer: nameOf(publicKey),
      fromMs: nowMs - SLOW_CLOCK_MS,
      untilMs: nowMs + AUTHORITY_DAYS * DAY_MS,
      publicKey,
      signedBy: privateKey,
      extensions: [
        basicConstraints(true),
        keyUsage('certificates'),
        forServers(),
        onlyNames(NAMES),
        subjectKey(publicKey),
      ],
    });
    return new LocalAuthority(privateKey, pem);
  }

  /** The one whose `secret` that is; undefined when it is damaged or no authority of ours. */
  static from(secret: string): LocalAuthority | undefined {
    try {
      const key = createPrivateKey(secret);
      const pem = secret.slice(secret.indexOf('-----BEGIN CERTIFICATE-----'));
      const own = new X509Certificate(pem);
      const { organization, commonName } = nameOf(createPublicKey(key));
      const isOurs = own.subject === `O=${organization}\nCN=${commonName}` && own.checkPrivateKey(key) && own.ca;
      return isOurs ? new LocalAuthority(key, pem) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the text is the certificate of one like this, made here or elsewhere. */
  static isCertificate(pem: string): boolean {
    try {
      return new X509Certificate(pem).subject.startsWith(`O=${ORGANIZATION}\nCN=${COMMON_NAME} `);
    } catch {
      return false;
    }
  }

  /**
   * A new key and certificate for a server at these numeric addresses. Loopback, `localhost` and `pbxsim.test` are always
   * in it. Valid for `SERVER_DAYS` of real time, and never longer than the authority.
   */
  certificateFor(hosts: readonly string[], nowMs = Date.now()): ServerIdentity {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const addresses = new Set(['127.0.0.1', '::1', ...hosts]);
    const cert = certificate({
      subject: { organization: ORGANIZATION, commonName: 'localhost' },
      issuer: nameOf(this.#publicKey),
      fromMs: Math.max(nowMs - SLOW_CLOCK_MS, this.fromMs),
      untilMs: Math.min(nowMs + SERVER_DAYS * DAY_MS, this.untilMs),
      publicKey,
      signedBy: this.#key,
      extensions: [
        basicConstraints(false),
        keyUsage('handshakes'),
        forServers(),
        subjectNames([...NAMES, ...[...addresses].map(addressBytes)]),
        subjectKey(publicKey),
        issuerKey(this.#publicKey),
      ],
    });
    return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert };
  }
}

/** Each key has a name of its own, so that lists of trusted authorities can be read. */
function nameOf(publicKey: KeyObject): Name {
  const mark = keyId(publicKey).toString('hex', 0, MARK_BYTES);
  return { organization: ORGANIZATION, commonName: `${COMMON_NAME} ${mark}` };
}
