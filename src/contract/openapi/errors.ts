// Error responses: for each status its reason, and bodies as the simulator words them. Knows no success.

import { type ErrorExample, refusals } from '../examples/answers.ts';
import { bodyLimitBytes } from '../limits.ts';
import type { Operation, RequestBody } from '../operation.ts';
import { openToRestricted } from '../restricted.ts';
import { choiceText, expectation, type SchemaWords } from '../schema-words.ts';
import { schemaReference } from './names.ts';
import { subjectName } from './nouns.ts';

export const errorSchema = {
  type: 'object',
  required: ['message', 'errors'],
  properties: {
    message: { type: 'string', description: 'what was wrong, in a sentence' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      description: 'one sentence for each thing that was wrong, beginning with the name of the property',
    },
  },
  examples: [{ message: 'The body is not valid.', errors: ['to: is missing, expected text'] }],
};

type Examples = Readonly<Record<string, ErrorExample>>;

/** Statuses whose reason is the same for every operation. */
const sharedErrors: Readonly<Record<number, { readonly reason: string; readonly message: string }>> = {
  401: {
    reason: 'Credentials are missing, unknown, expired or destroyed; `message` tells which.',
    message:
      'There is no Authorization header; expected Authorization: Basic with the base64 of user_id:user_token or user_id:api_key.',
  },
  413: { reason: 'The body is larger than 1 MiB.', message: `The body is larger than ${bodyLimitBytes} bytes.` },
  415: {
    reason: 'The body is not application/json.',
    message: 'The Content-Type of the body is not application/json.',
  },
};

/** The error responses that operations refer to. */
export function sharedErrorResponses(): object {
  return Object.fromEntries(
    Object.entries(sharedErrors).map(([status, { reason, message }]) => [
      `Error${status}`,
      response(reason, { 'As worded': plain(message) }, status === '401'),
    ]),
  );
}

/** Every error response of an operation by status. */
export function errorsOf(operation: Operation): readonly (readonly [number, object])[] {
  const { listed, general, chosen } = operation;
  return [...listed, ...general, ...chosen].map((status) => [status, errorOf(operation, status)] as const);
}

function errorOf(operation: Operation, status: number): object {
  switch (status) {
    case 400:
      return response(invalidReason(operation), invalidExamples(operation));
    case 403:
      return response(forbiddenReason(operation), { 'As worded': plain(forbiddenMessage(operation)) });
    case 404:
      return response(missingReason(operation), { 'As worded': missingExample(operation) });
    default:
      return { $ref: `#/components/responses/Error${status}` };
  }
}

function response(description: string, examples: Examples, challenges = false): object {
  const challenge = { description: 'Basic, with a realm', schema: { type: 'string' } };
  return {
    description,
    ...(challenges ? { headers: { 'WWW-Authenticate': challenge } } : {}),
    content: {
      'application/json': {
        schema: schemaReference('Error'),
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  };
}

function plain(message: string): ErrorExample {
  return { message, errors: [message] };
}

function invalidReason({ id, body, parameters }: Operation): string {
  if (body === undefined) {
    const named = parameters.named.map(({ name }) => name);
    const own = named.length === 0 ? '' : `, ${named.join(', ')}`;
    return `A query parameter is not valid: page, limit, filter, group_by, sort${own}.`;
  }
  const reason = 'A member of the body is missing or not valid; `errors` names each. Nothing is changed.';
  return refusals[id] === undefined ? reason : `${reason} Or the request cannot be met, as the examples show.`;
}

function invalidExamples({ id, body }: Operation): Examples {
  if (body !== undefined) return { 'Body not valid': bodyRefusal(body), ...refusals[id] };
  return {
    'Query not valid': {
      message: 'The query is not valid.',
      errors: ['limit: expected a whole number of at least 1, got 0'],
    },
  };
}

type ObjectWords = SchemaWords & {
  readonly required?: readonly string[];
  readonly items?: ObjectWords;
  readonly minProperties?: number;
  readonly allOf?: readonly SchemaWords[];
};

/** What an empty object is told, or an array of one. */
function bodyRefusal({ schema, bulk }: RequestBody): ErrorExample {
  const words = schema as ObjectWords;
  const element = (bulk ? words.items : words) ?? {};
  const { required = [], properties = {}, minProperties, allOf = [], anyOf } = element;
  const conditions = [...allOf, ...(anyOf === undefined ? [] : [element])];
  const [at, got] = [bulk ? '[0]' : '', ', got an object'];
  const [place, member] = bulk ? ['[0]', '[0].'] : ['body', ''];
  const missing = required.map(
    (name) => `${member}${name}: is missing, expected ${expectation(properties[name] ?? {})}`,
  );
  if (minProperties !== undefined)
    missing.push(`${place}: expected at least one of ${Object.keys(properties).join(', ')}`);
  const errors = [...conditions.map((one) => choiceText(at, one, got)), ...missing];
  return { message: 'The body is not valid.', errors };
}

function forbiddenReason({ id, effect }: Operation): string {
  if (effect === 'destroy') return 'Agents and restricted users may not use it.';
  if (!openToRestricted.has(id)) return 'Restricted users may not use it.';
  return "A restricted user asks for what is somebody else's. Where there is nothing of that kind to ask for, 403 is not given.";
}

function forbiddenMessage(operation: Operation): string {
  const { id, method, path, effect, parameters } = operation;
  if (effect === 'destroy') return `The role agent may not use ${method} ${path}.`;
  const isOpen = openToRestricted.has(id) && parameters.path.length > 0;
  if (isOpen) return `The role restricted user does not reach this ${subjectName(operation)}.`;
  return `The role restricted user may not use ${method} ${path}.`;
}

function missingReason(operation: Operation): string {
  const name = subjectName(operation);
  const several = operation.body?.bulk === true || operation.parameters.path.some(({ kind }) => kind === 'ids');
  if (several) return `One of the ids is that of no ${name}, or of another account's; nothing is changed.`;
  return `The account has no such ${name}; another account's answers the same.`;
}

function missingExample(operation: Operation): ErrorExample {
  const message = `There is no such ${subjectName(operation)}.`;
  const kind = operation.parameters.path[0]?.kind;
  return kind === 'ids'
    ? { message, errors: [`ids[0]: ${message.replace(/\.$/, '')}, got 999999999`] }
    : plain(message);
}
