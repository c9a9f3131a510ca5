// The file in which a world is kept, as a port: rows by section, owner and key, and bytes that some of them stand for. Knows neither SQL nor what they say.
import type { Key } from '../store/collection.ts';

export interface Row {
  readonly section: string;
  /** Whose row it is within its section: a customer, a webhook; 0 where there is nobody. */
  readonly owner: number;
  readonly key: Key;
  readonly value: string;
  /** The number of the bytes that it stands for, if any. */
  readonly bulk?: number;
}

/** What becomes of one row: `value` null means that it goes. */
export interface RowChange extends Omit<Row, 'value'> {
  readonly value: string | null;
}

/** All rows of one owner go. */
export interface OwnerGone {
  readonly section: string;
  readonly owner: number;
}

/** A part of some bytes, from 0. */
export interface Part {
  readonly bulk: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The place of the present state; snapshots are at 1 and above. */
export const PRESENT = 0;

/**
 * Everything here is done when the call returns, and what fails throws an error whose message is fit to be shown. Bytes go
 * when the last row goes that stands for them, whatever its place; those for which no row ever stood, when the file is opened next.
 */
export interface DataFile {
  /** Nothing was ever written to it. */
  readonly isNew: boolean;
  /** By owner and key. */
  rows(place: number, section: string): IterableIterator<Row>;
  count(place: number, section: string): number;
  /** Changes the present state, all or nothing. */
  write(changes: readonly RowChange[], gone: readonly OwnerGone[], parts?: readonly Part[]): void;
  /** The present state is this and nothing else, all or nothing. */
  replace(rows: Iterable<Row>): void;
  /** A number that no bytes have had. */
  nextBulk(): number;
  /** Undefined when there is none. */
  part(bulk: number, at: number): Uint8Array | undefined;
  /** Bytes for which no row stands go. */
  discard(bulk: number): void;
  /** Keeps the present state at `place` as well. */
  copyTo(place: number): void;
  /** The places of snapshots, in order. */
  places(): number[];
  drop(place: number): void;
  /** The error for rows that say what no world ever wrote. */
  damaged(why: string): Error;
  close(): void;
}
