// Identifiers: a block of numbers per customer, so that nobody's ids move when another customer works.

/** How many ids of one kind a customer can use before its block is full. */
export const ID_BLOCK = 10_000_000;

/** Gives out ids of one kind. Customer n's first id is n * ID_BLOCK + 1: ids never repeat across customers. */
export class IdBlocks {
  readonly #used = new Map<number, number>();

  next(customerId: number): number {
    const count = (this.#used.get(customerId) ?? 0) + 1;
    this.#used.set(customerId, count);
    return customerId * ID_BLOCK + count;
  }

  /** Makes sure that `id` is never given out again (loaded or seeded records). */
  claim(id: number): void {
    const customerId = Math.floor(id / ID_BLOCK);
    const count = id % ID_BLOCK;
    if (count > (this.#used.get(customerId) ?? 0)) this.#used.set(customerId, count);
  }

  state(): Array<[number, number]> {
    return [...this.#used];
  }

  restore(state: ReadonlyArray<readonly [number, number]>): void {
    this.#used.clear();
    for (const [customerId, count] of state) this.#used.set(customerId, count);
  }
}
