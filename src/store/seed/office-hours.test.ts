// The hours of a company's week.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentOf, workUntil } from './office-hours.ts';

const at = (day: number, hour: number): number => Date.UTC(2026, 0, day, hour);

describe('work', () => {
  it('goes on from Monday to Friday, from eight to six, more at eleven than at eight', () => {
    const during = (from: number, to: number): number => Number((workUntil(to) - workUntil(from)).toFixed(6));
    // 5 January 2026 is a Monday.
    expect([during(at(5, 8), at(5, 9)), during(at(5, 11), at(5, 12)), during(at(5, 15), at(5, 16))]).toEqual([
      0.4, 1.3, 1.3,
    ]);
    expect([during(at(5, 0), at(5, 8)), during(at(5, 18), at(6, 8)), during(at(9, 18), at(12, 8))]).toEqual([0, 0, 0]);
    expect(during(at(5, 0), at(12, 0))).toBe(49);
  });

  it('is done at a moment of an office hour, the more the later', () => {
    const anyTime = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) });
    fc.assert(
      fc.property(anyTime, anyTime, (one, other) => {
        const [earlier, later] = [workUntil(Math.min(one, other)), workUntil(Math.max(one, other))];
        expect(earlier).toBeLessThanOrEqual(later);
        const moment = momentOf(earlier);
        expect(moment).toBeLessThanOrEqual(momentOf(later));
        expect(workUntil(moment)).toBeCloseTo(earlier, 6);
        const when = new Date(moment);
        expect([0, 6]).not.toContain(when.getUTCDay());
        expect(when.getUTCHours()).toBeGreaterThanOrEqual(8);
        expect(when.getUTCHours() + when.getUTCMinutes() / 60).toBeLessThanOrEqual(18);
      }),
    );
  });
});
