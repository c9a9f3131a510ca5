// A record in which nothing is set, made from its schema. Knows no resource.
import type { ReadSchema } from '../../contract/resource.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
}

const EMPTY: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

interface Blank {
  readonly members: Readonly<Record<string, unknown>>;
  readonly moments: readonly string[];
}

const blanks = new WeakMap<ReadSchema, Blank>();

/** Empty texts, zeros, the first of each closed set, null where that is allowed (CHOICE-NULL); moments that must be are `now`. */
export function emptyRecord(schema: ReadSchema, now: string): Record<string, unknown> {
  const { members, moments } = blanks.get(schema) ?? blankOf(schema);
  const record: Record<string, unknown> = { ...members };
  for (const name of moments) record[name] = now;
  return record;
}

function blankOf(schema: ReadSchema): Blank {
  const members = Object.entries(schema.properties as Readonly<Record<string, Schema>>);
  const blank = {
    members: Object.fromEntries(members.map(([name, member]) => [name, emptyValue(member)])),
    moments: members.flatMap(([name, member]) => (emptyValue(member) === '' && isMoment(member) ? [name] : [])),
  };
  blanks.set(schema, blank);
  return blank;
}

/** Whether a member is a timestamp. */
export function isMoment({ pattern }: { readonly pattern?: string }): boolean {
  return pattern?.startsWith('^\\d{4}-\\d{2}-\\d{2} ') === true;
}

/** The value that stands for nothing. */
export function emptyValue({ type, enum: words }: Schema): unknown {
  const types = [type ?? []].flat();
  if (types.includes('null')) return null;
  return words === undefined ? EMPTY[types[0] ?? ''] : words[0];
}
