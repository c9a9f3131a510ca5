// Checks a request against its row's schemas and says in plain words what was wrong. Knows no operation.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { expectation, type SchemaWords } from '../contract/schema-words.ts';
import { failure, type Result, success } from '../kernel/errors.ts';

/** Problems named in one answer. */
const MAX_PROBLEMS = 20;

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
/** Query parameters are all text: numbers are read from it. */
const ajvOfText = new Ajv2020({ allErrors: true, strict: false, verbose: true, coerceTypes: true });
const compiled = new WeakMap<TSchema, ValidateFunction>();

export function checkBody(schema: TSchema, body: unknown): Result<unknown> {
  if (body === undefined) return failure('invalid', 'The request has no body.', ['body: missing, expected JSON']);
  return check(ajv, schema, body, 'The body is not valid.');
}

export function checkQuery(schema: TSchema, query: Readonly<Record<string, unknown>>): Result<unknown> {
  return check(ajvOfText, schema, { ...query }, 'The query is not valid.');
}

function check(validator: Ajv2020, schema: TSchema, value: unknown, message: string): Result<unknown> {
  const validate = compiled.get(schema) ?? validator.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return success(value);
  const problems = [...new Set(told(validate.errors ?? []).map(explain))];
  return failure('invalid', message, problems.slice(0, MAX_PROBLEMS));
}

/** One sentence per place: what is wrong inside a choice of forms is told by the choice. */
function told(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !choices.some((choice) => schemaPath.startsWith(choice)));
}

function explain(error: ErrorObject): string {
  const parent = error.instancePath.slice(1).replaceAll('/', '.');
  const schema = (error.parentSchema ?? {}) as SchemaWords;
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    return `${joined(parent, name)}: missing, expected ${expectation(schema.properties?.[name] ?? {})}`;
  }
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {});
    const name = joined(parent, String(error.params.additionalProperty));
    return known.length === 0 ? `${name}: unknown` : `${name}: unknown, expected ${oneOf(known)}`;
  }
  if (error.keyword === 'minProperties')
    return `${parent || 'body'}: expected ${oneOf(Object.keys(schema.properties ?? {}))}`;
  return `${parent || 'body'}: expected ${expectation(schema)}`;
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`;
}

function joined(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
