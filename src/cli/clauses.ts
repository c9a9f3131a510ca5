// pbxsim clauses and pbxsim explain: the specification as a catalogue, each clause with the checks that judge it.
import type { Clause } from '../contract/clause.ts';
import { clauseById, clauses } from '../contract/clauses.ts';
import { operationById } from '../contract/operations.ts';
import type { Check } from '../harness/conform/check.ts';
import { UsageError } from './errors.ts';
import { everyCheck } from './every-check.ts';

/** The checks of a clause. */
type ChecksOf = (clause: Clause) => readonly Check[];

function byClause(checks: readonly Check[]): ChecksOf {
  const of = new Map<string, Check[]>();
  for (const check of checks)
    for (const id of [check.clause, ...(check.also ?? [])]) of.set(id, [...(of.get(id) ?? []), check]);
  return ({ id }) => of.get(id) ?? [];
}

export async function listClauses({ json = false }: { readonly json?: boolean }): Promise<void> {
  const checks = await everyCheck();
  const checksOf = byClause(checks);
  if (json) {
    const rows = clauses.map((clause) => ({ ...clause, checks: checksOf(clause).map(({ id }) => id) }));
    console.log(JSON.stringify(rows, undefined, 1));
    return;
  }
  for (const clause of clauses) {
    const count = checksOf(clause).length;
    const judged = count === 0 ? (clause.untestable ?? 'no check') : `${count} check${count === 1 ? '' : 's'}`;
    console.log(`${clause.id}  ${clause.level}  ${clause.requirement}  (${judged})`);
  }
  const levels = Map.groupBy(clauses, ({ level }) => level);
  const counts = [...levels].map(([level, of]) => `${of.length} ${level}`).join(', ');
  console.log(`${clauses.length} clauses: ${counts}; ${checks.length} checks`);
}

/** Throws `UsageError` when nothing is called so. */
export async function explainId(id: string): Promise<void> {
  const checks = await everyCheck();
  const checksOf = byClause(checks);
  const check = checks.find((one) => one.id === id);
  const clause = clauseById(check?.clause ?? id) ?? clauseById(id.toUpperCase());
  if (clause === undefined) throw new UsageError(`There is no clause and no check ${id}: pbxsim clauses lists them.`);
  const { level, requirement, spec, capability, untestable, events = [] } = clause;
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['clause', clause.id],
    ['level', level],
    ['requires', requirement],
    ['stated in', spec],
    ['operations', clause.operations.map(routeOf).join(', ') || 'all, or none in particular'],
    ...(events.length === 0 ? [] : [['events', events.join(', ')] as const]),
    ...(capability === undefined ? [] : [['capability', capability] as const]),
    ...(untestable === undefined ? [] : [['no check', untestable] as const]),
  ];
  for (const [name, text] of rows) console.log(`${name.padEnd(12)}${text}`);
  for (const one of checksOf(clause)) console.log(checkLine(one));
}

function checkLine({ id, effects, needs = [], after = [] }: Check): string {
  const parts = [effects.join(','), ...needs.map((need) => `needs ${need}`), ...after.map((other) => `after ${other}`)];
  return `${'check'.padEnd(12)}${id}  [${parts.join('; ')}]`;
}

function routeOf(id: Clause['operations'][number]): string {
  const { method, path } = operationById(id);
  return `${method} ${path}`;
}
