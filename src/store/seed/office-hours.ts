// When a company is on the phone: the hours of its week, as busy as they are. Knows no call.

/** How busy each hour from eight to six is, from Monday to Friday, UTC. */
export const BUSY_HOURS = [0.4, 0.9, 1.2, 1.3, 1.0, 0.8, 1.1, 1.3, 1.1, 0.7] as const;
const FIRST_HOUR = 8;
const WORKING_DAYS = 5;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** A Monday: 5 January 1970. */
const A_MONDAY = 4 * DAY_MS;

const OF_DAY = BUSY_HOURS.reduce((sum, busy) => sum + busy, 0);
const OF_WEEK = WORKING_DAYS * OF_DAY;

/** How much has been going on until then: rises while people work, and only then. */
export function workUntil(at: number): number {
  const since = at - A_MONDAY;
  const inWeek = ((since % WEEK_MS) + WEEK_MS) % WEEK_MS;
  const day = Math.floor(inWeek / DAY_MS);
  const weeks = (since - inWeek) / WEEK_MS;
  if (day >= WORKING_DAYS) return (weeks + 1) * OF_WEEK;
  const hours = (inWeek % DAY_MS) / HOUR_MS - FIRST_HOUR;
  const ofToday = BUSY_HOURS.reduce((sum, busy, hour) => sum + busy * Math.min(1, Math.max(0, hours - hour)), 0);
  return weeks * OF_WEEK + day * OF_DAY + ofToday;
}

/** The moment at which so much has been going on: the other way round. */
export function momentOf(work: number): number {
  const weeks = Math.floor(work / OF_WEEK);
  const days = Math.min(WORKING_DAYS - 1, Math.floor((work - weeks * OF_WEEK) / OF_DAY));
  let left = work - weeks * OF_WEEK - days * OF_DAY;
  let hour = 0;
  while (hour < BUSY_HOURS.length - 1 && left >= (BUSY_HOURS[hour] ?? 0)) {
    left -= BUSY_HOURS[hour] ?? 0;
    hour += 1;
  }
  const hours = FIRST_HOUR + hour + Math.min(1, left / (BUSY_HOURS[hour] ?? 1));
  return A_MONDAY + weeks * WEEK_MS + days * DAY_MS + hours * HOUR_MS;
}
