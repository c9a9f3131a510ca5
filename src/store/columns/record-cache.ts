// The records that were read last, as objects: a record that is read again is the same object, and so is what hangs on it. Knows no row.

/** Records of one generation; two generations are kept. */
const GENERATION = 8_192;

/** What was asked for since the last but one generation filled up is still there. */
export class RecordCache<T> {
  #young = new Map<number, T>();
  #old = new Map<number, T>();

  get(id: number): T | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.set(id, old);
    return old;
  }

  set(id: number, record: T): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, record);
  }

  delete(id: number): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
