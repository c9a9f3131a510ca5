// The system's time: what the one clock relies on.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemTime } from './system-time.ts';

describe('the time of the system', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is the system clock, in milliseconds since 1970', () => {
    expect(systemTime().now()).toBe(1_767_225_600_000);
  });

  it('rings once after the delay, and never when cancelled', () => {
    const rung: string[] = [];
    systemTime().alarm(50, () => rung.push('first'));
    const cancel = systemTime().alarm(50, () => rung.push('second'));
    cancel();
    vi.advanceTimersByTime(49);
    expect(rung).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(rung).toEqual(['first']);
  });

  it('waits a year for an alarm a year away', () => {
    const yearMs = 31_536_000_000;
    let rung = 0;
    systemTime().alarm(yearMs, () => {
      rung += 1;
    });
    vi.advanceTimersByTime(yearMs - 1);
    expect(rung).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rung).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cancels a long alarm in any of its parts', () => {
    let rung = 0;
    const cancel = systemTime().alarm(10_000_000_000, () => {
      rung += 1;
    });
    vi.advanceTimersByTime(5_000_000_000);
    cancel();
    vi.advanceTimersByTime(10_000_000_000);
    expect(rung).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('defers to a later turn of the event loop', () => {
    const order: string[] = [];
    systemTime().defer(() => order.push('deferred'));
    order.push('first');
    vi.runAllTimers();
    expect(order).toEqual(['first', 'deferred']);
  });
});
