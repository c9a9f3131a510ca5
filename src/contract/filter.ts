// The query of a collection as data: page, limit, filter, group_by. Knows no collection and applies nothing.

import type { Static } from 'typebox';
import {
  filterConditionsMax,
  filterTextLength,
  filterValueLength,
  firstPage,
  pageLimitDefault,
  pageLimitMax,
} from './limits.ts';
import type { QueryParameter } from './operation.ts';
import { array, boolean, either, integer, nullable, number, record, string, word } from './schema.ts';

/** Operators that published material shows. `=` is another spelling of `eq`. */
export const publishedOperators = ['like', 'eq', '='] as const;

/** Operators of ours: CHOICE-FILTER-OPERATORS. */
export const extraOperators = ['ne', 'gt', 'gte', 'lt', 'lte', 'in'] as const;

export const filterOperators = [...publishedOperators, ...extraOperators] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** What `like` does: CHOICE-LIKE. */
export const likeWildcards = { any: '%', one: '_' } as const;

const scalar = nullable(either(either(string({ maxLength: filterValueLength }), number()), boolean()));

export const FilterConditionSchema = record({
  operator: word(filterOperators),
  value: either(scalar, array(either(string({ maxLength: filterValueLength }), number()), { maxItems: pageLimitMax }), {
    description: 'a list for the operator in, else one value; both forms of a twin are understood',
  }),
  property: string({ minLength: 1, maxLength: 64 }),
});
export type FilterCondition = Static<typeof FilterConditionSchema>;

/** The JSON that the query parameter `filter` carries. Every condition must hold: CHOICE-FILTER-AND. */
export const FilterSchema = array(FilterConditionSchema, { maxItems: filterConditionsMax });

/** The query parameters of every collection. */
export const collectionParameters: readonly QueryParameter[] = [
  {
    name: 'page',
    summary: `Which page, counted from ${firstPage}.`,
    schema: { ...integer({ minimum: firstPage }), default: firstPage },
  },
  {
    name: 'limit',
    summary: `Records per page; more than ${pageLimitMax} counts as ${pageLimitMax}.`,
    schema: { ...integer({ minimum: 1 }), default: pageLimitDefault },
  },
  {
    name: 'filter',
    summary: 'JSON array of {operator, value, property}; every condition must hold.',
    schema: string({ maxLength: filterTextLength }),
  },
  {
    name: 'group_by',
    summary: 'A property: one record for each value of it, the first; total counts the values.',
    schema: string({ minLength: 1, maxLength: 64 }),
  },
];
