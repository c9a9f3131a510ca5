// The one place that says what a run came to: exit status and closing words together, so that they cannot differ.
import type { RunResult, ScenarioVerdict } from './results.ts';

/** 0 all passed, 1 failed, 2 invalid file or no scenario, 3 blocked or unevaluable, 5 unreachable or refused, 6 the harness failed. */
export type RunStatus = 0 | 1 | 2 | 3 | 5 | 6;

export interface Verdict {
  readonly status: RunStatus;
  /** `14 passed, 1 failed`, or why there is nothing to count. */
  readonly words: string;
}

const COUNTED: ReadonlyArray<readonly [ScenarioVerdict, string]> = [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['unsupported', 'unsupported'],
  ['blocked', 'blocked'],
  ['unevaluable', 'unevaluable'],
  ['error', 'broken by the harness itself'],
];

export function verdictOf({ scenarios, obstacle }: RunResult): Verdict {
  const counted = wordsOf(scenarios);
  if (obstacle !== undefined) {
    const status = obstacle.kind === 'invalid' ? 2 : obstacle.kind === 'unreachable' ? 5 : 6;
    const words = { 2: 'invalid', 5: 'the target cannot be judged', 6: 'the harness failed' }[status];
    return { status, words: scenarios.length === 0 ? words : `${words}; ${counted}` };
  }
  if (scenarios.length === 0) return { status: 2, words: 'no scenario was run' };
  const has = (verdict: ScenarioVerdict): boolean => scenarios.some((one) => one.verdict === verdict);
  if (has('error')) return { status: 6, words: counted };
  if (has('fail')) return { status: 1, words: counted };
  if (has('blocked') || has('unevaluable')) return { status: 3, words: counted };
  // What nobody could judge is no success: at least one has passed.
  if (!has('pass')) return { status: 3, words: counted };
  return { status: 0, words: counted };
}

function wordsOf(scenarios: RunResult['scenarios']): string {
  return COUNTED.flatMap(([verdict, word]) => {
    const count = scenarios.filter((one) => one.verdict === verdict).length;
    return count === 0 && verdict !== 'pass' ? [] : [`${count} ${word}`];
  }).join(', ');
}
