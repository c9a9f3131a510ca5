// Schedules on the clock: mails when they are due, the next run after each, the end; and no clock that races because of them.
import { beforeEach, expect, it } from 'vitest';
import type { ReportSchedule } from '../../contract/resources/reports.ts';
import { Timeline } from '../../kernel/timeline.ts';
import { Outbox } from '../outbox.ts';
import { readForm } from '../records/read-form.ts';
import { changeRecord, createRecord, removeRecord } from '../records/record-book.ts';
import { createStore, type Store } from '../store.ts';
import { ReportRunner } from './report-runner.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock: Timeline;
let store: Store;
let outbox: Outbox;
let runner: ReportRunner | undefined;

beforeEach(() => {
  clock = new Timeline({ mode: 'manual', startMs: START });
  outbox = new Outbox(clock);
  runner = undefined;
  store = createStore(undefined, { reportschedules: (change) => runner?.heard(change) });
});

const daily = { type: 'daily', time_of_day: [7] };

function ground() {
  return { store, customerId: 1, nowMs: clock.now() };
}

function make(body: object): number {
  const made = createRecord(
    ground(),
    'reportschedules',
    readForm('reportschedules', { report_id: 3, name: 'Calls', emails: ['a@x.example', 'b@x.example'], ...body }),
  );
  if (!made.ok) throw new Error(made.failure.details.join());
  return Number(made.value.id);
}

function change(id: number, body: object): void {
  expect(changeRecord(ground(), 'reportschedules', id, readForm('reportschedules', body)).ok).toBe(true);
}

function read(id: number): Pick<ReportSchedule, 'last_run_at' | 'next_run_at' | 'status'> | undefined {
  const found = store.reportschedules.get(id);
  return found && { last_run_at: found.last_run_at, next_run_at: found.next_run_at, status: found.status };
}

function open(): void {
  runner = new ReportRunner({ clock, store, outbox });
}

it('a mail goes to each address at the time, and the schedule says what was and what comes', () => {
  open();
  const id = make({ frequency: daily, format: 'csv' });
  expect(read(id)).toEqual({ last_run_at: null, next_run_at: '2026-01-01 07:00:00', status: 1 });
  clock.advanceTo(START + 7 * HOUR - 1);
  expect(outbox.list()).toEqual([]);
  clock.advanceTo(START + 7 * HOUR);
  const letter = {
    at: START + 7 * HOUR,
    kind: 'report',
    subject: 'Calls',
    report_id: 3,
    schedule_id: id,
    format: 'csv',
  };
  expect(outbox.list()).toEqual([
    { id: 1, to: 'a@x.example', ...letter },
    { id: 2, to: 'b@x.example', ...letter },
  ]);
  expect(read(id)).toEqual({ last_run_at: '2026-01-01 07:00:00', next_run_at: '2026-01-02 07:00:00', status: 1 });
  clock.advanceTo(START + 3 * DAY);
  expect(outbox.list()).toHaveLength(6);
});

it('with the last run it is finished', () => {
  open();
  const id = make({ frequency: daily, end_at: '2026-01-02 12:00' });
  clock.advanceTo(START + 10 * DAY);
  expect(outbox.list()).toHaveLength(4);
  expect(read(id)).toEqual({ last_run_at: '2026-01-02 07:00:00', next_run_at: null, status: 2 });
  change(id, { end_at: null, status: 'active' });
  expect(read(id)).toMatchObject({ next_run_at: '2026-01-11 07:00:00', status: 1 });
  const once = make({ frequency: { type: 'once', time_of_day: [9] } });
  clock.advanceTo(START + 20 * DAY);
  expect(read(once)).toEqual({ last_run_at: '2026-01-11 09:00:00', next_run_at: null, status: 2 });
});

it('changes move it, inactive ones rest, removed ones are forgotten', () => {
  open();
  const id = make({ frequency: daily });
  change(id, { frequency: { ...daily, time_of_day: [9] } });
  expect(read(id)).toMatchObject({ next_run_at: '2026-01-01 09:00:00' });
  clock.advanceTo(START + 8 * HOUR);
  expect(outbox.list()).toEqual([]);
  change(id, { status: 'inactive' });
  expect(read(id)).toMatchObject({ next_run_at: null, status: 0 });
  clock.advanceTo(START + 5 * DAY);
  expect(outbox.list()).toEqual([]);
  change(id, { status: 'active', timezone: 'Europe/Berlin' });
  expect(read(id)).toMatchObject({ next_run_at: '2026-01-06 08:00:00' });
  removeRecord(ground(), 'reportschedules', id);
  clock.advanceTo(START + 30 * DAY);
  expect(outbox.list()).toEqual([]);
  expect(clock.pending()).toEqual([]);
});

it('what fell due while nobody was there is made up for once', () => {
  const id = make({ frequency: daily });
  clock.advanceTo(START + 5 * DAY);
  open();
  clock.advanceTo(START + 5 * DAY);
  expect(outbox.list()).toHaveLength(2);
  expect(read(id)).toMatchObject({ last_run_at: '2026-01-06 00:00:00', next_run_at: '2026-01-06 07:00:00' });
});

it('no clock jumps for it, and after the end of its world nothing runs', () => {
  open();
  make({ frequency: daily });
  expect(clock.hasForeground).toBe(false);
  runner?.close();
  clock.advanceTo(START + 5 * DAY);
  expect(outbox.list()).toEqual([]);
});
