// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
// The runner against a target that is no simulator: a few lines of HTTP that do as they are told.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioResult } from '../../report/results.ts';
import { HttpClient } from '../../wires/http-client.ts';
import { systemTime } from '../../wires/system-time.ts';
import type { StepDocument } from '../language/document.ts';
import { loadDocuments } from '../language/load.ts';
import { problemText } from '../language/problem.ts';
import { reachTarget } from '../target/reach-target.ts';
import type { Target } from '../target/target.ts';
import { runPlans } from './run-plans.ts';

type Reply = readonly [number, unknown];
type Script = (line: string, count: number, headers: Readonly<Record<string, unknown>>) => Reply;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A target whose answers a script gives for `METHOD /path`, with how often that was asked. */
async function targetThat(script: Script): Promise<{ target: Target; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push(line);
    const [status, body] = script(line, asked.filter((one) => one === line).length, request.headers);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    name: 'a few lines of HTTP',
    apiRoot: `http://127.0.0.1:${port}`,
    users: { first: { id: 7, key: 'secret-key', ext: '101' } },
    time: 'real',
    fresh: false,
  };
  return { target, asked };
}

async function run(target: Target, steps: readonly StepDocument[], more: object = {}): Promise<ScenarioResult> {
  const document = { id: 'try', title: 'A try', requires: 'Something', spec: ['Somewhere'], steps, ...more };
  const { plans, problems } = await loadDocuments('try.ts', [document], () => Promise.reject(new Error('none')));
  expect(problems.map(problemText)).toEqual([]);
  const { scenarios } = await runPlans(plans, {
    name: target.name,
    driver: 'sim',
    host: systemTime(),
    lease: () => Promise.resolve({ target, close: () => Promise.resolve() }),
    replay: ({ file }) => `pbxsim run ${file}`,
  });
  const [result] = scenarios;
  if (result === undefined) throw new Error('no result');
  return result;
}

describe('a run against a target', () => {
  it('asks as the user, and passes what it captured on', async () => {
    const credentials: unknown[] = [];
    const { target, asked } = await targetThat((line, _count, headers) => {
      credentials.push(headers.authorization);
      return line.startsWith('POST') ? [201, { data: { id: 31 }, links: {} }] : [200, { data: { id: 31, state: 4 } }];
    });
    const result = await run(target, [
      { rest: 'createCall', body: { to: '102' }, capture: { call: '/data/id' } },
      { rest: 'getCall', path: { id: '${call}' }, expect: { status: 200, body: { '/data/id': '${call}' } } },
    ]);
    expect([result.verdict, result.steps]).toEqual(['pass', 2]);
    expect(asked).toEqual(['POST /calls', 'GET /calls/31']);
    expect(credentials[0]).toBe(`Basic ${Buffer.from('7:secret-key').toString('base64')}`);
  });

  it('tells what differs, where, and how to ask again, without any secret', async () => {
    const { target } = await targetThat(() => [200, { data: { id: 5, state: 3, note: 'secret-key' } }]);
    const result = await run(target, [
      { rest: 'getCall', path: { id: 5 }, expect: { body: { '/data/note': { $absent: true } } } },
    ]);
    expect(result.failures).toEqual([
      {
        step: { number: '1', title: 'request getCall', place: 'try.ts' },
        expected: 'getCall with absent true',
        actual: '"***"',
        pointer: '/data/note',
        curl: `curl -i -u "7:$PBXSIM_KEY" -g "${target.apiRoot}/calls/5"`,
      },
    ]);
  });

  it('tries again until it is so, in real time', async () => {
    const { target, asked } = await targetThat((_line, count) => [200, { data: { id: 5, state: count < 3 ? 3 : 4 } }]);
    const result = await run(target, [
      { rest: 'getCall', path: { id: 5 }, expect: { body: { '/data/state': 4 } }, eventually: { within: '5s' } },
      { live_call: '5', state: 'CONNECTED' },
    ]);
    expect([result.verdict, asked.length]).toEqual(['pass', 4]);
  });

  it.each([
    ['a number of its own', 17, undefined, 'pass'],
    ['a number that elsewhere means another state', 2, undefined, 'pass'],
    ['a word of its own', 'talking', undefined, 'pass'],
    ['no state', null, undefined, 'fail'],
    ['the word of another state', 'RINGING', undefined, 'fail'],
    ['the word', 'CONNECTED', undefined, 'pass'],
    ['the number that the target file says', 17, { CONNECTED: 17 }, 'pass'],
    ['another number than the target file says', 4, { CONNECTED: 17 }, 'fail'],
  ] as const)('judges the state of a live call shown as %s', async (_what, state, callStates, verdict) => {
    const { target } = await targetThat(() => [200, { data: { id: 5, state } }]);
    const steps: StepDocument[] = [{ live_call: '5', state: 'CONNECTED', within: '10ms' }];
    const result = await run(callStates === undefined ? target : { ...target, callStates }, steps);
    expect(result.verdict).toBe(verdict);
  });

  it('takes what a target says that it has not for unsupported', async () => {
    const { target, asked } = await targetThat(() => [200, {}]);
    const { verdict, reason } = await run({ ...target, lacks: ['recordings'] }, [{ rest: 'ping' }, { recording: '5' }]);
    expect([verdict, reason]).toEqual(['unsupported', 'the target says that it has no recordings']);
    expect(asked).toEqual([]);
  });

  it('takes what is set already at the target for configured, and nothing else', async () => {
    const { target } = await targetThat(() => [200, {}]);
    const preset = { ...target, presets: [{ configure: 'users', id: 7, set: { ring_time: 5, dnd: false } }] };
    const configure = (id: string | number, ring_time: number): StepDocument => ({
      configure: 'users',
      id,
      set: { ring_time },
    });
    expect((await run(preset, [configure('${first.id}', 5), { rest: 'ping' }])).verdict).toBe('pass');
    for (const step of [configure('${first.id}', 6), configure(8, 5)]) {
      expect(await run(preset, [step])).toMatchObject({
        verdict: 'unevaluable',
        reason: 'the target gives no control API, which a configure step asks',
      });
    }
  });

  it.each([
    ['write', { rest: 'updateCall', path: { id: 5 }, body: { state: 'ON_HOLD' } }],
    ['destroy', { rest: 'deleteAllCdrs' }],
    ['dial', { rest: 'createCall', body: { to: '102' } }],
    ['wait', { wait: '61s' }],
  ] as const)('never does what the target file does not allow: %s', async (touch, step) => {
    const { target, asked } = await targetThat(() => [200, {}]);
    const allow = (['read', 'write', 'dial', 'spend', 'wait', 'destroy'] as const).filter((one) => one !== touch);
    const { verdict, reason } = await run({ ...target, allow }, [{ rest: 'ping' }, step as StepDocument]);
    expect([verdict, reason, asked]).toEqual([
      'unevaluable',
      `nobody allowed to ${touch} there: it needs --allow ${touch}, or that in allow of the target file`,
      [],
    ]);
  });

  it('runs what comes finally whatever happened, and leaves out what was never captured', async () => {
    const { target, asked } = await targetThat((line) => (line.startsWith('DELETE') ? [204, {}] : [500, {}]));
    const result = await run(target, [{ rest: 'createCall', body: { to: '102' }, capture: { call: '/data/id' } }], {
      finally: [
        { rest: 'deleteCall', path: { id: '${call}' } },
        { rest: 'ping' },
        { rest: 'deleteCall', path: { id: 9 } },
      ],
    });
    expect(asked).toEqual(['POST /calls', 'GET /ping', 'DELETE /calls/9']);
    expect(result.failures.map(({ step, expected }) => [step.number, expected])).toEqual([
      ['1', 'createCall answers 201'],
      ['f2', 'ping answers 200'],
    ]);
  });

  it.each([
    ['no second user', { phones: { ben: { user: 'second' } } }, 'the target gives no second user'],
    [
      'no control API for phones',
      { phones: { anna: { user: 'first' } } },
      'the target gives no control API, which simulated phones need',
    ],
    [
      'nobody outside',
      { phones: { x: { outside: '+442079460911' } } },
      'the target gives no control API, which plays people outside',
    ],
    ['no webhooks', { webhooks: { all: { events: ['missed'] } } }, 'the target gives no way to set webhooks up'],
  ])('cannot evaluate a scenario with %s', async (_what, more, reason) => {
    const { target, asked } = await targetThat(() => [200, {}]);
    const result = await run(target, [{ rest: 'ping' }], more);
    expect([result.verdict, result.reason, asked]).toEqual(['unevaluable', reason, []]);
  });

  it('does not wait for an hour in real time', async () => {
    const { target } = await targetThat(() => [200, {}]);
    const result = await run(target, [{ wait: '1h' }]);
    expect([result.verdict, result.reason]).toEqual([
      'unevaluable',
      "it waits 3600 s, and the target's time cannot be moved",
    ]);
  });

  it('is blocked when the control API is gone', async () => {
    const { target } = await targetThat(() => [200, {}]);
    const away = { ...target, control: { root: 'http://127.0.0.1:1/_sim' } };
    const result = await run(away, [{ phone: 'anna', is: 'idle' }], { phones: { anna: { user: 'first' } } });
    expect([result.verdict, result.reason]).toEqual([
      'blocked',
      'The control API does not answer GET /journal?after=9007199254740991&kind=sip&limit=10000: connection refused.',
    ]);
  });
});

describe('a target', () => {
  const reach = async (script: Script): Promise<string> => {
    const { target } = await targetThat(script);
    const http = new HttpClient();
    const document = { api_root: target.apiRoot, users: { first: { id: 7, key: 'secret-key' } } };
    const said = await reachTarget(document, http).then(
      ({ users }) => `user ${users.first?.id} at ${users.first?.ext}`,
      (error: Error) => error.message.replace(target.apiRoot, 'API'),
    );
    await http.close();
    return said;
  };

  it('is asked whether it is there and lets the first user in, and for the extension', async () => {
    expect(await reach((line) => [200, line === 'GET /users/7' ? { data: { ext: '101' } } : {}])).toBe('user 7 at 101');
    expect(await reach(() => [401, {}])).toBe('API refuses user 7: 401 to GET /ping.');
    expect(await reach(() => [503, {}])).toBe('API answers GET /ping with 503 instead of 200.');
    expect(await reach(() => [404, {}])).toBe(
      'API answers GET /ping with 404 instead of 200: is that the API root, as in https://pbx.example/v1.1/pbx?',
    );
  });

  it('that is not there is told so', async () => {
    const document = { api_root: 'http://127.0.0.1:1/v1.1/pbx', users: { first: { id: 7, key: 'k' } } };
    const http = new HttpClient();
    await expect(reachTarget(document, http)).rejects.toThrow(
      'http://127.0.0.1:1/v1.1/pbx cannot be reached: connection refused.',
    );
    await http.close();
  });
});
