// The refusals that the published document shows are those that the simulator gives, word for word.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlerOf } from '../api/handlers.ts';
import { openApiDocument } from '../contract/openapi.ts';
import type { Operation } from '../contract/operation.ts';
import { operations as published } from '../contract/operations.ts';
import { openToRestricted } from '../contract/restricted.ts';
import { Simulator } from '../simulator.ts';

/** Those that this release answers. */
const operations = published.filter((operation) => handlerOf(operation) !== undefined);

type Responses = Record<string, { content: Record<string, { examples: Record<string, { value: unknown }> }> }>;
interface Document {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { responses: Responses };
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const simulator = new Simulator({ seed: 1 });
let url: string;
let administrator: string;
let agent: string;
let restricted: string;

beforeAll(async () => {
  url = await simulator.listenHttp(0);
  const users = simulator.world.customers.flatMap(({ users: all }) => all);
  const basic = (wanted: string) => {
    const user = users.find(({ role }) => role === wanted);
    return `Basic ${Buffer.from(`${user?.user_id}:${user?.api_key}`).toString('base64')}`;
  };
  administrator = basic('admin');
  agent = basic('agent');
  restricted = basic('restricted');
});
afterAll(() => simulator.close());

/** The first example of a status. */
function shown({ path, method }: Operation, status: number): unknown {
  const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
  const response = (responses[status] ?? {}) as { $ref?: string };
  const found = response.$ref === undefined ? responses[status] : document.components.responses[`Error${status}`];
  return Object.values(found?.content['application/json']?.examples ?? {})[0]?.value;
}

/** Asks with ids that nothing has. */
async function ask({ method, path }: Operation, more: RequestInit, query = ''): Promise<readonly [number, unknown]> {
  const filled = path.replace(/\{ids?\}/, '999999999').replace(/\{\w+\}/g, '442079460999');
  const response = await fetch(`${url}/v1.1/pbx${filled}${query}`, { method, redirect: 'manual', ...more });
  return [response.status, await response.json()];
}

const json = { 'content-type': 'application/json' };
const has = (status: number) => (operation: Operation) =>
  [...operation.listed, ...operation.general, ...operation.chosen].includes(status);
const titled = (rows: readonly Operation[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);

describe('the refusals of the document', () => {
  it.each(titled(operations.filter(({ body }) => body !== undefined)))('%s: 400, 413 and 415', async (_, row) => {
    const empty = row.body?.bulk === true ? [{}] : {};
    const authorization = { authorization: administrator };
    expect(await ask(row, { headers: { ...json, ...authorization }, body: JSON.stringify(empty) })).toEqual([
      400,
      shown(row, 400),
    ]);
    const large = JSON.stringify('x'.repeat(2 ** 20));
    expect(await ask(row, { headers: { ...json, ...authorization }, body: large })).toEqual([413, shown(row, 413)]);
    const other = { 'content-type': 'text/plain', ...authorization };
    expect(await ask(row, { headers: other, body: '{}' })).toEqual([415, shown(row, 415)]);
  });

  it('401 for every operation that takes credentials', async () => {
    for (const row of operations.filter(has(401))) expect(await ask(row, {}), row.id).toEqual([401, shown(row, 401)]);
  });

  it('403 for every operation that a role may not use', async () => {
    for (const row of operations.filter(has(403))) {
      if (openToRestricted.has(row.id)) continue;
      const headers = { authorization: row.effect === 'destroy' ? agent : restricted };
      expect(await ask(row, { headers }), row.id).toEqual([403, shown(row, 403)]);
    }
  });

  it('404 for every operation with an id and no body', async () => {
    for (const row of operations.filter(has(404))) {
      if (row.body !== undefined) continue;
      expect(await ask(row, { headers: { authorization: administrator } }), row.id).toEqual([404, shown(row, 404)]);
    }
  });

  it('400 for every collection', async () => {
    for (const row of operations.filter(({ parameters }) => parameters.query === 'collection')) {
      if (row.parameters.path.length > 0) continue;
      const answer = await ask(row, { headers: { authorization: administrator } }, '?limit=0');
      expect(answer, row.id).toEqual([400, shown(row, 400)]);
    }
  });
});
