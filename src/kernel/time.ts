// Durations and times as people and the API write them.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `15m`, `1.5s`, `250ms`, `2h`, `1d` in milliseconds; undefined when it is not a duration. May be negative. */
export function parseDuration(text: string): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN);
}

const DAY_MS = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** Moments of one day often follow each other, and asking Date for the day is most of the work. */
let latest = { day: Number.NaN, text: '' };

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of all timestamps in the API. */
export function utcText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== latest.day) latest = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  const seconds = Math.floor((ms - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${latest.text} ${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
}

/** Reads ISO 8601, also with a space for its T; UTC where it has no offset. Undefined when it is neither, or no such day. */
export function parseUtc(text: string): number | undefined {
  const iso = text.replace(' ', 'T');
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(iso)) return undefined;
  const ms = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`);
  return Number.isNaN(ms) || !isDay(iso) ? undefined : ms;
}

/** Date takes a 30 February for a day in March. */
function isDay(iso: string): boolean {
  const day = Number(iso.slice(8, 10));
  return (
    day <= 28 || new Date(Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1, day)).getUTCDate() === day
  );
}

export function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
