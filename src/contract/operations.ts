// The operations of the specification, all modules together. Knows no request handler.

import type { Operation } from './operation.ts';
import { authOperations } from './operations/auth.ts';
import { callMeBackOperations } from './operations/callmeback.ts';
import { callsOperations } from './operations/calls.ts';
import { customerOperations } from './operations/customer.ts';
import { historyOperations } from './operations/history.ts';
import { reportsOperations } from './operations/reports.ts';
import { settingsOperations } from './operations/settings.ts';
import { storageOperations } from './operations/storage.ts';

const rows = [
  ...authOperations,
  ...callsOperations,
  ...storageOperations,
  ...settingsOperations,
  ...customerOperations,
  ...historyOperations,
  ...callMeBackOperations,
  ...reportsOperations,
];

export type OperationId = (typeof rows)[number]['id'];

/** Every published operation, in the order of the specification. */
export const operations: readonly Operation[] = rows;

const byId: ReadonlyMap<string, Operation> = new Map(operations.map((operation) => [operation.id, operation]));

/** The row of an id; undefined when the text names no operation. */
export function operationById(id: OperationId): Operation;
export function operationById(id: string): Operation | undefined;
export function operationById(id: string): Operation | undefined {
  return byId.get(id);
}
