// The journal: order, causes, late filing and its bounded memory.
import { describe, expect, it } from 'vitest';
import { dataOf, Journal } from './journal.ts';
import { Timeline } from './timeline.ts';

const clock = { now: () => 42 };

describe('the journal', () => {
  it('numbers entries without gaps and keeps the last ones', () => {
    const journal = new Journal(clock, 3);
    for (const kind of ['a', 'b', 'c', 'd']) journal.append(kind);
    expect(journal.query().map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(['2 b', '3 c', '4 d']);
    expect([journal.oldest, journal.last]).toEqual([2, 4]);
  });

  it('names the cause of what happens inside another entry, and across timers', () => {
    const timeline = new Timeline({ mode: 'manual', startMs: 0 });
    const journal = new Journal(timeline);
    timeline.carry(journal);
    const first = journal.append('sip.in');
    journal.within(first, () => {
      journal.append('call.state');
      timeline.after(5, 'later', () => journal.append('event'));
    });
    journal.append('unrelated');
    timeline.advanceTo(5);
    expect(journal.query().map(({ kind, cause }) => [kind, cause])).toEqual([
      ['sip.in', null],
      ['call.state', 1],
      ['unrelated', null],
      ['event', 1],
    ]);
  });

  it('keeps the outer cause when something inside throws', () => {
    const journal = new Journal(clock);
    expect(() =>
      journal.within(7, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(journal.cause).toBe(null);
  });

  it('finds by kind or its first words, by call, after a place and up to a limit', () => {
    const journal = new Journal(clock);
    journal.append('sip.in', { callId: 1 });
    journal.append('sip.out', { callId: 2 });
    journal.append('sipping');
    expect(journal.query({ kind: 'sip' }).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(journal.query({ callId: 2 }).map(({ seq }) => seq)).toEqual([2]);
    expect(journal.query({ after: 1, limit: 1 }).map(({ seq }) => seq)).toEqual([2]);
  });

  it('files an entry under its call when that is known later', () => {
    const journal = new Journal(clock);
    const seq = journal.append('sip.in', { data: { toJSON: () => ({ text: 'INVITE' }) } });
    journal.assign(seq, 9, 1);
    const [entry] = journal.query({ callId: 9 });
    expect(entry).toMatchObject({ seq: 1, customerId: 1 });
    expect(entry && dataOf(entry)).toEqual({ text: 'INVITE' });
  });

  it('tells subscribers of every entry until they leave', () => {
    const journal = new Journal(clock);
    const seen: string[] = [];
    const leave = journal.subscribe(({ kind }) => seen.push(kind));
    journal.append('one');
    leave();
    journal.append('two');
    expect(seen).toEqual(['one']);
  });

  it('tells of the entries of calls once each, those filed late too', () => {
    const journal = new Journal(clock, 3);
    const told: Array<[number, number]> = [];
    const stop = journal.subscribeCalls((entry, callId) => told.push([entry.seq, callId]));
    const invite = journal.append('sip.in');
    journal.append('rest.request', { customerId: 1 });
    journal.append('call.opened', { callId: 7, customerId: 1 });
    journal.assign(invite, 7, 1);
    journal.assign(invite, 7, 1);
    expect(told).toEqual([
      [3, 7],
      [1, 7],
    ]);
    expect(journal.get(1)).toMatchObject({ kind: 'sip.in', callId: 7 });
    journal.append('call.state', { callId: 7, customerId: 1 });
    expect(journal.get(1)).toBeUndefined();
    stop();
    journal.append('call.closed', { callId: 7, customerId: 1 });
    expect(told).toHaveLength(3);
  });
});
