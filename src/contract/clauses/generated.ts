// The clauses that follow from the contract's rows: statuses, bodies, paging and after-effects of each operation, and each published field.

import type { Clause, ClauseLevel } from '../clause.ts';
import type { Operation } from '../operation.ts';
import { type OperationId, operations } from '../operations.ts';
import { resourceList } from '../resources.ts';
import { type Aspect, clauseIdOf, fieldClauseId } from './clause-ids.ts';
import { operationsShowing, type PublishedField, publishedFields } from './published-fields.ts';

/** Dictionaries whose success status is published as unknown. */
const statusUnknown: ReadonlySet<OperationId> = new Set([
  'listDdiDictionaries',
  'listCdrDictionaries',
  'listMsdrDictionaries',
  'listSmsDictionaries',
  'listMediaSessionDictionaries',
]);

/** The status of its success is not published: any 2xx is one. */
export function successIsOpen({ id }: Operation): boolean {
  return statusUnknown.has(id);
}

export const refusals = {
  400: { requirement: 'a body with a member of a wrong type is refused', spec: 'Errors, 1 and 2' },
  401: { requirement: 'a request without credentials is refused', spec: 'Authentication, 6; Errors, 1 and 3' },
  403: {
    requirement: 'a user whom access control does not allow it is refused',
    spec: 'Authentication, 7; Errors, 1 and 4',
  },
  404: { requirement: 'an id that nothing has is not found', spec: 'Errors, 1 and 5' },
} as const;
export type Refusal = keyof typeof refusals;

/** The errors that a check can provoke, listed ones and those of the general rules. */
export function refusalsOf({ listed, general, chosen }: Operation): readonly Refusal[] {
  const answered = new Set([...listed, ...general].filter((status) => !chosen.includes(status)));
  return ([400, 401, 403, 404] as const).filter((status) => answered.has(status));
}

/** What can be seen after an operation has been done. */
export function aftermathOf(operation: Operation): 'MADE' | 'WRITTEN' | 'GONE' | 'EMPTY' | undefined {
  const { method, path, response, body } = operation;
  const reads = (wanted: string, kind: string): boolean =>
    operations.some((one) => one.method === 'GET' && one.path === wanted && one.response.kind === kind);
  if (method === 'POST' && response.kind === 'single' && reads(`${path}/{id}`, 'single')) return 'MADE';
  if (method === 'PATCH' && response.kind === 'single' && body !== undefined && reads(path, 'single')) return 'WRITTEN';
  if (method !== 'DELETE') return undefined;
  if (path.includes('{')) return reads(path.replace('{ids}', '{id}'), 'single') ? 'GONE' : undefined;
  return reads(path, 'collection') ? 'EMPTY' : undefined;
}

function clause(operation: Operation, aspect: Aspect, level: ClauseLevel, requirement: string, spec: string): Clause {
  return { id: clauseIdOf(operation, aspect), level, requirement, spec, operations: [operation.id] };
}

const tenancy = 'Authentication, 7; Errors, 4 and 5';

/** What has an id belongs to a customer, but for the roles, which may be everybody's. */
export function isOfOneCustomer({ path, auth }: Operation): boolean {
  return auth === 'basic' && /\{ids?\}/.test(path) && !path.startsWith('/aclroles');
}

function clausesOf(operation: Operation): Clause[] {
  const { listed, success, spec } = operation;
  const status = successIsOpen(operation) ? 'with a success (2xx)' : success.join(' or ');
  const aftermath = aftermathOf(operation);
  return [
    clause(operation, success[0] ?? 200, 'MUST', `a right request is answered ${status}`, spec),
    ...refusalsOf(operation).map((error) => {
      const { requirement, spec: rule } = refusals[error];
      const isListed = listed.includes(error);
      const where = isListed ? `${spec}; ${rule}` : rule;
      return clause(
        operation,
        error,
        isListed ? 'MUST' : 'SHOULD',
        `${requirement}: ${error} with message and errors`,
        where,
      );
    }),
    bodyClause(operation),
    ...pagingClauses(operation),
    ...(aftermath === undefined ? [] : [aftermathClause(operation, aftermath)]),
    ...(isOfOneCustomer(operation)
      ? [clause(operation, 'TENANT', 'MUST', 'a user of another customer is refused', tenancy)]
      : []),
    ...(operation.effect === 'read' ? [] : [refusedClause(operation)]),
  ];
}

/** Operations whose effect nothing reads back. */
const nothingShows: ReadonlySet<OperationId> = new Set([
  ...(['login', 'loginTwoFactor', 'logout', 'resendConfirmation', 'requestPasswordReset', 'resetPassword'] as const),
  ...(['deleteAllStatements', 'createCallMeBackButton'] as const),
]);

function refusedClause(operation: Operation): Clause {
  const refused = clause(operation, 'REFUSED', 'SHOULD', 'what is refused changes nothing', 'Errors');
  if (!nothingShows.has(operation.id)) return refused;
  return { ...refused, untestable: 'No operation reads what this one changes.' };
}

function aftermathClause(operation: Operation, aftermath: keyof typeof afterwards): Clause {
  const { requirement, spec } = afterwards[aftermath];
  // 202 promises that it will be done, not when.
  const isPromised = aftermath === 'EMPTY' && operation.success.every((status) => status === 202);
  const level = isPromised ? 'SHOULD' : 'MUST';
  const stated = clause(operation, aftermath, level, requirement, `${operation.spec}; ${spec}`);
  if (operation.id !== 'updateCall' || aftermath !== 'WRITTEN') return stated;
  const untestable = 'No member of the body is read as it is written; what the change does is said by CALL- clauses.';
  return { ...stated, untestable };
}

const afterwards = {
  MADE: { requirement: 'what was made can be read, and holds what was written', spec: 'What the service does, 1' },
  WRITTEN: { requirement: 'what was changed is read as it was written', spec: 'What the service does, 1' },
  GONE: { requirement: 'what was removed is not found any more', spec: 'Errors, 5' },
  EMPTY: { requirement: 'the collection is empty after its deletion', spec: 'What the service does, 1' },
} as const;

function bodyClause(operation: Operation): Clause {
  const { response, body, success, spec } = operation;
  const envelopes = 'Response envelopes';
  const open = (what: string): Clause => clause(operation, 'BODY', 'UNSPECIFIED', what, `${spec}; ${envelopes}`);
  if (body?.bulk === true) return open('the answer to a bulk change has some body');
  switch (response.kind) {
    case 'collection':
      return clause(
        operation,
        'BODY',
        'MUST',
        'the body is JSON: data, an array of records, and total, an integer',
        envelopes,
      );
    case 'single':
      return clause(operation, 'BODY', 'MUST', 'the body is JSON: data, a record, and links, an object', envelopes);
    case 'list-single':
      return clause(operation, 'BODY', 'MUST', 'the body is JSON: data, an array of one record, and total', envelopes);
    case 'sub-collection':
      // Published as one object of the owner's shape, where the path promises a list: either is right.
      return clause(operation, 'BODY', 'MUST', 'the body is JSON: data, an object of the owner or a list', envelopes);
    case 'file':
      return clause(
        operation,
        'BODY',
        'MUST',
        'the body is a file of the kind that the path ends in, not JSON',
        'What the service does, 2',
      );
    case 'message':
      return namesMembers(operation)
        ? clause(operation, 'BODY', 'MUST', 'the body is JSON with the published members', spec)
        : open('the body of this success is not shown');
    case 'empty':
      return clause(operation, 'BODY', success.includes(204) ? 'MUST' : 'UNSPECIFIED', 'there is no body', 'Errors, 7');
  }
}

/** Logins, logout and ping: the members are in the table. */
function namesMembers({ id }: Operation): boolean {
  return id === 'login' || id === 'loginTwoFactor' || id === 'logout' || id === 'ping';
}

function pagingClauses(operation: Operation): Clause[] {
  if (!isPaged(operation)) return [];
  // Dictionaries have the shape of collections; that they have their parameters is not written.
  const level = operation.path.endsWith('/dictionaries') ? 'SHOULD' : 'MUST';
  return [
    clause(
      operation,
      'LIMIT',
      level,
      'a page has at most as many records as limit says',
      'Endpoints, Conventions, 1; Limits',
    ),
    clause(operation, 'TOTAL', level, 'total counts all records, whatever the page', 'Response envelopes'),
    clause(operation, 'PAGE', 'SHOULD', 'two pages have no record in common', 'Endpoints, Conventions, 1'),
    clause(
      operation,
      'FILTER',
      level,
      'a filter by id leaves the record of that id alone',
      'Endpoints, Conventions, 1 and 2',
    ),
  ];
}

/** Whether its records come in pages that have an id to tell them by. */
export function isPaged({ parameters, response }: Operation): boolean {
  return parameters.query === 'collection' && response.kind === 'collection';
}

function fieldClauses(): Clause[] {
  return resourceList.flatMap(({ id, spec }) => {
    const showing = operationsShowing(id).map((operation) => operation.id);
    if (showing.length === 0) return [];
    return publishedFields(id).map(
      (field): Clause => ({
        id: fieldClauseId(id, field.name),
        level: 'MUST',
        requirement: fieldRequirement(field),
        spec: `Resources and their fields, ${spec}`,
        operations: showing,
      }),
    );
  });
}

function fieldRequirement({ name, types, always, datetime }: PublishedField): string {
  const type = types.join(' or ');
  const written = datetime === undefined ? type : `${type}, a date and time in UTC`;
  return always ? `each record has ${name}: ${written}` : `${name}, where a record has it, is ${written}`;
}

export const generatedClauses: readonly Clause[] = [...operations.flatMap(clausesOf), ...fieldClauses()];
