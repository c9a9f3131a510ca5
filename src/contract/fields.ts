// Kinds of field that many resources share. Knows no resource.

import { integer, nullable, string } from './schema.ts';

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
