// What calls cost: the rate per minute by dialled number, and the charge that follows. Data and arithmetic.

import { isEmergency } from './dialplan.ts';

/** Longest prefix wins; digits without `+`. Amounts in the currency of the account, per minute. */
const ratesByPrefix: ReadonlyArray<readonly [prefix: string, perMinute: number]> = [
  ['447', 0.08],
  ['4420', 0.02],
  ['44', 0.025],
  ['1', 0.015],
  ['', 0.1],
];

/** Charged for an answered call to the public network, however short. */
export const MIN_CHARGE = 0.01;

/** Rate per minute of a call to the public network. Calls for help are free. */
export function rateFor(digits: string): number {
  if (isEmergency(digits)) return 0;
  const matching = ratesByPrefix.filter(([prefix]) => digits.startsWith(prefix));
  return matching.toSorted((a, b) => b[0].length - a[0].length)[0]?.[1] ?? 0;
}

/** Billed by the second, rounded to four places, never below the minimum; an unanswered or free call costs nothing. */
export function chargeFor(ratePerMinute: number, billsec: number): number {
  if (ratePerMinute === 0 || billsec === 0) return 0;
  return Math.max(MIN_CHARGE, Math.round(((ratePerMinute * billsec) / 60) * 10_000) / 10_000);
}
