// The plan of a run: what is chosen, what cannot be made and why, and in which order.
import { describe, expect, it } from 'vitest';
import type { Target } from '../target/target.ts';
import type { Check } from './check.ts';
import { met } from './finding.ts';
import { planOf } from './plan.ts';

const target: Target = {
  ...{ name: 'one', apiRoot: 'http://one.test', time: 'real', fresh: false, allow: ['read', 'write'] },
  users: { first: { id: 1, key: 'key' } },
};

function check(id: string, more: Partial<Check> = {}): Check {
  return { id, clause: 'PING-GET-200', effects: ['read'], run: async () => met(), ...more };
}

const idsOf = (all: readonly Check[], only: readonly string[] = []) =>
  planOf(all, { target, only }).checks.map((planned) => planned.check.id);

describe('a choice', () => {
  const all = [
    check('auth/first'),
    check('auth/second', { after: ['auth/first'] }),
    check('GET /queues 200', { operation: 'listQueues', clause: 'QUEUES-GET-200' }),
  ];

  it('is by check, area, clause, operation or route, with * for any text', () => {
    for (const pattern of [
      'GET /queues 200',
      'QUEUES-GET-200',
      'listQueues',
      'GET /queues',
      'settings',
      'queues',
      'QUEUES-*-200',
    ])
      expect(idsOf(all, [pattern]), pattern).toEqual(['GET /queues 200']);
    expect(idsOf(all, ['auth'])).toEqual(['auth/first', 'auth/second']);
  });

  it('takes along what it comes after', () => {
    expect(idsOf(all, ['auth/second'])).toEqual(['auth/first', 'auth/second']);
  });

  it('names the patterns that choose nothing, and knows whether all was chosen', () => {
    const { unknown, filtered } = planOf(all, { target, only: ['auth', 'nothing'] });
    expect([unknown, filtered]).toEqual([['nothing'], true]);
    expect(planOf(all, { target }).filtered).toBe(false);
  });
});

describe('a part', () => {
  const all = [
    ...[1, 2, 3].map((number) => check(`auth/${number}`)),
    ...[1, 2].map((number) => check(`filters/${number}`)),
    check('events/1', { after: ['auth/1'] }),
  ];
  const partIds = (index: number, of: number) =>
    planOf(all, { target, shard: { index, of } }).checks.map((planned) => planned.check.id);

  it('has whole lanes, the largest first, and what they come after', () => {
    expect(partIds(1, 2)).toEqual(['auth/1', 'auth/2', 'auth/3']);
    expect(partIds(2, 2)).toEqual(['auth/1', 'filters/1', 'filters/2', 'events/1']);
  });

  it('and the others have every check; alone it is no filtered run', () => {
    const parts = [1, 2, 3, 4].flatMap((index) => partIds(index, 4));
    expect(new Set(parts).size).toBe(all.length);
    expect(planOf(all, { target, shard: { index: 1, of: 2 } }).filtered).toBe(false);
  });
});

describe('a check that cannot be made', () => {
  const insteadOf = (one: Check, of = target) => planOf([one], { target: of }).checks[0]?.instead;

  it('is unevaluable for what nobody gave or allowed', () => {
    expect(insteadOf(check('a', { effects: ['read', 'destroy'] }))).toEqual({
      verdict: 'unevaluable',
      message: 'It needs --allow destroy.',
    });
    expect(insteadOf(check('a', { needs: ['control'] }))).toEqual({
      verdict: 'unevaluable',
      message: 'Nobody gave the control API (--control).',
    });
    expect(insteadOf(check('a', { effects: ['write'] }))).toBeUndefined();
  });

  it('is unsupported for what the target says that it has not', () => {
    expect(insteadOf(check('a', { capability: 'hold' }), { ...target, lacks: ['hold'] })?.verdict).toBe('unsupported');
    const queues = check('a', { operation: 'listQueues' });
    expect(insteadOf(queues, { ...target, absent: ['/queues'] })).toEqual({
      verdict: 'unsupported',
      message: 'The target says that it has no such operation.',
    });
  });
});

it('what destroys comes last, what needs the target to itself before it, nothing before what it comes after', () => {
  const order = idsOf([
    check('d', { effects: ['destroy'], lane: 'd' }),
    check('late', { after: ['d'] }),
    check('alone', { lane: 'alone' }),
    check('b', { after: ['a'] }),
    check('a'),
  ]);
  expect(order).toEqual(['a', 'b', 'alone', 'd', 'late']);
});
