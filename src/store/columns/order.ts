// Rows in the order of their properties, without an object for any of them. Knows no page.
import { comparable, type Field, NO_MOMENT } from '../conditions.ts';
import type { Order } from '../query.ts';
import { isOrdered } from './candidates.ts';
import type { Column } from './column.ts';
import { shortlist } from './shortlist.ts';
import type { Table } from './table.ts';

/** Keys below this are ranks themselves, among up to so many rows: rank and place together stay exact in one number. */
const KEYS_END = 0x8000_0000;
const RANKED_AS_THEY_ARE = 0x20_0000;

/** So many times the rows that are wanted are sorted without a shortlist. */
const FEW = 4;

/** The first `wanted` of ids, given oldest first, in the order that a query asks for; equal ones stay as they are. */
export function ordered(table: Table, all: readonly number[], sort: readonly Order[], wanted: number): number[] {
  const [first] = sort;
  const isShort = first === undefined || all.length <= wanted * FEW;
  const ids = isShort ? all : shortlist(table, all, first, wanted, sort.length === 1);
  let places = new Float64Array(ids.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  for (const order of [...sort].reverse()) places = stablySorted(places, ranks(table, ids, order));
  const inOrder: number[] = [];
  for (const place of places) inOrder.push(ids[place] as number);
  return inOrder;
}

/** Whole numbers from 0, in the order of the values: by row, equal for equal values. */
function ranks(table: Table, ids: readonly number[], { field, descending }: Order): Float64Array {
  const keys = keysOf(table, ids, field);
  if (ids.length <= RANKED_AS_THEY_ARE && keys.every((key) => key >= 0 && key < KEYS_END && Number.isInteger(key)))
    return descending ? keys.map((key) => KEYS_END - key) : keys;
  const distinct = Float64Array.from(new Set(keys)).sort();
  const rankOf = new Map(Array.from(distinct, (key, rank) => [key, descending ? distinct.length - rank : rank]));
  return keys.map((key) => rankOf.get(key) ?? 0);
}

function keysOf(table: Table, ids: readonly number[], { name }: Field): Float64Array {
  const column = table.form.column(name);
  if (column === undefined) return Float64Array.from(ids);
  const keys = new Float64Array(ids.length);
  for (let at = 0; at < keys.length && isOrdered(column.kind); at += 1) {
    const id = ids[at] as number;
    const chunk = table.find(id);
    if (chunk !== undefined) keys[at] = column.keyAt(chunk, chunk.at(id));
  }
  if (isOrdered(column.kind) && !keys.includes(NO_MOMENT)) return keys;
  return textKeys(ids.map((id) => textAt(table, column, id)));
}

function textAt(table: Table, column: Column, id: number): unknown {
  const chunk = table.find(id);
  return chunk === undefined ? null : comparable(column.kind, column.read(chunk, chunk.at(id)));
}

/** Texts by the place that they would have in a list of all of them; what is none comes last. */
function textKeys(texts: readonly unknown[]): Float64Array {
  const distinct = [...new Set(texts)].filter((text) => typeof text === 'string').sort(byCodeUnits);
  const placeOf = new Map<unknown, number>(distinct.map((text, place) => [text, place]));
  return Float64Array.from(texts, (text: unknown) => placeOf.get(text) ?? Number.POSITIVE_INFINITY);
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** Rank and place in one number sort at the speed of numbers. */
function stablySorted(places: Float64Array<ArrayBuffer>, rank: Float64Array): Float64Array<ArrayBuffer> {
  const rows = places.length;
  const packed = new Float64Array(rows);
  for (let at = 0; at < rows; at += 1) packed[at] = (rank[places[at] as number] as number) * rows + at;
  packed.sort();
  const sorted = new Float64Array(rows);
  for (let at = 0; at < rows; at += 1) sorted[at] = places[(packed[at] as number) % rows] as number;
  return sorted;
}
