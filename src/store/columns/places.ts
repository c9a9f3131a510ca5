// Rows by several indexes of which one is enough: calls to somebody or from somebody. Knows no query.
import type { Places } from '../collection.ts';
import { keyOf } from '../conditions.ts';
import { type Candidates, equalSpan } from './candidates.ts';
import type { Table } from './table.ts';

/** The ids of the rows at those places, oldest first, and perhaps of some that only have an equal key. */
export function idsAt(table: Table, places: Places): readonly number[] {
  const lists = places.flatMap(([property, values]) => {
    if (property === 'id') return [values.filter((value) => typeof value === 'number')];
    const index = table.index(property);
    const kind = table.form.column(property)?.kind;
    if (index === undefined || kind === undefined) return [];
    return values.map((value) => index.ids(equalSpan(index, keyOf(kind, value))));
  });
  const ids = Float64Array.from(lists.flat()).sort();
  return Array.from(ids.filter((id, at) => at === 0 || id !== ids[at - 1]));
}

/** Of the candidates those at the places, when these are fewer. */
export function within(table: Table, candidates: Candidates, places: Places | undefined): Candidates {
  if (places === undefined) return candidates;
  const { lowest, highest } = candidates;
  const ids = idsAt(table, places).filter((id) => id >= lowest && id <= highest);
  return candidates.ids !== undefined && candidates.ids.length <= ids.length ? candidates : { lowest, highest, ids };
}
