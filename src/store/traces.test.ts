// Traces of calls: what belongs to them, when they are sealed, and what is forgotten.
import { describe, expect, it } from 'vitest';
import { Journal } from '../kernel/journal.ts';
import { type Past, type TraceLimits, Traces } from './traces.ts';

const HISTORY =
  'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.';

/** Real time that a test moves. */
class Alarms {
  readonly #set: Array<{ ms: number; fn: () => void }> = [];

  readonly alarm = (ms: number, fn: () => void): (() => void) => {
    const one = { ms, fn };
    this.#set.push(one);
    return () => void this.#set.splice(this.#set.indexOf(one), 1);
  };

  /** Rings the next alarm; its delay, or undefined when none is set. */
  ring(): number | undefined {
    const next = this.#set.shift();
    next?.fn();
    return next?.ms;
  }
}

function stage(limits: Partial<TraceLimits> = {}, past?: Past) {
  const journal = new Journal({ now: () => 42 }, 1000);
  const host = new Alarms();
  const traces = new Traces({ journal, host, limits, ...(past === undefined ? {} : { past }) });
  const say = (callId: number, kind: string, text = '') =>
    journal.append(kind, { callId, customerId: 1, data: { text } });
  const call = (callId: number, ...words: string[]) => {
    say(callId, 'call.opened');
    for (const word of words) say(callId, 'sip.in', word);
    say(callId, 'call.closed');
  };
  const read = (callId: number) => {
    const found = traces.read(callId);
    return found.ok ? found.value.entries.map(({ kind }) => kind) : found.failure.message;
  };
  return { journal, host, traces, say, call, read };
}

describe('the trace of a call', () => {
  it('has its entries in order, those filed late and those that come after its end', () => {
    const { journal, say, read, traces } = stage();
    const invite = journal.append('sip.in', { data: { text: 'INVITE' } });
    say(10000009, 'call.opened');
    say(10000010, 'call.opened');
    journal.assign(invite, 10000009, 1);
    say(10000009, 'call.closed');
    say(10000009, 'webhook.attempt');
    expect(read(10000009)).toEqual(['sip.in', 'call.opened', 'call.closed', 'webhook.attempt']);
    expect(traces.read(10000009)).toMatchObject({ value: { customerId: 1, ended: true, leftOut: 0 } });
    expect(traces.read(10000010)).toMatchObject({ value: { ended: false } });
  });

  it('begins with the request that brought it about, though that one is filed under no call', () => {
    const { journal, say, read } = stage();
    const order = journal.append('control.request', { data: { operation: 'act' } });
    const invite = journal.append('sip.in', { cause: order });
    say(10000001, 'call.opened');
    journal.assign(invite, 10000001, 1);
    expect(read(10000001)).toEqual(['control.request', 'sip.in', 'call.opened']);
  });

  it('says why there is none', () => {
    const { call, read } = stage({ calls: 2 });
    expect(read(10000001)).toBe(HISTORY);
    for (const id of [10000031, 10000032, 10000033]) call(id);
    expect(read(10000030)).toBe(HISTORY);
    expect(read(20000031)).toBe(HISTORY);
    expect(read(10000031)).toBe(
      'The trace of this call is not kept: the simulator keeps those of the last 2 calls, as long as there is room, and none of a call in which it was killed.',
    );
    expect(read(10000032)).toEqual(['call.opened', 'call.closed']);
  });

  it('is none where there is no such call, before those that were seen and after them', () => {
    const past = { has: (callId: number) => callId === 10000031, read: () => undefined };
    const { call, read } = stage({ calls: 1 }, past);
    const none = (id: number) =>
      `There is no call ${id}: none in progress has that id, and no record of a call that has ended.`;
    expect(read(10000001)).toBe(none(10000001));
    for (const id of [10000031, 10000032]) call(id);
    expect(read(10000030)).toBe(none(10000030));
    expect(read(10000031)).toMatch(/^The trace of this call is not kept/);
    expect(read(10000033)).toBe(none(10000033));
  });

  it('is not brought back by what comes late', () => {
    const { call, say, traces } = stage({ calls: 1 });
    call(10000001);
    call(10000002);
    say(10000001, 'webhook.attempt');
    expect(traces.read(10000001).ok).toBe(false);
    expect(traces.stats.calls).toBe(1);
  });

  it('keeps so many entries and counts the others', () => {
    const { call, traces } = stage({ entriesPerCall: 3 });
    call(10000001, 'INVITE', 'ACK', 'BYE');
    expect(traces.read(10000001)).toMatchObject({ value: { leftOut: 2, ended: true, entries: { length: 3 } } });
  });
});

describe('sealing', () => {
  it('waits until a call rests, and changes nothing that is read', () => {
    const { call, say, read, traces, host } = stage();
    call(10000001, 'INVITE sip:101@pbxsim.test SIP/2.0\r\n'.repeat(100));
    const open = traces.read(10000001);
    expect(host.ring()).toBe(500);
    expect(traces.stats.sealedBytes).toBe(0);
    expect(host.ring()).toBe(500);
    expect(traces.stats).toMatchObject({ calls: 1, openBytes: 0 });
    expect(traces.stats.sealedBytes).toBeGreaterThan(0);
    expect(traces.stats.sealedBytes).toBeLessThan(400);
    expect(host.ring()).toBeUndefined();
    expect(traces.read(10000001)).toEqual(open);
    say(10000001, 'webhook.attempt');
    expect(read(10000001)).toEqual(['call.opened', 'sip.in', 'call.closed', 'webhook.attempt']);
    host.ring();
    host.ring();
    expect(traces.stats.openBytes).toBe(0);
    expect(read(10000001)).toEqual(['call.opened', 'sip.in', 'call.closed', 'webhook.attempt']);
  });

  it('waits while calls need the processor', () => {
    const { call, traces, host } = stage();
    call(10000001);
    host.ring();
    for (let id = 10000002; id < 10000402; id += 1) call(id);
    host.ring();
    expect(traces.stats.sealedBytes).toBe(0);
    host.ring();
    expect(traces.stats.sealedBytes).toBeGreaterThan(0);
  });

  it('forgets the calls that ended first when sealed traces take too much', () => {
    const { call, traces, host } = stage({ sealedBytes: 400 });
    for (let id = 10000001; id <= 10000010; id += 1) call(id, 'INVITE', 'BYE');
    host.ring();
    host.ring();
    expect(traces.stats.sealedBytes).toBeLessThanOrEqual(400);
    expect(traces.read(10000001).ok).toBe(false);
    expect(traces.read(10000010).ok).toBe(true);
  });

  it('does not wait for a live call when there is no room; calls that are over are forgotten', () => {
    const { call, say, read, traces } = stage({ openBytes: 2000 });
    say(10000001, 'call.opened');
    for (let id = 10000002; id <= 10000100; id += 1) call(id, 'INVITE');
    expect(traces.stats.openBytes).toBeLessThanOrEqual(2000);
    expect(traces.stats.calls).toBeLessThanOrEqual(4);
    expect(read(10000001)).toEqual(['call.opened']);
    expect(read(10000100)).toEqual(['call.opened', 'sip.in', 'call.closed']);
    expect(traces.read(10000002).ok).toBe(false);
  });

  it('ends with its world', () => {
    const { call, traces, host } = stage();
    call(10000001);
    traces.close();
    expect(host.ring()).toBeUndefined();
    call(10000002);
    expect(traces.stats.calls).toBe(1);
  });
});
