// Every scenario of scenarios/, run with the simulator's own phones on a clock that is told: green, in seconds, and twice the same.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadYaml } from '../harness/language/load.ts';
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { problemText } from '../harness/language/problem.ts';
import { readYaml } from '../harness/language/yaml-source.ts';
import { runPlans, type TargetLease } from '../harness/run/run-plans.ts';
import { junitOf } from '../report/junit.ts';
import type { RunResult } from '../report/results.ts';
import { filesIn } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));
const files = await filesIn([FOLDER], ['.yaml'], 'files');

async function loadAll(): Promise<ScenarioPlan[]> {
  const plans: ScenarioPlan[] = [];
  for (const file of files) {
    const built = await loadYaml(file, (path) => readFile(path, 'utf8'));
    expect(built.problems.map(problemText)).toEqual([]);
    plans.push(...built.plans);
  }
  return plans;
}

interface Run {
  readonly result: RunResult;
  /** Of each scenario, in the form that leaves addresses out. */
  readonly journals: readonly string[];
}

async function run(plans: readonly ScenarioPlan[]): Promise<Run> {
  const journals: string[] = [];
  const lease = async (): Promise<TargetLease> => {
    const { target, close } = await leaseSimulator({ seed: 1, clock: 'manual' });
    return {
      target,
      close: async () => {
        const answer = await fetch(`${target.control?.root}/journal?after=0&limit=10000&form=canonical`);
        journals.push(await answer.text());
        await close();
      },
    };
  };
  const options = { name: 'fresh simulator', driver: 'sim', host: systemTime(), lease } as const;
  const result = await runPlans(plans, { ...options, replay: ({ file }) => `pbxsim run ${file}` });
  return { result, journals };
}

describe('a scenario of the package', () => {
  it.each(files.filter((file) => !file.includes('/fragments/')))(
    '%s is a check, or says why it is none',
    async (file) => {
      const reading = readYaml(file, await readFile(file, 'utf8'));
      const { clauses = [], no_clauses: why = '' } = (reading.ok ? reading.source.value : {}) as {
        readonly clauses?: readonly string[];
        readonly no_clauses?: string;
      };
      expect(clauses.length > 0 || why.length > 20, 'expected clauses: [...], or no_clauses: and why').toBe(true);
    },
  );
});

describe('the scenarios', () => {
  let plans: ScenarioPlan[] = [];
  beforeAll(async () => {
    plans = await loadAll();
  });

  it('pass, all of them, and twice with the same reports and journals', async () => {
    const simulated = plans.filter(({ drivers }) => drivers.includes('sim'));
    const first = await run(simulated);
    expect(first.result.scenarios.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(first.result.scenarios.length).toBeGreaterThanOrEqual(24);
    const second = await run(simulated);
    expect(junitOf(second.result)).toBe(junitOf(first.result));
    for (const [index, journal] of second.journals.entries()) {
      expect(journal.length, simulated[index]?.id).toBeGreaterThan(1000);
      expect(journal, simulated[index]?.id).toBe(first.journals[index]);
    }
  }, 120_000);

  it('are all in the table of the README, with what they require and where it is stated', async () => {
    const readme = await readFile(`${FOLDER}/README.md`, 'utf8');
    const documents = new Map(plans.map((plan) => [plan.id.replace(/\[.*/, ''), plan]));
    const rows = new Map(
      [...readme.matchAll(/^\| \[`([a-z-]+)`\]\(([^)]+)\) \| (.+) \| (.+) \|$/gm)].map((row) => [row[1], row]),
    );
    expect([...rows.keys()].sort()).toEqual([...documents.keys()].sort());
    for (const [id, plan] of documents) {
      expect(rows.get(id)?.slice(2, 5)).toEqual([
        plan.file.slice(FOLDER.length + 1),
        plan.requires.trim(),
        plan.spec.join('; '),
      ]);
    }
  });
});
