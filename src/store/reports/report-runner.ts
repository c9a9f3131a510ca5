// Runs report schedules when they are due: a mail to each of their addresses. Knows no report and no request.
//
// The schedules themselves say when they are due, so nothing has to be remembered here. The timers are background ones: a
// fast clock does not race through the years because somebody wants a report every Monday.
import { reportFormatCodes, wordOf } from '../../contract/codes.ts';
import type { ReportSchedule } from '../../contract/resources/reports.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';
import { parseUtc, utcText } from '../../kernel/time.ts';
import type { ChangeListener } from '../collection.ts';
import type { Outbox } from '../outbox.ts';
import type { Store } from '../store.ts';
import { timesOf } from './report-times.ts';

export interface ReportRunnerDeps {
  readonly clock: Clock;
  readonly store: Pick<Store, 'reportschedules'>;
  readonly outbox: Pick<Outbox, 'send'>;
}

export class ReportRunner {
  readonly #deps: ReportRunnerDeps;
  readonly #timers = new Map<number, Timer>();

  /** Schedules that are there already are waited for from now on. */
  constructor(deps: ReportRunnerDeps) {
    this.#deps = deps;
    for (const [, schedule] of deps.store.reportschedules.entries()) this.#waitFor(schedule);
  }

  /** To be told of every change of a schedule. */
  readonly heard: ChangeListener = ({ id, record }) => {
    this.#timers.get(Number(id))?.cancel();
    this.#timers.delete(Number(id));
    if (record !== undefined) this.#waitFor(record as ReportSchedule);
  };

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** A run that fell into a time when nobody was there is made up for at once, however many were missed. */
  #waitFor({ id, next_run_at }: ReportSchedule): void {
    const due = next_run_at === null ? undefined : parseUtc(next_run_at);
    if (due === undefined) return;
    const { clock } = this.#deps;
    const run = (): void => this.#run(id);
    this.#timers.set(id, clock.after(due - clock.now(), `report schedule ${id}`, run, { background: true }));
  }

  #run(id: number): void {
    const { clock, store, outbox } = this.#deps;
    const schedule = store.reportschedules.get(id);
    if (schedule === undefined) return;
    const format = wordOf(reportFormatCodes, schedule.format) ?? '';
    for (const to of addressesIn(schedule.emails))
      outbox.send({
        kind: 'report',
        to,
        subject: schedule.name,
        report_id: schedule.report_id,
        schedule_id: id,
        format,
      });
    const ran = { ...schedule, last_run_at: utcText(clock.now()) };
    store.reportschedules.update(id, { last_run_at: ran.last_run_at, next_run_at: null, ...timesOf(ran, clock.now()) });
  }
}

/** Addresses with commas. */
export function addressesIn(emails: string): string[] {
  return emails
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
