// A business day of a company in virtual time: calls of all kinds with full signalling, from one seed. Run alone: `node src/bench/business-day.ts [calls] [users] [seed]`.
import { createHash } from 'node:crypto';
import { dataOf, type JournalEntry } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Simulator } from '../simulator.ts';
import { BUSY_HOURS } from '../store/seed/office-hours.ts';
import { readRate } from '../traffic/rate.ts';
import { Traffic } from '../traffic/traffic.ts';
import { enlarge } from './large-company.ts';

export interface DayOptions {
  readonly calls: number;
  readonly users: number;
  readonly seed?: number;
  /** Hash what each entry says, not only what it is of. Costs as much as the day itself. */
  readonly everyWord?: boolean;
  readonly checkInvariants?: boolean;
}

export interface DayResult {
  readonly calls: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly callsPerSecond: number;
  /** Of the whole process, at its most. */
  readonly rssMiB: number;
  /** Of all journal entries, in order. */
  readonly hash: string;
  readonly entries: number;
  readonly sipMessages: number;
  readonly cdrs: number;
  /** CDRs by context and disposition. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Calls and transactions that are left at the end: none. */
  readonly left: number;
  readonly violations: readonly string[];
  readonly skipped: number;
  /** From the first call to the last, on the clock. */
  readonly virtualHours: number;
}

const MORNING = Date.UTC(2026, 0, 5, 8);
const HOUR_MS = 3_600_000;
/** What messages are no calls. */
const MESSAGES: ReadonlySet<string> = new Set(['smsIn', 'smsOut', 'chat']);
const STEP_MS = 60_000;
/** Characters: to hash each entry by itself would be felt. */
const HASHED_AT_ONCE = 65_536;
/** After the last call: the longest ring time, talk and timer of a transaction. */
const EVENING_MS = 2 * HOUR_MS;

export function businessDay({ calls, users, seed = 1, everyWord, checkInvariants }: DayOptions): DayResult {
  const simulator = new Simulator({ seed, startMs: MORNING, history: 0, checkInvariants: checkInvariants === true });
  const { world, clock, journal } = simulator;
  enlarge(world, users, clock.now());
  clock.settle();
  const hash = createHash('sha256');
  let [entries, sipMessages, placed] = [0, 0, 0];
  let unhashed = '';
  const hashIt = (): void => {
    hash.update(unhashed);
    unhashed = '';
  };
  const stopListening = journal.subscribe((entry) => {
    entries += 1;
    if (entry.kind.startsWith('sip.')) sipMessages += 1;
    unhashed += everyWord === true ? JSON.stringify({ ...entry, data: dataOf(entry) }) : glance(entry);
    if (unhashed.length > HASHED_AT_ONCE) hashIt();
  });
  const before = world.store.cdrs.size;
  const traffic = trafficOf(simulator, calls, (kind) => {
    if (!MESSAGES.has(kind)) placed += 1;
    return placed;
  });
  const startedAt = process.hrtime.bigint();
  const cpuBefore = process.cpuUsage();
  while (placed < calls) clock.advanceTo(clock.now() + STEP_MS);
  const lastAt = clock.now();
  clock.advanceTo(clock.now() + EVENING_MS);
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  stopListening();
  hashIt();
  const { calls: live, ...transactions } = world.exchange.stats;
  const left = live + transactions.sessions + transactions.clientTransactions + transactions.serverTransactions;
  const result = {
    ...{
      calls: placed,
      seconds,
      callsPerSecond: placed / seconds,
      hash: hash.digest('hex'),
      entries,
      sipMessages,
      left,
    },
    cpuSeconds: (user + system) / 1e6,
    rssMiB: process.resourceUsage().maxRSS / 1024,
    cdrs: world.store.cdrs.size - before,
    outcomes: outcomesOf(simulator),
    violations: world.violations,
    skipped: traffic.state.skipped,
    virtualHours: (lastAt - MORNING) / HOUR_MS,
  };
  traffic.close();
  void simulator.close();
  return result;
}

/** So many calls in ten hours, and not one more. */
function trafficOf(
  { world, clock, journal, seed }: Simulator,
  calls: number,
  count: (kind: string) => number,
): Traffic {
  const rate = readRate(`${(calls / BUSY_HOURS.length / 3600).toFixed(3)}/s`);
  if (!rate.ok) throw new Error(rate.failure.message);
  const { store, phones, trunk: carrier, exchange } = world;
  const random = new Random(seed);
  const traffic: Traffic = new Traffic(
    { clock, journal, random, store, phones, carrier, exchange, liveCalls: () => exchange.stats.calls },
    {
      rate: rate.value,
      swing: (now) => BUSY_HOURS[Math.floor((now - MORNING) / HOUR_MS)] ?? 1,
      onBegun: (kind) => {
        if (count(kind) >= calls) traffic.setRate('off');
      },
    },
  );
  return traffic;
}

function outcomesOf({ world }: Simulator): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const [, { context, disposition }] of world.store.cdrs.entries()) {
    const name = `${context} ${disposition}`;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  }
  return outcomes;
}

function glance({ seq, at, kind, callId, cause }: JournalEntry): string {
  return `${seq} ${at} ${kind} ${callId} ${cause}\n`;
}

if (import.meta.main) {
  const [calls = 10_000, users = 200, seed = 1] = process.argv.slice(2).map(Number);
  console.log(businessDay({ calls, users, seed, checkInvariants: process.env.CHECK === '1' }));
}
