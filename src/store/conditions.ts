// One condition of a filter: what it may name, what value it takes, and which records meet it. Knows no collection and no page.
import { type FilterOperator, filterOperators, likeWildcards } from '../contract/filter.ts';
import { filterValueLength, pageLimitMax } from '../contract/limits.ts';
import { type ResourceId, resources } from '../contract/resources.ts';
import { type Twin, toRead, twinOf } from '../contract/twins.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { parseUtc, utcText } from '../kernel/time.ts';
import { type ClosedSet, closedSetOf } from './closed-sets.ts';
import { secondsOf } from './columns/times.ts';

/** How values of a property compare: numbers as numbers, timestamps as moments, lists as text with commas. */
export type FieldKind = 'number' | 'boolean' | 'time' | 'list' | 'text';

/** A property of a resource, found by its read or its written name. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly twin: Twin | undefined;
  /** All that it can hold, where that is little. */
  readonly closed?: ClosedSet | undefined;
}

export interface Condition {
  readonly property: string;
  /** Whether a record whose property has this value meets the condition. */
  readonly matches: (value: unknown) => boolean;
  /** Values one of which every matching record has: what an index can look up. */
  readonly values?: readonly unknown[];
  /** Between which keys (`keyOf`) the values of all matching records lie: what an ordered index can look up. */
  readonly range?: KeyRange;
}

/** An infinite end is never part of the range: what has no value is in none. */
export interface KeyRange {
  readonly from: number;
  readonly to: number;
  /** Whether the ends themselves are left out. */
  readonly open: boolean;
  /** Whether everything in the range matches. */
  readonly exact: boolean;
}

interface FieldSchema {
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
}

export type Value = string | number | boolean | null;

const expectedValue: Readonly<Record<FieldKind, string>> = {
  number: 'a number',
  boolean: 'true or false',
  time: 'a time such as 2026-01-31 12:00:00',
  list: 'a text',
  text: 'a text',
};

/** The property of that name; undefined when the resource has none. */
export function fieldOf(resource: ResourceId, name: string): Field | undefined {
  const properties = resources[resource].schema.properties as Readonly<Record<string, FieldSchema>>;
  const twin = twinOf(resource, name);
  const read = Object.hasOwn(properties, name) ? name : (twin?.read ?? name);
  const schema = Object.hasOwn(properties, read) ? properties[read] : undefined;
  if (schema === undefined) return undefined;
  return { name: read, kind: kindOf(schema), twin, closed: closedSetOf(schema, twin) };
}

/** The names that filter, group_by and sort understand. */
export function fieldNames(resource: ResourceId): string {
  return Object.keys(resources[resource].schema.properties).join(', ');
}

function kindOf({ type, pattern }: FieldSchema): FieldKind {
  const types = [type ?? []].flat();
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('array')) return 'list';
  return pattern?.startsWith('^\\d{4}-\\d{2}-\\d{2} ') === true ? 'time' : 'text';
}

/** Reads one element of `filter`; `place` is its name in messages. */
export function compileCondition(resource: ResourceId, raw: unknown, place: string): Result<Condition> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return failure('invalid', `${place}: expected an object of operator, value and property`);
  const { property, operator, value } = raw as Readonly<Record<string, unknown>>;
  if (typeof property !== 'string') return failure('invalid', `${place}: property is missing, expected a name`);
  const field = fieldOf(resource, property);
  if (field === undefined)
    return failure('invalid', `${place}: there is no property ${shown(property)}; there are ${fieldNames(resource)}`);
  if (typeof operator !== 'string' || !isOperator(operator))
    return failure('invalid', `${place}: unknown operator ${shown(operator)}, expected ${filterOperators.join(', ')}`);
  if (value === undefined) return failure('invalid', `${place}: value is missing`);
  return compile(field, operator, value, place);
}

function isOperator(text: string): text is FilterOperator {
  return (filterOperators as readonly string[]).includes(text);
}

function compile(field: Field, operator: FilterOperator, value: unknown, place: string): Result<Condition> {
  const { name } = field;
  if (operator === 'in') return compileIn(field, value, place);
  if (operator === 'like') return compileLike(field, value, place);
  const wanted = readValue(field, value, place);
  if (!wanted.ok) return wanted;
  if (operator === 'gt' || operator === 'gte' || operator === 'lt' || operator === 'lte')
    return compileOrder(field, operator, wanted.value, place);
  if (!canHold(field, wanted.value)) return unlike(field, value, place);
  const same = equalTo(field, wanted.value);
  if (operator === 'ne') return success({ property: name, matches: (found) => !same(found) });
  return success({ property: name, matches: same, ...lookupOf(field, [wanted.value]) });
}

/** Null asks for nothing there, of any property. */
function canHold({ closed }: Field, value: Value): boolean {
  return closed === undefined || value === null || closed.values.has(value);
}

function unlike({ name, kind, closed }: Field, value: unknown, place: string): Result<never> {
  const expected = closed === undefined ? expectedValue[kind] : `one of ${closed.words}`;
  return failure('invalid', `${place}: ${name} is compared with ${expected}, not ${shown(value)}`);
}

function compileOrder(
  field: Field,
  operator: 'gt' | 'gte' | 'lt' | 'lte',
  value: Value,
  place: string,
): Result<Condition> {
  if (value === null)
    return failure('invalid', `${place}: ${operator} needs a value to compare ${field.name} with, not null`);
  const matches = (found: unknown): boolean => {
    const order = compareValues(comparable(field.kind, found), value);
    if (order === undefined) return false;
    if (operator === 'gt') return order > 0;
    if (operator === 'gte') return order >= 0;
    return operator === 'lt' ? order < 0 : order <= 0;
  };
  const range = rangeOf(field, operator, value);
  return success({ property: field.name, matches, ...(range === undefined ? {} : { range }) });
}

/** Undefined where keys do not have the order of the values: of texts, and of times that no calendar has. */
function rangeOf({ kind }: Field, operator: 'gt' | 'gte' | 'lt' | 'lte', value: Value): KeyRange | undefined {
  const key = keyOf(kind, value);
  if (kind === 'text' || kind === 'list' || !Number.isFinite(key)) return undefined;
  const ends = operator.startsWith('g') ? { from: key, to: NO_VALUE } : { from: NO_MOMENT, to: key };
  return { ...ends, open: !operator.endsWith('e'), exact: true };
}

function compileIn(field: Field, value: unknown, place: string): Result<Condition> {
  if (!Array.isArray(value) || value.length > pageLimitMax)
    return failure('invalid', `${place}: in expects a list of at most ${pageLimitMax} values`);
  const wanted: Value[] = [];
  for (const one of value) {
    const read = readValue(field, one, place);
    if (!read.ok) return read;
    if (!canHold(field, read.value)) return unlike(field, one, place);
    wanted.push(read.value);
  }
  if (field.kind === 'list') {
    const tests = wanted.map((one) => equalTo(field, one));
    return success({ property: field.name, matches: (found) => tests.some((same) => same(found)) });
  }
  const looked = lookupOf(field, wanted);
  const set = new Set(looked.values);
  const matches = (found: unknown): boolean =>
    set.has(field.kind === 'text' && typeof found === 'string' ? found : comparable(field.kind, found));
  return success({ property: field.name, matches, ...looked });
}

function compileLike(field: Field, value: unknown, place: string): Result<Condition> {
  const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof plain !== 'string' || plain.length > filterValueLength)
    return failure('invalid', `${place}: like expects a text of at most ${filterValueLength} characters`);
  const pattern = plain.toLowerCase();
  const isWild = pattern.includes(likeWildcards.any) || pattern.includes(likeWildcards.one);
  const match = matcherOf(pattern, isWild);
  const matches = (found: unknown): boolean => {
    if (found === null || found === undefined) return false;
    const text = (Array.isArray(found) ? found.join(',') : String(found)).toLowerCase();
    return (
      match(text) ||
      (isPlusNumber(text) ? match(text.slice(1)) : isDigits(text) && pattern.startsWith('+') && match(`+${text}`))
    );
  };
  const range = field.kind === 'time' && (isWild || YEAR.test(pattern)) ? timesLike(pattern) : undefined;
  return success({ property: field.name, matches, ...(range === undefined ? {} : { range }) });
}

/** Four digits and a hyphen are nowhere in a time but where it begins. */
const YEAR = /^\d{4}-/;
const EARLIEST = '0000-00-00 00:00:00';
const LATEST = '9999-99-99 99:99:99';

/** The moments that begin as the pattern does: `2026-01-%` is a month. */
function timesLike(pattern: string): KeyRange | undefined {
  const prefix = /^[\d: -]*/.exec(pattern)?.[0] ?? '';
  const from = momentOf(prefix + EARLIEST.slice(prefix.length));
  const to = momentOf(prefix + LATEST.slice(prefix.length));
  return prefix.length < 4 || from === undefined || to === undefined
    ? undefined
    : { from, to, open: false, exact: false };
}

/** Seconds since 1970, where a month may have too many days and a day too many hours: each digit counts upwards. */
function momentOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number);
  return year < 1000 ? undefined : Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** The comparable form of a filter's value, which may be in either form of a twin. */
function readValue(field: Field, value: unknown, place: string): Result<Value> {
  if (value === null) return success(null);
  if (typeof value === 'string' && value.length > filterValueLength)
    return failure('invalid', `${place}: a value has at most ${filterValueLength} characters`);
  const read = comparable(field.kind, field.twin === undefined ? value : toRead(field.twin, value));
  if (read !== null && (typeof value !== 'object' || field.kind === 'list')) return success(read);
  return unlike(field, value, place);
}

/** The comparable form of what a record holds; null when there is none. */
export function comparable(kind: FieldKind, value: unknown): Value {
  switch (kind) {
    case 'number':
      if (typeof value === 'number') return value;
      return typeof value === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) ? Number(value) : null;
    case 'boolean':
      if (value === 1 || value === '1' || value === 'true') return true;
      if (value === 0 || value === '0' || value === 'false') return false;
      return typeof value === 'boolean' ? value : null;
    case 'time':
      return typeof value === 'string' ? readTime(value) : null;
    case 'list':
      return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : null;
    case 'text':
      return typeof value === 'string'
        ? value
        : typeof value === 'number' || typeof value === 'boolean'
          ? String(value)
          : null;
  }
}

/** The key of what has no value, after all others, and of a time that no calendar has, before them. */
export const NO_VALUE = Number.POSITIVE_INFINITY;
export const NO_MOMENT = Number.NEGATIVE_INFINITY;

/**
 * A number for a value of such a property, for indexes. Equal values have equal keys; keys of numbers, booleans and times
 * have the order of the values, those of texts have none, and two texts may share one.
 */
export function keyOf(kind: FieldKind, value: unknown): number {
  const read = comparable(kind, value);
  if (read === null) return NO_VALUE;
  if (typeof read !== 'string') return Number(read);
  return kind === 'time' ? (secondsOf(read) ?? NO_MOMENT) : hashOf(read);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** Timestamps in the API's own form sort as text, so that a scan over many records parses none. */
function readTime(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return text;
  const ms = parseUtc(text);
  return ms === undefined ? null : utcText(ms);
}

function equalTo(field: Field, wanted: Value): (found: unknown) => boolean {
  if (wanted === null) return (found) => found === null || found === undefined;
  if (field.kind === 'list')
    return (found) =>
      comparable('list', found) === wanted || (Array.isArray(found) && found.map(String).includes(String(wanted)));
  if (field.kind !== 'text') return (found) => comparable(field.kind, found) === wanted;
  const spellings = new Set<unknown>(spellingsOf(wanted));
  return (found) => spellings.has(found);
}

/** Nothing for lists: a list is found by each of its elements, too. */
function lookupOf({ kind }: Field, wanted: readonly Value[]): { readonly values?: readonly Value[] } {
  if (kind === 'list') return {};
  return { values: [...new Set(kind === 'text' ? wanted.flatMap(spellingsOf) : wanted)] };
}

/** A public number with and without its plus sign: CHOICE-NUMBERS. */
function spellingsOf(wanted: Value): Value[] {
  if (typeof wanted !== 'string') return [wanted];
  if (isPlusNumber(wanted)) return [wanted, wanted.slice(1)];
  return isDigits(wanted) ? [wanted, `+${wanted}`] : [wanted];
}

function isPlusNumber(text: string): boolean {
  return /^\+\d{5,20}$/.test(text);
}

function isDigits(text: string): boolean {
  return /^\d{5,20}$/.test(text);
}

/** Below, at or above zero as the first sorts before, with or after the second; undefined when one has no value. */
export function compareValues(one: Value, other: Value): number | undefined {
  if (one === null || other === null) return undefined;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Orders two records by a property; records without a value come last. */
export function compareBy(field: Field, one: object, other: object): number {
  const a = comparable(field.kind, member(one, field.name));
  const b = comparable(field.kind, member(other, field.name));
  return compareValues(a, b) ?? Number(a === null) - Number(b === null);
}

/** What tells the groups of `group_by` apart. */
export function groupKey(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

export function member(record: object, name: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[name];
}

/** Most patterns are of runs alone, and their parts are found at the speed of a text search. */
function matcherOf(pattern: string, isWild: boolean): (text: string) => boolean {
  if (!isWild) return (text) => text.includes(pattern);
  if (pattern.includes(likeWildcards.one)) return (text) => matchesWild(text, pattern);
  const parts = pattern.split(likeWildcards.any);
  const start = parts.shift() ?? '';
  const end = parts.pop() ?? '';
  return (text) => {
    if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end)) return false;
    let at = start.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - end.length;
  };
}

/** `%` any run, `_` one character, over the whole text. Goes back only to the last `%`, so no pattern is slow. */
function matchesWild(text: string, pattern: string): boolean {
  let at = 0;
  let in_ = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    const sign = pattern[in_];
    if (sign === likeWildcards.any) {
      star = in_;
      mark = at;
      in_ += 1;
    } else if (sign !== undefined && (sign === likeWildcards.one || sign === text[at])) {
      in_ += 1;
      at += 1;
    } else if (star >= 0) {
      mark += 1;
      at = mark;
      in_ = star + 1;
    } else return false;
  }
  while (pattern[in_] === likeWildcards.any) in_ += 1;
  return in_ === pattern.length;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
