// The rows that can be on a page of a sorted collection, so that not all of them have to be sorted. Knows no page.
import { comparable, NO_MOMENT } from '../conditions.ts';
import type { Order } from '../query.ts';
import { isOrdered } from './candidates.ts';
import type { Column } from './column.ts';
import type { Table } from './table.ts';

/** Rows that are looked through again at the least. */
const BATCH = 1_024;

interface Entry {
  readonly id: number;
  readonly value: unknown;
}

/**
 * Of rows in the order of their ids those among which the first `wanted` are, when sorted by `order` and then by others
 * (`isLast`: by no others). One look at each row is a fraction of what sorting it costs.
 */
export function shortlist(
  table: Table,
  ids: readonly number[],
  { field, descending }: Order,
  wanted: number,
  isLast: boolean,
): readonly number[] {
  const column = table.form.column(field.name);
  if (column === undefined) return ids;
  const sign = descending ? -1 : 1;
  const listed: number[] = [];
  let entries: Entry[] = [];
  let room = Math.max(wanted * 2, BATCH);
  let bound: Entry | undefined;
  for (const id of ids) {
    const value = valueAt(table, column, id);
    const order = bound === undefined ? -1 : sign * compareKeys(value, bound.value);
    if (value === NO_MOMENT) listed.push(id);
    else if (order < 0 || (order === 0 && !isLast)) entries.push({ id, value });
    if (entries.length < room) continue;
    entries = firstOf(entries, sign, wanted, isLast);
    bound = entries[wanted - 1];
    room = Math.max(room, entries.length * 2);
  }
  for (const { id } of entries) listed.push(id);
  return listed.sort((one, other) => one - other);
}

/** The first `wanted` (of equal ones those that came first), and those that are equal to the last of them unless nothing else decides between them. */
function firstOf(entries: Entry[], sign: number, wanted: number, isLast: boolean): Entry[] {
  entries.sort((one, other) => sign * compareKeys(one.value, other.value));
  let end = wanted;
  while (!isLast && end < entries.length && compareKeys(entries[end]?.value, entries[wanted - 1]?.value) === 0)
    end += 1;
  return entries.slice(0, end);
}

/** A key, or the text where keys have no order. */
function valueAt(table: Table, column: Column, id: number): unknown {
  const chunk = table.find(id);
  if (chunk === undefined) return null;
  const at = chunk.at(id);
  return isOrdered(column.kind) ? column.keyAt(chunk, at) : comparable(column.kind, column.read(chunk, at));
}

/** Numbers as numbers, texts as texts; what is neither comes last. */
function compareKeys(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return (one as string) < (other as string) ? -1 : 1;
}
