// Every check that the commands about conformance know: those of the registry, and the scenarios of the package.
import { fileURLToPath } from 'node:url';
import type { Check } from '../harness/conform/check.ts';
import { allChecks } from '../harness/conform/registry.ts';
import { scenarioChecks } from '../harness/conform/scenario-checks.ts';
import { loadScenarios } from './scenario-files.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));

/** Rejects with `FileTrouble` when the package is not whole. */
export async function everyCheck(): Promise<readonly Check[]> {
  const { plans } = await loadScenarios([FOLDER]);
  return [...allChecks, ...scenarioChecks(plans)];
}
