// Digest authentication, both sides (RFC 3261, 22; RFC 7616; RFC 8760). Knows no accounts: the caller brings the password.
import { createHmac, hash as hashOf, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { isToken, splitList, unquote } from './header-lists.ts';
import { sameUri } from './uri.ts';

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' };

export interface DigestVerifierOptions {
  readonly realm: string;
  readonly clock: Clock;
  /** Keeps nonces from being made up: drawn from the simulator's seeded random. */
  readonly secret: string;
  /** Default: 5 minutes. */
  readonly nonceLifetimeMs?: number;
  /** In the order offered. Default: MD5, then SHA-256, for many phones and SIPp take only the first. */
  readonly algorithms?: readonly ('MD5' | 'SHA-256')[];
  /** Refuses credentials made for another URI. Default false: proxies change the Request-URI and SIPp always writes its peer's address. */
  readonly sameUriOnly?: boolean;
}

export interface DigestAttempt {
  /** Values of Authorization or Proxy-Authorization, one or all of the request's; the one for our realm counts. */
  readonly authorization: string | readonly string[] | undefined;
  readonly method: string;
  /** The Request-URI. */
  readonly uri: string;
  /** Of the user named in the credentials, or how to find it. Undefined when there is no such user: then always `wrong`. */
  readonly password: string | undefined | ((username: string) => string | undefined);
}

export type DigestOutcome =
  | { readonly ok: true; readonly username: string }
  /** `missing`: no Digest credentials for this realm. `stale`: right, but for a nonce that expired. `wrong`: all else. */
  | { readonly ok: false; readonly reason: 'missing' | 'stale' | 'wrong'; readonly username: string | undefined };

/** The server's side. Stores nothing: a nonce carries its time of issue and is signed. */
export class DigestVerifier {
  readonly #realm: string;
  readonly #clock: Clock;
  readonly #secret: string;
  readonly #lifetimeMs: number;
  readonly #algorithms: readonly string[];
  readonly #sameUriOnly: boolean;
  #issued = 0;

  constructor(options: DigestVerifierOptions) {
    this.#realm = options.realm;
    this.#clock = options.clock;
    this.#secret = options.secret;
    this.#lifetimeMs = options.nonceLifetimeMs ?? 300_000;
    this.#algorithms = options.algorithms ?? ['MD5', 'SHA-256'];
    this.#sameUriOnly = options.sameUriOnly ?? false;
  }

  /** Values for WWW-Authenticate or Proxy-Authenticate, one per algorithm, with a fresh nonce. */
  challenge(options: { readonly stale?: boolean } = {}): string[] {
    this.#issued += 1;
    const nonce = this.#sign(`${this.#clock.now().toString(36)}.${this.#issued.toString(36)}`);
    const stale = options.stale === true ? ', stale=true' : '';
    return this.#algorithms.map(
      (algorithm) => `Digest realm="${this.#realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"${stale}`,
    );
  }

  /** Checks credentials. A repeated nonce count is taken: it is how a retransmission looks. */
  verify(attempt: DigestAttempt): DigestOutcome {
    const credentials = this.#credentialsOf(attempt.authorization);
    if (credentials === undefined) return { ok: false, reason: 'missing', username: undefined };
    const username = credentials.get('username') ?? '';
    const wrong: DigestOutcome = { ok: false, reason: 'wrong', username };
    const algorithm = (credentials.get('algorithm') ?? 'MD5').toUpperCase();
    const nonce = credentials.get('nonce') ?? '';
    const uri = credentials.get('uri') ?? '';
    const password = typeof attempt.password === 'function' ? attempt.password(username) : attempt.password;
    if (password === undefined || !this.#algorithms.includes(algorithm)) return wrong;
    if (this.#sameUriOnly && !sameUri(uri, attempt.uri)) return wrong;
    const expected = digestResponse({
      algorithm,
      username,
      realm: this.#realm,
      password,
      method: attempt.method,
      uri,
      nonce,
      qop: credentials.get('qop'),
      cnonce: credentials.get('cnonce') ?? '',
      nc: credentials.get('nc') ?? '',
    });
    if (expected === undefined || !equal(expected, (credentials.get('response') ?? '').toLowerCase())) return wrong;
    // A nonce that is not ours (before a restart, say) is stale too: the password was right.
    if (!this.#isFresh(nonce)) return { ok: false, reason: 'stale', username };
    return { ok: true, username };
  }

  #credentialsOf(authorization: DigestAttempt['authorization']): Map<string, string> | undefined {
    const values = typeof authorization === 'string' ? [authorization] : (authorization ?? []);
    for (const value of values) {
      const credentials = parseDigest(value);
      if (credentials?.get('realm') === this.#realm) return credentials;
    }
    return undefined;
  }

  #isFresh(nonce: string): boolean {
    const end = nonce.lastIndexOf('.');
    if (end < 0 || !equal(this.#sign(nonce.slice(0, end)), nonce)) return false;
    const issuedMs = Number.parseInt(nonce, 36);
    return this.#clock.now() - issuedMs <= this.#lifetimeMs;
  }

  #sign(stamp: string): string {
    const mac = createHmac('sha256', this.#secret).update(`${this.#realm}:${stamp}`).digest('hex').slice(0, 32);
    return `${stamp}.${mac}`;
  }
}

export interface ChallengeAnswer {
  /** One value of WWW-Authenticate or Proxy-Authenticate, see `chooseChallenge`. */
  readonly challenge: string;
  readonly method: string;
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  readonly cnonce: string;
  /** Counts the requests made with this nonce, from 1. */
  readonly nc: number;
}

/** The value of Authorization or Proxy-Authorization. Undefined when the challenge is none that can be met. */
export function answerChallenge(answer: ChallengeAnswer): string | undefined {
  const challenge = parseDigest(answer.challenge);
  const realm = challenge?.get('realm');
  const nonce = challenge?.get('nonce');
  if (challenge === undefined || realm === undefined || nonce === undefined) return undefined;
  const offered = challenge.get('qop');
  const qop = offered === undefined ? undefined : 'auth';
  if (offered !== undefined && !splitList(offered.toLowerCase()).includes('auth')) return undefined;
  const algorithm = (challenge.get('algorithm') ?? 'MD5').toUpperCase();
  const nc = answer.nc.toString(16).padStart(8, '0');
  const { method, uri, username, password, cnonce } = answer;
  const response = digestResponse({ algorithm, username, realm, password, method, uri, nonce, qop, cnonce, nc });
  if (response === undefined) return undefined;
  const parts = [
    `username="${escapeQuoted(username)}"`,
    `realm="${escapeQuoted(realm)}"`,
    `nonce="${escapeQuoted(nonce)}"`,
    `uri="${uri}"`,
    `response="${response}"`,
  ];
  if (challenge.has('algorithm')) parts.push(`algorithm=${algorithm}`);
  if (qop !== undefined) parts.push(`cnonce="${cnonce}"`, `qop=${qop}`, `nc=${nc}`);
  const opaque = challenge.get('opaque');
  if (opaque !== undefined) parts.push(`opaque="${escapeQuoted(opaque)}"`);
  return `Digest ${parts.join(', ')}`;
}

/** The first challenge that we can meet: the server lists them in its order of preference (RFC 8760, 2.4). */
export function chooseChallenge(challenges: readonly string[]): string | undefined {
  return challenges.find((value) => {
    const challenge = parseDigest(value);
    return challenge !== undefined && Object.hasOwn(HASHES, (challenge.get('algorithm') ?? 'MD5').toUpperCase());
  });
}

/** True when the server refused only the age of the nonce (RFC 7616, 3.3). */
export function isStale(challenge: string): boolean {
  return parseDigest(challenge)?.get('stale')?.toLowerCase() === 'true';
}

/** The user name in credentials, to look the password up before `verify`. */
export function digestUsername(authorization: string): string | undefined {
  return parseDigest(authorization)?.get('username');
}

/** The parameters of a Digest challenge or of credentials, unquoted, names in small letters. Undefined for other schemes and malformed ones. */
export function parseDigest(value: string): Map<string, string> | undefined {
  const scheme = /^\s*Digest\s+/i.exec(value);
  if (scheme === null || value.length > 8_192) return undefined;
  const parameters = new Map<string, string>();
  for (const part of splitList(value.slice(scheme[0].length))) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!isToken(name) || parameters.has(name)) return undefined;
    parameters.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return parameters;
}

interface DigestParts {
  readonly algorithm: string;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  readonly qop: string | undefined;
  readonly cnonce: string;
  readonly nc: string;
}

// RFC 7616, 3.4.1; without qop as in RFC 2069, which RFC 3261, 22.4 still allows.
function digestResponse(parts: DigestParts): string | undefined {
  const hash = Object.hasOwn(HASHES, parts.algorithm) ? HASHES[parts.algorithm] : undefined;
  if (hash === undefined) return undefined;
  const digest = (text: string): string => hashOf(hash, text);
  const a1 = digest(`${parts.username}:${parts.realm}:${parts.password}`);
  const a2 = digest(`${parts.method}:${parts.uri}`);
  if (parts.qop === undefined) return digest(`${a1}:${parts.nonce}:${a2}`);
  if (parts.qop.toLowerCase() !== 'auth') return undefined;
  return digest(`${a1}:${parts.nonce}:${parts.nc}:${parts.cnonce}:${parts.qop}:${a2}`);
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function escapeQuoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}
