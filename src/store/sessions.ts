// What proves who somebody is for a while: user tokens, login nonces, reset tokens. Knows no request, password or email.
import { nonceAttemptsMax, nonceLifeMs, resetTokenLifeMs, tokenInactivityMs } from '../contract/limits.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import { type Mark, markNothing } from './keeping.ts';

/** Live tokens of one user; with one more, the one that was idle longest ends. */
export const TOKENS_PER_USER = 100;
/** Ended tokens of one user of which is remembered why they ended. */
export const ENDED_TOKENS_PER_USER = 100;
/** Nonces and reset tokens that one user may have open; with one more, the oldest ends. */
export const PROOFS_PER_USER = 20;

const TOKEN_LENGTH = 40;
const CODE_DIGITS = 6;

/** What has become of a token: `unknown` was never the user's, or ended too long ago to be remembered. */
export type TokenState = 'valid' | 'expired' | 'logged out' | 'replaced' | 'password changed' | 'unknown';
type Ending = Exclude<TokenState, 'valid' | 'unknown'>;

interface Tokens {
  /** When each was used last, ms; the one that was idle longest comes first. */
  readonly live: Map<string, number>;
  /** Oldest first. */
  readonly ended: Map<string, Ending>;
}

interface Nonce {
  readonly userId: number;
  readonly code: string;
  readonly endsAt: number;
  attemptsLeft: number;
}

interface Reset {
  readonly userId: number;
  readonly endsAt: number;
}

/** Everything that is open, for snapshots. */
export interface SessionsState {
  readonly tokens: ReadonlyArray<{
    readonly userId: number;
    readonly live: ReadonlyArray<readonly [string, number]>;
    readonly ended: ReadonlyArray<readonly [string, Ending]>;
  }>;
  readonly nonces: ReadonlyArray<readonly [string, Readonly<Nonce>]>;
  readonly resets: ReadonlyArray<readonly [string, Reset]>;
}

export type CodeCheck =
  | { readonly kind: 'right'; readonly userId: number }
  | { readonly kind: 'wrong code'; readonly attemptsLeft: number }
  | { readonly kind: 'unknown nonce' };

export class Sessions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  readonly #mark: Mark;
  readonly #tokens = new Map<number, Tokens>();
  readonly #nonces = new Map<string, Nonce>();
  readonly #resets = new Map<string, Reset>();

  constructor(deps: { readonly clock: Pick<Clock, 'now'>; readonly random: Random; readonly mark?: Mark }) {
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#mark = deps.mark ?? markNothing;
  }

  /** A new token, valid until 15 minutes have passed without `touch`. Other tokens of the user live on. */
  open(userId: number): string {
    const token = this.#random.token(TOKEN_LENGTH);
    const tokens = this.#of(userId);
    const [idlest] = tokens.live.keys();
    if (tokens.live.size >= TOKENS_PER_USER && idlest !== undefined) end(tokens, idlest, 'replaced');
    tokens.live.set(token, this.#clock.now());
    this.#markTokens(userId);
    return token;
  }

  /** Whether the token is valid now; if it is, its window of inactivity begins anew. */
  touch(userId: number, token: string): TokenState {
    const tokens = this.#tokens.get(userId);
    const usedAt = tokens?.live.get(token);
    if (tokens === undefined || usedAt === undefined) return tokens?.ended.get(token) ?? 'unknown';
    const now = this.#clock.now();
    if (now - usedAt >= tokenInactivityMs) {
      end(tokens, token, 'expired');
      this.#markTokens(userId);
      return 'expired';
    }
    if (now !== usedAt) {
      tokens.live.delete(token);
      tokens.live.set(token, now);
      // A request that only reads is not to wait for this.
      this.#markTokens(userId, 'later');
    }
    return 'valid';
  }

  /** A token that has expired already: what a seeded account shows clients that want to be refused. */
  remember(userId: number, expired: string): void {
    this.#of(userId).ended.set(expired, 'expired');
    this.#markTokens(userId);
  }

  /** Destroys one token. */
  close(userId: number, token: string): void {
    const tokens = this.#tokens.get(userId);
    if (tokens?.live.has(token) !== true) return;
    end(tokens, token, 'logged out');
    this.#markTokens(userId);
  }

  /** Destroys every token, nonce and reset token of a user whose password was changed. */
  passwordChanged(userId: number): void {
    const tokens = this.#tokens.get(userId);
    for (const token of [...(tokens?.live.keys() ?? [])])
      if (tokens !== undefined) end(tokens, token, 'password changed');
    this.#markTokens(userId);
    for (const nonce of forget(this.#nonces, userId)) this.#markNonce(nonce);
    for (const reset of forget(this.#resets, userId)) this.#markReset(reset);
  }

  /** A nonce and the code that goes with it: CHOICE-NONCE. */
  openNonce(userId: number): { nonce: string; code: string } {
    for (const oldest of makeRoom(this.#nonces, userId)) this.#markNonce(oldest);
    const nonce = this.#random.token(TOKEN_LENGTH);
    const code = String(this.#random.int(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    this.#nonces.set(nonce, { userId, code, endsAt: this.#clock.now() + nonceLifeMs, attemptsLeft: nonceAttemptsMax });
    this.#markNonce(nonce);
    return { nonce, code };
  }

  /** The right code uses the nonce up, and so do five wrong ones. */
  checkCode(nonce: string, code: string): CodeCheck {
    const open = this.#nonces.get(nonce);
    if (open === undefined) return { kind: 'unknown nonce' };
    this.#markNonce(nonce);
    if (this.#clock.now() >= open.endsAt) {
      this.#nonces.delete(nonce);
      return { kind: 'unknown nonce' };
    }
    if (sameText(open.code, code)) {
      this.#nonces.delete(nonce);
      return { kind: 'right', userId: open.userId };
    }
    open.attemptsLeft -= 1;
    if (open.attemptsLeft === 0) this.#nonces.delete(nonce);
    return { kind: 'wrong code', attemptsLeft: open.attemptsLeft };
  }

  /** A token for a new password: CHOICE-RESET. */
  openReset(userId: number): string {
    for (const oldest of makeRoom(this.#resets, userId)) this.#markReset(oldest);
    const token = this.#random.token(TOKEN_LENGTH);
    this.#resets.set(token, { userId, endsAt: this.#clock.now() + resetTokenLifeMs });
    this.#markReset(token);
    return token;
  }

  /** Whose reset token it is; it works once. Undefined when it is unknown, used or too old. */
  useReset(token: string): number | undefined {
    const open = this.#resets.get(token);
    if (this.#resets.delete(token)) this.#markReset(token);
    return open === undefined || this.#clock.now() >= open.endsAt ? undefined : open.userId;
  }

  /** A token for the link in a confirmation email. Nothing in the API takes it. */
  confirmationToken(): string {
    return this.#random.token(TOKEN_LENGTH);
  }

  state(): SessionsState {
    return {
      tokens: [...this.#tokens].map(([userId, { live, ended }]) => ({ userId, live: [...live], ended: [...ended] })),
      nonces: [...this.#nonces].map(([nonce, open]) => [nonce, { ...open }]),
      resets: [...this.#resets],
    };
  }

  restore({ tokens, nonces, resets }: SessionsState): void {
    this.clear();
    for (const { userId, live, ended } of tokens)
      this.#tokens.set(userId, { live: new Map(live), ended: new Map(ended) });
    for (const [nonce, open] of nonces) this.#nonces.set(nonce, { ...open });
    for (const [token, open] of resets) this.#resets.set(token, open);
  }

  clear(): void {
    this.#tokens.clear();
    this.#nonces.clear();
    this.#resets.clear();
  }

  #markTokens(userId: number, when?: 'later'): void {
    const read = (): SessionsState['tokens'][number] | undefined => {
      const tokens = this.#tokens.get(userId);
      return tokens === undefined ? undefined : { userId, live: [...tokens.live], ended: [...tokens.ended] };
    };
    this.#mark('tokens', userId, userId, read, when);
  }

  #markNonce(nonce: string): void {
    this.#mark('nonces', 0, nonce, () => this.#nonces.get(nonce));
  }

  #markReset(token: string): void {
    this.#mark('resets', 0, token, () => this.#resets.get(token));
  }

  #of(userId: number): Tokens {
    const known = this.#tokens.get(userId);
    if (known !== undefined) return known;
    const tokens: Tokens = { live: new Map(), ended: new Map() };
    this.#tokens.set(userId, tokens);
    return tokens;
  }
}

/** Whether two secrets are equal, in a time that does not tell how far they agree. */
export function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function end(tokens: Tokens, token: string, why: Ending): void {
  tokens.live.delete(token);
  tokens.ended.set(token, why);
  const [oldest] = tokens.ended.keys();
  if (tokens.ended.size > ENDED_TOKENS_PER_USER && oldest !== undefined) tokens.ended.delete(oldest);
}

type OwnedByUser = ReadonlyMap<string, { readonly userId: number }> & { delete(key: string): boolean };

function keysOf(owned: OwnedByUser, userId: number): string[] {
  return [...owned].filter(([, proof]) => proof.userId === userId).map(([key]) => key);
}

/** The keys that went. */
function forget(owned: OwnedByUser, userId: number): string[] {
  const gone = keysOf(owned, userId);
  for (const key of gone) owned.delete(key);
  return gone;
}

/** The keys that went. */
function makeRoom(owned: OwnedByUser, userId: number): string[] {
  const [oldest, ...rest] = keysOf(owned, userId);
  if (oldest === undefined || rest.length + 1 < PROOFS_PER_USER) return [];
  owned.delete(oldest);
  return [oldest];
}
