// Every check there is: those that follow from the contract, and those of each area that are written by hand. Knows no target.
import { operationById } from '../../contract/operations.ts';
import { generatedChecks, successCheckId } from '../checks/generated.ts';
import type { Check } from './check.ts';
import { accountChecks } from './semantic/accounts.ts';
import { authChecks } from './semantic/auth.ts';
import { filterChecks } from './semantic/filters.ts';
import { servingChecks } from './semantic/serving.ts';
import { versionChecks } from './semantic/versions.ts';

/** Areas in alphabetical order; a new file of checks is added here. */
const semanticChecks: readonly Check[] = [
  ...accountChecks,
  ...authChecks,
  ...filterChecks,
  ...servingChecks,
  ...versionChecks,
];

/** What is about an operation shows something only where a right request of it succeeds: that check comes first. */
function withPositiveControl(check: Check): Check {
  if (check.operation === undefined) return check;
  const control = successCheckId(operationById(check.operation));
  return { ...check, after: [...new Set([control, ...(check.after ?? [])])] };
}

export const allChecks: readonly Check[] = [...generatedChecks, ...semanticChecks.map(withPositiveControl)];
