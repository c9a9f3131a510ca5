// Hunts mutants: each is judged by the checks of the clauses that it breaks, and one of them has to find it. Knows no simulator.
import { clauseById } from '../../contract/clauses.ts';
import { type OperationId, operations } from '../../contract/operations.ts';
import type { TimeHost } from '../../kernel/clock.ts';
import type { CheckResult } from '../../report/conform-results.ts';
import { RunCollector } from '../../report/conform-run.ts';
import type { HuntedMutant, JudgedVariant } from '../../report/kill-matrix.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import { conform } from '../conform/conform.ts';
import { memoryLines } from '../conform/ledger.ts';
import { planOf } from '../conform/plan.ts';
import { allChecks } from '../conform/registry.ts';
import type { Target } from '../target/target.ts';
import { type Mutant, mutant } from './mutant.ts';
import { MutatedClient } from './mutated-client.ts';
import { reasonsOfNobody, whySurvives } from './survivors.ts';
import type { Variant } from './variants.ts';
import { watched } from './watched.ts';

export interface HuntOptions {
  readonly target: Target;
  readonly mutants: readonly Mutant[];
  /** What the restricted user is refused in the path besides what the target refuses. */
  readonly denying: readonly OperationId[];
  readonly host: TimeHost;
  /** What webhook receivers of the judge show; the target has to trust it. */
  readonly identity: () => ServerIdentity;
  readonly seed: string;
  /** Also judges the target without any mutant, by the checks of each mutant alone: what they find then, they have not found in it. */
  readonly controls: boolean;
  /** Makes the target as new: called after each mutant that may have changed anything there. */
  readonly renew: () => Promise<void>;
  /** Told of each as it is done. */
  readonly tell?: (hunted: HuntedMutant) => void;
}

export async function hunt(options: HuntOptions): Promise<HuntedMutant[]> {
  const { mutants, host, tell } = options;
  const hunted: HuntedMutant[] = [];
  const controls = new Map<string, readonly string[]>();
  for (const each of mutants) {
    const fromMs = host.now();
    const one = outcomeOf(each, await judgedAnew(each, options), host.now() - fromMs);
    const anyway = options.controls ? await foundAnyway(each, options, controls) : [];
    hunted.push(anyway.length === 0 ? one : { ...one, anyway });
    tell?.(one);
  }
  return hunted;
}

/** What the checks of these clauses find at the target as it is. */
async function foundAnyway(
  { clauses }: Mutant,
  options: HuntOptions,
  known: Map<string, readonly string[]>,
): Promise<readonly string[]> {
  const key = clauses.join(' ');
  const before = known.get(key);
  if (before !== undefined) return before;
  const results = await judgedAnew(
    mutant('none', clauses, ({ asked, forward }) => forward(asked)),
    options,
  );
  const found = results.filter((result) => clauses.includes(result.clause) && finds(result)).map(({ id }) => id);
  known.set(key, found);
  return found;
}

/** Leaves the target as new. */
async function judgedAnew(mutated: Mutant, options: HuntOptions): Promise<readonly CheckResult[]> {
  const { results, isClean } = await judged(mutated, options);
  if (!isClean) await options.renew();
  return results;
}

/** Judges a target that does differently what it may do differently by every check there is. */
export async function judgeVariant(
  given: Variant,
  options: Omit<HuntOptions, 'mutants' | 'tell'>,
): Promise<JudgedVariant> {
  const { variant, acted } = watched(given);
  const target = variant.target?.(options.target) ?? options.target;
  const { results } = await judged({ ...variant, clauses: [] }, { ...options, target });
  await options.renew();
  const fine: readonly string[] = ['pass', 'observed', 'not-applicable'];
  return { id: variant.id, acted: acted(), wrong: results.filter(({ verdict }) => !fine.includes(verdict)) };
}

/** By the checks of its clauses; by all when it names none. */
async function judged(
  mutated: Mutant,
  { target: given, denying, host, seed, identity }: Omit<HuntOptions, 'mutants' | 'tell'>,
): Promise<{ readonly results: readonly CheckResult[]; readonly isClean: boolean }> {
  const target = { ...given, denied: operations.map(({ id }) => id) };
  const http = new MutatedClient({ target, mutant: mutated, host, denying });
  const collector = new RunCollector();
  const plan = planOf(allChecks, { target, only: mutated.clauses });
  try {
    await conform({
      ...{ target, plan, http, host, seed, strict: false, failFast: false, ledger: memoryLines() },
      identity,
      courier: mutated.courier?.(),
      startedAt: '2026-01-01T00:00:00Z',
      tell: (event) => collector.take(event),
    });
  } finally {
    await http.close();
  }
  const isClean = plan.checks.every(({ check }) => check.effects.every((effect) => effect === 'read'));
  return { results: collector.run.checks, isClean };
}

/** Killed when each clause that it breaks has a check that found it. */
function outcomeOf({ id, clauses }: Mutant, results: readonly CheckResult[], ms: number): HuntedMutant {
  const own = results.filter(({ clause }) => clauses.includes(clause));
  const found = own.filter(finds);
  const unfound = clauses.filter((clause) => !found.some((result) => result.clause === clause));
  const errors = results.filter(({ verdict }) => verdict === 'error').length;
  const common = { id, clauses, by: found.map((result) => result.id), errors, ms };
  if (unfound.length === 0) return { ...common, outcome: 'killed' };
  const told = own.filter(({ clause }) => unfound.includes(clause));
  const reason = whySurvives(id);
  return {
    ...common,
    outcome: 'survived',
    told: told.map((result) => `${result.id}: ${result.verdict} ${result.message}`.trim()).slice(0, 5),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** A MUST that is violated fails, a SHOULD warns. */
function finds({ clause, verdict }: CheckResult): boolean {
  const level = clauseById(clause)?.level;
  return verdict === 'fail' || (verdict === 'warn' && level !== 'MUST');
}

/** Checks of MUST clauses that have found nothing: whether they can fail is not known. */
export function idleChecks(hunted: readonly HuntedMutant[]): string[] {
  const busy = new Set(hunted.flatMap(({ by }) => by));
  return allChecks
    .filter(({ id, clause }) => clauseById(clause)?.level === 'MUST' && !busy.has(id))
    .map(({ id }) => id);
}

/** Reasons to live that nobody needs any more. */
export function staleReasons(hunted: readonly HuntedMutant[]): string[] {
  return reasonsOfNobody(hunted.filter(({ outcome }) => outcome === 'survived').map(({ id }) => id));
}
