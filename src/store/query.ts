// The query of a collection: page, limit, filter, group_by, sort, over any records of a resource. Knows no HTTP.
import {
  filterConditionsMax,
  filterTextLength,
  firstPage,
  pageLimitDefault,
  pageLimitMax,
} from '../contract/limits.ts';
import type { ResourceId } from '../contract/resources.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Key } from './collection.ts';
import {
  type Condition,
  compareBy,
  compileCondition,
  type Field,
  fieldNames,
  fieldOf,
  groupKey,
  member,
} from './conditions.ts';

export interface CollectionQuery {
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  readonly conditions: readonly Condition[];
  readonly groupBy?: Field;
  readonly sort: readonly Order[];
}

export interface Order {
  readonly field: Field;
  readonly descending: boolean;
}

/** Records to be queried, in the order of the collection: by id, the oldest first. */
export interface Source<T> {
  all(): Iterable<T>;
  /** How many `all` has, when that is known without counting. */
  readonly count?: number;
  /** Those whose property has one of the values, by an index; undefined when there is none. In any order. */
  find?(property: string, values: readonly unknown[]): T[] | undefined;
  /** Answers the whole query by better means than these. */
  page?(query: CollectionQuery): Page<T>;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** After the filter and before the page: CHOICE-TOTAL. */
  readonly total: number;
}

const SORT_PROPERTIES = 4;

/** What no query parameters mean. */
export const wholeCollection: CollectionQuery = { page: firstPage, limit: pageLimitDefault, conditions: [], sort: [] };

/** Reads the query parameters; those that it does not know are ignored. */
export function parseQuery(resource: ResourceId, parameters: URLSearchParams): Result<CollectionQuery> {
  const page = wholeNumber('page', parameters.get('page'), firstPage);
  const limit = wholeNumber('limit', parameters.get('limit'), pageLimitDefault);
  const conditions = parseFilter(resource, parameters.get('filter'));
  const groupBy = parseGroup(resource, parameters.get('group_by'));
  const sort = parseSort(resource, parameters.get('sort'));
  if (page.ok && limit.ok && conditions.ok && groupBy.ok && sort.ok)
    return success({
      page: page.value,
      limit: Math.min(limit.value, pageLimitMax),
      conditions: conditions.value,
      ...(groupBy.value === undefined ? {} : { groupBy: groupBy.value }),
      sort: sort.value,
    });
  const details = [page, limit, conditions, groupBy, sort].flatMap((part) => (part.ok ? [] : part.failure.details));
  return failure('invalid', 'The query is not valid.', details);
}

/** The records of one page. */
export function runQuery<T extends { readonly id: Key }>(source: Source<T>, query: CollectionQuery): Page<T> {
  if (source.page !== undefined) return source.page(query);
  const { conditions, groupBy, sort, limit } = query;
  const start = (query.page - 1) * limit;
  if (conditions.length === 0 && groupBy === undefined && sort.length === 0 && source.count !== undefined)
    return { items: start >= source.count ? [] : slice(source.all(), start, limit), total: source.count };
  if (groupBy === undefined && sort.length === 0) return countAndSlice(matching(source, conditions), start, limit);
  const kept = [
    ...(groupBy === undefined ? matching(source, conditions) : firstOfEach(matching(source, conditions), groupBy)),
  ];
  kept.sort((one, other) => compare(sort, one, other));
  return { items: kept.slice(start, start + limit), total: kept.length };
}

function wholeNumber(name: string, text: string | null, otherwise: number): Result<number> {
  if (text === null) return success(otherwise);
  return /^\d+$/.test(text) && Number(text) >= 1
    ? success(Math.min(Number(text), Number.MAX_SAFE_INTEGER))
    : failure('invalid', `${name}: expected a whole number of at least 1, got ${shown(text)}`);
}

function parseFilter(resource: ResourceId, text: string | null): Result<readonly Condition[]> {
  if (text === null) return success([]);
  if (text.length > filterTextLength)
    return failure('invalid', `filter: expected at most ${filterTextLength} characters, got ${text.length}`);
  const list = parsedList(text);
  if (list === undefined)
    return failure('invalid', 'filter: expected a JSON array of objects with operator, value and property');
  if (list.length > filterConditionsMax)
    return failure('invalid', `filter: expected at most ${filterConditionsMax} conditions, got ${list.length}`);
  const compiled = list.map((raw, index) => compileCondition(resource, raw, `filter[${index}]`));
  const details = compiled.flatMap((one) => (one.ok ? [] : one.failure.details));
  if (details.length > 0) return failure('invalid', 'The filter is not valid.', details);
  return success(compiled.flatMap((one) => (one.ok ? [one.value] : [])));
}

function parsedList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseGroup(resource: ResourceId, name: string | null): Result<Field | undefined> {
  return name === null ? success(undefined) : named(resource, 'group_by', name);
}

/** `calldate` rises, `-calldate` falls; several with commas. */
function parseSort(resource: ResourceId, text: string | null): Result<readonly Order[]> {
  if (text === null || text === '') return success([]);
  const orders: Order[] = [];
  for (const word of text.split(',', SORT_PROPERTIES)) {
    const field = named(resource, 'sort', word.replace(/^[-+ ]/, ''));
    if (!field.ok) return field;
    orders.push({ field: field.value, descending: word.startsWith('-') });
  }
  return success(orders);
}

function named(resource: ResourceId, parameter: string, name: string): Result<Field> {
  const field = fieldOf(resource, name);
  if (field !== undefined) return success(field);
  return failure('invalid', `${parameter}: there is no property ${shown(name)}; there are ${fieldNames(resource)}`);
}

function* matching<T extends { readonly id: Key }>(source: Source<T>, conditions: readonly Condition[]): Iterable<T> {
  for (const record of indexed(source, conditions) ?? source.all())
    if (conditions.every(({ property, matches }) => matches(member(record, property)))) yield record;
}

/** What the condition leaves of which an index leaves least, in the order of the collection. */
function indexed<T extends { readonly id: Key }>(source: Source<T>, conditions: readonly Condition[]): T[] | undefined {
  let least: T[] | undefined;
  for (const { property, values } of conditions) {
    const found = values === undefined ? undefined : source.find?.(property, values);
    if (found !== undefined && found.length < (least?.length ?? Number.POSITIVE_INFINITY)) least = found;
  }
  return least?.sort((one, other) => compareIds(one.id, other.id));
}

/** Numbers as numbers, texts as texts. */
export function compareIds(one: Key, other: Key): number {
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference)) return difference;
  return String(one) < String(other) ? -1 : 1;
}

function* firstOfEach<T extends object>(records: Iterable<T>, field: Field): Iterable<T> {
  const seen = new Set<unknown>();
  for (const record of records) {
    const key = groupKey(member(record, field.name));
    if (seen.has(key)) continue;
    seen.add(key);
    yield record;
  }
}

function slice<T>(records: Iterable<T>, start: number, limit: number): T[] {
  const items: T[] = [];
  let at = 0;
  for (const record of records) {
    if (at >= start) items.push(record);
    at += 1;
    if (items.length >= limit) break;
  }
  return items;
}

function countAndSlice<T>(records: Iterable<T>, start: number, limit: number): Page<T> {
  const items: T[] = [];
  let total = 0;
  for (const record of records) {
    if (total >= start && items.length < limit) items.push(record);
    total += 1;
  }
  return { items, total };
}

function compare(sort: readonly Order[], one: object, other: object): number {
  for (const { field, descending } of sort) {
    const order = compareBy(field, one, other);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
