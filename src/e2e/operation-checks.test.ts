// The checks of operations can fail: each kind of deliberate wrong answer is seen by the check that it is about, and by no other reason.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import type { CheckResult } from '../harness/checks/check.ts';
import { allChecks } from '../harness/checks/plan.ts';
import { CheckRunner } from '../harness/checks/run-checks.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { HttpClient } from '../wires/http-client.ts';

let lease: TargetLease;
let http: HttpClient;
beforeEach(async () => {
  lease = await leaseSimulator({ seed: 1, clock: 'manual' });
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
  const [result] = await new CheckRunner(http, lease.target).run(allChecks.filter((check) => check.id === id));
  return result;
}

it('a wrong status', async () => {
  const result = await judged('GET /queues 200', { operation: 'listQueues' }, { do: 'status', status: 503 });
  expect(result).toMatchObject({ verdict: 'fail', expected: '200', actual: expect.stringMatching(/^503 /) });
});

it('a member that is missing', async () => {
  const result = await judged(
    'GET /queues/{id} 200',
    { operation: 'getQueue' },
    { do: 'field', pointer: '/data/retry' },
  );
  expect(result).toMatchObject({ verdict: 'fail', actual: expect.stringContaining("required property 'retry'") });
});

it('a member of a wrong type', async () => {
  const action = { do: 'field', pointer: '/data/retry', value: 'soon' };
  const result = await judged('GET /queues/{id} 200', { operation: 'getQueue' }, action);
  expect(result).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('/data/retry must be integer') });
});

it('an error without its list', async () => {
  const result = await judged('GET /queues 401', { operation: 'listQueues' }, { do: 'field', pointer: '/errors' });
  expect(result).toMatchObject({ verdict: 'fail', actual: expect.stringContaining("required property 'errors'") });
});

it('half an answer', async () => {
  const result = await judged('GET /queues 200', { operation: 'listQueues' }, { do: 'truncate' });
  expect(result).toMatchObject({ verdict: 'error', message: 'There was no answer.' });
});

it('a thing that cannot be read after it was made', async () => {
  const result = await judged('POST /conferences 201', { operation: 'getConference' }, { do: 'status', status: 404 });
  expect(result).toMatchObject({ verdict: 'warn', message: 'What was made cannot be read.' });
});
