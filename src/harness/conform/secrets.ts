// Takes secrets out of whatever leaves the harness, by their value: keys, tokens and passwords, known before or seen on the way.
import type { Target } from '../target/target.ts';

export const HIDDEN = '[secret]';

/** Shorter values would take innocent text with them. */
const MIN_LENGTH = 6;
const MAX_SECRETS = 2000;
/** Deeper values are nobody's answer. */
const MAX_DEPTH = 20;
const SECRET_MEMBER = /(^|_)(token|key|password|pin|nonce|secret)$/i;

export class Secrets {
  readonly #values = new Set<string>();
  #longestFirst: readonly string[] | undefined;

  constructor({ users, control }: Target) {
    for (const { id, key, password, sip } of Object.values(users)) {
      this.add(key ?? '');
      this.add(password ?? '');
      this.add(sip?.password ?? '');
      this.add(Buffer.from(`${id}:${key}`).toString('base64'));
    }
    this.add(control?.token ?? '');
  }

  add(value: string): void {
    if (value.length < MIN_LENGTH || this.#values.has(value) || this.#values.size >= MAX_SECRETS) return;
    this.#values.add(value);
    this.#values.add(encodeURIComponent(value));
    this.#longestFirst = undefined;
  }

  /** Notes the members of a JSON value that are called as secrets are. */
  learn(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value) this.learn(item, depth + 1);
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && SECRET_MEMBER.test(name)) this.add(member);
      else this.learn(member, depth + 1);
    }
  }

  /** The text without any of them. */
  hide(text: string): string {
    // The longest first: one may be a part of another.
    this.#longestFirst ??= [...this.#values].sort((a, b) => b.length - a.length);
    let hidden = text;
    for (const value of this.#longestFirst) hidden = hidden.replaceAll(value, HIDDEN);
    return hidden;
  }
}
