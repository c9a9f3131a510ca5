// pbxsim clauses and pbxsim explain: the specification as a catalogue, each clause with the checks that judge it.
import type { Clause } from '../contract/clause.ts';
import { clauseById, clauses } from '../contract/clauses.ts';
import { operationById } from '../contract/operations.ts';
import type { Check } from '../harness/conform/check.ts';
import { allChecks } from '../harness/conform/registry.ts';
import { UsageError } from './errors.ts';

const checksByClause = Map.groupBy(allChecks, ({ clause }) => clause);

export function listClauses({ json = false }: { readonly json?: boolean }): void {
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
  console.log(`${clauses.length} clauses: ${counts}; ${allChecks.length} checks`);
}

/** Throws `UsageError` when nothing is called so. */
export function explainId(id: string): void {
  const check = allChecks.find((one) => one.id === id);
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

function checksOf({ id }: Clause): readonly Check[] {
  return checksByClause.get(id) ?? [];
}

function routeOf(id: Clause['operations'][number]): string {
  const { method, path } = operationById(id);
  return `${method} ${path}`;
}
