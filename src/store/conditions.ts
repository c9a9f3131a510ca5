// One condition of a filter: what it may name, what value it takes, and which records meet it. Knows no collection and no page.
import { type FilterOperator, filterOperators, likeWildcards } from '../contract/filter.ts';
import { filterValueLength, pageLimitMax } from '../contract/limits.ts';
import { type ResourceId, resources } from '../contract/resources.ts';
import { type Twin, toRead, twinOf } from '../contract/twins.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { parseUtc, utcText } from '../kernel/time.ts';

/** How values of a property compare: numbers as numbers, timestamps as moments, lists as text with commas. */
export type FieldKind = 'number' | 'boolean' | 'time' | 'list' | 'text';

/** A property of a resource, found by its read or its written name. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly twin: Twin | undefined;
}

export interface Condition {
  readonly test: (record: object) => boolean;
  /** Values of a property one of which every matching record has: what an index can look up. */
  readonly lookup?: { readonly property: string; readonly values: readonly unknown[] };
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
}

type Value = string | number | boolean | null;

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
  return schema === undefined ? undefined : { name: read, kind: kindOf(schema), twin };
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
  const same = equalTo(field, wanted.value);
  switch (operator) {
    case 'eq':
    case '=':
      return success({ test: (record) => same(member(record, name)), lookup: lookupOf(field, [wanted.value]) });
    case 'ne':
      return success({ test: (record) => !same(member(record, name)) });
    default:
      return compileOrder(field, operator, wanted.value, place);
  }
}

function compileOrder(
  field: Field,
  operator: 'gt' | 'gte' | 'lt' | 'lte',
  value: Value,
  place: string,
): Result<Condition> {
  if (value === null)
    return failure('invalid', `${place}: ${operator} needs a value to compare ${field.name} with, not null`);
  return success({
    test: (record) => {
      const order = compareValues(readRecord(field, member(record, field.name)), value);
      if (order === undefined) return false;
      if (operator === 'gt') return order > 0;
      if (operator === 'gte') return order >= 0;
      return operator === 'lt' ? order < 0 : order <= 0;
    },
  });
}

function compileIn(field: Field, value: unknown, place: string): Result<Condition> {
  if (!Array.isArray(value) || value.length > pageLimitMax)
    return failure('invalid', `${place}: in expects a list of at most ${pageLimitMax} values`);
  const wanted: Value[] = [];
  for (const one of value) {
    const read = readValue(field, one, place);
    if (!read.ok) return read;
    wanted.push(read.value);
  }
  const looked = lookupOf(field, wanted);
  const set = new Set(looked.values);
  const tests = field.kind === 'list' ? wanted.map((one) => equalTo(field, one)) : [];
  const test = (record: object): boolean => {
    const found = member(record, field.name);
    return (
      set.has(field.kind === 'text' && typeof found === 'string' ? found : readRecord(field, found)) ||
      tests.some((same) => same(found))
    );
  };
  return success({ test, lookup: looked });
}

function compileLike(field: Field, value: unknown, place: string): Result<Condition> {
  const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof plain !== 'string' || plain.length > filterValueLength)
    return failure('invalid', `${place}: like expects a text of at most ${filterValueLength} characters`);
  const pattern = plain.toLowerCase();
  const isWild = pattern.includes(likeWildcards.any) || pattern.includes(likeWildcards.one);
  const match = (text: string): boolean => (isWild ? matchesWild(text, pattern) : text.includes(pattern));
  return success({
    test: (record) => {
      const found = member(record, field.name);
      if (found === null || found === undefined) return false;
      const text = (Array.isArray(found) ? found.join(',') : String(found)).toLowerCase();
      return (
        match(text) ||
        (isPlusNumber(text) ? match(text.slice(1)) : isDigits(text) && pattern.startsWith('+') && match(`+${text}`))
      );
    },
  });
}

/** The comparable form of a filter's value, which may be in either form of a twin. */
function readValue(field: Field, value: unknown, place: string): Result<Value> {
  if (value === null) return success(null);
  if (typeof value === 'string' && value.length > filterValueLength)
    return failure('invalid', `${place}: a value has at most ${filterValueLength} characters`);
  const read = readRecord(field, field.twin === undefined ? value : toRead(field.twin, codeIn(field.twin, value)));
  if (read !== null && (typeof value !== 'object' || field.kind === 'list')) return success(read);
  return failure(
    'invalid',
    `${place}: ${field.name} is compared with ${expectedValue[field.kind]}, not ${shown(value)}`,
  );
}

/** A code may be written as text, as every other number of a filter may; no word that has a code looks like a number. */
function codeIn({ mapping }: Twin, value: unknown): unknown {
  return mapping.kind === 'code-to-word' && typeof value === 'string' && /^\d{1,3}$/.test(value)
    ? Number(value)
    : value;
}

/** The comparable form of what a record holds; null when there is none. */
function readRecord({ kind }: Field, value: unknown): Value {
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
      readRecord(field, found) === wanted || (Array.isArray(found) && found.map(String).includes(String(wanted)));
  if (field.kind !== 'text') return (found) => readRecord(field, found) === wanted;
  const spellings = new Set<unknown>(spellingsOf(wanted));
  return (found) => spellings.has(found);
}

function lookupOf(field: Field, wanted: readonly Value[]): { property: string; values: readonly unknown[] } {
  const values = field.kind === 'text' ? wanted.flatMap(spellingsOf) : wanted;
  return { property: field.name, values: [...new Set(values)] };
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
  const a = readRecord(field, member(one, field.name));
  const b = readRecord(field, member(other, field.name));
  return compareValues(a, b) ?? Number(a === null) - Number(b === null);
}

/** What tells the groups of `group_by` apart. */
export function groupKey(field: Field, record: object): unknown {
  const value = member(record, field.name);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function member(record: object, name: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[name];
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
