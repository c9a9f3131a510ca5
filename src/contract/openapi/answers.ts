// Responses of the published document: envelopes, errors and their words. Knows no route.

import type { Operation, ResponseShape } from '../operation.ts';
import { nullable, string } from '../schema.ts';
import { resourceReference, schemaOf, schemaReference } from './names.ts';

export const statusWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted for further processing.',
  204: 'Done; no body.',
  301: 'Changed; published with this status, and without a Location.',
  400: 'A parameter is missing or invalid; errors names each.',
  401: 'Credentials are missing, unknown, expired or destroyed.',
  403: 'The user may not access or change this.',
  404: 'There is no such resource.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not application/json.',
  501: 'Not built in this release.',
};

export const linksSchema = {
  type: 'object',
  description: 'related resources: paths below the API root',
  additionalProperties: nullable(string()),
};

export const errorSchema = {
  type: 'object',
  required: ['message', 'errors'],
  properties: { message: { type: 'string' }, errors: { type: 'array', items: { type: 'string' } } },
};

const total = { type: 'integer', minimum: 0, description: 'records after the filter, before the page' };
const links = schemaReference('Links');

function envelope(properties: object): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

function list(items: object): object {
  return { type: 'array', items };
}

/** The body of a success; undefined when there is none or when it is a file. */
export function answerSchema(shape: ResponseShape): object | undefined {
  switch (shape.kind) {
    case 'collection':
      return envelope({ data: list(resourceReference(shape.resource)), total });
    case 'single':
      return envelope({ data: resourceReference(shape.resource), links });
    case 'list-single':
      return envelope({ data: { ...list(resourceReference(shape.resource)), minItems: 1, maxItems: 1 }, total });
    case 'sub-collection': {
      const items = envelope({ items: list(resourceReference(shape.items)), total });
      return envelope({ data: { allOf: [resourceReference(shape.owner), items] }, links });
    }
    case 'message':
      return schemaOf(shape.schema);
    case 'file':
    case 'empty':
      return undefined;
  }
}

function success(status: number, shape: ResponseShape): object {
  const description = statusWords[status] ?? 'Done.';
  if (shape.kind === 'file') return { description, content: { [shape.mediaType]: {} } };
  const schema = answerSchema(shape);
  return schema === undefined ? { description } : { description, content: { 'application/json': { schema } } };
}

/** Every response of an operation. `built` false adds 501. */
export function responsesOf(operation: Operation, built: boolean): Record<string, object> {
  const errors = [...operation.listed, ...operation.general, ...operation.chosen, ...(built ? [] : [501])];
  return Object.fromEntries([
    ...operation.success.map((status) => [status, success(status, operation.response)] as const),
    ...errors.sort().map((status) => [status, { $ref: `#/components/responses/Error${status}` }] as const),
  ]);
}

/** The error responses that operations refer to. */
export function errorResponses(): Record<string, object> {
  const statuses = Object.keys(statusWords)
    .map(Number)
    .filter((status) => status >= 400);
  return Object.fromEntries(statuses.map((status) => [`Error${status}`, errorResponse(status)]));
}

function errorResponse(status: number): object {
  const challenge = { description: 'Basic, with a realm', schema: { type: 'string' } };
  return {
    description: statusWords[status] ?? '',
    ...(status === 401 ? { headers: { 'WWW-Authenticate': challenge } } : {}),
    content: { 'application/json': { schema: schemaReference('Error') } },
  };
}
