// A set that knows its oldest member at once. Knows nothing of what its members are.

/**
 * Members in the order in which they came. A fresh iterator of a Set first passes every place that removed members have
 * left, which costs most where the oldest goes and goes: here one iterator walks on.
 */
export class OldestFirst<T> {
  readonly #members = new Set<T>();
  #walk = this.#members.values();
  #oldest: T | undefined;

  get size(): number {
    return this.#members.size;
  }

  /** A member that is there already keeps its place. */
  add(member: T): void {
    this.#members.add(member);
  }

  delete(member: T): void {
    this.#members.delete(member);
    if (member === this.#oldest) this.#oldest = undefined;
  }

  get oldest(): T | undefined {
    if (this.#oldest !== undefined || this.#members.size === 0) return this.#oldest;
    let next = this.#walk.next();
    if (next.done === true) {
      this.#walk = this.#members.values();
      next = this.#walk.next();
    }
    this.#oldest = next.value;
    return this.#oldest;
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#members.values();
  }
}
