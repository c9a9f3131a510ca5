// Clauses about how the service answers whatever the operation: media types, browsers of other origins, unknown paths, broken bodies.
import type { Clause } from '../clause.ts';

export const servingClauses: readonly Clause[] = [
  {
    id: 'SERVE-JSON',
    level: 'MUST',
    requirement: 'answers are JSON, errors too',
    spec: 'What the service does, 2',
    operations: ['ping', 'getContact'],
  },
  {
    id: 'SERVE-JSON-TYPE',
    level: 'SHOULD',
    requirement: 'answers of JSON say so in Content-Type',
    spec: 'What the service does, 2',
    operations: ['ping', 'getContact'],
  },
  {
    id: 'SERVE-CORS',
    level: 'MUST',
    requirement: 'a page of another origin may read answers: they carry Access-Control-Allow-Origin',
    spec: 'What the service does, 4',
    operations: ['ping'],
  },
  {
    id: 'SERVE-CORS-PREFLIGHT',
    level: 'MUST',
    requirement: 'a preflight request is answered 2xx and allows the method and the Authorization header',
    spec: 'What the service does, 4',
    operations: ['updateContact'],
  },
  {
    id: 'SERVE-CORS-ERRORS',
    level: 'SHOULD',
    requirement: 'a page of another origin may read refusals, too',
    spec: 'What the service does, 4',
    operations: ['ping'],
  },
  {
    id: 'SERVE-UNKNOWN-PATH',
    level: 'SHOULD',
    requirement: 'a path that is nothing is answered 404, with the body of errors',
    spec: 'Errors, 1 and 5',
    operations: [],
  },
  {
    id: 'SERVE-BROKEN-BODY',
    level: 'SHOULD',
    requirement: 'a body that is no JSON is a client error, 4xx',
    spec: 'What the service does, 3',
    operations: ['createContact'],
  },
  {
    id: 'SERVE-LONG-LIMIT',
    level: 'MUST',
    requirement: 'a page has at most 5000 records, whatever limit is asked for',
    spec: 'Limits',
    operations: ['listContacts'],
  },
];
