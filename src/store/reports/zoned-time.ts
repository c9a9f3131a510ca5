// Dates and times of day in a time zone, by the rules that the runtime knows. Knows no schedule.

/** Formats that are kept: making one costs a hundred times using it. */
const FORMATS_KEPT = 200;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A day of the calendar; months count from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Whether the runtime knows the zone: names such as `Europe/London`. No name stands for UTC. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The day that it is in the zone at that moment (ms since 1970). */
export function dayAt(ms: number, zone: string): CalendarDay {
  const local = new Date(ms + offsetAt(ms, zone));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** The day so many days later. */
export function dayAfter({ year, month, day }: CalendarDay, days: number): CalendarDay {
  return dayAt(Date.UTC(year, month - 1, day + days), '');
}

/** From 0 for Sunday to 6. */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

export function lastDayOf({ year, month }: CalendarDay): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * When it is so many minutes past midnight on that day, ms since 1970. What the clocks show twice is the first of both;
 * what they leave out is as much later as they are put forward.
 */
export function momentOf({ year, month, day }: CalendarDay, minutes: number, zone: string): number {
  const local = Date.UTC(year, month - 1, day) + minutes * MINUTE_MS;
  const [before, after] = [offsetAt(local - DAY_MS, zone), offsetAt(local + DAY_MS, zone)];
  const found = [before, after].find((offset) => offsetAt(local - offset, zone) === offset);
  return local - (found ?? before);
}

/** By how much the zone's clocks are ahead of UTC, ms. */
function offsetAt(ms: number, zone: string): number {
  if (zone === '' || zone === 'UTC') return 0;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(ms / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone === '' ? 'UTC' : zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  if (formats.size >= FORMATS_KEPT) formats.clear();
  formats.set(zone, made);
  return made;
}
