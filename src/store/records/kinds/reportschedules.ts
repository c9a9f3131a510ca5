// Report schedules: when the next report is due follows from what was asked for.
import { codeOf, cultureCodes, reportFormatCodes, scheduleStatusCodes } from '../../../contract/codes.ts';
import { parseUtc } from '../../../kernel/time.ts';
import { readFrequency } from '../../reports/frequency.ts';
import { addressesIn } from '../../reports/report-runner.ts';
import { timesOf } from '../../reports/report-times.ts';
import { isTimeZone } from '../../reports/zoned-time.ts';
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

type Schedule = Stored['reportschedules'];

const planned = ['frequency', 'timezone', 'start_at', 'end_at', 'status'] as const;
const MOST_ADDRESSES = 100;

export const reportScheduleRules = rulesFor<Schedule>({
  usual: () => ({
    status: codeOf(scheduleStatusCodes, 'active'),
    format: codeOf(reportFormatCodes, 'pdf'),
    culture: codeOf(cultureCodes, 'en-GB'),
    timezone: 'UTC',
  }),
  /** The administration may set the next run itself, until something else of the plan changes. */
  derived: ({ nowMs }, after, before) => {
    const isPlanned =
      before === undefined ? after.next_run_at === null : planned.some((name) => before[name] !== after[name]);
    return isPlanned ? timesOf(after, nowMs) : {};
  },
  problems: (_, schedule, before) => [
    ...(schedule.frequency === before?.frequency ? [] : strangeFrequency(schedule)),
    ...(['start_at', 'end_at'] as const).flatMap((name) => strangeMoment(name, schedule[name])),
    ...(isTimeZone(schedule.timezone) ? [] : ['timezone: expected the name of a time zone such as Europe/London']),
    ...(schedule.end_at !== null && schedule.end_at < schedule.start_at
      ? ['end_at: expected a moment that is not before start_at']
      : []),
    ...(schedule.emails === before?.emails ? [] : strangeEmails(schedule)),
  ],
});

function strangeFrequency({ frequency }: Schedule): readonly string[] {
  const read = readFrequency(frequency);
  return read.ok ? [] : read.failure.details;
}

/** What could not be read stands there as it was written. */
function strangeMoment(name: string, text: string | null): string[] {
  return text === null || parseUtc(text) !== undefined
    ? []
    : [`${name}: expected a day that there is, such as 2026-01-31`];
}

function strangeEmails({ emails }: Schedule): string[] {
  const addresses = addressesIn(emails);
  if (addresses.length > MOST_ADDRESSES) return [`emails: expected at most ${MOST_ADDRESSES} addresses`];
  const wrong = addresses.findIndex((address) => !/^[^@\s]+@[^@\s]+$/.test(address) || address.length > 254);
  return wrong < 0 ? [] : [`emails[${wrong}]: expected an email address`];
}
