// Seconds and texts against literal moments and the calendar of the platform.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secondsOf, textOf } from './times.ts';

test.each([
  ['1970-01-01 00:00:00', 0],
  ['2000-02-29 12:00:00', 951_825_600],
  ['2026-11-21 09:41:07', 1_795_254_067],
  ['2038-01-19 03:14:07', 2_147_483_647],
])('%s is %d seconds', (text, seconds) => {
  expect([secondsOf(text), textOf(seconds)]).toEqual([seconds, text]);
});

test.each([
  '2026-02-29 00:00:00',
  '1900-02-29 00:00:00',
  '2026-13-01 00:00:00',
  '2026-00-01 00:00:00',
  '2026-01-00 00:00:00',
  '2026-04-31 00:00:00',
  '2026-01-01 24:00:00',
  '2026-01-01 00:60:00',
  '2026-01-01 00:00:60',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:0x',
  '2026-01-01 00:00',
  '',
])('%j is no moment', (text) => {
  expect(secondsOf(text)).toBeUndefined();
});

test('every second of four centuries comes back, as the platform writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2_208_988_800, max: 10_000_000_000 }), (seconds) => {
      const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
      expect([secondsOf(text), textOf(seconds)]).toEqual([seconds, text]);
    }),
    { numRuns: 2_000 },
  );
});
