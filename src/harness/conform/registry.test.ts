// The checks that there are: each has an id of its own, a clause that exists and nothing before it that does not.
import { expect, it } from 'vitest';
import { clauseById } from '../../contract/clauses.ts';
import { allChecks } from './registry.ts';

it('gives each check an id of its own and a clause of the catalogue', () => {
  expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
  expect(allChecks.filter(({ clause }) => clauseById(clause) === undefined).map(({ id }) => id)).toEqual([]);
});

it('names only prerequisites that there are', () => {
  const ids = new Set(allChecks.map(({ id }) => id));
  expect(allChecks.flatMap(({ after = [] }) => after.filter((id) => !ids.has(id)))).toEqual([]);
});
