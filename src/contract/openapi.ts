// The contract as an OpenAPI 3.1 document. Reads the rows; adds nothing that they do not say.

import { builtOperations } from './built.ts';
import type { Choice } from './choice.ts';
import { choices, choicesOfOperation, choicesOfResource } from './choices.ts';
import { payloads } from './events.ts';
import { collectionParameters, FilterSchema } from './filter.ts';
import { errorResponses, errorSchema, linksSchema, responsesOf } from './openapi/answers.ts';
import { namedComponents, resourceName, schemaOf, schemaReference } from './openapi/names.ts';
import type { Module, Operation, PathKind, QueryParameter } from './operation.ts';
import { operations } from './operations.ts';
import { resourceList } from './resources.ts';

const modules: Readonly<Record<Module, string>> = {
  auth: 'Logins, tokens and access control roles',
  calls: 'Live calls and what makes them',
  storage: 'Voicemail announcements, SMS and fax',
  settings: 'Numbers, contacts, conferences, queues, ring groups, routing rules, IVRs, call tracking',
  customer: 'The account, its users and groups',
  history: 'Chats, call records, recordings, media sessions, voice messages',
  callmeback: 'Call-me-back widgets',
  reports: 'Report schedules',
};

const pathKinds: Readonly<Record<PathKind, object>> = {
  id: { schema: { type: 'integer', minimum: 1 }, description: 'id of the resource' },
  ids: { schema: { type: 'string', pattern: '^\\d+(,\\d+)*$' }, description: 'ids with commas' },
  e164: { schema: { type: 'string', pattern: '^\\+?[1-9]\\d{4,14}$' }, description: 'number in E.164' },
  number: { schema: { type: 'string', pattern: '^\\+?[0-9*#]{1,20}$' }, description: 'number or extension' },
};

const queryChoices: Readonly<Record<string, readonly string[]>> = {
  page: ['CHOICE-PAGE-ORIGIN'],
  limit: ['CHOICE-LIMIT-DEFAULT', 'CHOICE-LIMIT-ABOVE', 'CHOICE-LIMIT-BELOW'],
  filter: [
    'CHOICE-FILTER-OPERATORS',
    'CHOICE-FILTER-AND',
    'CHOICE-LIKE',
    'CHOICE-FILTER-PROPERTY',
    'CHOICE-FILTER-LIMITS',
    'CHOICE-NUMBERS',
    'CHOICE-TWINS',
  ],
  group_by: ['CHOICE-GROUP-BY', 'CHOICE-FILTER-PROPERTY'],
  include: ['CHOICE-INCLUDE'],
};

export interface DocumentOptions {
  /** Where the service listens, without a path: `http://127.0.0.1:8080`. */
  readonly serverUrl?: string;
}

/** The whole API as one OpenAPI 3.1 document: a fresh object that can be written as JSON. */
export function openApiDocument({ serverUrl = '' }: DocumentOptions = {}): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Telephony Platform REST API',
      version: '1.1',
      description:
        'A hosted telephone system: calls, their records and recordings, messages, settings and webhooks. ' +
        'Places that the specification leaves open are listed under x-choices and marked x-choice where they show.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: ['v1.1', 'v1.2'].map((version) => ({ url: `${serverUrl}/${version}/pbx`, description: version })),
    security: [{ basic: [] }],
    tags: Object.entries(modules).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: components(),
    'x-choices': choices,
  };
}

function paths(): Record<string, Record<string, object>> {
  const items: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const item = items[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation);
    items[operation.path] = item;
  }
  return items;
}

function operationObject(operation: Operation): object {
  const { body, effect, id, module, spec, summary } = operation;
  const built = builtOperations.has(id);
  const own = choicesOfOperation(id);
  return {
    operationId: id,
    tags: [module],
    summary,
    description: [`${spec}.`, ...own.map((choice) => `${choice.id}: ${choice.ours}`)].join('\n\n'),
    ...(operation.auth === 'none' ? { security: [] } : {}),
    ...withParameters(operation),
    ...(body === undefined ? {} : { requestBody: requestBody(schemaOf(body.schema)) }),
    responses: responsesOf(operation, built),
    'x-effect': effect,
    'x-built': built,
    'x-listed': operation.listed,
    ...marked(own),
  };
}

function requestBody(schema: object): object {
  return { required: true, content: { 'application/json': { schema } } };
}

function marked(rows: readonly Choice[]): object {
  return rows.length === 0 ? {} : { 'x-choice': rows.map(({ id }) => id) };
}

function withParameters({ parameters }: Operation): object {
  const list = [
    ...parameters.path.map(({ name, kind }) => ({ name, in: 'path', required: true, ...pathKinds[kind] })),
    ...(parameters.query === 'collection'
      ? collectionParameters.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
      : []),
    ...parameters.named.map(queryObject),
  ];
  return list.length === 0 ? {} : { parameters: list };
}

function queryObject({ name, schema, summary }: QueryParameter): object {
  const choice = queryChoices[name];
  return {
    name,
    in: 'query',
    required: false,
    description: summary,
    ...(name === 'filter' ? { content: { 'application/json': { schema: FilterSchema } } } : { schema }),
    ...(choice === undefined ? {} : { 'x-choice': choice }),
  };
}

function webhooks(): Record<string, object> {
  const rows = Object.values(payloads).flatMap(({ events, name }) =>
    events.map((event) => [event, webhookObject(event, name)] as const),
  );
  return Object.fromEntries(rows);
}

function webhookObject(event: string, payload: string): object {
  return {
    post: {
      operationId: `on_${event.replace('.', '_')}`,
      summary: `Sent for the event ${event}.`,
      security: [],
      requestBody: requestBody(schemaReference(payload)),
      responses: {
        '2XX': { description: 'Delivered.' },
        default: { description: 'Tried again on the schedule of CHOICE-WEBHOOK-RETRY.' },
      },
      'x-choice': [
        ...(event === 'call.dtmf' ? ['CHOICE-DTMF-EVENT'] : []),
        ...(event === 'webhook.test' ? ['CHOICE-TEST-EVENT'] : []),
        'CHOICE-WEBHOOK-RETRY',
        'CHOICE-WEBHOOK-TIMEOUT',
        'CHOICE-WEBHOOK-SUCCESS',
        'CHOICE-WEBHOOK-HEADERS',
      ],
    },
  };
}

function components(): object {
  const schemas = namedComponents();
  for (const { id } of resourceList) {
    const name = resourceName(id);
    schemas[name] = { ...schemas[name], ...marked(choicesOfResource(id)) };
  }
  for (const { name, schema } of Object.values(payloads)) schemas[name] = schema;
  return {
    schemas: { ...schemas, Error: errorSchema, Links: linksSchema },
    parameters: Object.fromEntries(collectionParameters.map((row) => [row.name, queryObject(row)])),
    responses: errorResponses(),
    securitySchemes: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'User id and user token, or user id and API key, with a colon between them.',
      },
    },
  };
}
