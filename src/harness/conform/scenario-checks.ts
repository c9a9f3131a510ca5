// Scenarios as checks: each is played against the target, and is evidence of the clauses that it names. Knows no step.
import type { ClauseLevel } from '../../contract/clause.ts';
import { clauseLevels } from '../../contract/clause.ts';
import { clauseById } from '../../contract/clauses.ts';
import type { ScenarioResult } from '../../report/results.ts';
import type { UserName } from '../language/document.ts';
import type { ScenarioPlan } from '../language/plan.ts';
import { referencesIn } from '../language/templates.ts';
import { waitsTooLong } from '../run/needs.ts';
import type { Target } from '../target/target.ts';
import { touchesOf } from '../target/what-it-takes.ts';
import { driverFor } from './call-stage.ts';
import type { Check, Need } from './check.ts';
import { blocked, type Finding, met, notApplicable, unevaluable, violated } from './finding.ts';

/** One check for each scenario that names clauses. */
export function scenarioChecks(plans: readonly ScenarioPlan[]): readonly Check[] {
  return plans.flatMap((plan) => {
    // It expects more than each of its clauses alone, so a failure is worth what the weakest of them is.
    const [clause, ...also] = plan.clauses.toSorted((one, other) => rank(other) - rank(one));
    return clause === undefined ? [] : [checkOf(plan, clause, also)];
  });
}

function rank(id: string): number {
  const level: ClauseLevel = clauseById(id)?.level ?? 'UNSPECIFIED';
  return clauseLevels.indexOf(level);
}

function checkOf(plan: ScenarioPlan, clause: string, also: readonly string[]): Check {
  return {
    ...{
      id: `scenario/${plan.id}`,
      clause,
      effects: ['read', ...touchesOf(plan)],
      needs: needsOf(plan),
      lane: 'alone',
    },
    ...(also.length === 0 ? {} : { also }),
    run: async (bench) => {
      const why = notPlayedAt(bench.target, plan);
      return why === undefined ? findingOf(await bench.scenario(plan)) : notApplicable(why);
    },
  };
}

const USER_NEEDS: Readonly<Partial<Record<UserName, Need>>> = {
  second: 'second user',
  third: 'third user',
  restricted: 'restricted user',
  two_factor: 'two-factor user',
  other_customer: 'other customer',
};

function needsOf({ users, phones, webhooks, configures, steps }: ScenarioPlan): Need[] {
  const lines = phones.map(({ line }) => line);
  const hasOutside = lines.some((line) => 'outside' in line);
  const logsIn = referencesIn(steps).some(({ name }) => name === 'first.password');
  return [
    ...users.flatMap((user) => USER_NEEDS[user] ?? []),
    ...(lines.some((line) => 'user' in line) ? ['phones' as const] : []),
    ...(hasOutside || configures ? ['control' as const] : []),
    ...(webhooks.length > 0 ? ['webhooks' as const] : []),
    ...(logsIn ? ['password' as const] : []),
  ];
}

/** Its clauses have checks of their own; this one is for phones, or a clock, of another kind. */
function notPlayedAt(target: Target, plan: ScenarioPlan): string | undefined {
  const driver = driverFor(target);
  if (plan.phones.length > 0 && !plan.drivers.includes(driver))
    return `It is played with phones of the driver ${plan.drivers.join(', ')} alone: ${plan.driversReason ?? ''}`;
  return waitsTooLong(target, plan);
}

function findingOf({ verdict, failures: [failure], reason = '' }: ScenarioResult): Finding {
  switch (verdict) {
    case 'pass':
      return met();
    case 'fail': {
      if (failure === undefined) return violated('It fails.');
      const { step, expected, actual, pointer } = failure;
      const where = pointer === undefined ? '' : `, ${pointer}`;
      return violated(`Step ${step.number}, ${step.title}${where} (${step.place}).`, expected, actual);
    }
    case 'blocked':
      return blocked(reason);
    case 'unevaluable':
      return unevaluable(reason);
    case 'unsupported':
      return { found: 'unsupported', message: reason };
    case 'error':
      throw new Error(reason);
  }
}
