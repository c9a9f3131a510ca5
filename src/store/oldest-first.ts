// A set that knows its oldest member at once. Knows nothing of what its members are.

interface Place<T> {
  readonly member: T;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

/**
 * Members in the order in which they came, each linked to its neighbours. A Set knows the order too, but a fresh iterator of it
 * first passes every place that removed members have left, and one that is kept keeps all that has been removed since.
 */
export class OldestFirst<T> {
  readonly #places = new Map<T, Place<T>>();
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;

  get size(): number {
    return this.#places.size;
  }

  get oldest(): T | undefined {
    return this.#first?.member;
  }

  /** A member that is there already keeps its place. */
  add(member: T): void {
    if (this.#places.has(member)) return;
    const place: Place<T> = { member, before: this.#last, after: undefined };
    this.#places.set(member, place);
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
  }

  delete(member: T): void {
    const place = this.#places.get(member);
    if (place === undefined) return;
    this.#places.delete(member);
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }

  /** Members that are removed meanwhile are passed over, and the walk ends where it was when the last one to come is removed. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let place = this.#first; place !== undefined; place = place.after)
      if (this.#places.get(place.member) === place) yield place.member;
  }
}
