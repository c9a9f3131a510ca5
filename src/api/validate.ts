// Checks a body against its operation's schema and says in plain words what was wrong. Compiles each schema when it is first used.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { failure, type Result, success } from '../kernel/errors.ts';

/** Things that were wrong which one answer names. */
export const PROBLEMS_NAMED = 50;

/** Members whose value is never repeated in an answer. */
const secrets = /password|token|code|nonce/;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export class Validator {
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  readonly #compiled = new Map<OperationId, ValidateFunction>();

  /** The body as it came: unknown members are left for the handler to ignore (CHOICE-UNKNOWN-MEMBERS). */
  check(operation: Operation, body: unknown): Result<unknown> {
    if (operation.body === undefined) return success(undefined);
    const { schema, bulk } = operation.body;
    if (body === undefined) {
      const expected = bulk ? 'a JSON array' : 'a JSON object';
      return failure(
        'invalid',
        `The request has no body; expected ${expected}.`,
        problemsOf(schema as Schema, expected),
      );
    }
    const validate = this.#compiled.get(operation.id) ?? this.#ajv.compile(schema);
    this.#compiled.set(operation.id, validate);
    if (validate(body)) return success(body);
    return failure('invalid', 'The body is not valid.', explain(validate.errors ?? []));
  }
}

function problemsOf(schema: Schema & { readonly required?: readonly string[] }, expected: string): string[] {
  const missing = (schema.required ?? []).map((name) => missingText(name, schema.properties?.[name]));
  return missing.length > 0 ? missing : [`body: is missing, expected ${expected}`];
}

/** One sentence per place. An error inside a choice of forms is told by the choice. */
function explain(errors: readonly ErrorObject[]): string[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const outer = errors.filter(
    (error) => !choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`)),
  );
  return [...new Set(outer.map(sentence))].slice(0, PROBLEMS_NAMED);
}

function sentence(error: ErrorObject): string {
  const place = error.instancePath
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '');
  const schema = (error.parentSchema ?? {}) as Schema;
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    return missingText(place === '' ? name : `${place}.${name}`, schema.properties?.[name]);
  }
  if (error.keyword === 'minProperties')
    return `${place || 'body'}: expected at least one of ${Object.keys(schema.properties ?? {}).join(', ')}`;
  const got = secrets.test(place) ? '' : `, got ${shown(error.data)}`;
  return `${place || 'body'}: expected ${expectation(schema)}${got}`;
}

function missingText(name: string, schema: Schema | undefined): string {
  return `${name}: is missing, expected ${expectation(schema ?? {})}`;
}

/** What a schema asks for, as a person would say it. */
function expectation(schema: Schema): string {
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`;
  if (schema.anyOf !== undefined) return schema.description ?? schema.anyOf.map(expectation).join(', or ');
  const types = [schema.type ?? []].flat().map((type) => typeWords[type] ?? type);
  const limits = [
    schema.description ?? (schema.pattern === undefined ? undefined : `like ${schema.pattern}`),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ].filter((limit) => limit !== undefined);
  const type = types.length === 0 ? 'a value' : types.join(' or ');
  return limits.length === 0 ? type : `${type} (${limits.join('; ')})`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined) return most === undefined ? undefined : `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
