// A memory of what was used last, bounded by count. Knows nothing of what it holds.

/**
 * What was put in or asked for since the last but one generation filled up is still there: at least the last `limit`, and
 * never twice as many. To forget one by one would cost more: the first key of a Map is found past all that were removed.
 */
export class LastUsed<K, V> {
  readonly #limit: number;
  readonly #own: (key: K) => K;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** `own` makes of a key what is kept of it: of a text that was cut from a longer one, a copy. */
  constructor(limit: number, own: (key: K) => K = (key) => key) {
    this.#limit = limit;
    this.#own = own;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.has(key)) {
      this.#young.set(key, value);
      return;
    }
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(this.#own(key), value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  /** What was set last under each key, in no order. */
  *entries(): IterableIterator<readonly [K, V]> {
    yield* this.#young;
    for (const entry of this.#old) if (!this.#young.has(entry[0])) yield entry;
  }
}
