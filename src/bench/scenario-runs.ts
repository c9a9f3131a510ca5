// Scenarios a second in manual time, each against a fresh simulator: as a command with the start of its process, and within one
// process. Run alone, after a build: `node src/bench/scenario-runs.ts`.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ScaleFigures } from './scenario-scale.ts';

const bin = fileURLToPath(new URL('../../bin/pbxsim.js', import.meta.url));
const scenarios = fileURLToPath(new URL('../../scenarios', import.meta.url));
const scale = fileURLToPath(new URL('./scenario-scale.ts', import.meta.url));

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

/** 1,000 scenarios in one run and then 5,000 events in one scenario, in a process of their own; all must pass. */
export async function scenariosAtScale(): Promise<{ readonly many: ScaleFigures; readonly events: ScaleFigures }> {
  const { stdout } = await promisify(execFile)(process.execPath, [scale, '1000', '5000']);
  const [many, events] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ScaleFigures);
  if (many === undefined || events === undefined || many.failed + events.failed > 0)
    throw new Error(`failed: ${stdout}`);
  return { many, events };
}

if (import.meta.main) console.log(await scenarioRuns(), await scenariosAtScale());
