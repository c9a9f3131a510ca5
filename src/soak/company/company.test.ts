// A seeded part of the days of a company that `npm run soak` runs whole.
import { expect, test } from 'vitest';
import { company } from './company.ts';

/** While compilers still go on, nothing smaller is seen; a leg or a session takes more. The long run sees 200 bytes. */
const GROWTH_BYTES = 2_500;

test.each([
  ['in memory', false],
  ['in a file', true],
])(
  '3,000 calls of a company %s leave nothing but their records',
  async (_, inFile) => {
    const { calls, growthBytes, problems } = await company({ seed: 9, calls: 3_000, inFile });
    expect(problems).toEqual([]);
    expect(calls).toBeGreaterThanOrEqual(3_000);
    expect(growthBytes).toBeLessThan(GROWTH_BYTES);
  },
  120_000,
);

test('what each call would leave behind is seen', async () => {
  const leaked: unknown[] = [];
  const onCall = (): void => void leaked.push(new Float64Array(GROWTH_BYTES / 8));
  const { growthBytes } = await company({ seed: 9, calls: 2_000, inFile: false, onCall });
  expect(leaked.length).toBeGreaterThanOrEqual(2_000);
  expect(growthBytes).toBeGreaterThan(GROWTH_BYTES);
}, 120_000);
