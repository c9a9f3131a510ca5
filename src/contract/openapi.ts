// The contract as an OpenAPI 3.1 document. Reads the rows, their words and their examples; decides nothing itself.

import type { Choice } from './choice.ts';
import { choices, choicesOfOperation, choicesOfResource } from './choices.ts';
import { payloadWords } from './descriptions/events.ts';
import { credentialsWords, introduction, moduleWords } from './descriptions/modules.ts';
import { payloads } from './events.ts';
import { bodyExamples } from './examples/bodies.ts';
import { linksSchema, responsesOf, valued } from './openapi/answers.ts';
import { described } from './openapi/described.ts';
import { errorSchema, sharedErrorResponses } from './openapi/errors.ts';
import { namedComponents, resourceName, schemaOf } from './openapi/names.ts';
import { type ChoiceLink, operationText } from './openapi/operation-text.ts';
import { sharedParameters, withParameters } from './openapi/parameters.ts';
import { webhooks } from './openapi/webhooks.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { resourceList } from './resources.ts';

export interface DocumentOptions {
  /** Where the service listens, without a path: `http://127.0.0.1:8080`. */
  readonly serverUrl?: string;
  /** A page where each choice has its id as an anchor; without it choices are named and not linked. */
  readonly choicesUrl?: string;
}

/** The whole API as one OpenAPI 3.1 document: a fresh object that can be written as JSON. */
export function openApiDocument({ serverUrl = '', choicesUrl }: DocumentOptions = {}): object {
  const link: ChoiceLink = (id) => (choicesUrl === undefined ? id : `[${id}](${choicesUrl}#${id})`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Telephony Platform REST API',
      version: '1.1',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: ['v1.1', 'v1.2'].map((version) => ({ url: `${serverUrl}/${version}/pbx`, description: version })),
    security: [{ basic: [] }],
    tags: tags(),
    paths: paths(link),
    webhooks: webhooks(),
    components: components(),
    'x-choices': choices,
  };
}

function tags(): object[] {
  const modules = Object.entries(moduleWords).map(([name, { title, text }]) => ({
    name,
    description: text,
    'x-displayName': title,
  }));
  const events = { name: 'events', description: 'What the service sends to webhooks.', 'x-displayName': 'Events' };
  return [...modules, events];
}

function paths(link: ChoiceLink): Record<string, Record<string, object>> {
  const items: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const item = items[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation, link);
    items[operation.path] = item;
  }
  return items;
}

function operationObject(operation: Operation, link: ChoiceLink): object {
  const { effect, id, module, summary } = operation;
  const own = choicesOfOperation(id);
  return {
    operationId: id,
    tags: [module],
    summary,
    description: operationText(operation, own, link),
    ...(operation.auth === 'none' ? { security: [] } : {}),
    ...withParameters(operation),
    ...withBody(operation),
    responses: responsesOf(operation),
    'x-effect': effect,
    'x-listed': operation.listed,
    ...marked(own),
  };
}

function withBody({ id, body }: Operation): object {
  if (body === undefined) return {};
  const content = { schema: schemaOf(body.schema), examples: valued(bodyExamples[id] ?? {}) };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

function marked(rows: readonly Choice[]): object {
  return rows.length === 0 ? {} : { 'x-choice': rows.map(({ id }) => id) };
}

function components(): object {
  const schemas = namedComponents();
  for (const { id } of resourceList) {
    const name = resourceName(id);
    schemas[name] = { ...schemas[name], ...marked(choicesOfResource(id)) };
  }
  for (const [kind, { name, schema }] of Object.entries(payloads)) {
    const words = payloadWords[kind as keyof typeof payloads];
    schemas[name] = described(schema, (member) => words[member]);
  }
  return {
    schemas: { ...schemas, Error: errorSchema, Links: linksSchema },
    parameters: sharedParameters(),
    responses: sharedErrorResponses(),
    securitySchemes: { basic: { type: 'http', scheme: 'basic', description: credentialsWords } },
  };
}
