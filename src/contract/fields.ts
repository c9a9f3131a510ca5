// Kinds of field that many resources share. Knows no resource.

import type { CodeTable } from './codes.ts';
import { code, either, integer, nullable, string, word } from './schema.ts';

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = string({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'UTC, YYYY-MM-DD HH:MM:SS',
});

/** A timestamp of something that may not have happened. */
export const maybeTimestamp = nullable(timestamp);

/** The id of another record, or null when there is none. */
export const maybeId = nullable(integer());

/** What a phone can dial: a number with or without `+`, an extension, a feature code. */
export const dialled = string({
  pattern: '^\\+?[0-9*#]{1,20}$',
  description: 'E.164 number (with or without +) or extension',
});

/** A public number, with or without `+`. */
export const e164 = string({ pattern: '^\\+?[1-9][0-9]{4,14}$', description: 'E.164, with or without +' });

export const email = string({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254, description: 'email address' });

/** A short text that must say something. */
export const name = string({ minLength: 1, maxLength: 255 });

/** A written form that is a word where the read form is its number: both are accepted, and the number as text. */
export function wordOrCode(codes: CodeTable) {
  const numbers = codes.words.map((text) => codes.codes[text] ?? 0);
  return either(word([...codes.words, ...numbers.map(String)]), code(numbers), {
    description: `one of ${codes.words.join(', ')}, or one of ${numbers.join(', ')}`,
  });
}

const tables = new WeakMap<object, CodeTable>();

/** The read form of a coded field. */
export function coded(codes: CodeTable) {
  const schema = integer({ description: codes.words.map((text) => `${codes.codes[text]} ${text}`).join(', ') });
  tables.set(schema, codes);
  return schema;
}

/** The codes of a schema that `coded` made; undefined for any other. */
export function codesOf(schema: object): CodeTable | undefined {
  return tables.get(schema);
}

/** An address that may be left empty. */
export const emailOrNone = string({
  pattern: '^([^@\\s]+@[^@\\s]+)?$',
  maxLength: 254,
  description: 'an email address, or empty',
});

/** Free text of a documented length. */
export const text = string({ maxLength: 65_535 });

/** An id as a client writes it: a positive integer. */
export const writtenId = integer({ minimum: 1 });

/** An id of something, or 0 or null for none, as a client writes it. */
export const writtenReference = nullable(integer({ minimum: 0 }));
