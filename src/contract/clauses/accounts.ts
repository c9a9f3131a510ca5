// Clauses about accounts, besides that no operation does anything to a record of somebody else's.
import type { Clause } from '../clause.ts';

export const accountClauses: readonly Clause[] = [
  {
    id: 'ACCOUNT-LISTS-SEALED',
    level: 'SHOULD',
    requirement: "lists have records of the caller's own customer alone, whatever the filter asks for",
    spec: 'Authentication, 7',
    operations: ['listContacts', 'listConferences'],
  },
  {
    id: 'ACCOUNT-REFUSAL',
    level: 'UNSPECIFIED',
    requirement: 'whether a record of another customer is 403 or 404: the specification has a sentence for each',
    spec: 'Errors, 4 and 5',
    operations: ['getContact'],
  },
];
