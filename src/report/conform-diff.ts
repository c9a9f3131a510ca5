// Two runs compared: which checks came to something else, and which are new or gone. Pure.
import type { CheckResult, ConformRun } from './conform-results.ts';
import { shortStoryOf } from './conform-story.ts';

export interface CheckChange {
  readonly id: string;
  readonly clause: string;
  /** The verdict there; undefined when the run has no such check. */
  readonly before?: CheckResult['verdict'];
  readonly after?: CheckResult['verdict'];
  /** What the later run says of it. */
  readonly told: string;
}

export interface RunDifference {
  /** Fine before, and not now. */
  readonly worse: readonly CheckChange[];
  readonly better: readonly CheckChange[];
  /** Another verdict, neither worse nor better; checks that are new or gone. */
  readonly other: readonly CheckChange[];
}

const BAD: ReadonlySet<string> = new Set(['fail', 'warn', 'error', 'blocked']);
const GOOD: ReadonlySet<string> = new Set(['pass', 'observed']);

export function conformDifference(before: ConformRun, after: ConformRun): RunDifference {
  const old = new Map(before.checks.map((one) => [one.id, one]));
  const current = new Map(after.checks.map((one) => [one.id, one]));
  const changes = [...new Set([...old.keys(), ...current.keys()])].flatMap((id) => {
    const was = old.get(id);
    const is = current.get(id);
    const shown = is ?? was;
    return shown === undefined || was?.verdict === is?.verdict ? [] : [changeOf(id, was, is, shown)];
  });
  const worse = changes.filter(({ before: b, after: a }) => a !== undefined && BAD.has(a) && !BAD.has(b ?? ''));
  const better = changes.filter(({ before: b, after: a }) => b !== undefined && BAD.has(b) && GOOD.has(a ?? ''));
  return { worse, better, other: changes.filter((one) => !worse.includes(one) && !better.includes(one)) };
}

/** In words; empty text when nothing differs. */
export function differenceText({ worse, better, other }: RunDifference): string {
  const part = (title: string, changes: readonly CheckChange[]): string[] =>
    changes.length === 0 ? [] : [`${title} (${changes.length})`, ...changes.map(lineOf), ''];
  return [...part('worse', worse), ...part('better', better), ...part('other', other)].join('\n');
}

function changeOf(
  id: string,
  was: CheckResult | undefined,
  is: CheckResult | undefined,
  shown: CheckResult,
): CheckChange {
  return {
    id,
    clause: shown.clause,
    ...(was === undefined ? {} : { before: was.verdict }),
    ...(is === undefined ? {} : { after: is.verdict }),
    told: shortStoryOf(shown),
  };
}

function lineOf({ id, clause, before, after, told }: CheckChange): string {
  return `  ${id} [${clause}]: ${before ?? 'absent'} → ${after ?? 'absent'}${told === '' ? '' : `  ${told}`}`;
}
