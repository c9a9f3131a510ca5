// What a client sees of faults at the API: wrong statuses, late, broken and missing answers, wrong members. Over real sockets.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiFaults } from '../faults/api-faults.ts';
import { FaultRegistry } from '../faults/registry.ts';
import type { FaultAction, FaultDraft } from '../faults/rule.ts';
import { dataOf } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';
import { type ApiHandler, createApi } from './server.ts';

const PING = '/v1.1/pbx/ping';
const LABELS = '/v1.1/pbx/calllabels';

let stage: Stage;
let registry: FaultRegistry;
let faults: ApiFaults;
let api: ApiHandler;
let servers: Server[] = [];
beforeEach(() => {
  stage = createStage();
  registry = new FaultRegistry({ clock: stage.clock, journal: stage.journal, random: new Random(1) });
  faults = new ApiFaults(registry, stage.clock);
  api = createApi({ ...stage.deps, faults });
});
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

function set(action: FaultAction, more: Partial<FaultDraft> = {}): void {
  expect(registry.set({ match: { at: 'api' }, action, ...more }).ok).toBe(true);
}

const get = (path = PING) => request(api).get(path).set('Authorization', keyOf(stage.people.root));

/** All bytes of the answer to a raw request, and the error that ended the connection. */
async function raw(path: string, handler = api): Promise<{ text: string; error: string | undefined }> {
  const server = createServer((req: IncomingMessage, res) => handler(req, res));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const key = keyOf(stage.people.root);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${key}\r\n\r\n`);
  return new Promise((resolve) => {
    let text = '';
    let error: string | undefined;
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on('close', () => resolve({ text, error }));
  });
}

/** Resolves when a fault has struck: its response may be held back then. */
function struck(): Promise<void> {
  return new Promise((resolve) => {
    const stop = stage.journal.subscribe(({ kind }) => {
      if (kind !== 'fault') return;
      stop();
      queueMicrotask(resolve);
    });
  });
}

describe('status', () => {
  it('fails twice with the error envelope, then succeeds', async () => {
    set({ do: 'status', status: 503 }, { times: 2, match: { at: 'api', operation: 'ping' } });
    const answers = [await get(), await get(), await get()];
    const said = 'Fault 1, set through the control API, answers here.';
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [503, { message: said, errors: [said] }],
      [503, { message: said, errors: [said] }],
      [200, { message: 'pong' }],
    ]);
    expect(answers[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answers[0]?.headers['access-control-allow-origin']).toBe('*');
  });

  it('comes after the deed: what was asked for has been done', async () => {
    set({ do: 'status', status: 500 }, { match: { at: 'api', method: 'POST' }, times: 1 });
    const make = (name: string) =>
      request(api).post(LABELS).set('Authorization', keyOf(stage.people.root)).send({ name });
    const before = (await get(LABELS)).body.total as number;
    expect((await make('lost answer')).status).toBe(500);
    expect((await get(LABELS)).body.total).toBe(before + 1);
  });

  it('of 401 says how to authenticate', async () => {
    set({ do: 'status', status: 401 });
    const answer = await get();
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="pbxsim", charset="UTF-8"']);
  });

  it('is journalled under the response that it replaced', async () => {
    set({ do: 'status', status: 502 });
    await get();
    const [rest] = stage.journal.query({ kind: 'rest.response' });
    const [fault] = stage.journal.query({ kind: 'fault' });
    expect([rest && dataOf(rest).status, fault?.cause, fault?.customerId]).toEqual([
      200,
      rest?.seq,
      stage.people.root.customer_id,
    ]);
    expect(fault && dataOf(fault)).toEqual({
      rule: 1,
      at: 'api',
      operation: 'ping',
      method: 'GET',
      action: { do: 'status', status: 502 },
    });
  });
});

describe('delay', () => {
  it('holds the answer back until the clock has moved', async () => {
    set({ do: 'delay', ms: 30_000 }, { times: 1 });
    const held = struck();
    let answered = false;
    const answer = get().then((response) => {
      answered = true;
      return response;
    });
    await held;
    expect((await get()).status).toBe(200);
    stage.clock.advanceTo(stage.clock.now() + 29_999);
    expect((await get()).status).toBe(200);
    expect(answered).toBe(false);
    stage.clock.advanceTo(stage.clock.now() + 1);
    expect((await answer).body).toEqual({ message: 'pong' });
  });

  it('ends when the world does', async () => {
    set({ do: 'delay', ms: 30_000 });
    const held = struck();
    const answer = get();
    const going = answer.then(({ status }) => status);
    await held;
    faults.close();
    expect([await going, stage.clock.next]).toEqual([200, null]);
  });

  it('does no harm to a client that has gone', async () => {
    set({ do: 'delay', ms: 1000 }, { times: 1 });
    const held = struck();
    const going = get()
      .timeout(20)
      .catch((error: Error) => error.message);
    await held;
    expect(await going).toContain('Timeout');
    stage.clock.advanceTo(stage.clock.now() + 1000);
    expect((await get()).status).toBe(200);
    expect(stage.journal.query({ kind: 'rest.failure' })).toEqual([]);
  });
});

describe('the connection', () => {
  it('is reset without a byte', async () => {
    set({ do: 'reset' });
    expect(await raw(PING)).toEqual({ text: '', error: 'ECONNRESET' });
    await expect(get()).rejects.toThrow('ECONNRESET');
  });

  it('ends after half of the body', async () => {
    set({ do: 'truncate' }, { times: 1 });
    const { text } = await raw(PING);
    const [head, body] = text.split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 200 OK');
    expect(head).toContain('Content-Length: 18');
    expect(body).toBe('{"message');
  });

  it('has nothing to truncate without a body', async () => {
    set({ do: 'truncate' });
    const answer = await request(api).head(PING).set('Authorization', keyOf(stage.people.root));
    expect([answer.status, registry.list()[0]?.matched]).toEqual([200, 0]);
  });
});

describe('field', () => {
  it('gives a member another value, with the length that goes with it', async () => {
    set({ do: 'field', pointer: '/message', value: ['pång'] });
    const answer = await get();
    expect([answer.body, answer.headers['content-length']]).toEqual([{ message: ['pång'] }, '21']);
  });

  it('removes a member deep inside', async () => {
    set({ do: 'field', pointer: '/data/0/id' }, { match: { at: 'api', operation: 'listUsers' }, times: 1 });
    const [first, second] = (await get('/v1.1/pbx/users')).body.data as Record<string, unknown>[];
    expect([first && 'id' in first, first && 'email' in first, second && 'id' in second]).toEqual([false, true, true]);
  });

  it('leaves alone what has no such place, and does not count it', async () => {
    set({ do: 'field', pointer: '/data/0/id', value: 1 }, { times: 1 });
    expect((await get()).body).toEqual({ message: 'pong' });
    expect(registry.list()[0]).toMatchObject({ matched: 0, acted: 0 });
  });
});

describe('what matches', () => {
  it('is every response of the API: refusals and unknown paths too', async () => {
    set({ do: 'status', status: 500 });
    expect((await request(api).get(PING)).status).toBe(500);
    expect((await get('/v1.1/pbx/nothing')).status).toBe(500);
  });

  it('is only the operation or method that is named', async () => {
    set({ do: 'status', status: 500 }, { match: { at: 'api', operation: 'listUsers', method: 'GET' } });
    expect([(await get()).status, (await get('/v1.1/pbx/users')).status]).toEqual([200, 500]);
    expect((await request(api).head('/v1.1/pbx/users').set('Authorization', keyOf(stage.people.root))).status).toBe(
      200,
    );
  });

  it("is not a browser's preflight", async () => {
    set({ do: 'status', status: 500 }, { times: 1 });
    expect((await request(api).options(PING)).status).toBe(204);
    expect((await get()).status).toBe(500);
  });
});

it('is nothing without rules that match: the same bytes as an API that has never heard of faults', async () => {
  const plain = stage.api;
  const undated = (text: string): string => text.replace(/\r\nDate: [^\r]+/, '');
  const paths = [PING, '/v1.1/pbx/users', '/v1.1/pbx/nothing', '/v1.1/pbx/users/10000001'];
  for (const path of paths) expect(undated((await raw(path)).text)).toBe(undated((await raw(path, plain)).text));
  set({ do: 'status', status: 500 }, { match: { at: 'api', operation: 'createUsers' } });
  for (const path of paths) expect(undated((await raw(path)).text)).toBe(undated((await raw(path, plain)).text));
});
