// A collection for history: a million records in little room, found, filtered and sorted at once. Knows nothing of HTTP.
//
// How it is built, from the outside in:
//
//   column-collection.ts   the same face as `MapCollection`; one table per customer
//   table.ts               rows by id in chunks, and the indexes of the customer's rows
//   chunk.ts               512 neighbouring ids: one Int32Array, a run of words per row
//   row-form.ts            all columns of a row: record to words and back, and rows that read like records
//   column.ts              one property: numbers and times are words themselves, words that come again are codes of its
//   dictionary.ts            dictionary, what is left (unique texts, lists) lies loose beside the chunk's rows
//   sorted-index.ts        ids by key, in blocks: equal values, ranges, sorting, counting
//   search.ts              a query: candidates.ts (which rows), row-test.ts (which match), order.ts (in which order), shortlist.ts
//   frozen-rows.ts         what a snapshot holds: chunks and blocks are shared until one side writes
//
// A CDR takes some 120 bytes, and 16 to 24 for each index, where an object takes 2,400. Records come back with the members
// of the schema in its order, then any others; those that are read again soon are the same objects.
import { BrokenInvariant } from '../../kernel/errors.ts';
import { ID_BLOCK, type IdBlocks } from '../../kernel/ids.ts';
import { LastUsed } from '../../kernel/last-used.ts';
import {
  type ChangeListener,
  type Collection,
  type CollectionOptions,
  type CollectionState,
  type Keep,
  type Key,
  kept,
  type Places,
} from '../collection.ts';
import { keyOf } from '../conditions.ts';
import type { Page, Source } from '../query.ts';
import { equalSpan } from './candidates.ts';
import type { ColumnSpec } from './column.ts';
import { FrozenRows } from './frozen-rows.ts';
import { idsAt } from './places.ts';
import { RowForm } from './row-form.ts';
import { search } from './search.ts';
import { Table } from './table.ts';

/** Records that are kept as objects at least: those that were read last. */
const CACHED = 8_192;

export interface ColumnCollectionOptions<T> extends CollectionOptions<T> {
  readonly columns: readonly ColumnSpec[];
}

export class ColumnCollection<T extends { readonly id: Key }> implements Collection<T> {
  readonly name: string;
  readonly #ids: IdBlocks;
  readonly #onChange: ChangeListener | undefined;
  readonly #indexes: readonly string[];
  /** A record that is read again is the same object, and so is what hangs on it. */
  readonly #cache = new LastUsed<number, T>(CACHED);
  #form: RowForm;
  /** By customer, in the order of their ids. */
  #tables = new Map<number, Table>();
  /** Whose the records are that have an id of a block not their customer's. */
  readonly #strays = new Map<number, number>();

  constructor({ name, ids, indexes, onChange, columns }: ColumnCollectionOptions<T>) {
    this.name = name;
    this.#ids = ids;
    this.#onChange = onChange;
    this.#indexes = indexes ?? [];
    this.#form = new RowForm(columns);
  }

  nextId(customerId: number): number {
    return this.#ids.next(customerId);
  }

  get size(): number {
    let size = 0;
    for (const { count } of this.#tables.values()) size += count;
    return size;
  }

  insert(customerId: number, record: T): T {
    const { id } = record;
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
      throw new BrokenInvariant(`${this.name} ${id}`, 'rows are found by whole numbers', 'take ids from nextId');
    if (this.#tableOf(id) !== undefined) {
      throw new BrokenInvariant(
        `${this.name} ${id} exists`,
        'insert was called twice with one id',
        'take ids from nextId',
      );
    }
    this.#ids.claim(id);
    this.#put(customerId, id, record);
    return record;
  }

  load(customerId: number, records: Iterable<T>): void {
    for (const record of records) this.insert(customerId, record);
  }

  get(id: Key): T | undefined {
    if (typeof id !== 'number') return undefined;
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const record = this.#tableOf(id)?.read(id) as T | undefined;
    if (record !== undefined) this.#cache.set(id, record);
    return record;
  }

  customerOf(id: Key): number | undefined {
    return this.#tableOf(id)?.customerId;
  }

  update(id: Key, changes: Partial<Omit<T, 'id'>>): T | undefined {
    const before = this.get(id);
    const table = this.#tableOf(id);
    if (before === undefined || table === undefined) return undefined;
    const record = { ...before, ...changes, id };
    this.#put(table.customerId, Number(id), record);
    this.#cache.set(Number(id), record);
    return record;
  }

  delete(id: Key): boolean {
    const table = this.#tableOf(id);
    if (table === undefined || typeof id !== 'number') return false;
    table.delete(id);
    if (table.count === 0) this.#tables.delete(table.customerId);
    this.#strays.delete(id);
    this.#cache.delete(id);
    this.#onChange?.({ collection: this.name, kind: 'delete', id, customerId: table.customerId });
    return true;
  }

  find<P extends keyof T & string>(property: P, value: T[P], customerId?: number): T[] {
    const kind = this.#form.column(property)?.kind;
    if (kind === undefined || !this.isIndexed(property))
      throw new BrokenInvariant(`${this.name} has no index on ${property}`, 'find never scans', 'name it in indexes');
    const tables = customerId === undefined ? this.#tables.values() : [this.#tables.get(customerId)];
    const key = keyOf(kind, value);
    const ids: number[] = [];
    for (const table of tables) {
      const index = table?.index(property);
      for (const id of index?.ids(equalSpan(index, key)) ?? []) ids.push(id);
    }
    return this.#records(ids.sort((one, other) => one - other)).filter((record) => record[property] === value);
  }

  isIndexed(property: string): boolean {
    return this.#indexes.includes(property);
  }

  *list(customerId: number): IterableIterator<T> {
    const table = this.#tables.get(customerId);
    if (table !== undefined) yield* this.#walk(table);
  }

  count(customerId: number): number {
    return this.#tables.get(customerId)?.count ?? 0;
  }

  source(customerId: number, keep?: Keep<T>, places?: Places): Source<T> {
    const isKept = keep === undefined ? undefined : this.#form.testOf(keep);
    const page: Source<T>['page'] = (query): Page<T> => {
      const table = this.#tables.get(customerId);
      if (table === undefined) return { items: [], total: 0 };
      const { ids, total } = search(table, query, isKept, places);
      return { items: this.#records(ids), total };
    };
    const all = (): Iterable<T> => (places === undefined ? this.list(customerId) : this.#at(customerId, places));
    return { all: keep === undefined ? all : () => kept(all(), keep), page };
  }

  *entries(): IterableIterator<readonly [customerId: number, record: T]> {
    for (const table of this.#tables.values()) for (const record of this.#walk(table)) yield [table.customerId, record];
  }

  /** Whole tables are let go; only who listens has to be told of each record. */
  clear(customerId?: number): void {
    const tables = customerId === undefined ? [...this.#tables.values()] : [this.#tables.get(customerId)];
    for (const table of tables) {
      if (table === undefined) continue;
      this.#tables.delete(table.customerId);
      for (const id of table.strays) this.#strays.delete(id);
      this.#tellAll(table, 'delete');
    }
    this.#cache.clear();
  }

  state(): CollectionState {
    return { rows: new FrozenRows([...this.#tables.values()].map((table) => table.fork())), ids: this.#ids.state() };
  }

  restore({ rows, ids }: CollectionState): void {
    this.clear();
    if (rows instanceof FrozenRows) this.#adopt(rows.thawed());
    else for (const [customerId, record] of rows) this.insert(customerId, record as T);
    this.#ids.restore(ids);
  }

  #put(customerId: number, id: number, record: T): void {
    let table = this.#tables.get(customerId);
    if (table === undefined) {
      table = Table.empty(customerId, this.#form, this.#indexes);
      this.#tables.set(customerId, table);
    }
    table.write(id, record as Readonly<Record<string, unknown>>);
    if (table.strays.has(id)) this.#strays.set(id, customerId);
    this.#onChange?.({ collection: this.name, kind: 'put', id, customerId, record });
  }

  #adopt(tables: readonly Table[]): void {
    for (const table of tables) {
      if (table.count === 0) continue;
      this.#form = table.form;
      for (const id of table.strays) this.#strays.set(id, table.customerId);
      this.#tables.set(table.customerId, table);
      this.#tellAll(table, 'put');
    }
  }

  #tableOf(id: Key): Table | undefined {
    if (typeof id !== 'number') return undefined;
    const table = this.#tables.get(Math.floor(id / ID_BLOCK));
    if (table?.has(id) === true) return table;
    const owner = this.#strays.get(id);
    return owner === undefined ? undefined : this.#tables.get(owner);
  }

  *#at(customerId: number, places: Places): IterableIterator<T> {
    const table = this.#tables.get(customerId);
    if (table === undefined) return;
    for (const id of idsAt(table, places)) {
      const record = this.#cache.get(id) ?? (table.read(id) as T | undefined);
      if (record !== undefined) yield record;
    }
  }

  /** Records come and go while somebody walks over them: each step asks for the next id. */
  *#walk(table: Table): IterableIterator<T> {
    for (let id = table.nextId(Number.NEGATIVE_INFINITY); id !== undefined; id = table.nextId(id)) {
      const record = this.#cache.get(id) ?? (table.read(id) as T | undefined);
      if (record !== undefined) yield record;
    }
  }

  #records(ids: readonly number[]): T[] {
    return ids.flatMap((id) => this.get(id) ?? []);
  }

  #tellAll(table: Table, kind: 'put' | 'delete'): void {
    if (this.#onChange === undefined) return;
    const { customerId } = table;
    for (let id = table.nextId(Number.NEGATIVE_INFINITY); id !== undefined; id = table.nextId(id)) {
      const change = { collection: this.name, kind, id, customerId };
      this.#onChange(kind === 'put' ? { ...change, record: table.read(id) } : change);
    }
  }
}
