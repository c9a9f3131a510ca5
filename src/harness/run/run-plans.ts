// Runs plans, each against a target that its caller provides, and tells the results in the order of the plans. Knows neither reports nor files.
import type { TimeHost } from '../../kernel/clock.ts';
import type { RunResult, ScenarioResult } from '../../report/results.ts';
import { HttpClient } from '../../wires/http-client.ts';
import type { DriverName } from '../drivers/phone-driver.ts';
import type { ScenarioPlan } from '../language/plan.ts';
import type { Target } from '../target/target.ts';
import { resultOf, runScenario } from './run-scenario.ts';

/** A target for one scenario; `close` when the scenario is over. */
export interface TargetLease {
  readonly target: Target;
  close(): Promise<void>;
}

export interface RunOptions {
  /** As reports call what is judged. */
  readonly name: string;
  readonly driver: DriverName;
  readonly host: TimeHost;
  readonly lease: (plan: ScenarioPlan) => Promise<TargetLease>;
  /** PEM of an authority to trust besides the usual ones, where the target is HTTPS. */
  readonly ca?: string | undefined;
  readonly replay: (plan: ScenarioPlan) => string;
  /** Scenarios under way at a time; more than 1 only when each has a target of its own. Default 1. */
  readonly atOnce?: number;
  /** In the order of the plans, as soon as each and those before it are known. */
  readonly onResult?: (result: ScenarioResult) => void;
}

/** Never rejects: a target that cannot be had is the harness's error of that scenario. */
export async function runPlans(plans: readonly ScenarioPlan[], options: RunOptions): Promise<RunResult> {
  const http = new HttpClient({ ca: options.ca });
  const results: (ScenarioResult | undefined)[] = plans.map(() => undefined);
  let next = 0;
  let told = 0;
  const work = async (): Promise<void> => {
    for (let at = next; at < plans.length; at = next) {
      next += 1;
      const plan = plans[at];
      if (plan !== undefined) results[at] = await runOne(plan, options, http);
      for (let known = results[told]; known !== undefined; known = results[told]) {
        told += 1;
        options.onResult?.(known);
      }
    }
  };
  await Promise.all(Array.from({ length: options.atOnce ?? 1 }, work));
  await http.close();
  const scenarios = results.filter((result) => result !== undefined);
  return { target: options.name, driver: options.driver, scenarios };
}

async function runOne(plan: ScenarioPlan, options: RunOptions, http: HttpClient): Promise<ScenarioResult> {
  const { driver, host, lease, replay } = options;
  try {
    const { target, close } = await lease(plan);
    try {
      return await runScenario(plan, target, { http, host, driver, replay });
    } finally {
      await close();
    }
  } catch (error) {
    return resultOf(
      plan,
      { replay },
      { verdict: 'error', reason: error instanceof Error ? error.message : String(error) },
    );
  }
}
