// What a schema asks for, in the words of a person: one home for every sentence that says what was expected. Knows no validator.

/** The keywords of JSON Schema that can be put into words. */
export interface SchemaWords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaWords[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SchemaWords>>;
  readonly required?: readonly string[];
}

/** What a schema asks for, as a person would say it. */
export function expectation(schema: SchemaWords): string {
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`;
  if (schema.anyOf !== undefined) return schema.description ?? eachOnce(formsOf(schema)).join(', or ');
  const types = [schema.type ?? []].flat().map((type) => typeWords[type] ?? type);
  const limits = [
    schema.description,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ].filter((limit) => limit !== undefined);
  const type = types.length === 0 ? 'a value' : types.join(' or ');
  return limits.length === 0 ? type : `${type} (${limits.join('; ')})`;
}

/** What may be there, of forms within forms each for itself. */
function formsOf(schema: SchemaWords): string[] {
  const { anyOf, description } = schema;
  return anyOf === undefined || description !== undefined ? [expectation(schema)] : anyOf.flatMap(formsOf);
}

/** Without the forms that another one names, too: words alone, beside words and numbers. */
function eachOnce(forms: readonly string[]): string[] {
  const distinct = [...new Set(forms)];
  return distinct.filter((form) => !distinct.some((other) => other !== form && other.startsWith(form)));
}

/** What an object is told of which one of several forms is wanted: the members that make them, where nothing else tells them apart. */
export function choiceText(place: string, schema: SchemaWords, got: string): string {
  const members = schema.description === undefined ? (schema.anyOf ?? []).map(({ required = [] }) => required[0]) : [];
  if (members.length === 0 || members.includes(undefined))
    return `${place || 'body'}: expected ${expectation(schema)}${got}`;
  const names = members.map((name) => (place === '' ? name : `${place}.${name}`));
  return `${names.join(', ')}: expected at least one of these`;
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

/** A value as a sentence can show it: short, and without the inside of lists and objects. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
