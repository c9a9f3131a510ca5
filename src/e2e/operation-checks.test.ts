// The checks of operations can fail: each kind of deliberate wrong answer is seen by the check that it is about, and by no other reason.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TargetLease } from '../harness/run/run-plans.ts';
import type { CheckResult } from '../report/conform-results.ts';
import { HttpClient } from '../wires/http-client.ts';
import { judge, judgedSimulator } from './conform-stage.ts';

let lease: TargetLease;
let http: HttpClient;
beforeEach(async () => {
  lease = await judgedSimulator();
  http = new HttpClient();
});
afterEach(async () => {
  await http.close();
  await lease.close();
});

async function judged(id: string, match: object, action: object): Promise<CheckResult | undefined> {
  const set = await http.send({
    method: 'POST',
    url: `${lease.target.control?.root}/faults`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { at: 'api', ...match }, action }),
  });
  expect(set).toMatchObject({ ok: true, status: 201 });
  const { checks } = await judge(lease.target, { http, only: [id] });
  return checks.find((one) => one.id === id);
}

it('a wrong status', async () => {
  const result = await judged('GET /queues 200', { operation: 'listQueues' }, { do: 'status', status: 503 });
  expect(result).toMatchObject({ verdict: 'fail', expected: '200', actual: expect.stringMatching(/^503 /) });
});

it('a member that is missing', async () => {
  const result = await judged(
    'GET /queues/{id} field retry',
    { operation: 'getQueue' },
    { do: 'field', pointer: '/data/retry' },
  );
  expect(result).toMatchObject({
    verdict: 'fail',
    clause: 'QUEUES-FIELD-RETRY',
    expected: 'integer',
    actual: 'nothing',
  });
});

it('a member of a wrong type', async () => {
  const action = { do: 'field', pointer: '/data/retry', value: 'soon' };
  const result = await judged('GET /queues/{id} field retry', { operation: 'getQueue' }, action);
  expect(result).toMatchObject({ verdict: 'fail', expected: 'integer', actual: 'soon' });
});

it('an error without its list', async () => {
  const match = { operation: 'listQueues' };
  const result = await judged('GET /queues 401', match, { do: 'field', pointer: '/errors' });
  expect(result).toMatchObject({ verdict: 'fail', expected: 'errors, an array of strings' });
});

it('but no file of a call so long past that its trace is gone, where there is one of a later call', async () => {
  const { apiRoot, control, users } = lease.target;
  const ask = async (method: string, url: string, body?: object) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${users.first?.id}:${users.first?.key}`).toString('base64')}`,
    };
    const answer = await http.send({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok && answer.status < 300, url).toBe(true);
  };
  await ask('DELETE', `${apiRoot}/cdrs`);
  await ask('POST', `${control?.root}/phones/101/acts`, { act: 'call', to: '102' });
  await ask('POST', `${control?.root}/clock`, { advance: '5s' });
  await ask('POST', `${control?.root}/phones/101/acts`, { act: 'hangup' });
  const { checks } = await judge(lease.target, { http, only: ['GET /msdrs/{id}.trace 200'] });
  expect(checks.find(({ id }) => id === 'GET /msdrs/{id}.trace 200')).toMatchObject({ verdict: 'pass' });
});

it('half an answer', async () => {
  const result = await judged('GET /queues 200', { operation: 'listQueues' }, { do: 'truncate' });
  expect(result).toMatchObject({ verdict: 'fail', message: 'There is no answer.' });
});

it('a thing that cannot be read after it was made', async () => {
  const match = { operation: 'getConference' };
  const result = await judged('POST /conferences made', match, { do: 'status', status: 404 });
  expect(result).toMatchObject({ verdict: 'fail', message: 'What was written cannot be read.', actual: '404' });
});

it('what needs a success that did not come is blocked, and names it', async () => {
  const result = await judged('GET /queues 401', { operation: 'listQueues' }, { do: 'status', status: 503 });
  expect(result).toMatchObject({ verdict: 'blocked', message: 'GET /queues 200 did not pass.' });
});
