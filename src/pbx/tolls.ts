// What the legs of one call cost that go to the public network: at what rate, and since when. Knows neither records nor signalling.
import type { Call } from './call.ts';
import type { Leg } from './leg.ts';
import { chargeFor } from './rates.ts';

/** A time for which the account pays: plain data. `untilMs` null: to the end of the call. */
export interface Toll {
  readonly perMinute: number;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

/** Of somebody outside to whom a party of the call was led on; `leg` is the one that it costs. */
export interface LegToll extends Toll {
  readonly leg: Leg;
}

/**
 * The call has been led on to `leg`, at this rate (0: it is ours; without a leg the exchange itself answered). Parties that are not in the call any more cost nothing from
 * `nowMs` on. Called when the legs of the call are those that speak now.
 */
export function callLedOn(call: Call, leg: Leg | undefined, perMinute: number, nowMs: number): void {
  const speaking = call.legs();
  call.tolls = call.tolls.map((toll) =>
    toll.untilMs === null && !speaking.includes(toll.leg) ? { ...toll, untilMs: nowMs } : toll,
  );
  if (leg !== undefined && perMinute > 0)
    call.tolls = [...call.tolls, { leg, perMinute, sinceMs: nowMs, untilMs: null }];
}

/** What a minute of the call costs now: the number that was dialled, and whoever outside it was led on to. */
export function rateNow({ rate, tolls }: Call): number {
  const open = tolls.filter(({ untilMs }) => untilMs === null);
  return rounded(open.reduce((sum, { perMinute }) => sum + perMinute, rate));
}

/** What somebody costs whom the transferor had called, and who is led on into another call. */
export function rateOfLeg(leg: Leg, { rate, srcLeg, dstLeg, srcRate, tolls }: Call): number {
  const toll = tolls.find((one) => one.leg === leg && one.untilMs === null);
  if (toll !== undefined) return toll.perMinute;
  if (leg.party.kind !== 'public') return 0;
  return leg === dstLeg ? rate : leg === srcLeg ? srcRate : 0;
}

/** All that is paid for in a call, as plain data. */
export function tollsOf({ connectedAt, rate, tolls }: Call): Toll[] {
  const whole = connectedAt === null ? [] : [{ perMinute: rate, sinceMs: connectedAt, untilMs: null }];
  return [...whole, ...tolls.map(({ perMinute, sinceMs, untilMs }) => ({ perMinute, sinceMs, untilMs }))];
}

/** The charge of a call that ended then: each part by the second, as if it were a call of its own. */
export function chargeOf(tolls: readonly Toll[], endedAtMs: number): number {
  const part = ({ perMinute, sinceMs, untilMs }: Toll): number =>
    chargeFor(perMinute, Math.max(0, Math.floor(((untilMs ?? endedAtMs) - sinceMs) / 1000)));
  return rounded(tolls.reduce((sum, toll) => sum + part(toll), 0));
}

/** To the ten-thousandth, as charges are. */
function rounded(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}
