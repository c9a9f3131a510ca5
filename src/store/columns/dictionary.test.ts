// Which values get a code: those that come again, and never without bound.
import { expect, test } from 'vitest';
import { Dictionary } from './dictionary.ts';

test('a value keeps its code, and numbers and texts that look alike have two', () => {
  const dictionary = new Dictionary();
  const codes = ['PCMU', 'PCMA', 'PCMU', 7, '7', null, true].map((value) => dictionary.codeOf(value));
  expect(codes).toEqual([0, 1, 0, 2, 3, 4, 5]);
  expect(codes.map((code) => dictionary.value(code ?? -1))).toEqual(['PCMU', 'PCMA', 'PCMU', 7, '7', null, true]);
});

test('long texts, lists and objects get none', () => {
  const dictionary = new Dictionary();
  expect(['x'.repeat(64), 'x'.repeat(65), [1], {}].map((value) => dictionary.codeOf(value))).toEqual([
    0,
    undefined,
    undefined,
    undefined,
  ]);
});

test('texts that never come again stop getting codes, until the others have proved their worth', () => {
  const dictionary = new Dictionary();
  for (let n = 0; n < 5_000; n += 1) dictionary.codeOf(`call-${n}@sim`);
  expect(dictionary.size).toBe(1_024);
  for (let n = 0; n < 5_000; n += 1) dictionary.codeOf('call-3@sim');
  expect(dictionary.codeOf('call-4000@sim')).toBe(1_024);
});

test('there are 65,536 codes and no more', () => {
  const dictionary = new Dictionary();
  for (let n = 0; n < 70_000; n += 1) for (let again = 0; again < 6; again += 1) dictionary.codeOf(n);
  expect([dictionary.size, dictionary.codeOf(69_999), dictionary.codeOf(65_535)]).toEqual([65_536, undefined, 65_535]);
});
