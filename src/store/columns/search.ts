// A query on one customer's rows: which ids are on the page, and how many there are in all. Makes no record.

import type { Places } from '../collection.ts';
import type { Condition } from '../conditions.ts';
import type { CollectionQuery, Order } from '../query.ts';
import { type Candidates, candidatesOf, hasOrder } from './candidates.ts';
import type { Chunk } from './chunk.ts';
import { ordered } from './order.ts';
import { within } from './places.ts';
import { firstOfGroup, type RowTest, rowTest } from './row-test.ts';
import type { Table } from './table.ts';

export interface IdPage {
  readonly ids: readonly number[];
  readonly total: number;
}

/** `keep` is one more condition, on the row as a whole; `places` tell where rows that meet it are. */
export function search(table: Table, query: CollectionQuery, keep?: RowTest, places?: Places): IdPage {
  const { conditions, groupBy, sort, page, limit } = query;
  const start = (page - 1) * limit;
  if (conditions.length === 0 && keep === undefined && groupBy === undefined) {
    const ids = sort.length === 0 ? table.slice(start, limit) : sortedSlice(table, sort, start, limit);
    if (ids !== undefined) return { ids, total: table.count };
  }
  const candidates = within(table, candidatesOf(table, conditions), places);
  const tests = cheapFirst(table, conditions).map((condition) => rowTest(table.form, condition));
  if (keep !== undefined) tests.push(keep);
  if (groupBy !== undefined) tests.push(firstOfGroup(table.form, groupBy.name));
  if (groupBy === undefined && sort.length === 0) {
    const total = keep === undefined ? candidates.total : undefined;
    return collect(table, { ...candidates, tests }, start, limit, total);
  }
  const { ids, total } = collect(table, { ...candidates, tests }, 0, Number.POSITIVE_INFINITY);
  return {
    ids: (sort.length === 0 ? ids : ordered(table, ids, sort, start + limit)).slice(start, start + limit),
    total,
  };
}

/** Numbers and times are looked at before texts. */
function cheapFirst(table: Table, conditions: readonly Condition[]): readonly Condition[] {
  const isText = ({ property }: Condition): boolean => table.form.column(property)?.kind === 'text';
  return [...conditions].sort((one, other) => Number(isText(one)) - Number(isText(other)));
}

/** A page of all rows, read off an index; undefined when there is none for that order. */
function sortedSlice(table: Table, sort: readonly Order[], start: number, limit: number): number[] | undefined {
  const [order] = sort;
  if (order === undefined || sort.length > 1) return undefined;
  const { field, descending } = order;
  const index = table.index(field.name);
  return index !== undefined && hasOrder(index, field.kind) ? index.slice(start, limit, descending) : undefined;
}

interface Walk extends Candidates {
  readonly tests: readonly RowTest[];
}

/** Goes over the candidates; where the total is known, only until the page is full. */
function collect(table: Table, walk: Walk, start: number, limit: number, total?: number): IdPage {
  const ids: number[] = [];
  const { tests } = walk;
  let matching = 0;
  const visit = (chunk: Chunk, at: number): boolean => {
    for (const test of tests) if (!test(chunk, at)) return true;
    if (matching >= start && ids.length < limit) ids.push(chunk.idAt(at));
    matching += 1;
    return total === undefined || ids.length < limit;
  };
  if (total !== undefined && start >= total) return { ids, total };
  if (walk.ids === undefined) table.scan(walk.lowest, walk.highest, visit);
  else
    for (const id of walk.ids) {
      const chunk = table.find(id);
      if (chunk !== undefined && !visit(chunk, chunk.at(id))) break;
    }
  return { ids, total: total ?? matching };
}
