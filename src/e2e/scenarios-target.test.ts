// The same scenarios against one simulator that lives on, known only by addresses and keys: they leave it as they found it.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadYaml } from '../harness/language/load.ts';
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { runPlans, type TargetLease } from '../harness/run/run-plans.ts';
import { reachTarget } from '../harness/target/reach-target.ts';
import { TOUCHES } from '../harness/target/what-it-takes.ts';
import type { ScenarioResult } from '../report/results.ts';
import { HttpClient } from '../wires/http-client.ts';
import { filesIn } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));
const http = new HttpClient();
let simulator: TargetLease;
let plans: readonly ScenarioPlan[] = [];

beforeAll(async () => {
  simulator = await leaseSimulator({ seed: 1, clock: 'manual' });
  const built = await Promise.all(
    (await filesIn([FOLDER], ['.yaml'], 'files')).map((file) => loadYaml(file, (path) => readFile(path, 'utf8'))),
  );
  plans = built.flatMap((one) => one.plans).filter(({ drivers }) => drivers.includes('sim'));
});
afterAll(async () => {
  await simulator.close();
  await http.close();
});

async function runAll(): Promise<readonly ScenarioResult[]> {
  const { apiRoot, control, users } = simulator.target;
  const known = (['first', 'second', 'third'] as const).map((name) => {
    const { id = 0, key, password = '' } = users[name] ?? { key: null };
    return [name, { id, key: key ?? '', password }] as const;
  });
  const document = {
    api_root: apiRoot,
    users: Object.fromEntries(known) as never,
    control: { root: control?.root ?? '' },
    allow: [...TOUCHES],
  };
  const target = await reachTarget(document, http);
  const { scenarios } = await runPlans(plans, {
    name: target.name,
    driver: 'sim',
    host: systemTime(),
    lease: () => Promise.resolve({ target, close: () => Promise.resolve() }),
    replay: ({ file }) => `pbxsim run ${file}`,
  });
  return scenarios;
}

/** But for the counts of voice messages: scenarios of voicemail remove them, which is not undone. */
async function settings(): Promise<unknown[]> {
  const paths = ['phones', 'webhooks', 'trunk', 'records/users', 'faults'];
  return Promise.all(
    paths.map((path) =>
      fetch(`${simulator.target.control?.root}/${path}`)
        .then((answer) => answer.text())
        .then((text) => JSON.parse(text.replaceAll(/"vm_(new|old)":\d+,/g, ''))),
    ),
  );
}

it('pass on a target that they share, twice, and leave phones, webhooks, numbers and users as they were', async () => {
  const before = await settings();
  for (const _time of ['once', 'again']) {
    expect((await runAll()).filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(await settings()).toEqual(before);
  }
}, 120_000);
