// Checks values against schemas and says in words what was expected, at which part. Knows no schema.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { nearest, oneOf, type Path } from './problem.ts';

export interface Misfit {
  /** From the checked value. */
  readonly path: Path;
  readonly part: 'value' | 'key';
  readonly message: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
const compiled = new WeakMap<object, ValidateFunction>();

/** Everything that does not fit, each part once. */
export function misfits(schema: TSchema | object, value: unknown): Misfit[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return [];
  const seen = new Set<string>();
  const told = telling(validate.errors ?? [])
    .map(misfitOf)
    .filter((misfit) => {
      const key = `${misfit.path.join('/')} ${misfit.message}`;
      return !seen.has(key) && seen.add(key);
    });
  return firstOfLists(told);
}

/** Items of one list that are wrong in the same way have one cause: the first is told, with the number of the others. */
function firstOfLists(told: readonly Misfit[]): Misfit[] {
  const alike = Map.groupBy(told, ({ path, message }) => {
    const where = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');
    return `${where} ${message.replace(/, found .*$/s, '')}`;
  });
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length === 0
      ? [first]
      : [{ ...first, message: `${first.message} (and ${others.length} more like it)` }];
  });
}

/**
 * Of a value with alternatives, the errors that help: what is wrong inside the object that was written, or else that
 * none of the alternatives fits.
 */
function telling(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors.filter((error) => {
    const choice = choices.find(
      (one) =>
        one !== error &&
        (error.instancePath === one.instancePath || error.instancePath.startsWith(`${one.instancePath}/`)),
    );
    if (choice !== undefined) return isObject(choice.data) && isInside(error, choice);
    if (!choices.includes(error)) return true;
    return !isObject(error.data) || !errors.some((other) => other !== error && isInside(other, error));
  });
}

function isInside(error: ErrorObject, choice: ErrorObject): boolean {
  if (error.keyword === 'anyOf' || error.keyword === 'oneOf') return false;
  if (error.instancePath.startsWith(`${choice.instancePath}/`)) return true;
  return error.instancePath === choice.instancePath && ['additionalProperties', 'required'].includes(error.keyword);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function misfitOf(error: ErrorObject): Misfit {
  const path = pathOf(error.instancePath);
  const schema = (error.parentSchema ?? {}) as Schema;
  switch (error.keyword) {
    case 'required': {
      const name = String(error.params.missingProperty);
      const expected = expectation(schema.properties?.[name] ?? {});
      return { path, part: 'value', message: `expected a member ${name}: ${expected}` };
    }
    case 'additionalProperties': {
      const name = String(error.params.additionalProperty);
      return { path: [...path, name], part: 'key', message: unknownWord(name, Object.keys(schema.properties ?? {})) };
    }
    case 'propertyNames':
    case 'pattern': {
      const name = error.propertyName ?? error.params.propertyName;
      if (typeof name !== 'string') break;
      return { path: [...path, name], part: 'key', message: `expected ${keyWords(schema)}, found ${name}` };
    }
    default:
      break;
  }
  return { path, part: 'value', message: `expected ${expectation(schema)}, found ${shown(error.data)}` };
}

/** `found xy, expected one of a, b (did you mean a?)` */
export function unknownWord(written: string, known: readonly string[]): string {
  const hint = nearest(written, known);
  const expected = known.length > 40 && hint !== undefined ? '' : `, expected ${oneOf(known)}`;
  return `unknown: ${written}${expected}${hint === undefined ? '' : `; did you mean ${hint}?`}`;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
}

function keyWords(schema: Schema): string {
  const pattern = schema.propertyNames?.pattern ?? schema.pattern ?? '';
  if (pattern.startsWith('^(/')) return 'a JSON pointer such as /data/id';
  return pattern.startsWith('^[a-z][a-z0-9_]*') ? 'a name: small letters, digits and _' : `a name like ${pattern}`;
}

function expectation(schema: Schema): string {
  if (schema.enum !== undefined) return oneOf(schema.enum.map(String));
  if (schema.description !== undefined) return schema.description;
  const type = [schema.type ?? 'a value'].flat().join(' or ');
  const items = schema.minItems === undefined ? [] : [`with at least ${schema.minItems} items`];
  return [type, ...range(schema.minimum, schema.maximum), ...items].join(' ');
}

function range(least: number | undefined, most: number | undefined): string[] {
  if (least === undefined) return most === undefined ? [] : [`up to ${most}`];
  return [most === undefined ? `from ${least}` : `from ${least} to ${most}`];
}

const MAX_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
