// The values of one column that come again and again, each kept once under a code. Knows no row.
import { unshared } from '../../kernel/unshared.ts';

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
