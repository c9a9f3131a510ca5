// The clock's three ways to move, on a host that the test plays itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimeHost } from './clock.ts';
import { Timeline } from './timeline.ts';

/** A host whose time and event loop the test turns by hand. */
class HandHost implements TimeHost {
  nowMs = 1000;
  deferred: Array<() => void> = [];
  alarms: Array<{ at: number; fn: () => void }> = [];
  now(): number {
    return this.nowMs;
  }
  alarm(delayMs: number, fn: () => void): () => void {
    const alarm = { at: this.nowMs + delayMs, fn };
    this.alarms.push(alarm);
    return () => {
      this.alarms = this.alarms.filter((other) => other !== alarm);
    };
  }
  defer(fn: () => void): void {
    this.deferred.push(fn);
  }
  turn(): void {
    for (const fn of this.deferred.splice(0)) fn();
  }
  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.alarms.filter((alarm) => alarm.at <= this.nowMs);
    this.alarms = this.alarms.filter((alarm) => alarm.at > this.nowMs);
    for (const alarm of due) alarm.fn();
    this.turn();
  }
}

const manual = () => new Timeline({ mode: 'manual', startMs: 0 });

describe('a manual clock', () => {
  it('is set back or forward on request, and who waits then waits as long as before', () => {
    const clock = manual();
    const seen: string[] = [];
    clock.advanceTo(5000);
    clock.after(20, 'late', () => seen.push(`late ${clock.now()}`));
    clock.after(10, 'early', () => seen.push(`early ${clock.now()}`));
    clock.restart(1000);
    expect(clock.now()).toBe(1000);
    expect(clock.pending()).toEqual([
      { at: 1010, name: 'early' },
      { at: 1020, name: 'late' },
    ]);
    clock.restart(7000);
    clock.advanceTo(7015);
    expect(seen).toEqual(['early 7010']);
    expect(() => new Timeline({ mode: 'fast', startMs: 0 }).restart(1)).toThrow('it is in mode fast');
  });

  it('fires timers in order of time, then of age, and names them', () => {
    const clock = manual();
    const seen: string[] = [];
    clock.after(20, 'late', () => seen.push(`late ${clock.now()}`));
    clock.after(10, 'first', () => seen.push(`first ${clock.now()}`));
    clock.after(10, 'second', () => seen.push(`second ${clock.now()}`));
    expect(clock.next).toEqual({ at: 10, name: 'first' });
    expect(clock.advanceTo(15)).toEqual(['first', 'second']);
    expect(seen).toEqual(['first 10', 'second 10']);
    expect(clock.now()).toBe(15);
    expect(clock.advanceTo(20)).toEqual(['late']);
  });

  it('fires what timers set on the way, when that falls due too', () => {
    const clock = manual();
    clock.after(10, 'outer', () => clock.after(5, 'inner', () => {}));
    expect(clock.advanceTo(15)).toEqual(['outer', 'inner']);
  });

  it('runs follow-up tasks before time moves on', () => {
    const clock = manual();
    const seen: string[] = [];
    clock.soon(() => seen.push(`task ${clock.now()}`));
    clock.after(5, 'timer', () => {
      seen.push('timer');
      clock.soon(() => seen.push('after the timer'));
    });
    clock.after(5, 'next', () => seen.push('next'));
    expect(clock.busy).toBe(1);
    clock.advanceTo(5);
    expect(seen).toEqual(['task 0', 'timer', 'after the timer', 'next']);
    expect(clock.busy).toBe(0);
  });

  it('forgets cancelled timers, also many', () => {
    const clock = manual();
    const timers = Array.from({ length: 2000 }, (_, index) => clock.after(index, `t${index}`, () => {}));
    for (const timer of timers.slice(1)) timer.cancel();
    timers[5]?.cancel();
    expect(clock.pending()).toEqual([{ at: 0, name: 't0' }]);
    expect(clock.advanceTo(5000)).toEqual(['t0']);
  });

  it('counts as busy while outbound I/O is in flight, once per hold', () => {
    const clock = manual();
    const release = clock.hold();
    clock.hold('external');
    expect(clock.busy).toBe(1);
    release();
    release();
    expect(clock.busy).toBe(0);
  });

  it('knows foreground from background', () => {
    const clock = manual();
    clock.after(10, 'refresh', () => {}, { background: true });
    expect(clock.hasForeground).toBe(false);
    const timer = clock.after(10, 'ring', () => {});
    expect(clock.hasForeground).toBe(true);
    timer.cancel();
    expect(clock.hasForeground).toBe(false);
    expect(clock.next?.name).toBe('refresh');
  });

  it('fires every timer exactly once, in order, whatever is set and cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ delay: fc.nat(50), cancel: fc.boolean() }), { maxLength: 60 }), (plan) => {
        const clock = manual();
        const fired: number[] = [];
        const timers = plan.map(({ delay }, index) => clock.after(delay, String(index), () => fired.push(index)));
        plan.forEach(({ cancel }, index) => {
          if (cancel) timers[index]?.cancel();
        });
        clock.advanceTo(100);
        const expected = plan
          .map(({ delay, cancel }, index) => ({ delay, cancel, index }))
          .filter(({ cancel }) => !cancel)
          .sort((a, b) => a.delay - b.delay || a.index - b.index)
          .map(({ index }) => index);
        expect(fired).toEqual(expected);
        expect(clock.pending()).toEqual([]);
      }),
    );
  });
});

describe('a real clock', () => {
  it('follows the host and fires on its alarm', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'real', startMs: 0, host });
    const seen: number[] = [];
    clock.after(100, 'a', () => seen.push(clock.now()));
    clock.after(50, 'b', () => seen.push(clock.now())).cancel();
    host.pass(99);
    expect(seen).toEqual([]);
    host.pass(1);
    expect(seen).toEqual([1100]);
    expect(host.alarms).toEqual([]);
  });

  it('never goes back', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'real', startMs: 0, host });
    host.nowMs = 5000;
    expect(clock.now()).toBe(5000);
    host.nowMs = 4000;
    expect(clock.now()).toBe(5000);
  });

  it('runs follow-up tasks on a later turn of the host', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'real', startMs: 0, host });
    const seen: string[] = [];
    clock.soon(() => seen.push('task'));
    expect(seen).toEqual([]);
    host.turn();
    expect(seen).toEqual(['task']);
  });
});

describe('a fast clock', () => {
  it('jumps to the next foreground timer when idle, and takes background ones on the way', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'fast', startMs: 0, host });
    const seen: string[] = [];
    clock.after(3_600_000, 'refresh', () => seen.push('refresh'), { background: true });
    clock.after(7_200_000, 'ring', () => seen.push(`ring ${clock.now()}`));
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(seen).toEqual(['refresh', 'ring 7200000']);
  });

  it('stands still while only background timers are left', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'fast', startMs: 0, host });
    clock.after(10, 'refresh', () => {}, { background: true });
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(clock.now()).toBe(0);
  });

  it('keeps the pace of the host while an external peer is engaged, and goes on from there', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'fast', startMs: 0, host });
    const seen: number[] = [];
    const release = clock.hold('external');
    clock.after(2000, 'answer', () => seen.push(clock.now()));
    host.pass(1999);
    expect([clock.now(), seen]).toEqual([1999, []]);
    host.pass(1);
    expect(seen).toEqual([2000]);
    host.pass(500);
    release();
    host.pass(500);
    expect(clock.now()).toBe(2500);
    clock.after(10_000, 'later', () => seen.push(clock.now()));
    host.turn();
    host.turn();
    expect(seen).toEqual([2000, 12_500]);
  });

  it('never jumps while I/O is in flight or an external peer is engaged', () => {
    const host = new HandHost();
    const clock = new Timeline({ mode: 'fast', startMs: 0, host });
    const releases = [clock.hold(), clock.hold('external')];
    clock.after(10, 'ring', () => {});
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(clock.now()).toBe(0);
    releases[0]?.();
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(clock.now()).toBe(0);
    releases[1]?.();
    for (let turn = 0; turn < 5; turn += 1) host.turn();
    expect(clock.now()).toBe(10);
  });
});
