// Timestamps as the API writes them agree with the calendar of the language, whatever was asked before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utcText } from './time.ts';

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
