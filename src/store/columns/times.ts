// Timestamps of the API as seconds since 1970 and back, without a Date per row. Knows no column.

const DAY_S = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const MINUTES = Array.from(
  { length: 1_440 },
  (_, minute) => ` ${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:`,
);
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Where the digits of `YYYY-MM-DD HH:MM:SS` are not. */
const SIGNS: ReadonlyArray<readonly [at: number, code: number]> = [
  [4, 45],
  [7, 45],
  [10, 32],
  [13, 58],
  [16, 58],
];

/** Seconds since 1970 (UTC) of `YYYY-MM-DD HH:MM:SS`; undefined for another form and for a moment that the calendar lacks. */
export function secondsOf(text: string): number | undefined {
  if (text.length !== 19) return undefined;
  for (const [at, code] of SIGNS) if (text.charCodeAt(at) !== code) return undefined;
  const year = pair(text, 0) * 100 + pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  const isClock = hour < 24 && minute < 60 && second < 60;
  if (!isClock || !(month >= 1 && month <= 12) || !(day >= 1 && day <= daysIn(year, month))) return undefined;
  return daysBefore(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second;
}

let lastDay = 0;
let lastDayText = '1970-01-01';

/** `YYYY-MM-DD HH:MM:SS` of seconds since 1970. Rows that follow each other are mostly of one day: its text is kept. */
export function textOf(seconds: number): string {
  const day = Math.floor(seconds / DAY_S);
  if (day !== lastDay) {
    lastDay = day;
    lastDayText = new Date(day * DAY_S * 1000).toISOString().slice(0, 10);
  }
  const rest = seconds - day * DAY_S;
  return `${lastDayText}${MINUTES[Math.floor(rest / 60)]}${TWO_DIGITS[rest % 60]}`;
}

/** NaN where there are no two digits: no comparison with it holds. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from 1970-01-01 in the Gregorian calendar, which counts its years from March here, so that a leap day is the last. */
function daysBefore(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}
