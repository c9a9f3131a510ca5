// The records that have come since a moment, and their removal: what is left then is what a run holds besides them. Knows no resource.
import type { Key } from '../store/collection.ts';
import { type Store, storeNames } from '../store/store.ts';

export class RecordsSince {
  readonly #store: Store;
  readonly #then: ReadonlyMap<keyof Store, ReadonlySet<Key>>;

  constructor(store: Store) {
    this.#store = store;
    this.#then = new Map(storeNames.map((name) => [name, new Set(idsOf(store[name]))]));
  }

  /** As their owners may. */
  remove(): void {
    for (const [name, ids] of this.#then)
      for (const id of idsOf(this.#store[name])) if (!ids.has(id)) this.#store[name].delete(id);
  }
}

function idsOf(collection: Store[keyof Store]): Key[] {
  return [...collection.entries()].map(([, { id }]) => id);
}
