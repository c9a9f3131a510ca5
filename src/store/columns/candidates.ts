// Which rows a query has to look at: what the indexes leave of its conditions. Knows no page.
//
// Ids rise with time, so a range of times is mostly a stretch of ids. Each indexed condition gives such a stretch, its
// window; rows outside of any of them cannot match. Within the windows, either the rows are walked one after the other,
// or those of the one index that leaves least are picked.
import { type Condition, type FieldKind, keyOf, NO_MOMENT } from '../conditions.ts';
import type { SortedIndex, Span } from './sorted-index.ts';
import type { Table } from './table.ts';

export interface Candidates {
  /** No row outside of these ids matches, both included. */
  readonly lowest: number;
  readonly highest: number;
  /** The rows to look at, oldest first; undefined: all between the two ids. */
  readonly ids?: readonly number[];
  /** How many rows match, where the indexes alone tell. */
  readonly total?: number;
}

/** Looking a row up costs so much more than going on to the next one. */
export const LOOK_UP = 4;
const BEFORE_ALL = Number.NEGATIVE_INFINITY;
const AFTER_ALL = Number.POSITIVE_INFINITY;

interface Usable {
  readonly index: SortedIndex;
  readonly spans: readonly Span[];
  /** Set when all its entries have one of these keys: within one of them, ids rise. */
  readonly keys?: readonly number[];
  readonly exact: boolean;
}

export function candidatesOf(table: Table, conditions: readonly Condition[]): Candidates {
  const usable = conditions.flatMap((condition) => usableOf(table, condition) ?? []);
  let [lowest, highest] = idsBetween(conditions);
  for (const { index, spans } of usable) {
    const windows = spans.map((span) => index.window(span));
    lowest = Math.max(lowest, Math.min(...windows.map(([first]) => first), AFTER_ALL));
    highest = Math.min(highest, Math.max(...windows.map(([, last]) => last), BEFORE_ALL));
  }
  const [only] = usable;
  const total =
    only !== undefined && conditions.length === 1 && only.exact ? { total: countOf(only.spans) } : undefined;
  const ids = fewest(table, usable, lowest, highest);
  return { lowest, highest, ...total, ...(ids === undefined ? {} : { ids }) };
}

/** The stretch of ids that conditions on the id itself leave. */
function idsBetween(conditions: readonly Condition[]): [lowest: number, highest: number] {
  let [lowest, highest] = [BEFORE_ALL, AFTER_ALL];
  for (const { property, values, range } of conditions) {
    if (property !== 'id') continue;
    const keys = values?.map((value) => keyOf('number', value)) ?? [];
    const [from, to] = range === undefined ? [Math.min(...keys), Math.max(...keys)] : [range.from, range.to];
    if (values === undefined && range === undefined) continue;
    lowest = Math.max(lowest, Math.ceil(from));
    highest = Math.min(highest, Math.floor(to));
  }
  return [lowest, highest];
}

/** The ids that the best index leaves, unless walking over the rows is cheaper. */
function fewest(
  table: Table,
  usable: readonly Usable[],
  lowest: number,
  highest: number,
): readonly number[] | undefined {
  if (highest < lowest) return [];
  let best: { readonly index: SortedIndex; readonly spans: readonly Span[]; readonly count: number } | undefined;
  for (const { index, spans, keys } of usable) {
    const within = keys?.map((key) => index.span([key, lowest], [key, highest + 1])) ?? spans;
    const count = countOf(within);
    if (best === undefined || count < best.count) best = { index, spans: within, count };
  }
  if (best === undefined || best.count * LOOK_UP > table.countBetween(lowest, highest)) return undefined;
  const { index, spans } = best;
  const ids = spans.flatMap((span) => index.ids(span));
  return isRising(ids) ? ids : ids.sort((one, other) => one - other);
}

/** What an index makes of a condition; undefined when it makes nothing of it. */
function usableOf(table: Table, { property, values, range }: Condition): Usable | undefined {
  const index = table.index(property);
  const kind = table.form.column(property)?.kind;
  if (index === undefined || kind === undefined) return undefined;
  if (values !== undefined) {
    const keys = [...new Set(values.map((value) => keyOf(kind, value)))];
    const spans = keys.map((key) => equalSpan(index, key));
    return { index, keys, spans, exact: isOrdered(kind) && keys.every(Number.isFinite) };
  }
  if (range === undefined || !hasOrder(index, kind)) return undefined;
  const { from, to, open, exact } = range;
  const start = open || from === BEFORE_ALL ? AFTER_ALL : BEFORE_ALL;
  const span = index.span([from, start], [to, open || to === AFTER_ALL ? BEFORE_ALL : AFTER_ALL]);
  return { index, spans: [span], exact };
}

/** Whether the index has the order that sorting by the property has. */
export function hasOrder(index: SortedIndex, kind: FieldKind): boolean {
  return isOrdered(kind) && equalSpan(index, NO_MOMENT).count === 0;
}

export function equalSpan(index: SortedIndex, key: number): Span {
  return index.span([key, BEFORE_ALL], [key, AFTER_ALL]);
}

/** Whether keys tell all there is to tell of a value. */
export function isOrdered(kind: FieldKind): boolean {
  return kind === 'number' || kind === 'boolean' || kind === 'time';
}

function countOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { count }) => sum + count, 0);
}

function isRising(ids: readonly number[]): boolean {
  return ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0));
}
