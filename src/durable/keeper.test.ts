// When the keeper writes, what waits for it, and what does not: with a file and a host that only take notes.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Bulk, bulkOf } from '../kernel/bulk.ts';
import type { ClockMode } from '../kernel/clock.ts';
import { Journal } from '../kernel/journal.ts';
import { createStore, type Store, stateOf } from '../store/store.ts';
import type { WorldState } from '../world-state.ts';
import { NEXT_SHARE_MS } from './bulk-porter.ts';
import type { DataFile, OwnerGone, Part, Row, RowChange } from './data-file.ts';
import { Keeper, LATER_MS } from './keeper.ts';

class NotedFile implements DataFile {
  isNew = true;
  written: Array<{ readonly changes: readonly RowChange[]; readonly gone: readonly OwnerGone[] }> = [];
  replaced = 0;
  /** What was written of bytes, a transaction each. */
  carried: Part[][] = [];
  discarded: number[] = [];
  bulks = 0;
  full = false;
  *rows(): IterableIterator<Row> {}
  count = () => 0;
  places = () => [];
  copyTo() {}
  drop() {}
  close() {}
  damaged = (why: string) => new Error(why);
  replace(rows: Iterable<Row>) {
    this.replaced += [...rows].length;
  }
  write(changes: readonly RowChange[], gone: readonly OwnerGone[], parts: readonly Part[] = []) {
    if (this.full) throw new Error('the disk is full');
    this.written.push({ changes, gone });
    this.carried.push([...parts]);
  }
  nextBulk() {
    this.bulks += 1;
    return this.bulks;
  }
  part(bulk: number, at: number) {
    return this.carried.flat().find((part) => part.bulk === bulk && part.at === at)?.bytes;
  }
  discard(bulk: number) {
    this.discarded.push(bulk);
  }
}

interface Rig {
  readonly file: NotedFile;
  readonly keeper: Keeper;
  readonly store: Store;
  readonly journal: Journal;
  readonly clock: { mode: ClockMode; at: number; now(): number };
  /** Ends the turn of the event loop. */
  turn(): void;
  /** Lets real time pass. */
  pass(): void;
  readonly troubles: Error[];
  readonly alarms: number[];
}

function makeRig(mode: ClockMode = 'real'): Rig {
  const file = new NotedFile();
  const clock = { mode, at: 1_000_000, now: () => clock.at };
  const journal = new Journal(clock);
  const deferred: Array<() => void> = [];
  const alarms: number[] = [];
  const due: Array<() => void> = [];
  const host = {
    defer: (fn: () => void) => void deferred.push(fn),
    alarm: (ms: number, fn: () => void) => {
      alarms.push(ms);
      due.push(fn);
      return () => {};
    },
  };
  const troubles: Error[] = [];
  const keeper = new Keeper({ file, seed: 1, clock, host, journal, onTrouble: (error) => troubles.push(error) });
  const store = createStore(keeper.record);
  const small = { faults: { lastId: 0, rules: [] }, scripts: [], phones: [], seeded: { customers: [] }, liveIds: [] };
  const state: WorldState = {
    ...small,
    ...{ at: clock.at, life: 1, store: stateOf(store), chance: new Map() },
    sessions: { tokens: [], nonces: [], resets: [] },
    outbox: { mails: [], count: 0 },
    webhooks: { subscriptions: { rows: [], ids: [] }, queues: [] },
    traces: { ended: [], first: [] },
    takes: [],
  };
  keeper.beginAnew({ small: () => small, liveCall: () => undefined }, state);
  const run = (tasks: Array<() => void>): void => {
    for (const task of tasks.splice(0)) task();
  };
  return { file, keeper, store, journal, clock, troubles, alarms, turn: () => run(deferred), pass: () => run(due) };
}

let rig: Rig;
let sent: string[];
const answer = (name: string): void => rig.keeper.leave(() => void sent.push(name));
const label = (id: number, name = 'Urgent') => ({ id, name, color: '', created_at: '' });
const sections = () => rig.file.written.map(({ changes }) => changes.map(({ section, key }) => `${section} ${key}`));

beforeEach(() => {
  rig = makeRig();
  sent = [];
});

describe('an answer', () => {
  it('leaves at once while everything is kept', () => {
    answer('read');
    expect(sent).toEqual(['read']);
    expect(rig.file.written).toEqual([]);
  });

  it('waits for the one transaction of its turn, and so does what could tell of the change', () => {
    rig.store.calllabels.insert(1, label(10_000_001));
    answer('write');
    rig.store.calllabels.insert(1, label(10_000_002));
    answer('write');
    answer('read');
    expect(sent).toEqual([]);
    rig.turn();
    expect(sent).toEqual(['write', 'write', 'read']);
    expect(sections()).toEqual([['shapes 0', 'calllabels 10000001', 'ids calllabels', 'calllabels 10000002']]);
    answer('read');
    expect(sent).toHaveLength(4);
  });

  it('never leaves when the file takes no more, nor does any that waits', () => {
    rig.file.full = true;
    rig.store.calllabels.insert(1, label(10_000_001));
    answer('write');
    answer('read');
    rig.turn();
    rig.turn();
    expect(sent).toEqual([]);
    expect(rig.troubles.map(({ message }) => message)).toEqual(['the disk is full']);
  });

  it('waits when a manual clock was moved, once', () => {
    rig = makeRig('manual');
    rig.clock.at += 5000;
    answer('clock');
    expect(sent).toEqual([]);
    rig.turn();
    answer('read');
    expect(sent).toEqual(['clock', 'read']);
    expect(rig.file.written.map(({ changes }) => changes)).toEqual([
      [{ section: 'world', owner: 0, key: 'at', value: '1005000' }],
    ]);
  });
});

describe('a change', () => {
  it('is written as it is at the end of the turn, however often it was another', () => {
    rig.store.calllabels.insert(1, label(10_000_001, 'One'));
    rig.store.calllabels.update(10_000_001, { name: 'Two' });
    rig.turn();
    rig.store.calllabels.update(10_000_001, { name: 'Three' });
    rig.store.calllabels.delete(10_000_001);
    rig.turn();
    const rows = rig.file.written.map(({ changes }) => changes.filter(({ section }) => section === 'calllabels'));
    expect(rows.map((row) => row.map(({ value }) => value))).toEqual([['[0,10000001,"Two","",""]'], [null]]);
  });

  it('that is kept later is written within a second, and no answer waits for it', () => {
    rig.keeper.mark('tokens', 7, 7, () => ({ userId: 7 }), 'later');
    answer('read');
    expect(sent).toEqual(['read']);
    expect(rig.alarms).toEqual([LATER_MS]);
    rig.pass();
    expect(sections()).toEqual([['tokens 7']]);
  });

  it('of a world that goes is not written', () => {
    rig.store.calllabels.insert(1, label(10_000_001));
    rig.keeper.pause();
    rig.store.calllabels.delete(10_000_001);
    answer('reset');
    expect(sent).toEqual(['reset']);
    rig.turn();
    expect(rig.file.written).toEqual([]);
  });
});

describe('bytes', () => {
  const MIB = 1024 * 1024;
  /** Parts of a quarter of a MiB, each with its number in it. */
  const quarters = (count: number) =>
    bulkOf(Array.from({ length: count }, (_, at) => new Uint8Array(MIB / 4).fill(at)));
  const rowsNow = () =>
    rig.file.written.map(({ changes }) => changes.map(({ key, value, bulk }) => [key, value, bulk]));
  const partsNow = () => rig.file.carried.map((parts) => parts.map(({ bulk, at }) => `${bulk}.${at}`));

  it('that are few are kept in the transaction of their turn, with what else it brings, and are not held any more', () => {
    const kept: Bulk[] = [];
    const load = { facts: { length: 7 }, bulk: quarters(2), onKept: (bulk: Bulk) => void kept.push(bulk) };
    rig.keeper.stow('takes', 0, 'monitor/1', load);
    rig.store.calllabels.insert(1, label(10_000_001));
    answer('write');
    expect(sent).toEqual([]);
    rig.turn();
    expect(sent).toEqual(['write']);
    expect(rowsNow()).toHaveLength(1);
    expect(rowsNow()[0]).toContainEqual(['monitor/1', '{"parts":2,"facts":{"length":7}}', 1]);
    expect(partsNow()).toEqual([['1.0', '1.1']]);
    expect(kept[0]?.count).toBe(2);
    expect(kept[0]?.part(1)).toEqual(new Uint8Array(MIB / 4).fill(1));
    expect(kept[0]?.part(2)).toBeUndefined();
  });

  it('that are many are carried a MiB at a time, and their row comes with the last', () => {
    rig.keeper.stow('takes', 0, 'monitor/1', { facts: 0, bulk: quarters(10) });
    rig.turn();
    expect(rowsNow()).toEqual([[]]);
    rig.pass();
    rig.pass();
    rig.pass();
    expect(rowsNow()).toEqual([[], [], [['monitor/1', '{"parts":10,"facts":0}', 1]]]);
    expect(partsNow()).toEqual([
      ['1.0', '1.1', '1.2', '1.3'],
      ['1.4', '1.5', '1.6', '1.7'],
      ['1.8', '1.9'],
    ]);
    expect(rig.alarms).toEqual([NEXT_SHARE_MS, NEXT_SHARE_MS]);
  });

  it('that are gone before all of them was carried leave nothing; those that were kept go with their row', () => {
    rig.keeper.stow('takes', 0, 'monitor/1', { facts: 0, bulk: quarters(5) });
    rig.turn();
    rig.keeper.stow('takes', 0, 'monitor/1', undefined);
    rig.turn();
    rig.pass();
    expect(rig.file.discarded).toEqual([1]);
    expect(rowsNow()).toEqual([[], [['monitor/1', null, undefined]]]);
  });

  it('that wait are all kept when the simulator closes, and before a snapshot', () => {
    rig.keeper.stow('takes', 0, 'monitor/1', { facts: 0, bulk: quarters(9) }, 'later');
    rig.keeper.copyTo(1);
    expect(partsNow().flat()).toHaveLength(9);
    rig.keeper.stow('takes', 0, 'monitor/2', { facts: 0, bulk: quarters(9) }, 'later');
    rig.keeper.close();
    expect(partsNow().flat()).toHaveLength(18);
  });

  it('of a world that goes are not written', () => {
    rig.keeper.stow('takes', 0, 'monitor/1', { facts: 0, bulk: quarters(1) });
    rig.keeper.pause();
    rig.turn();
    expect(rig.file.written).toEqual([]);
  });
});

describe('while a call is live', () => {
  it('the time is kept each second, so that the end of the process is known', () => {
    rig.journal.append('call.opened', { callId: 10_000_001, customerId: 1 });
    rig.turn();
    rig.file.written = [];
    for (let second = 0; second < 3; second += 1) {
      rig.clock.at += LATER_MS;
      rig.pass();
    }
    const times = rig.file.written.map(({ changes }) => changes.map(({ key, value }) => `${key} ${value}`));
    expect(times).toEqual([['at 1001000'], ['at 1002000'], ['at 1003000']]);
    rig.journal.append('call.closed', { callId: 10_000_001, customerId: 1 });
    rig.turn();
    rig.pass();
    const { length } = rig.alarms;
    rig.clock.at += LATER_MS;
    rig.pass();
    expect(rig.alarms).toHaveLength(length);
  });
});
