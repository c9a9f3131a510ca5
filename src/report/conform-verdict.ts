// The one place that says what a conformance run came to: verdict, exit status and closing words together, so that they cannot differ.

import {
  type CheckResult,
  type CheckVerdict,
  type ConformRun,
  checkVerdicts,
  type RunVerdict,
} from './conform-results.ts';

/**
 * 0 conformant, with deviations, or partial; 1 non-conformant; 2 usage or invalid file; 3 incomplete; 4 stale deviation;
 * 5 target unreachable or login refused; 6 the harness failed.
 */
export type ConformStatus = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export interface ConformVerdict {
  readonly verdict: RunVerdict;
  readonly status: ConformStatus;
  /** `conformant: 812 pass, 3 observed`. */
  readonly words: string;
}

export type VerdictCounts = Readonly<Record<CheckVerdict, number>>;

export function countsOf(checks: readonly CheckResult[]): VerdictCounts {
  const counts = Object.fromEntries(checkVerdicts.map((verdict) => [verdict, 0])) as Record<CheckVerdict, number>;
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}

export function conformVerdictOf(run: ConformRun): ConformVerdict {
  const [verdict, status, reason] = judged(run);
  const counted = wordsOf(run.checks);
  const why = [reason, counted].filter((part) => part !== '').join('; ');
  return { verdict, status, words: why === '' ? verdict : `${verdict}: ${why}` };
}

/** Whether a result fails the run: a MUST that is not met, and in a strict run a SHOULD; known deviations do not. */
export function failsRun({ verdict, accepted }: CheckResult, strict: boolean): boolean {
  return accepted === undefined && (verdict === 'fail' || (strict && verdict === 'warn'));
}

function judged(run: ConformRun): readonly [RunVerdict, ConformStatus, string] {
  const { checks, obstacle, strict, stale } = run;
  const count = (verdict: CheckVerdict): number => checks.filter((one) => one.verdict === verdict).length;
  if (obstacle?.kind === 'invalid') return ['invalid', 2, ''];
  if (obstacle?.kind === 'unreachable') return ['incomplete', 5, 'the target cannot be judged'];
  if (obstacle !== undefined || count('error') > 0) return ['invalid', 6, 'the harness failed'];
  if (run.planned.length === 0) return ['invalid', 2, 'no check was chosen'];
  const isStale = ({ id }: CheckResult): boolean => stale.some((line) => line.startsWith(`${id}: `));
  if (checks.some((one) => failsRun(one, strict) && !isStale(one))) return ['non-conformant', 1, ''];
  const strays = strayIds(run);
  // A run that was told to stop at a failure has left checks out; any other has to have reported what it planned.
  if (strays.length > 0)
    return ['invalid', 6, `the harness failed: planned and reported checks differ by ${strays.slice(0, 5).join(', ')}`];
  if (stale.length > 0) return ['non-conformant', 4, `${stale.length} stale deviation${stale.length === 1 ? '' : 's'}`];
  const isOpen = ({ verdict, accepted }: CheckResult): boolean =>
    verdict === 'unevaluable' || (verdict === 'blocked' && accepted === undefined);
  if (checks.some(isOpen)) return ['incomplete', 3, ''];
  // What nobody could judge is no success: at least one has passed.
  if (count('pass') === 0) return ['incomplete', 3, 'no check passed'];
  if (checks.some(({ accepted }) => accepted !== undefined)) return ['conformant with deviations', 0, ''];
  return [run.filtered || run.shard !== undefined ? 'partial' : 'conformant', 0, ''];
}

/** Checks that were planned and not reported, reported and not planned, or reported twice. */
function strayIds({ planned, checks }: ConformRun): string[] {
  const reported = new Map<string, number>();
  for (const { id } of checks) reported.set(id, (reported.get(id) ?? 0) + 1);
  const due = new Set(planned);
  return [...planned.filter((id) => reported.get(id) !== 1), ...[...reported.keys()].filter((id) => !due.has(id))];
}

function wordsOf(checks: readonly CheckResult[]): string {
  const counts = countsOf(checks);
  const accepted = checks.filter((one) => one.accepted !== undefined).length;
  return [
    ...checkVerdicts.flatMap((verdict) => (counts[verdict] === 0 ? [] : [`${counts[verdict]} ${verdict}`])),
    ...(accepted === 0 ? [] : [`${accepted} of them known deviations`]),
  ].join(', ');
}
