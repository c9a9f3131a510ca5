// The values of one column that come again and again, each kept once under a code. Knows no row.

/** Codes that one column gives out at most, and the longest text that gets one. */
const CODES_MAX = 65_536;
const TEXT_MAX = 64;
/** So many values get a code without proof that they come again; after them, values must have been used this often on average. */
const TRIAL = 1_024;
const USES = 4;

/** Codes are never taken back, so that copies of a collection share one dictionary; its size is bounded instead. */
export class Dictionary {
  readonly #codes = new Map<unknown, number>();
  readonly #values: unknown[] = [];
  #uses = 0;

  get size(): number {
    return this.#values.length;
  }

  value(code: number): unknown {
    return this.#values[code];
  }

  /** The code of a value; undefined when it does not deserve one. */
  codeOf(value: unknown): number | undefined {
    const known = this.#codes.get(value);
    if (known !== undefined) {
      this.#uses += 1;
      return known;
    }
    if (!this.#takes(value)) return undefined;
    const code = this.#values.length;
    const own = typeof value === 'string' ? unshared(value) : value;
    this.#codes.set(own, code);
    this.#values.push(own);
    return code;
  }

  #takes(value: unknown): boolean {
    if (typeof value === 'object' && value !== null) return false;
    if (typeof value === 'string' && value.length > TEXT_MAX) return false;
    const { size } = this;
    return size < TRIAL || (size < CODES_MAX && this.#uses > size * USES);
  }
}

/** Shorter texts never share their characters with the longer one they were cut from. */
const SHARES_FROM = 13;

/** A text of its own: one that was cut from a message or put together from parts would hold on to all of it. */
export function unshared(text: string): string {
  if (text.length < SHARES_FROM) return text;
  const copy = Buffer.from(text).toString();
  return copy === text ? copy : text;
}
