// How much goes on in a living company: a rate as people write it, `30/min`. Knows no call.
import { failure, type Result, success } from '../kernel/errors.ts';

/** Happenings (calls, messages) per unit of time on the clock. */
export interface Rate {
  /** As it is written back: `30/min`, or `off`. */
  readonly text: string;
  /** 0 is off. */
  readonly perHour: number;
}

export const OFF: Rate = { text: 'off', perHour: 0 };

/** What one process carries in real time with room to spare. */
export const MAX_PER_SECOND = 50;
export const MIN_PER_HOUR = 1;

const PER_HOUR = { s: 3600, min: 60, h: 1 } as const;
const HOW = 'expected a rate such as 30/min: a number, then /s, /min or /h; or off';

/** Reads `2/s`, `30/min`, `0.5/min`, `100/h`, `off` or `0`. `invalid` says what it should have been. */
export function readRate(text: string): Result<Rate> {
  const written = text.trim();
  if (written === 'off' || written === '0') return success(OFF);
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)\/(s|min|h)$/.exec(written) ?? [];
  if (amount === undefined || unit === undefined) return refused(`${HOW}.`);
  const perHour = Number(amount) * PER_HOUR[unit as keyof typeof PER_HOUR];
  if (perHour === 0) return success(OFF);
  if (perHour < MIN_PER_HOUR) return refused(`expected at least ${MIN_PER_HOUR}/h, or off.`);
  if (perHour > MAX_PER_SECOND * PER_HOUR.s) return refused(`expected at most ${MAX_PER_SECOND}/s.`);
  return success({ text: `${Number(amount)}/${unit}`, perHour });
}

function refused(why: string): Result<never> {
  return failure('invalid', `The rate of traffic is not valid: ${why}`, [`rate: ${why.replace(/\.$/, '')}`]);
}
