// Small schemas that scenario documents are made of: durations, names, templates, matchers. Knows no step.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}, and descriptions say so
import type { Static, TProperties, TSchema, TUnsafe } from 'typebox';
import { anything, body, either, integer, string } from '../../contract/schema.ts';

/** An object with these members and no others: a slip of the pen is an error. */
export function closed<P extends TProperties, const R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
  notes: { readonly description?: string } = {},
) {
  const { minProperties: _, ...open } = body(properties, required) as ReturnType<typeof body<P, R>> & {
    minProperties?: number;
  };
  return { ...open, additionalProperties: false, ...notes } as ReturnType<typeof body<P, R>>;
}

/** An object whose members the author names; `key` is the pattern of their names. */
export function mapOf<T extends TSchema>(values: T, key: string, description: string) {
  return {
    type: 'object',
    additionalProperties: values,
    propertyNames: { pattern: key },
    description,
  } as unknown as TUnsafe<Readonly<Record<string, Static<T>>>>;
}

/** A list with at least one item. */
export function some<T extends TSchema>(items: T, description: string) {
  return { type: 'array', items, minItems: 1, description } as unknown as TUnsafe<readonly Static<T>[]>;
}

export const NAME = '^[a-z][a-z0-9_]*$';
export const NAME_WORDS = 'a name: small letters, digits and _';
export const POINTER = '^(/([^~/]|~[01])*)*$';

export const name = string({ pattern: NAME, description: NAME_WORDS });
export const duration = string({
  pattern: '^\\d+(\\.\\d+)?(ms|s|m|h|d)$',
  description: 'a duration such as 250ms, 5s, 15m, 2h or 1d',
});
export const pointer = string({ pattern: POINTER, description: 'a JSON pointer such as /data/id' });
export const sentence = string({ minLength: 3, description: 'a sentence' });

/** Text that may hold `${...}`. */
export const text = string({ minLength: 1, description: 'text, which may hold ${...}' });
export const dialled = string({
  pattern: '^(\\+?[0-9*#]{1,20}|[a-z][a-z0-9_]*|[0-9*#]{0,9}\\$\\{[a-z][a-z0-9_.]*\\})$',
  description: 'a phone of the scenario, a number, an extension, or ${...}, which may stand after a code: *45${queue}',
});

/** JSON in which strings may hold `${...}`. */
export const json = anything({ description: 'any JSON; strings may hold ${...}' });

/** Where something is expected: JSON pointers against matchers. */
export const expectedMembers = mapOf(
  anything({
    description:
      'the expected value (objects: at least these members), or one of {$one_of: [...]}, {$matches: "regular expression"}, {$at_least: n}, {$at_most: n}, {$type: word}, {$size: n}, {$absent: true}, {$not: ...}',
  }),
  POINTER,
  'expected values by JSON pointer',
);

export const captures = mapOf(pointer, NAME, 'what to remember, as ${name}: JSON pointers by name');

export const count = either(
  integer({ minimum: 0 }),
  closed({ at_least: integer({ minimum: 0 }), at_most: integer({ minimum: 0 }) }, []),
  { description: 'a number, or {at_least, at_most}' },
);
export type Count = Static<typeof count>;

export const eventually = closed({ within: duration, hold_for: duration }, ['within'], {
  description: 'try again until it is as expected; hold_for: and stays so for this long',
});
