// How a step ends, and the patience that steps have unless they say otherwise. Knows no step.
import { parseDuration } from '../../../kernel/time.ts';
import type { Difference } from '../difference.ts';
import type { Patience, Seen } from '../scenario-time.ts';

/** Undefined: as expected. */
export type StepOutcome = Difference | undefined;

/** How long something may take to come about unless the step says so. */
export const DEFAULT_WITHIN_MS = 5000;

export function patienceOf(within: string | undefined, holdFor?: string): Patience {
  return {
    withinMs: within === undefined ? DEFAULT_WITHIN_MS : (parseDuration(within) ?? 0),
    ...(holdFor === undefined ? {} : { holdForMs: parseDuration(holdFor) ?? 0 }),
  };
}

export function so<T>(value: T): Seen<T, never> {
  return { is: 'so', value };
}

export function not(difference: Difference): Seen<never, Difference> {
  return { is: 'not', difference };
}

export function never(difference: Difference): Seen<never, Difference> {
  return { is: 'never', difference };
}

/** The difference of what was seen last. */
export function outcomeOf(seen: Seen<unknown, Difference>): StepOutcome {
  return seen.is === 'so' ? undefined : seen.difference;
}
