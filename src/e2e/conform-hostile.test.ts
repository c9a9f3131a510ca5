// Targets that answer as none should: the judge says so, in bounded time and memory, and never fails itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Target } from '../harness/target/target.ts';
import type { CheckResult, ConformRun } from '../report/conform-results.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { HttpClient } from '../wires/http-client.ts';
import { judge } from './conform-stage.ts';

const WITHIN_MS = 400;
const MAX_BYTES = 256 * 1024;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

async function judged(behaviour: Behaviour, only: readonly string[]): Promise<ConformRun> {
  server = createServer(behaviour);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    ...{ name: 'hostile', apiRoot: `http://127.0.0.1:${port}/v1.1/pbx`, time: 'real', fresh: false, allow: ['read'] },
    users: { first: { id: 1, key: 'a-key-that-is-long' } },
  };
  const http = new HttpClient({ withinMs: WITHIN_MS, maxAnswerBytes: MAX_BYTES });
  try {
    return await judge(target, { http, only });
  } finally {
    await http.close();
  }
}

const json = (response: ServerResponse, status: number, body: string | Buffer): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

function only(run: ConformRun, id: string): CheckResult | undefined {
  return run.checks.find((one) => one.id === id);
}

const listQueues = ['GET /queues 200', 'GET /queues 401', 'GET /queues body', 'GET /queues field name'];

describe('a target that', () => {
  const endless: Behaviour = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (response.write('['.repeat(16 * 1024)));
      response.once('drain', more);
    };
    response.on('error', () => {});
    more();
  };
  const behaviours: ReadonlyArray<readonly [string, Behaviour, RegExp]> = [
    ['hangs', () => {}, /no whole answer within 0\.4 s/],
    ['resets the connection', (request) => request.socket.resetAndDestroy(), /./],
    [
      'ends in the middle of a body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
        response.socket?.end();
      },
      /./,
    ],
    ['never ends its body', endless, /longer than 262144 bytes/],
    ['sends no HTTP', (request) => request.socket.end('SIP/2.0 200 OK\r\n\r\n'), /./],
  ];
  it.each(behaviours)('%s gives no answer', async (_name, behaviour, why) => {
    const run = await judged(behaviour, listQueues);
    expect(only(run, 'GET /queues 200')).toMatchObject({ verdict: 'fail', message: 'There is no answer.' });
    expect(only(run, 'GET /queues 200')?.actual).toMatch(why);
    expect(only(run, 'GET /queues 401')).toMatchObject({ verdict: 'blocked' });
    expect(conformVerdictOf(run)).toMatchObject({ verdict: 'non-conformant', status: 1 });
  });

  it('redirects for ever is not followed', async () => {
    const run = await judged(
      (request, response) => response.writeHead(302, { location: request.url }).end(),
      listQueues,
    );
    expect(only(run, 'GET /queues 200')).toMatchObject({ verdict: 'fail', expected: '200', actual: '302 ' });
    expect(run.exchanges).toHaveLength(1);
  });

  it('sends what is no UTF-8 fails by its body', async () => {
    const body = Buffer.from('{"data":[],"total":0,"x":"\xff\xfe"}', 'latin1');
    const run = await judged((_request, response) => json(response, 200, body), listQueues);
    expect(only(run, 'GET /queues body')).toMatchObject({ verdict: 'fail', message: 'The body is no UTF-8.' });
  });

  it('writes its errors in HTML fails by their bodies', async () => {
    const run = await judged((request, response) => {
      if (request.headers.authorization !== undefined) json(response, 200, '{"data":[],"total":0}');
      else response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>401</h1>');
    }, listQueues);
    expect(only(run, 'GET /queues 401')).toMatchObject({ verdict: 'fail', message: 'The body is no JSON.' });
  });

  it('nests its answer as deep as it goes is judged like any other', async () => {
    const deep = `{"data":[{"id":1,"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}],"total":1}`;
    const run = await judged((_request, response) => json(response, 200, deep), listQueues);
    expect(only(run, 'GET /queues field name')).toMatchObject({ verdict: 'fail', expected: 'string' });
    expect(run.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });

  it('answers everything with the same success passes no negative check', async () => {
    const run = await judged((_request, response) => json(response, 200, '{"data":[],"total":0}'), ['GET *']);
    const refusals = run.checks.filter(({ id, verdict }) => / 40[134]$/.test(id) && verdict === 'pass');
    expect(refusals).toEqual([]);
    expect(conformVerdictOf(run).status).toBe(1);
  });

  it('refuses everything passes no negative check', async () => {
    const body = '{"message":"No.","errors":["No."]}';
    const run = await judged((_request, response) => json(response, 401, body), ['GET *']);
    expect(run.checks.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
    expect(conformVerdictOf(run).status).toBe(1);
  });

  it('falls silent is asked no more, and every check is still accounted for', async () => {
    let asked = 0;
    const run = await judged(
      (_request, response) => {
        asked += 1;
        if (asked <= 5) json(response, 200, '{"data":[],"total":0}');
      },
      ['GET *'],
    );
    expect(asked).toBeLessThan(60);
    expect(run.checks).toHaveLength(run.planned.length);
    expect(run.checks.some(({ message }) => message === 'The target has stopped answering.')).toBe(true);
    expect(conformVerdictOf(run)).toMatchObject({ verdict: 'non-conformant', status: 1 });
  });
});
