// Scenario files that the command line names, read and checked: YAML, and TypeScript that exports scenarios.
import type { Built } from '../harness/language/build.ts';
import { loadDocuments, loadYaml, repeatedIds } from '../harness/language/load.ts';
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { type Problem, problemText } from '../harness/language/problem.ts';
import { readTextFile } from '../wires/files.ts';
import { exportsOf, filesIn } from '../wires/scenario-files.ts';

/** What a folder's scenarios are called. */
const ENDINGS = ['.yaml', '.yml', '.scenario.ts', '.scenario.mts', '.scenario.js', '.scenario.mjs'];

export interface Loaded {
  readonly files: readonly string[];
  readonly plans: readonly ScenarioPlan[];
  /** One line each: file, line, column, what was expected. */
  readonly problems: readonly string[];
}

/** Rejects with `FileTrouble` when a path leads nowhere. */
export async function loadScenarios(paths: readonly string[]): Promise<Loaded> {
  const files = await filesIn(paths, ENDINGS, 'files');
  const plans: ScenarioPlan[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const built = /\.ya?ml$/.test(file) ? await loadYaml(file, read) : await loadModule(file);
    plans.push(...built.plans);
    problems.push(...built.problems);
  }
  return { files, plans, problems: [...problems, ...repeatedIds(plans)].map(problemText) };
}

function read(path: string): Promise<string> {
  return readTextFile(path, 'files');
}

async function loadModule(file: string): Promise<Built> {
  if (!/\.[cm]?[jt]s$/.test(file)) {
    const message = `expected a scenario file, its name ending in one of ${ENDINGS.join(', ')}`;
    return { plans: [], problems: [{ place: { file }, where: '', message }] };
  }
  try {
    return await loadDocuments(file, await documentsOf(file), read);
  } catch (error) {
    const message = `expected a module that can be loaded: ${error instanceof Error ? error.message : String(error)}`;
    return { plans: [], problems: [{ place: { file }, where: '', message }] };
  }
}

/** Every exported scenario, alone or in lists. */
async function documentsOf(file: string): Promise<unknown[]> {
  return Object.values(await exportsOf(file))
    .flat()
    .filter((value) => typeof value === 'object' && value !== null);
}
