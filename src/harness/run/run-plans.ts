// Runs plans one after the other, each against a target that its caller provides. Knows neither reports nor files.
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
  readonly replay: (plan: ScenarioPlan) => string;
  /** As soon as each is known. */
  readonly onResult?: (result: ScenarioResult) => void;
}

/** Never rejects: a target that cannot be had is the harness's error of that scenario. */
export async function runPlans(plans: readonly ScenarioPlan[], options: RunOptions): Promise<RunResult> {
  const http = new HttpClient();
  const scenarios: ScenarioResult[] = [];
  for (const plan of plans) {
    const result = await runOne(plan, options, http);
    scenarios.push(result);
    options.onResult?.(result);
  }
  await http.close();
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
