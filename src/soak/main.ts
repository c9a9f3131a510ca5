// The long tests, which `npm test` runs a part of: `npm run soak [-- --seed N] [--only PART]`. Ends by itself, with status 1 when something is wrong.
import { parseArgs } from 'node:util';
import { proveJudge } from '../cli/prove-judge.ts';
import { drawnMutants } from '../harness/mutants/all-mutants.ts';
import { together, variants } from '../harness/mutants/variants.ts';
import { isProven, killMatrixText } from '../report/kill-matrix.ts';
import { company } from './company/company.ts';
import { killNine } from './durability/kill-nine.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { askHistory } from './history/history.ts';
import { storm } from './sip/storm.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '40' },
    requests: { type: 'string', default: '100000' },
    records: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '400' },
    messages: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '100000' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const seed = Number(values.seed);
const FUZZ_WITHIN_MS = 20 * 60_000;
const HISTORY_WITHIN_MS = 10 * 60_000;

/** What a part came to, and what was wrong. */
interface Part {
  readonly summary: string;
  readonly wrong: readonly string[];
}

async function fuzzed(): Promise<Part> {
  const asked = Number(values.requests);
  const { requests, statuses, reached, slowest, before, after, problems } = await fuzz({
    seed,
    requests: asked,
    withinMs: FUZZ_WITHIN_MS,
  });
  const short =
    requests < asked && problems.length === 0 ? [`only ${requests} of ${asked} requests were sent in time`] : [];
  const told = Object.entries(statuses).map(([status, count]) => `${status} ${count}`);
  const grown = `heap ${megabytes(before.heapBytes)}, then ${megabytes(after.heapBytes)}; RSS ${megabytes(before.rssBytes)}, then ${megabytes(after.rssBytes)}`;
  return {
    summary: `${requests} requests, ${reached.size} operations did what they were asked; answers: ${told.join(', ')}; slowest ${slowest.ms.toFixed(0)} ms; ${grown}`,
    wrong: [...problems, ...short],
  };
}

async function killed(): Promise<Part> {
  const { acknowledged, talks, wrong } = await killNine({ seed, rounds: Number(values.rounds), answers: [200, 3000] });
  return {
    summary: `${acknowledged} writes acknowledged and ${talks} recorded talks shown in ${values.rounds} rounds`,
    wrong,
  };
}

async function asked(): Promise<Part> {
  const [records, questions] = [Number(values.records), Number(values.questions)];
  const report = await askHistory({ seed, records, questions, withinMs: HISTORY_WITHIN_MS });
  const { loadMs, rssBytes, slowest, wrong } = report;
  return {
    summary: `${records} call records, there after ${(loadMs / 1000).toFixed(1)} s, RSS ${megabytes(rssBytes)}; ${report.questions} questions, slowest ${slowest.ms.toFixed(0)} ms`,
    wrong,
  };
}

/**
 * What each call of a storm may leave behind apart from its records: nothing, but compilers go on for long. An object of 200
 * bytes for each call is seen.
 */
const STORM_GROWTH_BYTES = 100;

async function stormed(): Promise<Part> {
  const { messages, answers, calls, memory, growthBytes, problems } = await storm({
    seed,
    messages: Number(values.messages),
  });
  const growth =
    growthBytes > STORM_GROWTH_BYTES ? [`each call leaves ${Math.round(growthBytes)} bytes that are no record`] : [];
  const told = Object.entries(answers).map(([status, count]) => `${status} ${count}`);
  const [first, last] = [memory.at(0)?.bytes ?? 0, memory.at(-1)?.bytes ?? 0];
  return {
    summary: `${messages} damaged messages among ${calls} calls; answers: ${told.join(', ')}; in use without records ${megabytes(first)}, then ${megabytes(last)}, ${Math.round(growthBytes)} bytes a call`,
    wrong: [...problems, ...growth],
  };
}

const COMPANY_GROWTH_BYTES = 100;

const livedIn = (inFile: boolean) => async (): Promise<Part> => {
  const { calls, days, memory, growthBytes, problems } = await company({
    ...{ seed, inFile },
    calls: Number(values.calls),
  });
  const growth =
    growthBytes > COMPANY_GROWTH_BYTES ? [`each call leaves ${Math.round(growthBytes)} bytes that are no record`] : [];
  const [first, last] = [memory.at(0)?.bytes ?? 0, memory.at(-1)?.bytes ?? 0];
  return {
    summary: `${calls} calls in ${days.toFixed(1)} days; in use without records ${megabytes(first)}, then ${megabytes(last)}, ${Math.round(growthBytes)} bytes a call`,
    wrong: [...problems, ...growth],
  };
};

async function proven(): Promise<Part> {
  const matrix = await proveJudge({
    ...{ mutants: drawnMutants(1, seed), variants: [...variants, together(variants)] },
    ...{ seed: String(seed), drawn: false },
  });
  const lines = killMatrixText(matrix).split('\n');
  return { summary: lines.at(-1) ?? '', wrong: isProven(matrix) ? [] : lines.slice(0, -1) };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}

let isWrong = false;
for (const [name, part] of [
  ['kill -9', killed],
  ['history', asked],
  ['fuzz', fuzzed],
  ['sip storm', stormed],
  ['company', livedIn(false)],
  ['company in a file', livedIn(true)],
  ['mutants', proven],
] as const) {
  if (values.only.length > 0 && !values.only.includes(name)) continue;
  const from = performance.now();
  const { summary, wrong } = await part().catch(
    (error: unknown): Part => ({ summary: 'did not end', wrong: [String(error)] }),
  );
  for (const sentence of wrong) console.error(`${name} with --seed ${seed}: ${sentence}`);
  console.log(
    `${name}: ${wrong.length === 0 ? 'well' : `${wrong.length} wrong`}; ${summary}; ${((performance.now() - from) / 1000).toFixed(0)} s`,
  );
  isWrong ||= wrong.length > 0;
}
process.exitCode = isWrong ? 1 : 0;
