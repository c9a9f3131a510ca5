// How often a report is sent: read from its JSON text, and on which days and at which times that is (CHOICE-REPORT-FREQUENCY). Knows no record.
import { failure, type Result, success } from '../../kernel/errors.ts';
import { type CalendarDay, dayAfter, dayAt, lastDayOf, momentOf, weekdayOf } from './zoned-time.ts';

export interface Frequency {
  /** `once`, `daily`, `weekly`, `monthly`; other words are days and times alone. */
  readonly type: string;
  /** Minutes after midnight, rising; at least one. */
  readonly minutes: readonly number[];
  /** 0 to 6 from Sunday; none: any day. */
  readonly weekdays: readonly number[];
  /** 1 to 31; none: any day. A month that is too short has the last of its days for all that it lacks. */
  readonly monthDays: readonly number[];
}

export interface Plan {
  readonly frequency: Frequency;
  readonly timezone: string;
  /** ms since 1970; no run is before. */
  readonly startAt: number;
  /** No run is after. */
  readonly endAt: number;
  readonly lastRunAt: number | undefined;
}

const TYPE_LENGTH = 64;
const LONGEST_LISTS = { time_of_day: 1440, day_of_week: 7, day_of_month: 31 } as const;
const HOUR_MINUTES = 60;
/** Beyond these the days that a plan asks for do not come. */
const DAYS_AHEAD = 12 * 366;
/** The last moment that a timestamp can tell. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Undefined for the empty text: nothing is ever sent. A refusal names each member that was wrong. */
export function readFrequency(text: string): Result<Frequency | undefined> {
  if (text === '') return success(undefined);
  const written = parsed(text);
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return failure('invalid', 'frequency: expected an object with type, time_of_day, day_of_week and day_of_month');
  const { type, time_of_day, day_of_week, day_of_month } = written as Readonly<Record<string, unknown>>;
  const problems = [
    ...(typeof type === 'string' && type.length > 0 && type.length <= TYPE_LENGTH
      ? []
      : [`frequency.type: expected a word such as daily, weekly, monthly or once`]),
    ...strange('time_of_day', time_of_day, 'an hour of the day, from 0 to less than 24', isHour),
    ...strange('day_of_week', day_of_week, 'a day from 1 Monday to 7 Sunday', isIn(0, 7)),
    ...strange('day_of_month', day_of_month, 'a day from 1 to 31', isIn(1, 31)),
  ];
  if (problems.length > 0) return failure('invalid', 'The frequency is not valid.', problems);
  const minutes = numbers(time_of_day).map((hour) => Math.round(hour * HOUR_MINUTES) % (24 * HOUR_MINUTES));
  return success({
    type: String(type),
    minutes: minutes.length === 0 ? [0] : [...new Set(minutes)].sort((one, other) => one - other),
    weekdays: numbers(day_of_week).map((day) => day % 7),
    monthDays: numbers(day_of_month),
  });
}

/** The first run after that moment, ms since 1970; undefined when there is none any more. */
export function nextRun(plan: Plan, after: number): number | undefined {
  const { frequency, timezone, startAt, endAt, lastRunAt } = plan;
  if (frequency.type === 'once' && lastRunAt !== undefined && lastRunAt >= startAt) return undefined;
  const from = Math.max(after + 1, startAt);
  const last = Math.min(endAt, LAST_MOMENT);
  const isDay = dayTest(frequency, dayAt(startAt, timezone));
  const today = dayAt(from, timezone);
  for (let days = 0; days <= DAYS_AHEAD; days += 1) {
    const day = dayAfter(today, days);
    if (!isDay(day)) continue;
    const runs = frequency.minutes.map((minutes) => momentOf(day, minutes, timezone));
    const next = runs.find((at) => at >= from);
    if (next !== undefined) return next <= last ? next : undefined;
  }
  return undefined;
}

/** A week's and a month's report without a day is sent on the day that the schedule began on. */
function dayTest({ type, weekdays, monthDays }: Frequency, start: CalendarDay): (day: CalendarDay) => boolean {
  const onWeekdays = weekdays.length === 0 && type === 'weekly' ? [weekdayOf(start)] : weekdays;
  const onMonthDays = monthDays.length === 0 && type === 'monthly' ? [start.day] : monthDays;
  return (day) => {
    if (onWeekdays.length > 0 && !onWeekdays.includes(weekdayOf(day))) return false;
    return onMonthDays.length === 0 || onMonthDays.some((wanted) => Math.min(wanted, lastDayOf(day)) === day.day);
  };
}

function strange(
  name: keyof typeof LONGEST_LISTS,
  list: unknown,
  expected: string,
  isRight: (value: number) => boolean,
): string[] {
  const most = LONGEST_LISTS[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || list.length > most)
    return [`frequency.${name}: expected an array of at most ${most} numbers`];
  const wrong = list.findIndex((value) => typeof value !== 'number' || !isRight(value));
  return wrong < 0 ? [] : [`frequency.${name}[${wrong}]: expected ${expected}`];
}

function isHour(value: number): boolean {
  return value >= 0 && value < 24;
}

function isIn(first: number, last: number): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= first && value <= last;
}

function numbers(list: unknown): number[] {
  return Array.isArray(list) ? list : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
