// When reports are sent: days and times in their zone, over changes of the clocks, short months and the end of a schedule.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRun, readFrequency } from './frequency.ts';
import { dayAt, isTimeZone, momentOf } from './zoned-time.ts';

interface Asked {
  readonly frequency: object;
  readonly zone?: string;
  readonly start?: string;
  readonly end?: string;
  readonly ran?: string;
}

/** The next runs, in UTC. */
function runs({ frequency, zone = 'UTC', start = '2026-01-01', end, ran }: Asked, after: string, count = 3): string[] {
  const read = readFrequency(JSON.stringify(frequency));
  if (!read.ok || read.value === undefined) throw new Error('not a frequency');
  const plan = {
    frequency: read.value,
    timezone: zone,
    startAt: Date.parse(start),
    endAt: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
    lastRunAt: ran === undefined ? undefined : Date.parse(ran),
  };
  const found: string[] = [];
  for (let at: number | undefined = Date.parse(after); found.length < count; ) {
    at = nextRun(plan, at);
    if (at === undefined) break;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('a frequency', () => {
  it.each<[string, Asked, string, string[]]>([
    [
      'daily',
      { frequency: { type: 'daily', time_of_day: [7, 18.5] } },
      '2026-01-01T12:00Z',
      ['2026-01-01T18:30', '2026-01-02T07:00', '2026-01-02T18:30'],
    ],
    [
      'weekly on Monday',
      { frequency: { type: 'weekly', time_of_day: [7], day_of_week: [1] } },
      '2026-01-01',
      ['2026-01-05T07:00', '2026-01-12T07:00', '2026-01-19T07:00'],
    ],
    [
      'Sunday is 7 and 0',
      { frequency: { type: 'weekly', time_of_day: [7], day_of_week: [7, 0] } },
      '2026-01-01',
      ['2026-01-04T07:00', '2026-01-11T07:00', '2026-01-18T07:00'],
    ],
    [
      'weekly without a day: that of the start',
      { frequency: { type: 'weekly' }, start: '2026-01-07' },
      '2026-01-08',
      ['2026-01-14T00:00', '2026-01-21T00:00', '2026-01-28T00:00'],
    ],
    [
      'monthly on the 31st, or the last',
      { frequency: { type: 'monthly', day_of_month: [31], time_of_day: [6] } },
      '2026-01-15',
      ['2026-01-31T06:00', '2026-02-28T06:00', '2026-03-31T06:00'],
    ],
    [
      'monthly without a day',
      { frequency: { type: 'monthly' }, start: '2026-01-20' },
      '2026-01-20',
      ['2026-02-20T00:00', '2026-03-20T00:00', '2026-04-20T00:00'],
    ],
    [
      'Fridays that are a 13th',
      { frequency: { type: 'monthly', day_of_month: [13], day_of_week: [5] } },
      '2026-01-01',
      ['2026-02-13T00:00', '2026-03-13T00:00', '2026-11-13T00:00'],
    ],
    [
      'another word: days and times alone',
      { frequency: { type: 'on weekdays', day_of_week: [1, 2, 3, 4, 5], time_of_day: [9] } },
      '2026-01-02T10:00Z',
      ['2026-01-05T09:00', '2026-01-06T09:00', '2026-01-07T09:00'],
    ],
    [
      'not before the start',
      { frequency: { type: 'daily', time_of_day: [7] }, start: '2026-02-01T08:00Z' },
      '2026-01-01',
      ['2026-02-02T07:00', '2026-02-03T07:00', '2026-02-04T07:00'],
    ],
    [
      'not after the end, which counts',
      { frequency: { type: 'daily', time_of_day: [7] }, end: '2026-01-02T07:00Z' },
      '2026-01-01',
      ['2026-01-01T07:00', '2026-01-02T07:00'],
    ],
    [
      'once',
      { frequency: { type: 'once', time_of_day: [7] } },
      '2026-01-01',
      ['2026-01-01T07:00', '2026-01-02T07:00', '2026-01-03T07:00'],
    ],
    [
      'once, and it has been',
      { frequency: { type: 'once', time_of_day: [7] }, ran: '2026-01-01T07:00Z' },
      '2026-01-01',
      [],
    ],
    [
      'in London over the change to summer time',
      { frequency: { type: 'daily', time_of_day: [7] }, zone: 'Europe/London' },
      '2026-03-28',
      ['2026-03-28T07:00', '2026-03-29T06:00', '2026-03-30T06:00'],
    ],
    [
      'at a time that the clocks leave out',
      { frequency: { type: 'daily', time_of_day: [1.5] }, zone: 'Europe/London' },
      '2026-03-28T12:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'at a time that the clocks show twice: the first',
      { frequency: { type: 'daily', time_of_day: [1.5] }, zone: 'Europe/London' },
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'in New York',
      { frequency: { type: 'daily', time_of_day: [22] }, zone: 'America/New_York' },
      '2026-01-01',
      ['2026-01-01T03:00', '2026-01-02T03:00', '2026-01-03T03:00'].slice(0, 3),
    ],
    [
      'in a zone of three quarters',
      { frequency: { type: 'daily', time_of_day: [0] }, zone: 'Asia/Kathmandu' },
      '2026-01-01',
      ['2026-01-01T18:15', '2026-01-02T18:15', '2026-01-03T18:15'],
    ],
  ])('%s', (_, asked, after, expected) => {
    expect(runs(asked, after)).toEqual(expected);
  });

  it('that never comes is given up', () => {
    expect(runs({ frequency: { type: 'daily', time_of_day: [7] }, start: '9999-12-31T08:00Z' }, '2026-01-01')).toEqual(
      [],
    );
  });

  it.each<[unknown, string[]]>([
    [{}, ['frequency.type: expected a word such as daily, weekly, monthly or once']],
    [
      { type: 'daily', time_of_day: [7, 24] },
      ['frequency.time_of_day[1]: expected an hour of the day, from 0 to less than 24'],
    ],
    [{ type: 'weekly', day_of_week: [8] }, ['frequency.day_of_week[0]: expected a day from 1 Monday to 7 Sunday']],
    [{ type: 'monthly', day_of_month: [1, 32] }, ['frequency.day_of_month[1]: expected a day from 1 to 31']],
    [
      { type: 'weekly', day_of_week: [1.5], time_of_day: ['x'] },
      [
        'frequency.time_of_day[0]: expected an hour of the day, from 0 to less than 24',
        'frequency.day_of_week[0]: expected a day from 1 Monday to 7 Sunday',
      ],
    ],
    [{ type: 'weekly', day_of_week: 'Monday' }, ['frequency.day_of_week: expected an array of at most 7 numbers']],
    [[], ['frequency: expected an object with type, time_of_day, day_of_week and day_of_month']],
    [5, ['frequency: expected an object with type, time_of_day, day_of_week and day_of_month']],
  ])('%j is refused', (written, problems) => {
    const read = readFrequency(JSON.stringify(written));
    expect(read.ok ? [] : read.failure.details).toEqual(problems);
  });

  it('of no words is none, and broken JSON is refused', () => {
    expect(readFrequency('')).toEqual({ ok: true, value: undefined });
    expect(readFrequency('every Monday')).toMatchObject({ ok: false });
  });
});

describe('time zones', () => {
  it('are those that the runtime knows', () => {
    expect(['Europe/London', 'UTC', '', 'Asia/Tokyo'].map(isTimeZone)).toEqual([true, true, true, true]);
    expect(['Europe/Hull', 'x', '../etc/passwd', 'Mars/Base'].map(isTimeZone)).toEqual([false, false, false, false]);
  });

  it('a moment that the clocks show is on the day that they show', () => {
    const zone = fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', '');
    const day = fc.record({
      year: fc.integer({ min: 1990, max: 2060 }),
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
    });
    fc.assert(
      fc.property(zone, day, fc.integer({ min: 180, max: 1439 }), (name, date, minutes) => {
        expect(dayAt(momentOf(date, minutes, name), name)).toEqual(date);
      }),
    );
  });
});
