// The memory of what was used last: how much of it stays.
import { expect, test } from 'vitest';
import { LastUsed } from './last-used.ts';

function filled(limit: number, count: number): LastUsed<number, string> {
  const memory = new LastUsed<number, string>(limit);
  for (let key = 1; key <= count; key += 1) memory.set(key, `no. ${key}`);
  return memory;
}

const keysOf = (memory: LastUsed<number, string>): number[] =>
  [...memory.entries()].map(([key]) => key).sort((one, other) => one - other);

test('the last ones are there, and never twice as many as the limit', () => {
  const memory = filled(3, 8);
  expect(keysOf(memory)).toEqual([4, 5, 6, 7, 8]);
  expect([memory.get(3), memory.get(4), memory.get(8)]).toEqual([undefined, 'no. 4', 'no. 8']);
  expect(keysOf(filled(3, 9))).toEqual([4, 5, 6, 7, 8, 9]);
  expect(keysOf(filled(3, 10))).toEqual([7, 8, 9, 10]);
});

test('what is asked for stays', () => {
  const memory = filled(3, 3);
  for (let key = 4; key <= 100; key += 1) {
    memory.set(key, 'passes by');
    expect(memory.get(1)).toBe('no. 1');
  }
  expect(memory.get(2)).toBeUndefined();
});

test('what is set again is told once, as it is now', () => {
  const memory = filled(2, 4);
  memory.set(2, 'another');
  expect([...memory.entries()].filter(([key]) => key === 2)).toEqual([[2, 'another']]);
});

test('what is deleted is gone, whichever generation it was of', () => {
  const memory = filled(2, 4);
  memory.delete(1);
  memory.delete(4);
  expect(keysOf(memory)).toEqual([2, 3]);
  memory.clear();
  expect(keysOf(memory)).toEqual([]);
});

test('what is kept of a key is what its owner makes of it, when it is asked for, too', () => {
  const memory = new LastUsed<string, number>(1, (key) => key.toLowerCase());
  memory.set('A', 1);
  memory.set('B', 2);
  expect(memory.get('a')).toBe(1);
  expect([...memory.entries()]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
