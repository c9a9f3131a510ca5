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
  'delivery',
  'sip',
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
    if (value.event === 'delivery' && !hasTexts(value.delivery, ['webhook', 'event', 'body', 'answer']))
      return undefined;
    if (value.event === 'sip' && !hasTexts(value.message, ['phone', 'line', 'text'])) return undefined;
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

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && Number.isInteger(value.seq) && names.every((name) => typeof value[name] === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parts of one plan as one run: what was planned and judged anywhere. Parts of different targets or seeds are none of it: undefined.
 * The merged run is filtered when a part was, or when parts are missing.
 */
export function mergedRun(parts: readonly ConformRun[]): ConformRun | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const isOther = (run: ConformRun): boolean =>
    run.target.apiRoot !== first.target.apiRoot || run.seed !== first.seed || run.strict !== first.strict;
  if (parts.some(isOther)) return undefined;
  const shifted = shiftedParts(parts);
  const obstacle = parts.find((run) => run.obstacle !== undefined)?.obstacle;
  // A prerequisite is judged in every part that needs it; it counts once, as the worst that came of it.
  const checks = new Map(
    shifted
      .flatMap((part) => part.checks)
      .toSorted((a, b) => checkVerdicts.indexOf(a.verdict) - checkVerdicts.indexOf(b.verdict))
      .map((one) => [one.id, one] as const),
  );
  const { shard: _, ...whole } = first;
  return {
    ...whole,
    filtered: parts.some((run) => run.filtered) || !areAllShards(parts),
    startedAt: parts.map((run) => run.startedAt).toSorted()[0] ?? '',
    planned: [...new Set(parts.flatMap((run) => run.planned))],
    durationMs: Math.max(...parts.map((run) => run.durationMs)),
    coverage: mergedCoverage(parts),
    leftovers: [...new Set(parts.flatMap((run) => run.leftovers))],
    stale: [...new Set(parts.flatMap((run) => run.stale))],
    checks: [...checks.values()],
    exchanges: shifted.flatMap((part) => part.exchanges),
    deliveries: shifted.flatMap((part) => part.deliveries),
    messages: shifted.flatMap((part) => part.messages),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

/** Evidence is numbered on from part to part. */
function shiftedParts(parts: readonly ConformRun[]) {
  const by = { exchanges: 0, deliveries: 0, messages: 0 };
  return parts.map(({ exchanges, deliveries = [], messages = [], checks }) => {
    const from = { ...by };
    const shift = <T extends { readonly seq: number }>(kind: keyof typeof by, items: readonly T[]): T[] => {
      by[kind] = from[kind] + items.reduce((most, { seq }) => Math.max(most, seq), 0);
      return items.map((one) => ({ ...one, seq: one.seq + from[kind] }));
    };
    const moved = (kind: keyof typeof by, seqs: readonly number[]) => seqs.map((seq) => seq + from[kind]);
    return {
      exchanges: shift('exchanges', exchanges),
      deliveries: shift('deliveries', deliveries),
      messages: shift('messages', messages),
      checks: checks.map((one) => ({
        ...one,
        exchanges: moved('exchanges', one.exchanges),
        ...(one.deliveries === undefined ? {} : { deliveries: moved('deliveries', one.deliveries) }),
        ...(one.messages === undefined ? {} : { messages: moved('messages', one.messages) }),
      })),
    };
  });
}

/** Every part of one division is there. Runs that are no parts are whole ones. */
function areAllShards(parts: readonly ConformRun[]): boolean {
  const shards = parts.flatMap(({ shard }) => (shard === undefined ? [] : [shard]));
  if (shards.length < parts.length) return true;
  const [{ of } = { of: 0 }] = shards;
  const indexes = new Set(shards.filter((shard) => shard.of === of).map(({ index }) => index));
  return indexes.size === of && shards.every((shard) => shard.of === of);
}

/** What no part has judged is missed; lists that were cut cannot tell more than they hold. */
function mergedCoverage(parts: readonly ConformRun[]): ConformRun['coverage'] {
  return (parts[0]?.coverage ?? []).map(({ of, total }) => {
    const missed = parts.map((run) => new Set(run.coverage.find((one) => one.of === of)?.missed));
    const everywhere = [...(missed[0] ?? [])].filter((name) => missed.every((names) => names.has(name)));
    return { of, total, judged: total - everywhere.length, missed: everywhere };
  });
}
