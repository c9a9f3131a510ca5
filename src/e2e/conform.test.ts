// The judge and the simulator in one process: how a run goes, beyond what its checks say.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { HttpClient } from '../wires/http-client.ts';
import { judge, judgedSimulator, told } from './conform-stage.ts';

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

async function fault(match: object, action: object): Promise<void> {
  const set = await http.send({
    method: 'POST',
    url: `${lease.target.control?.root}/faults`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { at: 'api', ...match }, action }),
  });
  expect(set).toMatchObject({ ok: true, status: 201 });
}

it('everything there is passes at the simulator, and what was judged covers the catalogue', async () => {
  const run = await judge(lease.target, { http });
  const fine = ['pass', 'observed', 'not-applicable'];
  expect(run.checks.filter(({ verdict }) => !fine.includes(verdict)).map(told)).toEqual([]);
  expect(conformVerdictOf(run)).toMatchObject({ verdict: 'conformant', status: 0 });
  expect(run.checks.map(({ id }) => id)).toEqual(run.planned);
  const statuses = run.coverage.find((one) => one.of === 'operation statuses');
  expect([statuses?.judged, statuses?.missed]).toEqual([statuses?.total, []]);
  expect(run.leftovers).toEqual([]);
}, 60_000);

it('every check names exchanges of the run as its evidence', async () => {
  const run = await judge(lease.target, { http, only: ['QUEUES-FIELD-NAME'] });
  const known = new Set(run.exchanges.map(({ seq }) => seq));
  expect(run.checks.filter(({ exchanges }) => exchanges.length === 0).map(told)).toEqual([]);
  expect(run.checks.flatMap(({ exchanges }) => exchanges.filter((seq) => !known.has(seq)))).toEqual([]);
  expect(run.exchanges.map(({ seq }) => seq)).toEqual(run.exchanges.map((_, at) => at + 1));
});

it('a SHOULD that is not met is a warning, and fails a strict run alone', async () => {
  await fault({ operation: 'listCallLabels' }, { do: 'field', pointer: '/data/0/id', value: 1 });
  const only = ['CALLLABELS-GET-PAGE'];
  const mild = await judge(lease.target, { http, only });
  expect(mild.checks.find(({ clause }) => clause === 'CALLLABELS-GET-PAGE')?.verdict).toBe('warn');
  expect(conformVerdictOf(mild).status).toBe(0);
  expect(conformVerdictOf(await judge(lease.target, { http, only, strict: true })).status).toBe(1);
});

it('a run that ends at its first failure makes no further check, and removes what it made', async () => {
  await fault({ operation: 'listContacts' }, { do: 'status', status: 500 });
  const run = await judge(lease.target, { http, only: ['* /contacts*'], failFast: true });
  expect(run.stopped).toBe(true);
  expect(run.checks.length).toBeLessThan(run.planned.length);
  expect(conformVerdictOf(run)).toMatchObject({ verdict: 'non-conformant', status: 1 });
  expect(run.leftovers).toEqual([]);
});

it('a refusal for another reason is no refusal: what is refused when it is right shows nothing', async () => {
  await fault({ operation: 'updateConference' }, { do: 'status', status: 400 });
  const run = await judge(lease.target, { http, only: ['PATCH /conferences/{id}'] });
  const verdict = (id: string) => run.checks.find((one) => one.id === `PATCH /conferences/{id} ${id}`)?.verdict;
  // Everything is refused with 400, so no refusal shows anything.
  expect([verdict('200'), verdict('400'), verdict('401'), verdict('404')]).toEqual([
    ...['fail', 'blocked', 'blocked', 'blocked'],
  ]);
});
