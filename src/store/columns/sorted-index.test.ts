// The index against a plain sorted list, over many blocks, with copies that must not feel each other's changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedIndex } from './sorted-index.ts';

type Entry = readonly [key: number, id: number];

const inOrder = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort(([key, id], [otherKey, otherId]) => (key === otherKey ? id - otherId : key < otherKey ? -1 : 1));

/** Some thousand entries from a small seed, their keys near their ids or all over the place. */
function manyEntries(seed: number, spread: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, at) => [Math.floor(((at * 7919 + seed) % spread) / 3), at + 1]);
}

const plans = fc.record({
  seed: fc.nat(10_000),
  spread: fc.constantFrom(3, 300, 6_000, 1_000_000),
  count: fc.integer({ min: 0, max: 3_000 }),
  gone: fc.integer({ min: 2, max: 9 }),
  ends: fc.tuple(fc.nat(2_500), fc.nat(2_500)),
  rank: fc.nat(3_200),
});

function all(index: SortedIndex): readonly number[] {
  return index.ids(index.span([-1, 0], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]));
}

test('spans, windows and slices are those of a sorted list', () => {
  fc.assert(
    fc.property(plans, ({ seed, spread, count, gone, ends, rank }) => {
      const index = new SortedIndex();
      const entries = manyEntries(seed, spread, count);
      for (const [key, id] of entries) index.add(key, id);
      const early = index.fork();
      for (const [key, id] of entries) if (id % gone === 0) index.remove(key, id);
      index.remove(12, 1_000_000);
      const left = inOrder(entries.filter(([, id]) => id % gone !== 0));
      expect(all(index)).toEqual(left.map(([, id]) => id));
      expect(all(early)).toEqual(inOrder(entries).map(([, id]) => id));

      const [from, to] = ends;
      const span = index.span([from, 0], [to, 0]);
      const between = left.filter(([key]) => key >= from && key < to).map(([, id]) => id);
      expect([span.count, index.ids(span)]).toEqual([between.length, between]);
      const [lowest, highest] = index.window(span);
      expect(between.every((id) => id >= lowest && id <= highest)).toBe(true);

      expect(index.slice(rank, 7, false)).toEqual(left.slice(rank, rank + 7).map(([, id]) => id));
      const falling = [...left].sort(([key, id], [otherKey, otherId]) => otherKey - key || id - otherId);
      expect(index.slice(rank, 7, true)).toEqual(falling.slice(rank, rank + 7).map(([, id]) => id));
    }),
    { numRuns: 150 },
  );
});
