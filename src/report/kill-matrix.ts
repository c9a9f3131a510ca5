// The kill matrix: which mutants were found, by which checks, and which live; which legal variants passed. Pure.
import type { CheckResult } from './conform-results.ts';

export interface HuntedMutant {
  readonly id: string;
  /** The clauses that it breaks. */
  readonly clauses: readonly string[];
  readonly outcome: 'killed' | 'survived';
  /** The checks of its clauses that found it. */
  readonly by: readonly string[];
  /** Of a survivor: what the checks of its clauses said. */
  readonly told?: readonly string[];
  /** Of a survivor that may live: why. */
  readonly reason?: string;
  /** Checks of its clauses that find something without it, too: that they found it shows nothing then. */
  readonly anyway?: readonly string[];
  /** Checks in which the harness itself failed; none should. */
  readonly errors: number;
  readonly ms: number;
}

/** A target that does differently what it may do differently. */
export interface JudgedVariant {
  readonly id: string;
  /** How often it has done something; one that never does shows nothing. */
  readonly acted: number;
  /** What was found at it all the same; nothing should be. */
  readonly wrong: readonly CheckResult[];
}

export interface KillMatrix {
  readonly seed: string;
  readonly mutants: readonly HuntedMutant[];
  readonly variants: readonly JudgedVariant[];
  /** Checks of MUST clauses that found no mutant; meaningful when all were hunted. */
  readonly idle: readonly string[];
  /** Reasons to live that nobody has; meaningful when all were hunted. */
  readonly stale: readonly string[];
  /** Only a share of the generated ones was hunted. */
  readonly drawn: boolean;
  readonly durationMs: number;
}

/**
 * Whether the judge is proven as far as was looked: no survivor without a reason, no reason without a survivor, nothing found where nothing
 * is wrong, no failure of the harness, no idle MUST check, no legal variant that did not pass or did nothing.
 */
export function isProven({ mutants, variants, idle, stale }: KillMatrix): boolean {
  const livesOn = mutants.some(
    ({ outcome, reason, errors, anyway = [] }) =>
      errors > 0 || anyway.length > 0 || (outcome === 'survived' && reason === undefined),
  );
  const isWrong = variants.some((variant) => !isPassed(variant));
  return mutants.length > 0 && !livesOn && !isWrong && idle.length === 0 && stale.length === 0;
}

/** Most names of one kind in the text. */
const MOST = 60;

export function killMatrixText(matrix: KillMatrix): string {
  const { mutants, variants, idle, stale, drawn, durationMs, seed } = matrix;
  const killed = mutants.filter(({ outcome }) => outcome === 'killed');
  const excused = mutants.filter(({ outcome, reason }) => outcome === 'survived' && reason !== undefined);
  const alive = mutants.filter(({ outcome, reason }) => outcome === 'survived' && reason === undefined);
  const broken = mutants.filter(({ errors }) => errors > 0);
  const lines = (title: string, all: readonly string[]): string[] =>
    all.length === 0
      ? []
      : [
          `${title} (${all.length})`,
          ...all.slice(0, MOST).map((line) => `  ${line}`),
          ...(all.length > MOST ? [`  and ${all.length - MOST} more`] : []),
        ];
  return [
    ...lines(
      'survivors without a reason',
      alive.map(({ id, clauses, told = [] }) => `${id} [${clauses.join(', ')}]: ${told.join(' | ') || 'no check ran'}`),
    ),
    ...lines(
      'the harness failed at',
      broken.map(({ id }) => id),
    ),
    ...lines('found where nothing is wrong', [...new Set(mutants.flatMap(({ anyway = [] }) => anyway))]),
    ...lines('checks of MUST clauses that found no mutant', idle),
    ...lines('reasons to live that nobody has', stale),
    ...lines(
      'legal variants that did nothing',
      variants.filter(({ acted }) => acted === 0).map(({ id }) => id),
    ),
    ...variants.flatMap(({ id, wrong }) =>
      lines(
        `legal, and found fault with: ${id}`,
        wrong.map((one) => `${one.id}: ${one.verdict} ${one.message}`),
      ),
    ),
    ...[...Map.groupBy(excused, ({ reason }) => reason)].map(
      ([reason, some]) => `may live (${some.length}): ${reason}`,
    ),
    [
      `${mutants.length} mutants${drawn ? ` (a share of the generated ones, seed ${seed})` : ''}`,
      `${killed.length} killed`,
      `${excused.length} may live`,
      `${alive.length} survived`,
      ...(variants.length === 0 ? [] : [variantsText(variants)]),
      `${(durationMs / 1000).toFixed(1)} s`,
    ].join(', '),
  ].join('\n');
}

function isPassed({ acted, wrong }: JudgedVariant): boolean {
  return acted > 0 && wrong.length === 0;
}

function variantsText(variants: readonly JudgedVariant[]): string {
  const passed = variants.filter(isPassed).length;
  return `${passed} of ${variants.length} legal variants passed`;
}
