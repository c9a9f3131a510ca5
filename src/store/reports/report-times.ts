// When a report schedule runs next, and whether it ever does again. Knows no clock: it is told the time.
import { codeOf, scheduleStatusCodes } from '../../contract/codes.ts';
import type { ReportSchedule } from '../../contract/resources/reports.ts';
import { parseUtc, utcText } from '../../kernel/time.ts';
import { nextRun, readFrequency } from './frequency.ts';
import { isTimeZone } from './zoned-time.ts';

const ACTIVE = codeOf(scheduleStatusCodes, 'active');
const FINISHED = codeOf(scheduleStatusCodes, 'finished');

/** `next_run_at`, and `status` when the last run is over; nothing when the schedule cannot be read. `nowMs`: since 1970. */
export function timesOf(schedule: ReportSchedule, nowMs: number): Partial<ReportSchedule> {
  const { status, timezone, start_at, end_at, last_run_at } = schedule;
  if (status !== ACTIVE) return { next_run_at: null };
  const read = readFrequency(schedule.frequency);
  if (!read.ok || !isTimeZone(timezone)) return {};
  const frequency = read.value;
  if (frequency === undefined) return { next_run_at: null };
  const plan = {
    frequency,
    timezone,
    startAt: momentIn(start_at) ?? nowMs,
    endAt: momentIn(end_at) ?? Number.POSITIVE_INFINITY,
    lastRunAt: momentIn(last_run_at),
  };
  const next = nextRun(plan, nowMs);
  return next === undefined ? { next_run_at: null, status: FINISHED } : { next_run_at: utcText(next) };
}

function momentIn(text: string | null): number | undefined {
  return text === null ? undefined : parseUtc(text);
}
