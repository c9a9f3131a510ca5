// A collection: the truth about one kind of record, in memory, each record sealed in one customer's account. Knows nothing of HTTP.
import { BrokenInvariant } from '../kernel/errors.ts';
import type { IdBlocks } from '../kernel/ids.ts';

export type Key = number | string;

/** Told of every change, in order: the journal, later a file. */
export type ChangeListener = (change: {
  collection: string;
  kind: 'put' | 'delete';
  id: Key;
  customerId: number;
  record?: unknown;
}) => void;

export interface CollectionOptions<T> {
  readonly name: string;
  /** Properties that lookups use: `find` on them is never a scan. */
  readonly indexes?: ReadonlyArray<keyof T & string>;
  readonly ids: IdBlocks;
  readonly onChange?: ChangeListener;
}

/** What a collection holds, for snapshots. Records are never changed in place, so they are shared, not copied. */
export interface CollectionState {
  readonly rows: ReadonlyArray<readonly [customerId: number, record: unknown]>;
  readonly ids: ReadonlyArray<readonly [customerId: number, used: number]>;
}

interface Row<T> {
  readonly customerId: number;
  readonly record: T;
}

export class Collection<T extends { readonly id: Key }> {
  readonly name: string;
  readonly #ids: IdBlocks;
  readonly #onChange: ChangeListener | undefined;
  readonly #rows = new Map<Key, Row<T>>();
  readonly #byCustomer = new Map<number, Map<Key, T>>();
  readonly #indexes = new Map<string, Map<unknown, Set<Key>>>();

  constructor(options: CollectionOptions<T>) {
    this.name = options.name;
    this.#ids = options.ids;
    this.#onChange = options.onChange;
    for (const property of options.indexes ?? []) this.#indexes.set(property, new Map());
  }

  /** An id of the customer's block that no record has had. */
  nextId(customerId: number): number {
    return this.#ids.next(customerId);
  }

  get size(): number {
    return this.#rows.size;
  }

  insert(customerId: number, record: T): T {
    if (this.#rows.has(record.id)) {
      throw new BrokenInvariant(
        `${this.name} ${record.id} exists`,
        'insert was called twice with one id',
        'take ids from nextId',
      );
    }
    if (typeof record.id === 'number') this.#ids.claim(record.id);
    this.#put(customerId, record);
    return record;
  }

  get(id: Key): T | undefined {
    return this.#rows.get(id)?.record;
  }

  /** Whose record it is; undefined when there is none. */
  customerOf(id: Key): number | undefined {
    return this.#rows.get(id)?.customerId;
  }

  /** Replaces the named members and returns the new record; records are never changed in place. */
  update(id: Key, changes: Partial<Omit<T, 'id'>>): T | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    const record = { ...row.record, ...changes };
    this.#unindex(row.record);
    this.#put(row.customerId, record);
    return record;
  }

  delete(id: Key): boolean {
    const row = this.#rows.get(id);
    if (row === undefined) return false;
    this.#unindex(row.record);
    this.#rows.delete(id);
    this.#byCustomer.get(row.customerId)?.delete(id);
    this.#onChange?.({ collection: this.name, kind: 'delete', id, customerId: row.customerId });
    return true;
  }

  /** Records whose indexed property has that value, over all customers, oldest first. */
  find<P extends keyof T & string>(property: P, value: T[P]): T[] {
    const index = this.#indexes.get(property);
    if (index === undefined) {
      throw new BrokenInvariant(`${this.name} has no index on ${property}`, 'find never scans', 'name it in indexes');
    }
    const found: T[] = [];
    for (const id of index.get(value) ?? []) {
      const row = this.#rows.get(id);
      if (row !== undefined) found.push(row.record);
    }
    return found;
  }

  isIndexed(property: string): boolean {
    return this.#indexes.has(property);
  }

  /** The customer's records in the order in which they were inserted. */
  *list(customerId: number): IterableIterator<T> {
    yield* this.#byCustomer.get(customerId)?.values() ?? [];
  }

  count(customerId: number): number {
    return this.#byCustomer.get(customerId)?.size ?? 0;
  }

  /** Every record with its customer, for snapshots. */
  *entries(): IterableIterator<readonly [customerId: number, record: T]> {
    for (const row of this.#rows.values()) yield [row.customerId, row.record];
  }

  clear(): void {
    this.#rows.clear();
    this.#byCustomer.clear();
    for (const index of this.#indexes.values()) index.clear();
  }

  state(): CollectionState {
    return { rows: [...this.entries()], ids: this.#ids.state() };
  }

  /** Holds what that state held, and nothing else; ids go on from there. */
  restore({ rows, ids }: CollectionState): void {
    this.clear();
    for (const [customerId, record] of rows) this.#put(customerId, record as T);
    this.#ids.restore(ids);
  }

  #put(customerId: number, record: T): void {
    this.#rows.set(record.id, { customerId, record });
    let own = this.#byCustomer.get(customerId);
    if (own === undefined) {
      own = new Map();
      this.#byCustomer.set(customerId, own);
    }
    own.set(record.id, record);
    for (const [property, index] of this.#indexes) {
      const value = record[property as keyof T];
      const ids = index.get(value);
      if (ids === undefined) index.set(value, new Set([record.id]));
      else ids.add(record.id);
    }
    this.#onChange?.({ collection: this.name, kind: 'put', id: record.id, customerId, record });
  }

  #unindex(record: T): void {
    for (const [property, index] of this.#indexes) {
      const value = record[property as keyof T];
      const ids = index.get(value);
      ids?.delete(record.id);
      if (ids?.size === 0) index.delete(value);
    }
  }
}
