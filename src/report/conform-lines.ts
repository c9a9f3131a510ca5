// A conformance run as a stream of lines (NDJSON): the form from which every report can be made again. Pure.
import { clauseLevels } from '../contract/clause.ts';
import { type ConformEvent, type ConformRun, checkVerdicts } from './conform-results.ts';
import { RunCollector } from './conform-run.ts';

/** One line, without its end. */
export function lineOf(event: ConformEvent): string {
  return JSON.stringify(event);
}

export type LinesReading =
  | { readonly ok: true; readonly run: ConformRun }
  /** `line 3: expected ...` */
  | { readonly ok: false; readonly problem: string };

const KNOWN: ReadonlySet<unknown> = new Set<ConformEvent['event']>([
  'run started',
  'check started',
  'exchange',
  'check ended',
  'run ended',
]);

/** Reads what `lineOf` wrote. A stream that was cut off is a run without an end, which is no success. */
export function runOfLines(text: string): LinesReading {
  const collector = new RunCollector();
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const event = eventIn(line);
    // The last line may be half a line: whoever wrote it was stopped.
    if (event === undefined && index === lines.length - 1) break;
    if (event === undefined)
      return { ok: false, problem: `line ${index + 1}: expected an event of a conformance run, as JSON` };
    if (index === 0 && event.event !== 'run started')
      return { ok: false, problem: 'line 1: expected the start of a conformance run' };
    collector.take(event);
  }
  const { run } = collector;
  return run.startedAt === '' ? { ok: false, problem: 'there is no conformance run in it' } : { ok: true, run };
}

function eventIn(line: string): ConformEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || !KNOWN.has(value.event)) return undefined;
    if (value.event === 'check ended' && !isResult(value.result)) return undefined;
    if (value.event === 'run started' && !(isObject(value.target) && Array.isArray(value.planned))) return undefined;
    if (value.event === 'exchange' && !(isObject(value.exchange) && isObject(value.exchange.request))) return undefined;
    return value as unknown as ConformEvent;
  } catch {
    return undefined;
  }
}

function isResult(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, clause, verdict, level, exchanges } = value;
  const texts = [id, clause, value.message, value.requirement, value.spec];
  return (
    texts.every((each) => typeof each === 'string') &&
    checkVerdicts.some((each) => each === verdict) &&
    clauseLevels.some((each) => each === level) &&
    Array.isArray(exchanges)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parts of one plan as one run: what was planned and judged anywhere. Parts of different targets or seeds are none of it: undefined.
 * `filtered` stays when a part was chosen by more than its share.
 */
export function mergedRun(parts: readonly ConformRun[]): ConformRun | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const isOther = (run: ConformRun): boolean =>
    run.target.apiRoot !== first.target.apiRoot || run.seed !== first.seed || run.strict !== first.strict;
  if (parts.some(isOther)) return undefined;
  let seqs = 0;
  const shifted = parts.map((run) => {
    const by = seqs;
    seqs += Math.max(0, ...run.exchanges.map(({ seq }) => seq));
    return {
      exchanges: run.exchanges.map((one) => ({ ...one, seq: one.seq + by })),
      checks: run.checks.map((one) => ({ ...one, exchanges: one.exchanges.map((seq) => seq + by) })),
    };
  });
  const obstacle = parts.find((run) => run.obstacle !== undefined)?.obstacle;
  // A prerequisite is judged in every part that needs it; it counts once, as the worst that came of it.
  const checks = new Map(
    shifted
      .flatMap((part) => part.checks)
      .toSorted((a, b) => checkVerdicts.indexOf(a.verdict) - checkVerdicts.indexOf(b.verdict))
      .map((one) => [one.id, one] as const),
  );
  return {
    ...first,
    filtered: parts.some((run) => run.filtered),
    startedAt: parts.map((run) => run.startedAt).toSorted()[0] ?? '',
    planned: [...new Set(parts.flatMap((run) => run.planned))],
    durationMs: Math.max(...parts.map((run) => run.durationMs)),
    coverage: mergedCoverage(parts),
    leftovers: [...new Set(parts.flatMap((run) => run.leftovers))],
    stale: [...new Set(parts.flatMap((run) => run.stale))],
    checks: [...checks.values()],
    exchanges: shifted.flatMap((part) => part.exchanges),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

/** What no part has judged is missed; lists that were cut cannot tell more than they hold. */
function mergedCoverage(parts: readonly ConformRun[]): ConformRun['coverage'] {
  return (parts[0]?.coverage ?? []).map(({ of, total }) => {
    const missed = parts.map((run) => new Set(run.coverage.find((one) => one.of === of)?.missed));
    const everywhere = [...(missed[0] ?? [])].filter((name) => missed.every((names) => names.has(name)));
    return { of, total, judged: total - everywhere.length, missed: everywhere };
  });
}
