// Every scenario of scenarios/, run with the simulator's own phones on a clock that is told: green, in seconds, and twice the same.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadYaml } from '../harness/language/load.ts';
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { problemText } from '../harness/language/problem.ts';
import { runPlans } from '../harness/run/run-plans.ts';
import type { RunResult } from '../report/results.ts';
import { filesIn } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));

async function plansOf(folder: string): Promise<ScenarioPlan[]> {
  const plans: ScenarioPlan[] = [];
  for (const file of await filesIn([folder], ['.yaml'], 'files')) {
    const built = await loadYaml(file, (path) => readFile(path, 'utf8'));
    expect(built.problems.map(problemText)).toEqual([]);
    plans.push(...built.plans);
  }
  return plans;
}

function run(plans: readonly ScenarioPlan[]): Promise<RunResult> {
  return runPlans(plans, {
    name: 'fresh simulator',
    driver: 'sim',
    host: systemTime(),
    lease: () => leaseSimulator({ seed: 1, clock: 'manual' }),
    replay: ({ file }) => `pbxsim run ${file}`,
  });
}

describe('the scenarios', () => {
  let plans: ScenarioPlan[] = [];
  beforeAll(async () => {
    plans = await plansOf(FOLDER);
  });

  it('pass, all of them, and twice the same', async () => {
    const first = await run(plans);
    expect(first.scenarios.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(first.scenarios.length).toBeGreaterThanOrEqual(20);
    expect(await run(plans)).toEqual(first);
  }, 60_000);
});
