// Ranges of bytes as RFC 9110, 14.1.2 shows them, for a file of 10000 bytes.
import { expect, test } from 'vitest';
import { byteRangeOf } from './byte-range.ts';

test.each([
  ['bytes=0-499', { first: 0, last: 499 }],
  ['bytes=500-999', { first: 500, last: 999 }],
  ['bytes=-500', { first: 9500, last: 9999 }],
  ['bytes=9500-', { first: 9500, last: 9999 }],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=-1', { first: 9999, last: 9999 }],
  ['bytes=9000-20000', { first: 9000, last: 9999 }],
  ['bytes=-20000', { first: 0, last: 9999 }],
  ['bytes=10000-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=-', undefined],
  ['lines=0-9', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (header, range) => {
  expect(byteRangeOf(header, 10_000)).toEqual(range);
});

test('nothing can be asked of an empty file', () => {
  expect(byteRangeOf('bytes=0-', 0)).toBe('unsatisfiable');
  expect(byteRangeOf('bytes=-5', 0)).toBe('unsatisfiable');
});
