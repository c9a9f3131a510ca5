// pbxsim plan: what conform would do to a target, without doing it. The target is only asked whether it is there.
import { planOf } from '../harness/conform/plan.ts';
import { TargetRefused } from '../harness/target/reach-target.ts';
import { judgingClient } from './conform.ts';
import { reached, type TargetFlags, targetDocumentOf } from './conform-target.ts';
import { explain, UsageError } from './errors.ts';
import { everyCheck } from './every-check.ts';

export interface PlanFlags extends TargetFlags {
  readonly only?: readonly string[];
}

export async function showPlan(named: string, flags: PlanFlags): Promise<void> {
  const document = await targetDocumentOf(named, flags);
  const http = await judgingClient(flags);
  try {
    const target = await reached(document, http);
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
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    console.error(explain(error));
    process.exitCode = 5;
  } finally {
    await http.close();
  }
}
