// pbxsim plan: what conform would do to a target, without doing it. The target is only asked whether it is there.
import { planOf } from '../harness/conform/plan.ts';
import { atTarget } from './conform.ts';
import type { TargetFlags } from './conform-target.ts';
import { UsageError } from './errors.ts';
import { everyCheck } from './every-check.ts';

export interface PlanFlags extends TargetFlags {
  readonly only?: readonly string[];
}

export async function showPlan(named: string, flags: PlanFlags): Promise<void> {
  await atTarget(named, flags, async (target) => {
    const { checks, unknown } = planOf(await everyCheck(), {
      target,
      ...(flags.only === undefined ? {} : { only: flags.only }),
    });
    if (unknown.length > 0)
      throw new UsageError(`--only ${unknown.join(', ')}: there is no such check, clause, operation or area.`);
    for (const { check, instead } of checks) {
      const effects = check.effects.join(',');
      console.log(
        instead === undefined ? `${check.id}  [${effects}]` : `${check.id}  ${instead.verdict}: ${instead.message}`,
      );
    }
    const open = checks.filter(({ instead }) => instead === undefined).length;
    console.log(`${checks.length} checks, ${open} of them can be made; allowed: ${(target.allow ?? []).join(', ')}`);
    if (checks.length === 0) process.exitCode = 2;
  });
}
