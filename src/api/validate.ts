// Checks a body against its operation's schema and says in plain words what was wrong. Compiles each schema when it is first used.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { expectation, type SchemaWords, shown } from '../contract/schema-words.ts';
import { failure, type Result, success } from '../kernel/errors.ts';

/** Things that were wrong which one answer names. */
export const PROBLEMS_NAMED = 50;

/** Members whose value is never repeated in an answer. */
const secrets = /password|token|code|nonce/;

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
        problemsOf(schema as SchemaWords, expected),
      );
    }
    const validate = this.#compiled.get(operation.id) ?? this.#ajv.compile(schema);
    this.#compiled.set(operation.id, validate);
    if (validate(body)) return success(body);
    return failure('invalid', 'The body is not valid.', explain(validate.errors ?? []));
  }
}

function problemsOf(schema: SchemaWords & { readonly required?: readonly string[] }, expected: string): string[] {
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
  const schema = (error.parentSchema ?? {}) as SchemaWords;
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    return missingText(place === '' ? name : `${place}.${name}`, schema.properties?.[name]);
  }
  if (error.keyword === 'minProperties')
    return `${place || 'body'}: expected at least one of ${Object.keys(schema.properties ?? {}).join(', ')}`;
  const got = secrets.test(place) ? '' : `, got ${shown(error.data)}`;
  return `${place || 'body'}: expected ${expectation(schema)}${got}`;
}

function missingText(name: string, schema: SchemaWords | undefined): string {
  return `${name}: is missing, expected ${expectation(schema ?? {})}`;
}
