// Scenarios as checks: each of the package names the clauses that it is evidence of, and is played against the target that is judged.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyCheck } from '../cli/every-check.ts';
import { clauseById, clauses } from '../contract/clauses.ts';
import type { Check } from '../harness/conform/check.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { HttpClient } from '../wires/http-client.ts';
import { judge, judgedSimulator, told } from './conform-stage.ts';

const scenarios = async (): Promise<Check[]> => (await everyCheck()).filter(({ id }) => id.startsWith('scenario/'));

let lease: TargetLease;
beforeEach(async () => {
  lease = await judgedSimulator();
});
afterEach(() => lease.close());

async function fault(match: object, action: object): Promise<void> {
  const http = new HttpClient();
  const body = JSON.stringify({ match, action });
  const url = `${lease.target.control?.root}/faults`;
  const set = await http.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body });
  expect(set).toMatchObject({ ok: true, status: 201 });
  await http.close();
}

describe('the scenarios of the package', () => {
  it('all pass as checks, with their requests, deliveries and messages as evidence', async () => {
    const run = await judge(lease.target, { checks: await scenarios() });
    const other = run.checks.filter(({ verdict }) => verdict !== 'pass');
    expect(other.filter(({ verdict }) => verdict !== 'not-applicable').map(told)).toEqual([]);
    // Those that only real phones can play.
    expect(other.map(({ id }) => id)).toEqual(['scenario/hold-refused', 'scenario/several-phones']);
    expect(run.checks.length).toBeGreaterThan(80);
    const held = run.checks.find(({ id }) => id === 'scenario/hold-and-resume[holder=caller]');
    expect(held).toMatchObject({ clause: 'EVT-ORDER', level: 'SHOULD' });
    expect(held?.also).toContain('EVT-HOLD');
    expect([held?.exchanges, held?.deliveries, held?.messages].every((seqs) => (seqs?.length ?? 0) > 2)).toBe(true);
  }, 60_000);

  it('judge every clause about features, which has no other check', async () => {
    const judged = new Set((await scenarios()).flatMap(({ clause, also = [] }) => [clause, ...also]));
    const played = clauses.filter(({ playedByScenarios }) => playedByScenarios === true).map(({ id }) => id);
    expect(played.filter((id) => !judged.has(id))).toEqual([]);
    expect(played.length).toBe(10);
    expect([...judged].filter((id) => clauseById(id) === undefined)).toEqual([]);
  });

  it('are worth what the weakest of their clauses is: order is a warning, a refused login a failure', async () => {
    await fault({ at: 'webhook', event: 'call.hold' }, { do: 'drop' });
    await fault({ at: 'api', operation: 'login' }, { do: 'status', status: 500 });
    const only = ['scenario/hold-and-resume*', 'scenario/login-refused', 'scenario/attended-transfer'];
    const run = await judge(lease.target, { checks: await scenarios(), only });
    const verdicts = run.checks.map(({ id, verdict }) => [id, verdict]);
    expect(verdicts).toContainEqual(['scenario/hold-and-resume[holder=callee]', 'warn']);
    expect(verdicts).toContainEqual(['scenario/login-refused', 'fail']);
    expect(verdicts).toContainEqual(['scenario/attended-transfer', 'observed']);
    const failed = run.checks.find(({ id }) => id === 'scenario/hold-and-resume[holder=callee]');
    expect(failed?.message).toMatch(/^Step \d+, .* \(.*hold-and-resume\.yaml:\d+:\d+\)\.$/);
  });

  it('are unevaluable where nobody gave phones', async () => {
    const { control: _control, webhooks: _webhooks, ...target } = lease.target;
    const run = await judge({ ...target, time: 'real' }, { checks: await scenarios(), only: ['scenario/busy*'] });
    expect(run.checks.map(({ verdict }) => verdict)).toEqual(run.checks.map(() => 'unevaluable'));
    expect(run.checks[0]?.message).toMatch(/^Nobody gave phones /);
  });
});
