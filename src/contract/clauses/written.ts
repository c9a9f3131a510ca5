// Clauses that no row of the contract implies, about the service as a whole. Each area of its own size has a file beside this one.

import type { Clause } from '../clause.ts';

export const writtenClauses: readonly Clause[] = [
  {
    id: 'VERSION-ROOTS',
    level: 'UNSPECIFIED',
    requirement: 'the API is served below /v1.1/pbx, below /v1.2/pbx, or both',
    spec: 'Versioning, 1 and 4',
    operations: [],
  },
];
