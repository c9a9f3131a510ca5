// Scenarios a second in manual time, each against a fresh simulator, as `pbxsim run` does it. Run alone, after a build: `node src/bench/scenario-runs.ts`.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const bin = fileURLToPath(new URL('../../bin/pbxsim.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../../scenarios', import.meta.url));

export interface ScenarioFigures {
  readonly scenarios: number;
  readonly perSecond: number;
}

/** The best of some runs of the whole set, the start of the process included; every scenario must pass. */
export async function scenarioRuns(rounds = 3): Promise<ScenarioFigures> {
  let best: ScenarioFigures = { scenarios: 0, perSecond: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [bin, 'run', scenarios]);
    const passed = Number(/(\d+) passed/.exec(stdout)?.[1]);
    if (!Number.isInteger(passed) || passed === 0) throw new Error(`no scenario passed: ${stdout.slice(-400)}`);
    const perSecond = passed / ((performance.now() - start) / 1000);
    if (perSecond > best.perSecond) best = { scenarios: passed, perSecond };
  }
  return best;
}

if (import.meta.main) console.log(await scenarioRuns());
