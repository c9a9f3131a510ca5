// The checks that there are: each has an id of its own, a clause that exists and nothing before it that does not.
import { expect, it } from 'vitest';
import { clauseById, clauses } from '../../contract/clauses.ts';
import { allChecks } from './registry.ts';

it('gives each check an id of its own and a clause of the catalogue', () => {
  expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
  expect(allChecks.filter(({ clause }) => clauseById(clause) === undefined).map(({ id }) => id)).toEqual([]);
});

it('names only prerequisites that there are', () => {
  const ids = new Set(allChecks.map(({ id }) => id));
  expect(allChecks.flatMap(({ after = [] }) => after.filter((id) => !ids.has(id)))).toEqual([]);
});

it('leaves no clause without a check, unless it says why nobody can judge it', () => {
  const judged = new Set(allChecks.map(({ clause }) => clause));
  expect(
    clauses
      .filter(
        ({ id, untestable, playedByScenarios }) => !judged.has(id) && (untestable ?? playedByScenarios) === undefined,
      )
      .map(({ id }) => id),
  ).toEqual([]);
});

it('calls generated checks by their route and others by their area', () => {
  const named = /^((GET|POST|PATCH|DELETE) \/\S* \S.*|[a-z-]+\/[a-z0-9-]+)$/;
  expect(allChecks.filter(({ id }) => !named.test(id)).map(({ id }) => id)).toEqual([]);
});
