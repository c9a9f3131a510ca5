// The judge's checks with phones and webhooks: what a target that breaks their clauses is told, and what happens without phones or webhooks.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import type { Target } from '../harness/target/target.ts';
import type { ConformRun } from '../report/conform-results.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { HttpClient } from '../wires/http-client.ts';
import { beyondFaults, callFaults, type Rule } from './call-fault-table.ts';
import { judge, judgedSimulator, told } from './conform-stage.ts';

const AREAS = ['calls', 'call-records', 'events', 'files', 'webhooks'];

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

async function setFault(rule: Rule): Promise<void> {
  const set = await http.send({
    method: 'POST',
    url: `${lease.target.control?.root}/faults`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  });
  expect(set, JSON.stringify(rule)).toMatchObject({ ok: true, status: 201 });
}

const withPhones = ({ checks }: ConformRun) => checks.filter(({ id }) => AREAS.includes(id.split('/')[0] ?? ''));
const bad = (run: ConformRun) => withPhones(run).filter(({ verdict }) => !['pass', 'observed'].includes(verdict));

describe('checks with phones and webhooks', () => {
  it('all pass at the simulator, with deliveries and SIP messages as evidence', async () => {
    const run = await judge(lease.target, { http, only: AREAS });
    expect(bad(run).map(told)).toEqual([]);
    expect(withPhones(run).length).toBeGreaterThan(150);
    const held = run.checks.find(({ id }) => id === 'events/hold');
    const lines = run.messages?.filter(({ seq }) => held?.messages?.includes(seq)) ?? [];
    expect(lines.some(({ text }) => text.includes('a=sendonly'))).toBe(true);
    const got = run.deliveries?.filter(({ seq }) => held?.deliveries?.includes(seq)) ?? [];
    expect(got.map(({ event }) => event)).toContain('call.hold');
    expect(got.filter(({ isTest }) => isTest).length).toBe(7);
    expect(run.leftovers).toEqual([]);
  }, 60_000);

  it('cover every event and every transition that there are clauses of', async () => {
    const run = await judge(lease.target, { http, only: ['events', 'calls'] });
    for (const axis of ['events', 'transitions'])
      expect(run.coverage.find(({ of }) => of === axis)).toMatchObject({ missed: [] });
  }, 60_000);

  it('are unevaluable, and the run incomplete, without a control API and without SIP', async () => {
    const { control: _control, webhooks: _webhooks, ...target } = lease.target;
    const run = await judge({ ...target, time: 'real' }, { http, only: AREAS });
    expect(new Set(withPhones(run).map(({ verdict }) => verdict))).toEqual(new Set(['unevaluable']));
    expect(withPhones(run)[0]?.message).toMatch(/^Nobody gave phones \(/);
    expect(conformVerdictOf(run)).toMatchObject({ status: 3 });
  });

  it('are not disturbed, in real time, by a web call that another check has begun', async () => {
    const real = await leaseSimulator({ seed: 1, clock: 'real' });
    try {
      const { control: _control, webhooks: _webhooks, ...target } = real.target;
      const ids = ['call-records/duration', 'call-records/billsec'];
      const { checks } = await judge(target, { http, only: ['POST /webcalls 201', ...ids] });
      expect(checks.filter(({ id }) => ids.includes(id)).map(told)).toEqual(ids.map((id) => `${id} | pass | `));
    } finally {
      await real.close();
    }
  }, 60_000);

  it('are unsupported where the target says that it has no webhooks, recordings or holding', async () => {
    const target: Target = { ...lease.target, lacks: ['webhooks', 'recordings', 'hold', 'digits', 'texts', 'outside'] };
    const run = await judge(target, { http, only: ['events', 'files/mp3', 'webhooks', 'calls/active'] });
    const verdictOf = (id: string) => run.checks.find((one) => one.id === id)?.verdict;
    const ids = ['events/hold', 'events/sms', 'files/mp3', 'webhooks/edit', 'events/failed', 'calls/active'];
    expect(ids.map(verdictOf)).toEqual([...Array.from({ length: 5 }, () => 'unsupported'), 'pass']);
  });
});

describe('a target that breaks a clause', () => {
  it.each(callFaults)('$name: is found by the checks of it', async ({ faults, found }) => {
    for (const rule of faults) await setFault(rule);
    const run = await judge(lease.target, { http, only: found });
    const missed = run.checks.filter(({ id, verdict }) => found.includes(id) && !['fail', 'warn'].includes(verdict));
    expect(missed.map(told)).toEqual([]);
    expect(run.checks.length).toBeGreaterThan(0);
  });

  it('is found by every check that can fail by what a fault does', async () => {
    const { checks } = await judge(lease.target, { http, only: AREAS });
    const judging = checks.filter(({ id, level }) => AREAS.includes(id.split('/')[0] ?? '') && level !== 'UNSPECIFIED');
    const never = judging.map(({ id }) => id).filter((id) => !callFaults.some(({ found }) => found.includes(id)));
    expect(never).toEqual(beyondFaults);
  }, 60_000);
});
