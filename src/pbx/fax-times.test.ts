// What is told by time: pages of a fax; and by digits: the country of a number.
import { describe, expect, it } from 'vitest';
import { countriesOf } from './call-me-back-countries.ts';
import { MAX_PAGES, pagesAfter, transmissionMs } from './fax-times.ts';

describe('pages of a fax', () => {
  it.each([
    [0, 0],
    [9_999, 0],
    [39_999, 0],
    [40_000, 1],
    [70_000, 2],
    [99_999, 2],
    [100_000, 3],
  ])('after %i ms %i have come', (ms, pages) => {
    expect(pagesAfter(ms)).toBe(pages);
  });

  it('have all come when the sender has done, however many', () => {
    for (const pages of [1, 7, MAX_PAGES]) expect(pagesAfter(transmissionMs(pages))).toBe(pages);
    expect(pagesAfter(86_400_000)).toBe(MAX_PAGES);
  });
});

describe('the country of a number', () => {
  it.each([
    ['442079460911', ['GB', 'GG', 'IM', 'JE']],
    ['35312345678', ['IE']],
    ['12015550150', ['US', 'CA']],
    ['3312345678', ['FR']],
    ['999123456', []],
  ])('%s is %j', (digits, countries) => {
    expect(countriesOf(digits)).toEqual(countries);
  });
});
