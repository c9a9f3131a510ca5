// Complete calls a second over UDP with SIPp on both sides, through the real command and without it. Run alone, after a build: `node src/bench/sipp-calls.ts`.
import type { SippReport } from '../e2e/sipp.ts';
import { type SipAccount, SippPhones } from '../e2e/sipp-phones.ts';
import { ServedSimulator } from '../e2e/sipp-served.ts';

export interface SippCallsOptions {
  /** Rates to try, calls a second; a pair stops at the first that it cannot carry. */
  readonly exchangeRates?: readonly number[];
  readonly directRates?: readonly number[];
  /** How long each rate is held. Default 2 s. */
  readonly holdS?: number;
}

/** The highest rate at which no call failed and SIPp kept its pace. */
export interface Carried {
  readonly callsPerSecond: number;
  /** Messages that SIPp sent again meanwhile. */
  readonly retransmissions: number;
  /** What ended the ramp; undefined when every rate was carried. */
  readonly stoppedBy: string | undefined;
}

export interface SippCallsResult {
  /** Registered phones, digest, two legs, journal, CDR and events: 17 messages a call. */
  readonly exchange: Carried;
  /** The same caller calls the same callee: 6 messages a call. */
  readonly direct: Carried;
  readonly ratio: number;
}

const EXCHANGE_RATES = [100, 200, 300, 450, 600, 800, 1_000, 1_300, 1_700, 2_200] as const;
const DIRECT_RATES = [500, 1_000, 2_000, 4_000, 6_000, 8_000] as const;
/** A rate counts as kept when SIPp came this near to it. */
const KEPT = 0.9;
/** Time for the last calls of a rate, repeated messages included. */
const TAIL_MS = 6_000;
/** Calls at a time: what the simulator has RTP ports for. */
const AT_A_TIME = 1_500;

/** Several processes share the machine's cores: what is measured is the pair and what is between, not the exchange alone. */
export async function sippCalls(options: SippCallsOptions = {}): Promise<SippCallsResult> {
  const holdS = options.holdS ?? 2;
  const simulator = await ServedSimulator.start();
  try {
    const [caller, callee] = simulator.ready.users;
    if (caller === undefined || callee === undefined) throw new Error('the ready line has two users');
    const phones = new SippPhones(simulator.ready.sip, 'UDP');
    const exchange = await ramp(options.exchangeRates ?? EXCHANGE_RATES, (rate) =>
      carry(phones, { caller, callee, rate, holdS, direct: false }),
    );
    const direct = await ramp(options.directRates ?? DIRECT_RATES, (rate) =>
      carry(phones, { caller, callee, rate, holdS, direct: true }),
    );
    return { exchange, direct, ratio: exchange.callsPerSecond / direct.callsPerSecond };
  } finally {
    await simulator.stop();
  }
}

interface Load {
  readonly caller: SipAccount;
  readonly callee: SipAccount;
  readonly rate: number;
  readonly holdS: number;
  /** Without the exchange. */
  readonly direct: boolean;
}

/** One rate, held for its time: the caller's and the callee's report. */
async function carry(phones: SippPhones, load: Load): Promise<readonly SippReport[]> {
  const { caller, callee, rate, holdS, direct } = load;
  const calls = rate * holdS;
  const withinMs = holdS * 1_000 + TAIL_MS;
  const phone = await phones.waits(direct ? undefined : callee, { scenario: 'callee', calls, withinMs });
  const remote = direct ? { remote: `127.0.0.1:${phone.port}` } : {};
  const plan = { scenario: 'caller', calls, rate, limit: AT_A_TIME, withinMs, ...remote };
  const report = await phones.calls(caller, [callee.ext], plan);
  const reports = [report, await (report.failed > 0 ? phone.stop() : phone.ended)];
  await phones.leave();
  return reports;
}

async function ramp(
  rates: readonly number[],
  carryAt: (rate: number) => Promise<readonly SippReport[]>,
): Promise<Carried> {
  let carried: Carried = { callsPerSecond: 0, retransmissions: 0, stoppedBy: undefined };
  for (const rate of rates) {
    const reports = await carryAt(rate);
    const failed = Math.max(...reports.map((report) => report.failed));
    const reached = reports[0]?.callRate ?? 0;
    const retransmissions = reports.reduce((sum, report) => sum + report.retransmissions, 0);
    if (failed > 0) return { ...carried, stoppedBy: `at ${rate} calls/s ${failed} failed` };
    if (reached < rate * KEPT) {
      const callsPerSecond = Math.max(carried.callsPerSecond, reached);
      return {
        callsPerSecond,
        retransmissions,
        stoppedBy: `at ${rate} calls/s only ${Math.round(reached)} came about`,
      };
    }
    carried = { callsPerSecond: reached, retransmissions, stoppedBy: undefined };
  }
  return carried;
}

if (import.meta.main) {
  const { exchange, direct, ratio } = await sippCalls();
  const told = ({ callsPerSecond, retransmissions, stoppedBy = 'every rate was carried' }: Carried): string =>
    `${Math.round(callsPerSecond)} calls/s, ${retransmissions} messages repeated (${stoppedBy})`;
  console.log(`through the exchange: ${told(exchange)}`);
  console.log(`the same SIPp pair alone: ${told(direct)}`);
  console.log(`ratio: ${ratio.toFixed(3)}`);
}
