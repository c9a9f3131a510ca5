// JSON Schema 2020-12 written in TypeBox's types, so that one text validates (Ajv) and types (Static). Knows no resource.
//
// Only TypeBox's types are imported: loading the package costs 85 ms or more of start time, a third of the whole budget,
// and Ajv is what checks values here. Each builder returns the plain JSON Schema that its TypeBox type stands for.

import type {
  TArray,
  TBoolean,
  TInteger,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
  TUnknown,
  TUnsafe,
} from 'typebox';

/** Keywords that any node may carry. */
export interface Notes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

interface StringLimits extends Notes {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface NumberLimits extends Notes {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ArrayLimits extends Notes {
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Members<P extends TProperties, R extends keyof P> = {
  [K in keyof P]: K extends R ? P[K] : TOptional<P[K]>;
};

function node<T extends TSchema>(keywords: object): T {
  return keywords as T;
}

export function string(limits: StringLimits = {}): TString {
  return node({ type: 'string', ...limits });
}

export function integer(limits: NumberLimits = {}): TInteger {
  return node({ type: 'integer', ...limits });
}

export function number(limits: NumberLimits = {}): TNumber {
  return node({ type: 'number', ...limits });
}

export function boolean(notes: Notes = {}): TBoolean {
  return node({ type: 'boolean', ...notes });
}

export function array<T extends TSchema>(items: T, limits: ArrayLimits = {}): TArray<T> {
  return node({ type: 'array', items, ...limits });
}

/** Any JSON value. */
export function anything(notes: Notes = {}): TUnknown {
  return node({ ...notes });
}

/** One of a closed set of words. */
export function word<const W extends readonly string[]>(words: W, notes: Notes = {}): TUnsafe<W[number]> {
  return node({ type: 'string', enum: [...words], ...notes });
}

/** One of a closed set of integers. */
export function code<const C extends readonly number[]>(codes: C, notes: Notes = {}): TUnsafe<C[number]> {
  return node({ type: 'integer', enum: [...codes], ...notes });
}

/** The value or null. A closed set gains null as a member. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  const keywords = schema as { type?: string; enum?: readonly unknown[]; anyOf?: readonly unknown[] };
  if (keywords.type === undefined) return node({ anyOf: [...(keywords.anyOf ?? [schema]), { type: 'null' }] });
  const open = { ...keywords, type: [keywords.type, 'null'] };
  return node(keywords.enum === undefined ? open : { ...open, enum: [...keywords.enum, null] });
}

/** Either form of a field whose written and read types differ. */
export function either<A extends TSchema, B extends TSchema>(one: A, other: B, notes: Notes = {}): TUnion<[A, B]> {
  return node({ anyOf: [one, other], ...notes });
}

/** An object whose members are all present: what responses carry. */
export function record<P extends TProperties>(properties: P, notes: Notes = {}): TObject<P> {
  return node({ type: 'object', properties, required: Object.keys(properties), ...notes });
}

/** An object that a client writes: the named members are required, the others optional, unknown ones ignored. */
export function body<P extends TProperties, const R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
): TObject<Members<P, R[number]>> {
  return node({
    type: 'object',
    properties,
    ...(required.length > 0 ? { required: [...required] } : { minProperties: 1 }),
  });
}

/** An object that a client writes: one at least of these texts is there and says something. */
export function someOf<P extends TProperties>(
  properties: P,
  texts: readonly (keyof P & string)[],
): TObject<Members<P, never>> {
  const filled = (text: string): object => ({
    properties: { [text]: { not: { const: '' } } },
    required: [text],
  });
  return node({ type: 'object', properties, anyOf: texts.map(filled) });
}

/** A condition on an object: these members are present. */
export function having(...members: readonly string[]): object {
  return { properties: Object.fromEntries(members.map((member) => [member, true])), required: [...members] };
}
