// Which operations this release works on; the others answer 501 with a clear message. Knows no handler.

import { type OperationId, operations } from './operations.ts';

/** All of them. */
export const builtOperations: ReadonlySet<OperationId> = new Set(operations.map(({ id }) => id));
