// The gauge of growth: what it makes of readings, and whether it sees what is held.
import { expect, test } from 'vitest';
import { growthOf, liveBytes } from './growth.ts';

const readings = (...bytes: readonly number[]) =>
  bytes.map((each, index) => ({ done: (index + 1) * 100, bytes: each }));

test('growth is bytes for each piece of work', () => {
  expect(growthOf(readings(5_000, 7_000, 9_000, 11_000))).toBe(20);
  expect(growthOf(readings(11_000, 9_000, 7_000))).toBe(-20);
  expect(growthOf([])).toBe(0);
});

test('one step, up or down, is no growth', () => {
  expect(growthOf(readings(0, 0, 0, 0, 90_000, 0, 0, 0, 0, 0))).toBe(0);
  expect(growthOf(readings(0, 0, 0, 0, 0, 0, 0, 0, 0, 90_000))).toBe(0);
});

test('what is held weighs, and what nobody holds does not', async () => {
  const before = await liveBytes();
  const held: unknown[] = Array.from({ length: 10_000 }, (_, index) => ({
    text: `${index}`.padEnd(100),
    bytes: new Uint8Array(100),
  }));
  const holding = await liveBytes();
  expect(holding - before).toBeGreaterThan(2_000_000);
  held.length = 0;
  const weak = new WeakRef({ large: new Uint8Array(5_000_000) });
  const after = await liveBytes();
  expect(after - before).toBeLessThan(1_000_000);
  expect(weak.deref()).toBeUndefined();
});
