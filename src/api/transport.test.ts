// HTTP itself: paths, methods, media types, sizes, CORS, the journal's view, and how the handler is mounted.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import express from 'express';
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

/** What the specification has and this release has not. */

const key = (): string => keyOf(stage.people.root);

describe('paths', () => {
  test.each(['/v1.1/pbx/ping', '/v1.2/pbx/ping', '/v1.1/ping', '/v1.1/pbx/ping?x=1', '/v1.1/pbx/p%69ng'])(
    '%s is served',
    async (path) => {
      const answer = await request(stage.api).get(path).set('Authorization', key());
      expect([answer.status, answer.body]).toEqual([200, { message: 'pong' }]);
    },
  );

  test.each([
    '/',
    '/ping',
    '/v1.1',
    '/v1.1/pbx',
    '/v1.1/pbx/',
    '/v1.2/ping',
    '/v1.3/pbx/ping',
    '/v1.1/pbx/contactlabels',
    '/v1.1/pbx/ping/',
    '/v1.1/pbx/calls/1/2/3',
    '/v1.1/pbx/%E0%A4%A',
    '/v1.1/pbx/../ping',
    '/v1.1x/pbx/ping',
  ])('%s is 404 in JSON', async (path) => {
    const answer = await request(stage.api).get(path).set('Authorization', key());
    expect(answer.status).toBe(404);
    const message = path.startsWith('/v1.1/pbx/')
      ? `There is no GET ${path.slice(9)} below /v1.1/pbx.`
      : 'There is no such path. Paths begin with /v1.1/pbx or /v1.2/pbx.';
    expect(answer.body).toEqual({ message, errors: [message] });
  });

  test('links begin with the root of the request', async () => {
    const answer = await request(stage.api).get('/v1.2/pbx/users/10000001').set('Authorization', key());
    const self = '/v1.2/pbx/users/10000001';
    expect(answer.body.links).toEqual({
      self,
      calls: `${self}/calls`,
      cdrs: `${self}/cdrs`,
      contacts: `${self}/contacts`,
      chatmsgs: `${self}/chatmsgs`,
      audio: `${self}/audio`,
    });
  });

  test.each([
    ['PUT', '/calls', 'GET, POST, HEAD, OPTIONS'],
    ['DELETE', '/ping', 'GET, HEAD, OPTIONS'],
    ['GET', '/login', 'POST, OPTIONS'],
    ['PATCH', '/cdrs/dictionaries', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const verb = method.toLowerCase() as 'put';
    const answer = await request(stage.api)[verb](`/v1.1/pbx${path}`);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expect(answer.body.errors).toEqual([`This path has no method ${method}; it has ${allow}.`]);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [
      await request(stage.api).get('/v1.1/pbx/users').set('Authorization', key()),
      await request(stage.api).head('/v1.1/pbx/users').set('Authorization', key()),
    ];
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

describe('bodies', () => {
  const post = () => request(stage.api).post('/v1.1/pbx/calls').set('Authorization', key());
  const bytes = (text: string) => Buffer.from(text);

  test.each([
    [
      'JSON that is cut off',
      'application/json',
      bytes('{"to":"10'),
      400,
      'body: expected JSON; it breaks at line 1, column 10',
    ],
    [
      'JSON that breaks',
      'application/json',
      bytes('{"to":\n "101",}'),
      400,
      'body: expected JSON; it breaks at line 2, column 8',
    ],
    ['a bare word', 'application/json', bytes('{"to": me}'), 400, 'body: expected JSON; it has an unexpected "m"'],
    ['an end too early', 'application/json', bytes('{"to":'), 400, 'body: expected JSON; it ends too early'],
    ['no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), 400, 'body: expected JSON in UTF-8'],
    [
      'too many levels',
      'application/json',
      bytes(`{"to":${'['.repeat(70)}${']'.repeat(70)}}`),
      400,
      'body: expected at most 64 levels of arrays and objects',
    ],
    [
      'a form',
      'application/x-www-form-urlencoded',
      bytes('to=101'),
      415,
      'The Content-Type of the body is not application/json.',
    ],
    ['another charset', 'application/json; charset=utf-16', bytes('{}'), 415, 'The charset of the body is not utf-8.'],
    [
      'more than 1 MiB',
      'application/json',
      bytes(`{"to":"${'1'.repeat(1_048_600)}"}`),
      413,
      'The body is larger than 1048576 bytes.',
    ],
    ['null', 'application/json', bytes('null'), 400, 'body: expected an object, got null'],
  ])('of %s are refused', async (_, type, body, status, error) => {
    const answer = await post()
      .set('Content-Type', type)
      .serialize((sent) => sent)
      .send(body as unknown as object);
    expect([answer.status, answer.body.errors]).toEqual([status, [error]]);
    expect(stage.exchange.commands).toEqual([]);
  });

  test.each(['application/json', 'Application/JSON; charset="UTF-8"'])('of type %s are read', async (type) => {
    expect((await post().set('Content-Type', type).send('{"to":"101"}')).status).toBe(201);
  });

  test('that are compressed or of no type are 415', async () => {
    const coded = await post()
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send('{"to":"101"}');
    expect([coded.status, coded.body.message]).toEqual([415, 'The body has a Content-Encoding; expected none.']);
    const answer = await raw(
      `POST /v1.1/pbx/calls HTTP/1.1\r\nHost: x\r\nAuthorization: ${key()}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(answer).toContain('HTTP/1.1 415');
  });

  test('of unknown length end at the limit, and the connection serves on', async () => {
    const chunk = `10000\r\n${'1'.repeat(65_536)}\r\n`.repeat(17);
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${key()}\r\n`;
    const answer = await raw(
      `POST /v1.1/pbx/calls ${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\nGET /v1.1/pbx/ping ${head}Connection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('of operations that take none do not matter', async () => {
    const answer = await request(stage.api)
      .get('/v1.1/pbx/ping')
      .set('Authorization', key())
      .set('Content-Type', 'text/plain')
      .send('hello');
    expect(answer.status).toBe(200);
  });

  test('of a stranger are not even read', async () => {
    const answer = await request(stage.api).post('/v1.1/pbx/calls').set('Content-Type', 'text/plain').send('x');
    expect(answer.status).toBe(401);
  });
});

describe('browsers', () => {
  test('get a preflight without credentials', async () => {
    const answer = await request(stage.api)
      .options('/v1.1/pbx/calls/1')
      .set('Origin', 'https://app.example')
      .set('Access-Control-Request-Method', 'PATCH')
      .set('Access-Control-Request-Headers', 'authorization, content-type');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '86400',
      vary: 'Origin',
    });
  });

  test.each([
    ['/ping', 401],
    ['/nothing', 404],
    ['/login', 405],
  ])('may read every answer, also that of %s (%i)', async (path, status) => {
    const answer = await request(stage.api).get(`/v1.1/pbx${path}`).set('Origin', 'http://localhost:3000');
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:3000');
    expect(answer.headers['access-control-expose-headers']).toBe('Location, WWW-Authenticate');
  });

  test('without an origin find any allowed', async () => {
    const answer = await request(stage.api).get('/v1.1/pbx/ping').set('Authorization', key());
    expect([answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual(['*', undefined]);
  });
});

describe('the journal', () => {
  const entries = () => stage.journal.query({ kind: 'rest' }).map((entry) => ({ ...entry, data: dataOf(entry) }));

  test('has a request and a response that it caused, under the customer and the call', async () => {
    await request(stage.api).post('/v1.1/pbx/calls').set('Authorization', key()).send({ to: '101' });
    expect(entries()).toEqual([
      {
        seq: 1,
        at: 1_767_225_600_000,
        kind: 'rest.request',
        callId: 10_000_001,
        customerId: 1,
        cause: null,
        data: {
          method: 'POST',
          path: '/v1.1/pbx/calls',
          operation: 'createCall',
          user_id: 10_000_001,
          body: { to: '101' },
        },
      },
      {
        seq: 2,
        at: 1_767_225_600_000,
        kind: 'rest.response',
        callId: 10_000_001,
        customerId: 1,
        cause: 1,
        data: { status: 201, operation: 'createCall', user_id: 10_000_001 },
      },
    ]);
  });

  test('holds no secret', async () => {
    const { email, password } = stage.people.root;
    const login = await request(stage.api)
      .post('/v1.1/pbx/login')
      .send({ email, password, extra: [{ api_key: 'K-1' }] });
    await request(stage.api).get('/v1.1/pbx/calls?user_token=T-1').set('Authorization', key());
    await request(stage.api).post('/v1.1/pbx/reset').send({ token: 'R-1', password: 'P-1' });
    const text = JSON.stringify(entries());
    expect(text).toContain(email);
    for (const secret of [
      password,
      login.body.user_token,
      'K-1',
      'T-1',
      'R-1',
      'P-1',
      key(),
      stage.people.root.api_key,
    ])
      expect(text).not.toContain(secret);
    expect(entries()[0]?.data.body).toEqual({ email, password: '[removed]', extra: [{ api_key: '[removed]' }] });
  });

  test('names refusals too, and nobody as their user', async () => {
    await request(stage.api).get('/v1.1/pbx/calls');
    await request(stage.api).get('/v1.1/pbx/nothing');
    expect(entries().map(({ data }) => [data.operation, data.status, data.user_id])).toEqual([
      ['listCalls', undefined, null],
      ['listCalls', 401, null],
      [null, undefined, null],
      [null, 404, null],
    ]);
  });

  test('tells the causes of what a command does', async () => {
    const seen: Array<number | null> = [];
    stage.exchange.hangUp = () => {
      seen.push(stage.journal.cause);
      return true;
    };
    const call = stage.exchange.add(1, [10_000_001]);
    await request(stage.api).delete(`/v1.1/pbx/calls/${call.id}`).set('Authorization', key());
    expect(seen).toEqual([1]);
  });

  test('has the whole of our own mistakes, of which the client gets a reference', async () => {
    stage.exchange.liveCalls = () => {
      throw new Error('the private reason');
    };
    const answer = await request(stage.api).get('/v1.1/pbx/calls').set('Authorization', key());
    const message = 'The simulator made a mistake; journal entry 2 tells more.';
    expect([answer.status, answer.body]).toEqual([500, { message, errors: [message] }]);
    expect(dataOf(stage.journal.query({ kind: 'rest.failure' })[0] ?? expect.fail())).toEqual({
      operation: 'listCalls',
      error: expect.stringContaining('the private reason'),
    });
  });
});

describe('the handler', () => {
  test('leaves other paths to Express', async () => {
    const app = express()
      .use(stage.api)
      .get('/elsewhere', (_, res) => res.send('here'));
    expect((await request(app).get('/elsewhere')).text).toBe('here');
    expect((await request(app).get('/v1.1/pbx/ping').set('Authorization', key())).status).toBe(200);
    expect((await request(app).get('/v1.1/pbx/nothing')).body.errors).toHaveLength(1);
    const made = await request(app).post('/v1.1/pbx/calls').set('Authorization', key()).send({ to: '101' });
    expect(made.status).toBe(201);
  });
});

/** Sends bytes as they are and gives everything that came back. */
async function raw(text: string): Promise<string> {
  const server = createServer(stage.api);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  server.close();
  return answer;
}
