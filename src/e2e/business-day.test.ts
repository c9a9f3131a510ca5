// A small business day in virtual time: everything that a day has, the same every time, and nothing left in the evening.
import { describe, expect, it } from 'vitest';
import { businessDay } from '../bench/business-day.ts';

const DAY = { calls: 250, users: 40, everyWord: true, checkInvariants: true } as const;

describe('a simulated business day', () => {
  const day = businessDay(DAY);

  it('is the same to the last word for one seed, and another one for another', () => {
    const again = businessDay(DAY);
    expect(again.hash).toBe(day.hash);
    expect(again.entries).toBe(day.entries);
    expect(again.outcomes).toEqual(day.outcomes);
    expect(businessDay({ ...DAY, seed: 2 }).hash).not.toBe(day.hash);
  });

  it('has calls through users, ring groups, queues, menus and voicemail, with full signalling', () => {
    expect(day.calls).toBe(250);
    expect(day.cdrs).toBeGreaterThan(250);
    expect(day.sipMessages).toBeGreaterThan(250 * 14);
    const contexts = new Set(Object.keys(day.outcomes).map((name) => name.split(' ')[0]));
    expect([...contexts].sort()).toEqual(expect.arrayContaining(['PSTN_CALL', 'RING_GROUP', 'USER_LOCAL']));
  });

  it('keeps every promise of the exchange, and leaves no call and no transaction', () => {
    expect(day.violations).toEqual([]);
    expect(day.left).toBe(0);
    expect(day.virtualHours).toBeGreaterThan(8);
    expect(day.virtualHours).toBeLessThan(13);
  });
});
