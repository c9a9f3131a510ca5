// Timestamps as the API writes them agree with the calendar of the language, whatever was asked before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUtc, utcText } from './time.ts';

const moment = fc.integer({ min: Date.UTC(1969, 0, 1), max: Date.UTC(2120, 0, 1) });

test('a moment is written as ISO 8601 writes it, with a space and whole seconds', () => {
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 20 }), (moments) => {
      for (const ms of moments)
        expect(utcText(ms)).toBe(
          new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('T', ' ').replace('.000Z', ''),
        );
    }),
  );
});

test.each([
  ['2026-01-31', '2026-01-31 00:00:00'],
  ['2026-01-31 10:20:30', '2026-01-31 10:20:30'],
  ['2026-01-31 10:20', '2026-01-31 10:20:00'],
  ['2026-01-31T10:20:30Z', '2026-01-31 10:20:30'],
  ['2026-01-31T10:20:30.999', '2026-01-31 10:20:30'],
  ['2026-01-31T10:20+02:00', '2026-01-31 08:20:00'],
  ['2026-01-31 10:20:30+0200', '2026-01-31 08:20:30'],
  ['2028-02-29', '2028-02-29 00:00:00'],
])('%s is read as %s', (text, utc) => {
  expect(utcText(parseUtc(text) ?? Number.NaN)).toBe(utc);
});

test.each([
  '',
  'tomorrow',
  '2026-02-29',
  '2026-04-31 10:00:00',
  '2026-13-01',
  '2026-01-31T25:00',
  '2026-1-31',
  '2026-01-31 10',
  '31.01.2026',
])('%j is no moment', (text) => {
  expect(parseUtc(text)).toBeUndefined();
});
