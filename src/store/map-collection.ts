// A collection of records as they are, in maps: for configuration, of which there is little. Knows nothing of HTTP.
import { BrokenInvariant } from '../kernel/errors.ts';
import type { IdBlocks } from '../kernel/ids.ts';
import {
  type ChangeListener,
  type Collection,
  type CollectionOptions,
  type CollectionState,
  type Keep,
  type Key,
  kept,
} from './collection.ts';
import { compareIds, type Source } from './query.ts';

interface Row<T> {
  readonly customerId: number;
  readonly record: T;
}

/** One customer's records. */
interface Own<T> {
  records: Map<Key, T>;
  newest: Key | undefined;
  /** False once an id came that is below one that was there; put right when somebody reads. */
  isOrdered: boolean;
}

export class MapCollection<T extends { readonly id: Key }> implements Collection<T> {
  readonly name: string;
  readonly #ids: IdBlocks;
  readonly #onChange: ChangeListener | undefined;
  readonly #rows = new Map<Key, Row<T>>();
  readonly #byCustomer = new Map<number, Own<T>>();
  readonly #indexes = new Map<string, Map<unknown, Set<Key>>>();

  constructor(options: CollectionOptions<T>) {
    this.name = options.name;
    this.#ids = options.ids;
    this.#onChange = options.onChange;
    for (const property of options.indexes ?? []) this.#indexes.set(property, new Map());
  }

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

  load(customerId: number, records: Iterable<T>): void {
    for (const record of records) this.insert(customerId, record);
  }

  get(id: Key): T | undefined {
    return this.#rows.get(id)?.record;
  }

  customerOf(id: Key): number | undefined {
    return this.#rows.get(id)?.customerId;
  }

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
    this.#byCustomer.get(row.customerId)?.records.delete(id);
    this.#onChange?.({ collection: this.name, kind: 'delete', id, customerId: row.customerId });
    return true;
  }

  find<P extends keyof T & string>(property: P, value: T[P], customerId?: number): T[] {
    const index = this.#indexes.get(property);
    if (index === undefined) {
      throw new BrokenInvariant(`${this.name} has no index on ${property}`, 'find never scans', 'name it in indexes');
    }
    const found: T[] = [];
    for (const id of index.get(value) ?? []) {
      const row = this.#rows.get(id);
      if (row !== undefined && row.customerId === (customerId ?? row.customerId)) found.push(row.record);
    }
    return found.sort((one, other) => compareIds(one.id, other.id));
  }

  isIndexed(property: string): boolean {
    return this.#indexes.has(property);
  }

  *list(customerId: number): IterableIterator<T> {
    yield* this.#ordered(customerId).values();
  }

  count(customerId: number): number {
    return this.#byCustomer.get(customerId)?.records.size ?? 0;
  }

  source(customerId: number, keep?: Keep<T>): Source<T> {
    const find = (property: string, values: readonly unknown[]): T[] | undefined => {
      if (!this.isIndexed(property)) return undefined;
      const found = values.flatMap((value) =>
        this.find(property as keyof T & string, value as T[keyof T & string], customerId),
      );
      return keep === undefined ? found : found.filter(keep);
    };
    const all = () => this.list(customerId);
    return keep === undefined ? { all, find, count: this.count(customerId) } : { all: () => kept(all(), keep), find };
  }

  *entries(): IterableIterator<readonly [customerId: number, record: T]> {
    for (const row of this.#rows.values()) yield [row.customerId, row.record];
  }

  clear(customerId?: number): void {
    const ids = customerId === undefined ? this.#rows.keys() : this.#byCustomer.get(customerId)?.records.keys();
    for (const id of [...(ids ?? [])]) this.delete(id);
  }

  state(): CollectionState {
    return { rows: [...this.entries()], ids: this.#ids.state() };
  }

  restore({ rows, ids }: CollectionState): void {
    this.clear();
    for (const [customerId, record] of rows) this.#put(customerId, record as T);
    this.#ids.restore(ids);
  }

  #put(customerId: number, record: T): void {
    this.#rows.set(record.id, { customerId, record });
    this.#putOwn(customerId, record);
    for (const [property, index] of this.#indexes) {
      const value = record[property as keyof T];
      const ids = index.get(value);
      if (ids === undefined) index.set(value, new Set([record.id]));
      else ids.add(record.id);
    }
    this.#onChange?.({ collection: this.name, kind: 'put', id: record.id, customerId, record });
  }

  #putOwn(customerId: number, record: T): void {
    let own = this.#byCustomer.get(customerId);
    if (own === undefined) {
      own = { records: new Map(), newest: undefined, isOrdered: true };
      this.#byCustomer.set(customerId, own);
    }
    const isNew = !own.records.has(record.id);
    if (isNew && own.newest !== undefined && compareIds(own.newest, record.id) > 0) own.isOrdered = false;
    else if (isNew) own.newest = record.id;
    own.records.set(record.id, record);
  }

  #ordered(customerId: number): ReadonlyMap<Key, T> {
    const own = this.#byCustomer.get(customerId);
    if (own === undefined) return new Map();
    if (!own.isOrdered) {
      own.records = new Map([...own.records].sort(([one], [other]) => compareIds(one, other)));
      own.isOrdered = true;
    }
    return own.records;
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
