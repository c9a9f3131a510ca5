// pbxsim lint: checks scenario files without any traffic.
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { FileTrouble } from '../wires/files.ts';
import { explain } from './errors.ts';
import { loadScenarios } from './scenario-files.ts';

/** Status 0 when every file is right, 2 when one is not or there is no scenario. */
export async function lint(paths: readonly string[]): Promise<void> {
  process.exitCode = await check(paths);
}

/** Which scenarios are for one driver of phones alone, and why. */
function restricted(plans: readonly ScenarioPlan[]): string[] {
  const lines = plans.flatMap(({ file, drivers, driversReason }) =>
    driversReason === undefined ? [] : [`${file}: phones ${drivers.join(', ')} only: ${driversReason}`],
  );
  return [...new Set(lines)];
}

async function check(paths: readonly string[]): Promise<0 | 2> {
  try {
    const { files, plans, problems } = await loadScenarios(paths);
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) return 2;
    if (plans.length === 0) {
      console.error('pbxsim: there is no scenario in these files.');
      return 2;
    }
    for (const line of restricted(plans)) console.log(line);
    console.log(`${plans.length} scenarios in ${files.length} files, all valid`);
    return 0;
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    console.error(explain(error));
    return 2;
  }
}
