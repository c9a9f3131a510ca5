// What a rate of traffic may say.
import { describe, expect, it } from 'vitest';
import { readRate } from './rate.ts';

const refusalOf = (text: string): readonly string[] => {
  const read = readRate(text);
  return read.ok ? [] : read.failure.details;
};

describe('a rate of traffic', () => {
  it.each([
    ['30/min', 1800],
    ['2/s', 7200],
    ['100/h', 100],
    ['0.5/min', 30],
    ['50/s', 180_000],
    ['1/h', 1],
  ])('%s is %d an hour', (text, perHour) => {
    expect(readRate(text)).toEqual({ ok: true, value: { text, perHour } });
  });

  it.each(['off', '0', '0/min', ' off '])('%s is none', (text) => {
    expect(readRate(text)).toEqual({ ok: true, value: { text: 'off', perHour: 0 } });
  });

  it.each(['', '30', '30/day', 'min', '-1/min', '1e3/s', '30 / min', '9999999/h'])('%s is refused', (text) => {
    expect(refusalOf(text)).toEqual(['rate: expected a rate such as 30/min: a number, then /s, /min or /h; or off']);
  });

  it('has an upper and a lower bound', () => {
    expect(refusalOf('51/s')).toEqual(['rate: expected at most 50/s']);
    expect(refusalOf('3001/min')).toEqual(['rate: expected at most 50/s']);
    expect(refusalOf('0.5/h')).toEqual(['rate: expected at least 1/h, or off']);
  });
});
