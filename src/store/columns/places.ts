// Rows by several indexes of which one is enough: calls to somebody or from somebody. Knows no query.
import type { Places } from '../collection.ts';
import { keyOf } from '../conditions.ts';
import { type Candidates, equalSpan, LOOK_UP } from './candidates.ts';
import type { SortedIndex, Span } from './sorted-index.ts';
import type { Table } from './table.ts';

interface Stretch {
  readonly index: SortedIndex;
  readonly span: Span;
}

/** The ids of the rows at those places, oldest first, and perhaps of some that only have an equal key. */
export function idsAt(table: Table, places: Places): readonly number[] {
  const lists = stretchesOf(table, places).map(({ index, span }) => index.ids(span));
  return lists.reduce<readonly number[]>(merged, numbered(places));
}

/** Of the candidates those at the places, unless the others are fewer or walking over the rows is cheaper. */
export function within(table: Table, candidates: Candidates, places: Places | undefined): Candidates {
  if (places === undefined) return candidates;
  const { lowest, highest, ids } = candidates;
  const count = stretchesOf(table, places).reduce((sum, { span }) => sum + span.count, numbered(places).length);
  if (ids === undefined ? count * LOOK_UP > table.countBetween(lowest, highest) : count >= ids.length)
    return candidates;
  return { lowest, highest, ids: idsAt(table, places).filter((id) => id >= lowest && id <= highest) };
}

/** Within equal keys ids rise. */
function stretchesOf(table: Table, places: Places): Stretch[] {
  return places.flatMap(([property, values]) => {
    const index = table.index(property);
    const kind = table.form.column(property)?.kind;
    if (index === undefined || kind === undefined) return [];
    return values.map((value) => ({ index, span: equalSpan(index, keyOf(kind, value)) }));
  });
}

/** Ids that are places themselves. */
function numbered(places: Places): number[] {
  const ids = places.filter(([property]) => property === 'id').flatMap(([, values]) => values);
  return [...new Set(ids)].filter((id) => typeof id === 'number').sort((one, other) => one - other);
}

/** Two rising lists as one; what is in both comes once. */
function merged(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const ids: number[] = [];
  for (let at = 0, to = 0; at < one.length || to < other.length; ) {
    const [first, second] = [one[at] ?? Number.POSITIVE_INFINITY, other[to] ?? Number.POSITIVE_INFINITY];
    ids.push(Math.min(first, second));
    if (first <= second) at += 1;
    if (second <= first) to += 1;
  }
  return ids;
}
