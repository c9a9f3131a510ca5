// Every check there is: those that follow from the contract, and those of each area that are written by hand. Knows no target.
import { operationById } from '../../contract/operations.ts';
import { generatedChecks, successCheckId } from '../checks/generated.ts';
import type { Check } from './check.ts';
import { accountChecks } from './semantic/accounts.ts';
import { authChecks } from './semantic/auth.ts';
import { callRecordChecks } from './semantic/call-records.ts';
import { callChecks } from './semantic/calls.ts';
import { eventContentChecks } from './semantic/event-content.ts';
import { eventFieldChecks } from './semantic/event-fields.ts';
import { eventOrderChecks, transitionChecks } from './semantic/event-order.ts';
import { selectionChecks } from './semantic/event-selections.ts';
import { signalChecks } from './semantic/event-signals.ts';
import { eventTimeChecks } from './semantic/event-times.ts';
import { fileChecks } from './semantic/files.ts';
import { filterChecks } from './semantic/filters.ts';
import { servingChecks } from './semantic/serving.ts';
import { versionChecks } from './semantic/versions.ts';
import { webhookChecks } from './semantic/webhooks.ts';

/** Areas in alphabetical order; a new file of checks is added here. */
const semanticChecks: readonly Check[] = [
  ...accountChecks,
  ...authChecks,
  ...callRecordChecks,
  ...callChecks,
  ...eventContentChecks,
  ...eventFieldChecks,
  ...eventOrderChecks,
  ...selectionChecks,
  ...signalChecks,
  ...eventTimeChecks,
  ...transitionChecks,
  ...fileChecks,
  ...filterChecks,
  ...servingChecks,
  ...versionChecks,
  ...webhookChecks,
];

/**
 * What is about an operation shows something only where a right request of it succeeds: that check comes first. Those with phones make
 * their right requests themselves, while phones are there.
 */
function withPositiveControl(check: Check): Check {
  if (check.operation === undefined || check.needs?.includes('phones') === true) return check;
  const control = successCheckId(operationById(check.operation));
  return { ...check, after: [...new Set([control, ...(check.after ?? [])])] };
}

export const allChecks: readonly Check[] = [...generatedChecks, ...semanticChecks.map(withPositiveControl)];
