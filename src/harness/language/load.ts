// Scenario files and the fragments that they include, read and turned into plans. Knows files only through a function that reads one.
import { type Built, buildPlans, fragmentPath, includesOf } from './build.ts';
import type { ScenarioPlan } from './plan.ts';
import type { Problem, Source } from './problem.ts';
import { readYaml } from './yaml-source.ts';

/** Fragments of one file, those of fragments included. */
export const MAX_FRAGMENTS = 200;

/** The text of a file; rejects with an error whose message says why not. */
export type ReadText = (path: string) => Promise<string>;

/** Plans of a YAML file; a fragment alone has none. */
export async function loadYaml(file: string, read: ReadText): Promise<Built> {
  const reading = await readSource(file, read);
  if ('problems' in reading) return { plans: [], problems: reading.problems };
  if (isFragment(reading.source)) return { plans: [], problems: [] };
  return load(reading.source, read);
}

/** Plans of documents written in TypeScript, `scenario({...})` of scenario.ts; `file` names where they are from. */
export async function loadDocuments(file: string, documents: readonly unknown[], read: ReadText): Promise<Built> {
  const plans: ScenarioPlan[] = [];
  const problems: Problem[] = [];
  for (const value of documents) {
    const built = await load({ file, value, place: () => ({ file }) }, read);
    plans.push(...built.plans);
    problems.push(...built.problems);
  }
  return { plans, problems };
}

/** Two scenarios of one id would be one in every report. */
export function repeatedIds(plans: readonly ScenarioPlan[]): Problem[] {
  const first = new Map<string, ScenarioPlan>();
  return plans.flatMap((plan) => {
    const other = first.get(plan.id);
    if (other === undefined) {
      first.set(plan.id, plan);
      return [];
    }
    return [
      { place: { file: plan.file }, where: 'id', message: `expected an id of its own, ${plan.id} is in ${other.file}` },
    ];
  });
}

async function load(source: Source, read: ReadText): Promise<Built> {
  const fragments = new Map<string, Source>();
  const problems: Problem[] = [];
  const waiting = includesOf(source.value).map((include) => fragmentPath(source.file, include));
  for (let path = waiting.shift(); path !== undefined && fragments.size < MAX_FRAGMENTS; path = waiting.shift()) {
    if (fragments.has(path)) continue;
    const reading = await readSource(path, read).catch(() => undefined);
    if (reading === undefined) continue;
    if ('problems' in reading) {
      problems.push(...reading.problems);
      continue;
    }
    fragments.set(path, reading.source);
    for (const include of includesOf(reading.source.value)) waiting.push(fragmentPath(path, include));
  }
  return problems.length > 0 ? { plans: [], problems } : buildPlans(source, fragments);
}

async function readSource(
  file: string,
  read: ReadText,
): Promise<{ readonly source: Source } | { readonly problems: readonly Problem[] }> {
  const reading = readYaml(file, await read(file));
  return reading.ok ? { source: reading.source } : { problems: reading.problems };
}

function isFragment({ value }: Source): boolean {
  return typeof value === 'object' && value !== null && 'fragment' in value;
}
