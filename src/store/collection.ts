// What a collection is to all who use it: the truth about one kind of record, each sealed in one customer's account. Knows no way of keeping them.
import type { IdBlocks } from '../kernel/ids.ts';
import type { Source } from './query.ts';

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

/** One record of a state, and whose it is. */
export type StateRow = readonly [customerId: number, record: unknown];

/** The records of a state: an array, or something that makes them when they are asked for. */
export interface StateRows extends Iterable<StateRow> {
  readonly length: number;
  filter(keep: (row: StateRow) => boolean): StateRows;
  map(change: (row: StateRow) => StateRow): StateRows;
}

/** What a collection holds, for snapshots. Records are never changed in place, so they are shared, not copied. */
export interface CollectionState {
  readonly rows: StateRows;
  readonly ids: ReadonlyArray<readonly [customerId: number, used: number]>;
}

/** Whether a record belongs to whoever asks. It reads the record and never keeps it. */
export type Keep<T> = (record: T) => boolean;

/**
 * Where the records are that `keep` lets through: each of them has one of the values in one of the indexed properties.
 * Others may have them too.
 */
export type Places = ReadonlyArray<readonly [property: string, values: readonly unknown[]]>;

/** Those that are let through, one by one. */
export function* kept<T>(records: Iterable<T>, keep: Keep<T>): Iterable<T> {
  for (const record of records) if (keep(record)) yield record;
}

/** `MapCollection` keeps records as they are, `ColumnCollection` many of them in little room. */
export interface Collection<T extends { readonly id: Key }> {
  readonly name: string;
  readonly size: number;

  /** An id of the customer's block that no record has had. */
  nextId(customerId: number): number;

  /** Adds a record; its id must be new. */
  insert(customerId: number, record: T): T;

  /** Adds many. */
  load(customerId: number, records: Iterable<T>): void;

  get(id: Key): T | undefined;

  /** Whose record it is; undefined when there is none. */
  customerOf(id: Key): number | undefined;

  /** Replaces the named members and returns the new record; records are never changed in place. */
  update(id: Key, changes: Partial<Omit<T, 'id'>>): T | undefined;

  delete(id: Key): boolean;

  /** Records whose indexed property has that value, oldest first: one customer's, or all customers'. */
  find<P extends keyof T & string>(property: P, value: T[P], customerId?: number): T[];

  isIndexed(property: string): boolean;

  /** The customer's records by id, the oldest first. */
  list(customerId: number): IterableIterator<T>;

  count(customerId: number): number;

  /** The customer's records to be queried, or those of them that `keep` lets through, which `places` finds sooner. */
  source(customerId: number, keep?: Keep<T>, places?: Places): Source<T>;

  /** Every record with its customer. */
  entries(): IterableIterator<readonly [customerId: number, record: T]>;

  /** Removes the customer's records, or all. */
  clear(customerId?: number): void;

  state(): CollectionState;

  /** Holds what that state held, and nothing else; ids go on from there. */
  restore(state: CollectionState): void;
}
