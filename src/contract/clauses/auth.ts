// Clauses about credentials: how a login becomes one, how long it lives, what is refused.
import type { Clause } from '../clause.ts';

export const authClauses: readonly Clause[] = [
  {
    id: 'AUTH-TOKEN-WORKS',
    level: 'MUST',
    requirement: 'user_id and user_token of a login are credentials of Basic authentication',
    spec: 'Authentication, 2 and 4',
    operations: ['login', 'ping'],
  },
  {
    id: 'AUTH-LOGOUT-DESTROYS',
    level: 'MUST',
    requirement: 'a token is worth nothing from its logout on',
    spec: 'Authentication, 5 and 6',
    operations: ['logout', 'ping'],
  },
  {
    id: 'AUTH-TOKEN-EXPIRES',
    level: 'MUST',
    requirement: 'a token that nobody has used for 15 minutes is refused with 401',
    spec: 'States and transitions, API user token',
    operations: ['login', 'ping'],
  },
  {
    id: 'AUTH-PING-REFRESHES',
    level: 'MUST',
    requirement: 'GET /ping starts the 15 minutes of a token anew',
    spec: 'Authentication, 5',
    operations: ['ping'],
  },
  {
    id: 'AUTH-USE-REFRESHES',
    level: 'SHOULD',
    requirement: 'any request with a token starts its 15 minutes anew: the window is one without requests',
    spec: 'States and transitions, API user token',
    operations: ['login'],
  },
  {
    id: 'AUTH-UNKNOWN-KEY',
    level: 'MUST',
    requirement: 'a token or key that does not exist is refused with 401',
    spec: 'Errors, 3',
    operations: ['ping'],
  },
  {
    id: 'AUTH-FOREIGN-KEY',
    level: 'SHOULD',
    requirement: 'the key of one user is no credential of another one',
    spec: 'Authentication, 4',
    operations: ['ping'],
  },
  {
    id: 'AUTH-MALFORMED',
    level: 'SHOULD',
    requirement: 'an Authorization header that is no Basic credentials is refused with 401',
    spec: 'Authentication, 4 and 6',
    operations: ['ping'],
  },
  {
    id: 'AUTH-LOGIN-WRONG',
    level: 'MUST',
    requirement: 'a login with a wrong password, and one with an unknown address, are answered 400',
    spec: 'Errors, 2',
    operations: ['login'],
  },
  {
    id: 'AUTH-SECOND-LOGIN',
    level: 'UNSPECIFIED',
    requirement: 'whether an earlier token stays valid after a further login of the same user',
    spec: 'Authentication, 2 (not shown)',
    operations: ['login', 'ping'],
  },
];
