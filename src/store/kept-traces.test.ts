// Traces beyond their process: what is kept of them when, and how the next process goes on with them.
import { describe, expect, it } from 'vitest';
import type { Load } from '../kernel/bulk.ts';
import { Journal } from '../kernel/journal.ts';
import { keptTrace, type TraceFacts } from './call-trace.ts';
import { type TraceLimits, Traces } from './traces.ts';

type Kept = Map<string, Load & { readonly when: string | undefined }>;

function stage(file: Kept = new Map(), limits: Partial<TraceLimits> = {}) {
  const journal = new Journal({ now: () => 42 }, 1000);
  const traces = new Traces({
    journal,
    limits,
    stow: (section, owner, key, load, when) => {
      const place = `${section} ${owner} ${key}`;
      if (load === undefined) file.delete(place);
      else file.set(place, { ...load, when });
    },
  });
  const say = (callId: number, kind: string, text = '') =>
    journal.append(kind, { callId, customerId: 1, data: { text } });
  const call = (callId: number, dialog: string) => {
    say(callId, 'call.opened');
    say(callId, 'sip.in', `INVITE sip:102@pbx SIP/2.0\r\nVia: SIP/2.0/UDP a\r\nCall-ID: ${dialog}\r\n\r\n`);
    say(callId, 'call.closed');
  };
  const entries = (callId: number) => {
    const found = traces.read(callId);
    return found.ok ? found.value.entries : [];
  };
  return { journal, file, traces, say, call, entries };
}

/** Another process that has the same file. */
function next(file: Kept, limits: Partial<TraceLimits> = {}) {
  const ended = [...file].map(([place, { facts, bulk }]) => {
    const [, owner, callId] = place.split(' ').map(Number);
    return keptTrace(callId ?? 0, owner ?? 0, facts as TraceFacts, bulk);
  });
  const rig = stage(file, limits);
  rig.traces.restore({ ended: ended.sort((one, other) => one.turn - other.turn), first: [[1, 10_000_001]] });
  return rig;
}

describe('a trace that somebody has seen', () => {
  it('is kept from then on: the next process gives the same', () => {
    const { call, entries, file } = stage();
    call(10_000_001, 'one@a');
    expect([...file]).toEqual([]);
    const seen = entries(10_000_001);
    expect([...file].map(([place, { when }]) => [place, when])).toEqual([['traces 1 10000001', 'now']]);
    expect(next(file).entries(10_000_001)).toEqual(seen);
  });

  it('of a live call is not: it is kept when the call is over', () => {
    const { say, entries, file, traces } = stage();
    say(10_000_001, 'call.opened');
    expect(entries(10_000_001)).toHaveLength(1);
    expect(file.size).toBe(0);
    say(10_000_001, 'call.closed');
    traces.sealRest();
    expect(file.size).toBe(1);
  });
});

describe('the next process', () => {
  it('numbers what comes late behind what was there, causes too', () => {
    const first = stage();
    first.call(10_000_001, 'one@a');
    const before = first.entries(10_000_001);
    const second = next(first.file);
    const cause = second.say(10_000_001, 'webhook.sent');
    second.journal.append('webhook.attempt', { callId: 10_000_001, cause });
    const after = second.entries(10_000_001);
    expect(after.slice(0, 3)).toEqual(before);
    expect(after.slice(3).map(({ seq, kind, cause: by }) => [seq, kind, by])).toEqual([
      [4, 'webhook.sent', null],
      [5, 'webhook.attempt', 4],
    ]);
    const third = next(second.file);
    expect(third.entries(10_000_001)).toEqual(after);
    third.say(10_000_001, 'webhook.attempt');
    expect(third.entries(10_000_001).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('finds the call of a dialog; of several calls with it the one that ended last', () => {
    const { call, traces, file } = stage();
    call(10_000_001, 'one@a');
    call(10_000_002, 'one@a');
    call(10_000_003, 'other@a');
    traces.sealRest();
    const again = next(file).traces;
    expect(['one@a', 'other@a', 'none@a'].map((dialog) => again.callOfDialog(dialog))).toEqual([
      10_000_002,
      10_000_003,
      undefined,
    ]);
  });

  it('forgets the calls first that ended first, in the file too', () => {
    const { call, traces, file } = stage();
    for (const id of [3, 1, 2]) call(10_000_000 + id, 'one@a');
    traces.sealRest();
    const second = next(file, { calls: 3 });
    second.call(10_000_009, 'two@a');
    second.traces.sealRest();
    expect([...file.keys()].sort()).toEqual(['traces 1 10000001', 'traces 1 10000002', 'traces 1 10000009']);
  });

  it('has none of a customer who is gone, and says of one whose bytes are gone that it is not kept', () => {
    const { call, traces, file } = stage();
    call(10_000_001, 'one@a');
    call(10_000_002, 'one@a');
    traces.sealRest();
    for (const [place, load] of file) file.set(place, { ...load, bulk: { count: 1, part: () => undefined } });
    const second = next(file);
    expect(second.traces.read(10_000_001)).toMatchObject({
      ok: false,
      failure: { kind: 'not_found', message: expect.stringMatching(/^The trace of this call is not kept/) },
    });
    second.traces.forgetCustomer(1);
    expect(file.size).toBe(0);
  });
});

describe('a simulator that closes', () => {
  it('keeps what had no time to be sealed', () => {
    const { call, traces, file } = stage();
    for (let id = 1; id <= 300; id += 1) call(10_000_000 + id, 'one@a');
    expect(file.size).toBe(0);
    traces.sealRest();
    expect(file.size).toBe(300);
  });
});
