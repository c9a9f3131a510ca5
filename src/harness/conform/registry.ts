// Every check there is: those that follow from the contract, and those of each area that are written by hand. Knows no target.
import { generatedChecks } from '../checks/generated.ts';
import type { Check } from './check.ts';
import { versionChecks } from './semantic/versions.ts';

/** Areas in alphabetical order; a new file of checks is added here. */
const semanticChecks: readonly Check[] = [...versionChecks];

export const allChecks: readonly Check[] = [...generatedChecks, ...semanticChecks];
