// The catalogue of clauses: each has an id of its own, a place in the specification, and no stronger level than that gives it.
import { expect, it } from 'vitest';
import { clauseById, clauses } from './clauses.ts';
import { operations } from './operations.ts';

it('gives each clause an id of its own, of capital letters, digits and hyphens', () => {
  expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length);
  expect(clauses.filter(({ id }) => !/^[A-Z0-9]+(-[A-Z0-9]+)+$/.test(id))).toEqual([]);
});

it('says what each requires, and where that is written', () => {
  expect(clauses.filter(({ requirement, spec }) => requirement === '' || spec === '')).toEqual([]);
});

it('covers the success of all 163 operations', () => {
  const successes = operations.map(({ id, success }) =>
    clauses.filter((clause) => clause.operations.includes(id) && clause.id.endsWith(`-${success[0]}`)),
  );
  expect(successes.map((found) => found.length)).toEqual(Array.from({ length: 163 }, () => 1));
});

it('demands a status that an operation lists, and recommends one that only the general rules add', () => {
  expect(clauseById('CALLS-ID-PATCH-301')).toMatchObject({ level: 'MUST', operations: ['updateCall'] });
  expect(clauseById('CALLS-ID-PATCH-404')?.level).toBe('MUST');
  expect(clauseById('CALLLABELS-POST-400')?.level).toBe('MUST');
  expect(clauseById('CALLLABELS-POST-401')?.level).toBe('SHOULD');
});

it('leaves open what the specification does not show, or shows twice', () => {
  for (const id of ['CONFIRMATION-POST-BODY', 'USERS-PATCH-BODY', 'SMS-DELETE-BODY'])
    expect(clauseById(id)?.level, id).toBe('UNSPECIFIED');
  expect(clauses.filter(({ id }) => id.startsWith('CALLLABELS-FIELD-'))).toEqual([]);
});

it('takes a field in each of its published types', () => {
  expect(clauseById('USERS-FIELD-ROLES')?.requirement).toBe('each record has roles: array or string');
  expect(clauseById('CDRS-FIELD-TYPE')?.requirement).toBe('each record has type: string or integer');
  expect(clauseById('USERS-FIELD-EXT')?.requirement).toBe('ext, where a record has it, is string');
  expect(clauseById('CALLS-FIELD-STATE')?.requirement).toBe('each record has state: integer');
});
