// Whether a refused request changed nothing is checked where something shows it, and is said to be untestable where nothing does.
import { expect, it } from 'vitest';
import { clauseIdOf } from '../../contract/clauses/clause-ids.ts';
import { clauseById } from '../../contract/clauses.ts';
import { operations } from '../../contract/operations.ts';
import { witnessOf } from './attempt.ts';
import { generatedChecks } from './generated.ts';

it('calls untestable what no witness shows, and nothing else', () => {
  const changing = operations.filter(({ effect }) => effect !== 'read');
  const unseen = changing.filter((operation) => witnessOf(operation) === undefined).map(({ id }) => id);
  const untestable = changing.filter(
    (operation) => clauseById(clauseIdOf(operation, 'REFUSED'))?.untestable !== undefined,
  );
  expect(unseen.toSorted()).toEqual(untestable.map(({ id }) => id).toSorted());
  expect(unseen).toHaveLength(8);
});

it('makes no check of a clause that nobody can judge', () => {
  const idle = generatedChecks.filter(({ clause }) => clauseById(clause)?.untestable !== undefined);
  expect(idle.map(({ id }) => id)).toEqual([]);
});
