// Many scenarios in one run, and many events in one scenario: seconds, and memory at its most. Run alone: `node src/bench/scenario-scale.ts 1000 5000`,
// or with more such pairs, one after the other.
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadDocuments } from '../harness/language/load.ts';
import { type ScenarioDocument, scenario, steps } from '../harness/language/scenario.ts';
import { runPlans } from '../harness/run/run-plans.ts';
import { systemTime } from '../wires/system-time.ts';

export interface ScaleFigures {
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Resident memory of the process at its most so far. */
  readonly rssMiB: number;
  /** What is kept afterwards, with --expose-gc. */
  readonly heapMiB: number | null;
}

const common = {
  requires: 'Nothing is lost, and nothing is kept of a scenario that is over',
  spec: ['Events, Delivery'],
  phones: { caller: { user: 'first' }, callee: { user: 'second' } },
} as const;

const answered = steps(
  { phone: 'caller', do: 'call', to: 'callee' },
  { phone: 'callee', do: 'answer' },
  { phone: 'caller', is: 'connected' },
);

/** A call for each of so many scenarios. */
export function manyScenarios(count: number): ScenarioDocument {
  return scenario({
    ...common,
    id: 'many-scenarios',
    title: 'One of many calls',
    webhooks: { all: { events: ['call_state_change'] } },
    matrix: { n: Array.from({ length: count }, (_, index) => index + 1) },
    steps: [
      ...answered,
      { phone: 'caller', do: 'hang_up', after: '5s' },
      { events: { hangup: 'call.hangup' }, others: 'allow' },
    ],
  });
}

const KEYS = '0123456789*#ABCD'.repeat(4);

/** One call in which so many keys are pressed, rounded up to whole acts. */
export function manyEvents(count: number): ScenarioDocument {
  const acts = Math.ceil(count / KEYS.length);
  return scenario({
    ...common,
    id: 'many-events',
    title: 'Many events of one call',
    webhooks: { all: { events: ['dtmf'] } },
    steps: [
      ...answered,
      ...Array.from({ length: acts }, () =>
        steps({ phone: 'caller', do: 'digits', digits: KEYS }, { wait: '13s' }),
      ).flat(),
      { events: { keys: { event: 'call.dtmf', count: acts * KEYS.length } }, until: 'keys', repeats: 'fail' },
      { phone: 'caller', do: 'hang_up' },
    ],
  });
}

/** Each of the scenario's plans against a fresh simulator within this process, its clock moved from event to event. */
export async function runAtScale(document: ScenarioDocument): Promise<ScaleFigures> {
  const nowhere = (): Promise<string> => Promise.reject(new Error('no fragments here'));
  const { plans, problems } = await loadDocuments('scale', [document], nowhere);
  if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  const start = performance.now();
  const { scenarios } = await runPlans(plans, {
    name: 'fresh simulator',
    driver: 'sim',
    host: systemTime(),
    lease: () => leaseSimulator({ seed: 1, clock: 'manual' }),
    replay: ({ id }) => id,
  });
  const passed = scenarios.filter(({ verdict }) => verdict === 'pass').length;
  return {
    passed,
    failed: scenarios.length - passed,
    seconds: (performance.now() - start) / 1000,
    rssMiB: process.resourceUsage().maxRSS / 1024,
    heapMiB: await keptMiB(),
  };
}

/** Once closed connections are gone. */
async function keptMiB(): Promise<number | null> {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) return null;
  await new Promise((resolve) => setTimeout(resolve, 50));
  gc();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  for (let at = 0; at < counts.length; at += 2) {
    console.log(JSON.stringify(await runAtScale(manyScenarios(counts[at] ?? 1))));
    console.log(JSON.stringify(await runAtScale(manyEvents(counts[at + 1] ?? 1))));
  }
}
