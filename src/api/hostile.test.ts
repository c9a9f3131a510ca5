// Hostile requests: whatever comes, the answer is JSON, never a server error, and state is as it was.
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../contract/operations.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
let server: Server;
let port = 0;
beforeAll(async () => {
  stage = createStage();
  server = createServer(stage.api);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(method: string, path: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = send(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
      (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
      },
    );
    call.on('error', reject).end(body);
  });
}

/** JSON but for 204; an error has its two members, and is none of the server's. */
function expectDecent({ status, text }: Answer): void {
  expect([status < 500, status, text]).toEqual([true, status, text]);
  if (status === 204) return expect(text).toBe('');
  const body: unknown = JSON.parse(text);
  if (status < 400) return;
  const strings = expect.arrayContaining([expect.any(String)]);
  expect(body).toEqual({ message: expect.any(String), errors: strings });
  expect(text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/);
}

const target = fc.string({ unit: 'binary-ascii' }).map((text) => encodeURI(text).replace(/[\s#]/g, ''));
const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT');
const pathOfRow = fc
  .tuple(
    // What may remove a collection would do so: a request is hostile only as far as it may not do what it asks.
    fc.constantFrom(...operations.filter(({ effect }) => effect !== 'destroy')),
    fc.array(fc.oneof(target, fc.integer().map(String)), { minLength: 3, maxLength: 3 }),
  )
  .map(([row, values]) => ({ row, path: row.path.replace(/\{\w+\}/g, () => values.pop() ?? '') }));

test('random paths and headers', async () => {
  const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.oneof(
        target,
        pathOfRow.map(({ path }) => path),
      ),
      header,
      header,
      async (verb, path, authorization, origin) => {
        expectDecent(await ask(verb, `/v1.1/pbx/${path}`, { Authorization: authorization, Origin: origin }, ''));
      },
    ),
    { numRuns: 300 },
  );
});

test('random bodies of every operation', async () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constantFrom('101', '+442079460123', '10000003', 'CONNECTED', ''),
    fc.constant(null),
  );
  const names = [
    'to',
    'from',
    'caller_id',
    'dst',
    'state',
    'labels',
    'tts',
    'name',
    'color',
    'email',
    'password',
    'token',
    'nonce',
    'code',
    '__proto__',
    'constructor',
  ];
  const member = fc.tuple(fc.constantFrom(...names), fc.oneof(scalar, fc.jsonValue({ maxDepth: 3 })));
  const body = fc.oneof(
    fc.array(member).map((members) => JSON.stringify(Object.fromEntries(members))),
    fc.json(),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(pathOfRow, body, async ({ row, path }, text) => {
      if (row.id === 'updateCall') return;
      const headers = { Authorization: keyOf(stage.people.root), 'Content-Type': 'application/json' };
      expectDecent(await ask(row.method, `/v1.1/pbx${path}`, headers, text));
    }),
    { numRuns: 500 },
  );
});

test('random queries of a collection', async () => {
  const condition = fc.record(
    {
      property: fc.oneof(fc.constantFrom('live_id', 'calldate', 'src', 'type', 'toString', '__proto__'), fc.string()),
      operator: fc.oneof(fc.constantFrom('like', 'eq', '=', 'ne', 'gt', 'lte', 'in'), fc.string()),
      value: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  );
  const filter = fc.oneof(
    fc.string(),
    fc.array(condition).map((list) => JSON.stringify(list)),
  );
  const query = fc.record(
    { filter, page: fc.string(), limit: fc.integer().map(String), group_by: fc.string(), sort: fc.string() },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(query, async (parameters) => {
      const path = `/v1.1/pbx/cdrs?${new URLSearchParams(parameters)}`;
      expectDecent(await ask('GET', path, { Authorization: keyOf(stage.people.root) }, ''));
    }),
    { numRuns: 400 },
  );
});

test('the world is as it was, but for what was made', () => {
  const fresh = createStage();
  expect([...stage.store.cdrs.list(1)]).toEqual([...fresh.store.cdrs.list(1)]);
  expect([...stage.store.users.list(1)]).toEqual([...fresh.store.users.list(1)]);
  expect([...stage.store.accounts.entries()]).toEqual([...fresh.store.accounts.entries()]);
  expect([...stage.store.calllabels.list(2)]).toEqual([...fresh.store.calllabels.list(2)]);
  expect(stage.journal.query({ kind: 'rest.failure' })).toEqual([]);
});
