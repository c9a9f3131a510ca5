// The kill matrix as text, and what it takes to be proven.
import { expect, it } from 'vitest';
import type { CheckResult } from './conform-results.ts';
import { type HuntedMutant, isProven, type KillMatrix, killMatrixText } from './kill-matrix.ts';

const killed: HuntedMutant = {
  ...{ id: 'GET /contacts 200: answers 500', clauses: ['CONTACTS-GET-200'], outcome: 'killed', errors: 0, ms: 12 },
  by: ['GET /contacts 200'],
};
const alive: HuntedMutant = {
  ...{ id: 'calls: a hold is not seen', clauses: ['CALL-STATE-HELD'], outcome: 'survived', errors: 0, ms: 40, by: [] },
  told: ['calls/state-held: blocked GET /calls/{id} did not show the call when it was held.'],
};
const excused: HuntedMutant = { ...alive, id: 'calls: one that nobody sees', reason: 'Nobody can see it.' };
const fault: CheckResult = {
  ...{ id: 'GET /contacts page', clause: 'CONTACTS-GET-PAGE', level: 'SHOULD', requirement: 'r', spec: 's' },
  ...{ verdict: 'warn', message: 'Pages 1 and 2 show the same.', exchanges: [], ms: 1 },
};

function matrix(parts: Partial<KillMatrix>): KillMatrix {
  return {
    ...{ seed: '1', mutants: [killed], variants: [], idle: [], stale: [], drawn: false, durationMs: 1500 },
    ...parts,
  };
}

it('is proven when every mutant is killed, or lives with a reason', () => {
  expect(isProven(matrix({}))).toBe(true);
  expect(isProven(matrix({ mutants: [killed, excused] }))).toBe(true);
  expect(killMatrixText(matrix({}))).toBe('1 mutants, 1 killed, 0 may live, 0 survived, 1.5 s');
});

it('is not proven by nothing, a survivor, a failure of the harness, an idle check, a reason of nobody, fault with what is legal, or a variant that does nothing', () => {
  const bad: ReadonlyArray<Partial<KillMatrix>> = [
    { mutants: [] },
    { mutants: [killed, alive] },
    { mutants: [{ ...killed, errors: 1 }] },
    { mutants: [{ ...killed, anyway: ['GET /contacts 200'] }] },
    { idle: ['GET /me 403'] },
    { stale: ['Nobody can see it.'] },
    { variants: [{ id: 'pages are counted from 0', acted: 9, wrong: [fault] }] },
    { variants: [{ id: 'pages are counted from 0', acted: 0, wrong: [] }] },
  ];
  expect(bad.map((parts) => isProven(matrix(parts)))).toEqual(bad.map(() => false));
});

it('tells survivors with what the checks said, then what else is wrong, then how many there are', () => {
  const text = killMatrixText(
    matrix({
      ...{
        mutants: [{ ...killed, anyway: ['GET /contacts 200'] }, alive, excused],
        idle: ['GET /me 403'],
        stale: ['It was too dark.'],
      },
      variants: [
        { id: 'all at once', acted: 1, wrong: [] },
        { id: 'in another colour', acted: 0, wrong: [] },
        { id: 'pages are counted from 0', acted: 9, wrong: [fault] },
      ],
    }),
  );
  expect(text.split('\n')).toEqual([
    'survivors without a reason (1)',
    '  calls: a hold is not seen [CALL-STATE-HELD]: calls/state-held: blocked GET /calls/{id} did not show the call when it was held.',
    'found where nothing is wrong (1)',
    '  GET /contacts 200',
    'checks of MUST clauses that found no mutant (1)',
    '  GET /me 403',
    'reasons to live that nobody has (1)',
    '  It was too dark.',
    'legal variants that did nothing (1)',
    '  in another colour',
    'legal, and found fault with: pages are counted from 0 (1)',
    '  GET /contacts page: warn Pages 1 and 2 show the same.',
    'may live (1): Nobody can see it.',
    '3 mutants, 1 killed, 1 may live, 1 survived, 1 of 3 legal variants passed, 1.5 s',
  ]);
});
