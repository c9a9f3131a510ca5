// Checks a body against its operation's schema and says in plain words what was wrong. Compiles each schema when it is first used.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { choiceText, expectation, type SchemaWords, shown } from '../contract/schema-words.ts';
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

/** One sentence per place. */
function explain(errors: readonly ErrorObject[]): string[] {
  return [...new Set(outermost(errors).map(sentence))].slice(0, PROBLEMS_NAMED);
}

/** An error inside a choice of forms is told by the choice, but where the value is clearly meant to be one of the forms. */
function outermost(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isInside = (error: ErrorObject): boolean =>
    choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`));
  return errors.filter((error) => !isInside(error)).flatMap((error) => meantForm(error, errors) ?? [error]);
}

/** Limits that tell enough by themselves, whatever else the value could have been. */
const limits: readonly string[] = ['maxLength', 'maxItems', 'minItems'];

/** What is wrong with the one form of a choice whose type the value has: with the inside of a list or an object, or its size. */
function meantForm(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] | undefined {
  const { data, instancePath, schemaPath, parentSchema } = choice;
  const forms = ((parentSchema ?? {}) as SchemaWords).anyOf;
  if (choice.keyword !== 'anyOf' || forms === undefined) return undefined;
  const type = Array.isArray(data) ? 'array' : typeof data;
  const [meant, ...others] = forms.flatMap((form, place) => (form.type === type ? [place] : []));
  if (meant === undefined || others.length > 0) return undefined;
  const inside = errors.filter(
    (error) =>
      error.schemaPath.startsWith(`${schemaPath}/${meant}/`) &&
      (error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)),
  );
  const told = type === 'array' || type === 'object' || inside.some(({ keyword }) => limits.includes(keyword));
  return told && inside.length > 0 ? outermost(inside) : undefined;
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
  const got = secrets.test(place) ? '' : `, got ${sizeOf(error) ?? shown(error.data)}`;
  if (error.keyword === 'anyOf') return choiceText(place, schema, got);
  return `${place || 'body'}: expected ${expectation(schema)}${got}`;
}

/** How long the value is, where that is what was wrong. */
function sizeOf({ keyword, data }: ErrorObject): string | undefined {
  if (Array.isArray(data) && limits.includes(keyword)) return data.length === 1 ? '1 item' : `${data.length} items`;
  return typeof data === 'string' && keyword === 'maxLength' ? `${[...data].length} characters` : undefined;
}

function missingText(name: string, schema: SchemaWords | undefined): string {
  return `${name}: is missing, expected ${expectation(schema ?? {})}`;
}
