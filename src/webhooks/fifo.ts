// A queue that stays cheap when it grows long: first in, first out. Knows nothing of what it holds.

/** How many taken places may stay in front before they are given back. */
const SLACK = 1024;

export class Fifo<T> {
  #items: Array<T | undefined> = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The oldest item, left in place. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** All of them, the oldest first. */
  list(): T[] {
    return this.#items.slice(this.#head) as T[];
  }

  /** Only what passes stays, in its order. */
  keep(passes: (item: T) => boolean): void {
    this.#items = this.list().filter(passes);
    this.#head = 0;
  }

  /** Takes the oldest item; undefined when there is none. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head > SLACK && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
