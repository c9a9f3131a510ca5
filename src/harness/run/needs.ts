// What a scenario needs of a target and the target has not: the reasons why it cannot be evaluated. Knows no traffic.
import { parseDuration } from '../../kernel/time.ts';
import { missingFor } from '../drivers/drivers.ts';
import type { DriverName } from '../drivers/phone-driver.ts';
import { LONGEST_REAL_WAIT_MS } from '../language/check-meaning.ts';
import type { PlannedStep, ScenarioPlan } from '../language/plan.ts';
import type { Target } from '../target/target.ts';

/** Undefined: everything is there. */
export function missingIn(target: Target, plan: ScenarioPlan, driver: DriverName): string | undefined {
  const user = plan.users.find((name) => target.users[name] === undefined);
  if (user !== undefined) return `the target gives no ${user.replaceAll('_', ' ')} user`;
  const lines = plan.phones.map(({ line }) => line);
  const noExt = lines.find((line) => 'user' in line && target.users[line.user]?.ext === undefined);
  if (noExt !== undefined && 'user' in noExt) return `the target gives no extension of its ${noExt.user} user`;
  if (lines.some((line) => 'user' in line)) {
    const missing = missingFor(driver, target);
    if (missing !== undefined) return `the target gives no ${missing}`;
  }
  const outside = lines.some((line) => 'outside' in line);
  if ((outside || plan.configures) && target.control === undefined) {
    return `the target gives no control API, which ${outside ? 'plays people outside' : 'a configure step asks'}`;
  }
  if (plan.webhooks.length > 0 && target.webhooks === undefined) return 'the target gives no way to set webhooks up';
  const longest = Math.max(0, ...plan.steps.flatMap(waitsOf));
  if (target.time === 'real' && longest > LONGEST_REAL_WAIT_MS) {
    return `it waits ${longest / 1000} s, and the target's time cannot be moved`;
  }
  return undefined;
}

function waitsOf(planned: PlannedStep): number[] {
  if (planned.kind === 'parallel') return planned.branches.flat().flatMap(waitsOf);
  return planned.kind === 'wait' ? [parseDuration(planned.step.wait) ?? 0] : [];
}
