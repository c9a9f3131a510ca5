// Success responses of the published document: envelopes, headers and examples. Knows no error's words.

import { acceptedExample, fileExamples, flatExamples } from '../examples/answers.ts';
import { recordExamples } from '../examples/records.ts';
import type { Operation, ResponseShape } from '../operation.ts';
import { type ResourceId, resources } from '../resources.ts';
import { nullable, string } from '../schema.ts';
import { errorsOf } from './errors.ts';
import { resourceReference, schemaOf, schemaReference } from './names.ts';

const statusWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted for further processing; here it is done already.',
  204: 'Done; no body.',
  301: 'Changed; published with this status, and without a Location.',
};

export const linksSchema = {
  type: 'object',
  description: 'related resources: paths below the API root',
  additionalProperties: nullable(string()),
  examples: [{ self: '/v1.1/pbx/calls/10000031' }],
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

/** Bodies of a success by name; undefined when there is none or when it is binary. */
function answerExamples(operation: Operation): Readonly<Record<string, unknown>> | undefined {
  const { id, response } = operation;
  switch (response.kind) {
    case 'collection':
    case 'list-single':
      return { [titled(response.resource)]: { data: [recordExamples[response.resource]], total: 1 } };
    case 'single':
      return {
        [titled(response.resource)]: { data: recordExamples[response.resource], links: { self: selfOf(operation) } },
      };
    case 'sub-collection': {
      const data = { ...recordExamples[response.owner], items: [recordExamples[response.items]], total: 1 };
      return { [titled(response.items)]: { data, links: { self: selfOf(operation) } } };
    }
    case 'message':
      return flatExamples[id] ?? { Done: acceptedExample };
    case 'file': {
      const text = response.mediaType === 'text/csv' ? csvExample() : fileExamples[response.mediaType];
      return text === undefined ? undefined : { 'The file': text };
    }
    case 'empty':
      return undefined;
  }
}

function titled(resource: ResourceId): string {
  const { name } = resources[resource];
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The path of the example: that of the request with ids in it, or with the new id after it. */
function selfOf({ path, method, response }: Operation): string {
  const id = String('resource' in response ? idOf(response.resource) : 10_000_001);
  const filled = path.replace(/\{id\}/g, id).replace(/\{\w+\}/g, '442079460101');
  return `/v1.1/pbx${filled}${method === 'POST' ? `/${id}` : ''}`;
}

function idOf(resource: ResourceId): unknown {
  return (recordExamples[resource] as { readonly id?: unknown }).id;
}

/** One call detail record as a line below the names of its fields (RFC 4180). */
function csvExample(): string {
  const record = Object.entries(recordExamples.cdrs);
  const cells = record.map(([, value]) => String(value)).map((text) => (/[",]/.test(text) ? quoted(text) : text));
  return `${record.map(([name]) => name).join(',')}\r\n${cells.join(',')}\r\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function success(status: number, operation: Operation): object {
  const { response } = operation;
  const description = statusWords[status] ?? 'Done.';
  if (response.kind === 'empty') return { description };
  const mediaType = response.kind === 'file' ? response.mediaType : 'application/json';
  const schema = answerSchema(response);
  const examples = answerExamples(operation);
  const content = {
    ...(schema === undefined ? {} : { schema }),
    ...(examples === undefined ? {} : { examples: valued(examples) }),
  };
  return { description, ...headers(status, response), content: { [mediaType]: content } };
}

function headers(status: number, { kind }: ResponseShape): object {
  const text = { type: 'string' };
  if (status === 201) return { headers: { Location: { description: 'path of what was made', schema: text } } };
  if (kind === 'file')
    return { headers: { 'Content-Disposition': { description: 'name to save the file under', schema: text } } };
  return {};
}

/** Examples as the document lists them. */
export function valued(examples: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { summary: name, value }]));
}

/** Every response of an operation, successes first. */
export function responsesOf(operation: Operation): Record<string, object> {
  return Object.fromEntries([
    ...operation.success.map((status) => [status, success(status, operation)] as const),
    ...errorsOf(operation),
  ]);
}
