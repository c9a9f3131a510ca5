// The control API's own OpenAPI 3.1 document, read off its rows. Adds nothing that they do not say.
import type { TSchema } from 'typebox';
import type { ControlRow } from './row.ts';
import { controlRows } from './rows.ts';
import { shapes } from './shapes.ts';

const reasons: Readonly<Record<number, string>> = {
  200: 'done',
  201: 'made',
  204: 'removed',
  400: 'the body or the query is not valid; errors names each member',
  401: 'the token of the control API is missing or wrong (only on addresses other than loopback)',
  403: 'the Host or Origin header is not of this server',
  404: 'there is no such thing',
  408: 'nothing matched in time',
  409: 'impossible now',
  413: 'the body is too large',
  415: 'the body is not JSON',
};

export function controlDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'pbxsim control API',
      version: '1',
      description:
        'Drives the simulator: time, phones, the public network, webhooks, faults, the journal, records. No part of the simulated API.',
    },
    servers: [{ url: '/_sim' }],
    paths: pathsOf(controlRows),
    components: {
      schemas: Object.fromEntries(Object.entries(shapes).map(([name, schema]) => [name, referring(schema)])),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { token: [] }],
  };
}

function pathsOf(rows: readonly ControlRow[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const row of rows) {
    const methods = paths[row.path] ?? {};
    methods[row.method.toLowerCase()] = operationOf(row);
    paths[row.path] = methods;
  }
  return paths;
}

function operationOf(row: ControlRow): object {
  const errors = new Set([...row.errors, 401, 403, ...(row.body === undefined ? [] : [413, 415])]);
  const parameters = [...pathParameters(row.path), ...queryParameters(row.query)];
  return {
    operationId: row.id,
    summary: row.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body === undefined ? {} : { requestBody: { required: row.mayLackBody !== true, content: json(row.body) } }),
    responses: {
      [row.success]: { description: reasons[row.success], ...contentOf(row) },
      ...Object.fromEntries([...errors].sort().map((status) => [status, errorAnswer(status)])),
    },
  };
}

function contentOf(row: ControlRow): object {
  if (row.stream !== undefined) return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
  if (row.file !== undefined) return { content: { [row.file]: { schema: { type: 'string', format: 'binary' } } } };
  const text = row.alsoText === true ? { 'text/plain': { schema: { type: 'string' } } } : {};
  return row.answer === undefined ? {} : { content: { ...json(row.answer), ...text } };
}

function errorAnswer(status: number): object {
  return {
    description: reasons[status],
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function json(schema: TSchema): object {
  return { 'application/json': { schema: referring(schema) } };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: TSchema | undefined): object[] {
  const { properties = {} } = (query ?? {}) as { properties?: Readonly<Record<string, TSchema>> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema: referring(schema) }));
}

/** The schema with each named shape as a reference to the document's components. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  if (typeof members['x-shape'] === 'string') return { $ref: `#/components/schemas/${members['x-shape']}` };
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, referring(member)]));
}
