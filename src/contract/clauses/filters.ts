// Clauses about the query parameters of collections, beyond those that each of them has.
import type { Clause } from '../clause.ts';

export const filterClauses: readonly Clause[] = [
  {
    id: 'FILTER-OPERATORS',
    level: 'MUST',
    requirement: 'a filter takes the operators like, eq and =; the last two mean the same',
    spec: 'Endpoints, conventions 2',
    operations: ['listContacts'],
  },
  {
    id: 'FILTER-LIKE-PART',
    level: 'SHOULD',
    requirement: 'like finds records by a part of the value',
    spec: 'Endpoints, conventions 2',
    operations: ['listContacts'],
  },
  {
    id: 'FILTER-ALL-OF',
    level: 'SHOULD',
    requirement: 'of several elements of a filter all have to fit',
    spec: 'Endpoints, conventions 2',
    operations: ['listContacts'],
  },
  {
    id: 'FILTER-BEFORE-PAGE',
    level: 'SHOULD',
    requirement: 'total counts what the filter leaves, and pages are taken of that',
    spec: 'Response envelopes',
    operations: ['listContacts'],
  },
  {
    id: 'FILTER-BROKEN',
    level: 'SHOULD',
    requirement: 'a filter that is no JSON array is a client error, 4xx',
    spec: 'Endpoints, conventions 2; Errors, 2',
    operations: ['listContacts'],
  },
  {
    id: 'COLLECTION-GROUP-BY',
    level: 'MUST',
    requirement: 'a collection takes group_by with the name of a property; what groups look like is not shown',
    spec: 'Endpoints, conventions 1',
    operations: ['listContacts'],
  },
  {
    id: 'PAGE-ORIGIN',
    level: 'UNSPECIFIED',
    requirement: 'whether the first page is page 0 or page 1',
    spec: 'Endpoints, conventions 1 (not shown)',
    operations: ['listContacts'],
  },
];
