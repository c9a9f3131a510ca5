// Expected values against actual ones: partial match, matchers, pointers.
import { describe, expect, it } from 'vitest';
import { differences, matcherProblem, pointerDifferences, valueAt } from './matching.ts';

const matches = (actual: unknown, expected: unknown): boolean => differences(actual, expected).length === 0;

describe('a match', () => {
  it('is partial for objects, whole for arrays, exact for the rest', () => {
    expect(matches({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } })).toBe(true);
    expect(matches([1, 2], [1])).toBe(false);
    expect(matches([{ a: 1, b: 2 }], [{ a: 1 }])).toBe(true);
    expect(matches('1', 1)).toBe(false);
    expect(matches({}, [])).toBe(false);
    expect(matches(null, {})).toBe(false);
  });

  it.each([
    [{ $one_of: [1, 'a'] }, 'a', 'b'],
    [{ $matches: '^\\d+$' }, '12', '1x'],
    [{ $at_least: 2, $at_most: 4 }, 3, 5],
    [{ $type: 'integer' }, 3, 3.5],
    [{ $type: 'null' }, null, undefined],
    [{ $size: 2 }, [1, 2], [1]],
    [{ $absent: true }, undefined, null],
    [{ $not: { $type: 'string' } }, 1, 'x'],
  ])('by %j takes %j and not %j', (matcher, right, wrong) => {
    expect([matches(right, matcher), matches(wrong, matcher)]).toEqual([true, false]);
  });

  it('says where it fails', () => {
    expect(
      pointerDifferences(
        { data: [{ id: 1, n: null }] },
        { '/data/0': { id: 2, n: null }, '/total': { $absent: true } },
      ),
    ).toEqual([{ pointer: '/data/0/id', expected: '2', actual: '1' }]);
    expect(differences('x', { $at_least: 2 })).toEqual([{ pointer: '', expected: 'at least 2', actual: '"x"' }]);
  });

  it('never looks at what is inherited', () => {
    expect(valueAt({}, '/constructor')).toBeUndefined();
    expect(valueAt({ 'a/b': { '~': 1 } }, '/a~1b/~0')).toBe(1);
  });
});

describe('a matcher that cannot be meant', () => {
  it.each([
    [
      { $like: 'x' },
      'unknown: $like, expected one of $one_of, $matches, $at_least, $at_most, $type, $size, $absent, $not',
    ],
    [{ $matches: '(' }, '$matches: expected a regular expression'],
    [{ a: { $one_of: [] } }, '$one_of: expected a list of values'],
    [{ $type: 'text' }, '$type: expected one of string, integer, number, boolean, null, array, object'],
    [{ $size: 1, a: 2 }, 'expected either matchers ($...) or members, found both'],
    [[{ $absent: false }], '$absent: expected true'],
  ])('%j is told', (expected, problem) => {
    expect(matcherProblem(expected)).toBe(problem);
  });

  it('is none that can be', () => {
    expect(matcherProblem({ a: [1, { $not: { $type: 'null' } }], $$: undefined })).not.toBeUndefined();
    expect(matcherProblem({ a: [1, { $not: { $type: 'null' } }] })).toBeUndefined();
  });
});
