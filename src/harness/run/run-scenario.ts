// Runs one plan against one target: its steps in order, then `finally` whatever happened. Knows no report.
import type { Failure, ScenarioResult, ScenarioVerdict } from '../../report/results.ts';
import type { PlannedStep, ScenarioPlan } from '../language/plan.ts';
import { placeText } from '../language/problem.ts';
import { referencesIn } from '../language/templates.ts';
import type { Target } from '../target/target.ts';
import { ControlTrouble } from './control-client.ts';
import type { Difference } from './difference.ts';
import { missingIn, unsupportedBy } from './needs.ts';
import { Blocked, openStage, type StageDeps } from './open-stage.ts';
import type { Stage } from './stage.ts';
import { stepWords } from './step-words.ts';
import { runStep } from './steps/run-step.ts';

export interface ScenarioDeps extends StageDeps {
  readonly replay: (plan: ScenarioPlan) => string;
  /** Looks at the stage when the scenario is over, before everything is put back. */
  readonly ending?: (stage: Stage) => Promise<void>;
}

/** Never rejects: what goes wrong is a verdict. */
export async function runScenario(plan: ScenarioPlan, target: Target, deps: ScenarioDeps): Promise<ScenarioResult> {
  const unsupported = unsupportedBy(target, plan);
  if (unsupported !== undefined) return resultOf(plan, deps, { verdict: 'unsupported', reason: unsupported });
  const missing = missingIn(target, plan, deps.driver);
  if (missing !== undefined) return resultOf(plan, deps, { verdict: 'unevaluable', reason: missing });
  try {
    const { stage, close } = await openStage(plan, target, deps);
    try {
      const result = await new Running(plan, stage, deps).run();
      await deps.ending?.(stage);
      return result;
    } finally {
      await close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const blocked = error instanceof Blocked || error instanceof ControlTrouble;
    return resultOf(plan, deps, { verdict: blocked ? 'blocked' : 'error', reason });
  }
}

type Outcome = Partial<ScenarioResult> & { readonly verdict: ScenarioVerdict };

export function resultOf(
  plan: ScenarioPlan,
  { replay }: Pick<ScenarioDeps, 'replay'>,
  outcome: Outcome,
): ScenarioResult {
  const { id, title, file, requires, spec, driversReason } = plan;
  return {
    ...{ id, title, file, requires, spec, steps: 0, durationMs: 0, failures: [], replay: replay(plan) },
    ...(driversReason === undefined ? {} : { driversReason }),
    ...outcome,
  };
}

/** Ends the branch that failed; the reason is kept already. */
class StepFailed extends Error {}

class Running {
  readonly #plan: ScenarioPlan;
  readonly #stage: Stage;
  readonly #deps: ScenarioDeps;
  readonly #failures: Failure[] = [];
  #steps = 0;

  constructor(plan: ScenarioPlan, stage: Stage, deps: ScenarioDeps) {
    this.#plan = plan;
    this.#stage = stage;
    this.#deps = deps;
  }

  async run(): Promise<ScenarioResult> {
    const { time } = this.#stage;
    const startedAt = await time.now();
    await this.#list(this.#plan.steps);
    if (this.#failures.length === 0) this.#lastLook();
    // Each step of `finally` has its chance, and one that speaks of what was never captured has nothing to do.
    for (const planned of this.#plan.finally) {
      if (this.#isPossible(planned)) await this.#list([planned]);
    }
    const durationMs = (await time.now()) - startedAt;
    const verdict = this.#failures.length === 0 ? 'pass' : 'fail';
    return resultOf(this.#plan, this.#deps, { verdict, steps: this.#steps, durationMs, failures: this.#failures });
  }

  async #list(steps: readonly PlannedStep[]): Promise<void> {
    try {
      await this.#branch(steps);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
    }
  }

  async #branch(steps: readonly PlannedStep[]): Promise<void> {
    for (const planned of steps) {
      if (planned.kind === 'parallel') {
        await this.#stage.time.together(planned.branches.map((branch) => () => this.#branch(branch)));
        continue;
      }
      this.#steps += 1;
      const difference = await runStep(planned, this.#stage);
      if (difference === undefined) continue;
      await this.#fail(planned, difference);
      throw new StepFailed();
    }
  }

  /** Whatever the steps looked at: nothing that came may break the contract, and nothing may have been lost. */
  #lastLook(): void {
    const { inbox } = this.#stage;
    if (inbox === undefined) return;
    const step = { number: 'end', title: 'every delivery', place: this.#plan.file };
    if (inbox.overflowed) {
      this.#failures.push({ step, expected: 'no more deliveries than can be kept', actual: 'more came' });
    }
    const bad = inbox.deliveries.find(({ flaws }) => flaws.length > 0);
    if (bad === undefined) return;
    const actual = `delivery ${bad.order}, ${bad.event || 'no event name'}: ${bad.flaws[0]}`;
    this.#failures.push({ step, expected: 'every delivery valid by the contract', actual: this.#stage.redact(actual) });
  }

  async #fail(planned: PlannedStep, { expected, actual, pointer, curl }: Difference): Promise<void> {
    const { number, place } = planned;
    const ladder = await this.#ladder();
    const stage = this.#stage;
    this.#failures.push({
      step: { number, title: stepWords(stage.fill(planned)), place: placeText(place) },
      expected: stage.redact(expected),
      actual: stage.redact(actual),
      ...(pointer === undefined ? {} : { pointer }),
      ...(curl === undefined ? {} : { curl: stage.redact(curl) }),
      ...(ladder === undefined ? {} : { ladder: stage.redact(ladder) }),
    });
  }

  /** Of the last call that a step, or an event, was about. */
  async #ladder(): Promise<string | undefined> {
    const { calls, control, inbox } = this.#stage;
    const call = calls.at(-1) ?? inbox?.deliveries.at(-1)?.body?.call_id;
    if (call === undefined || control === undefined) return undefined;
    const text = await control.text(`/calls/${encodeURIComponent(String(call))}/ladder?form=text`);
    // The messages in full follow the ladder: they are for the one who asks for them.
    return text?.split(/\n\n?(?=\s*== )/, 1)[0]?.trimEnd();
  }

  #isPossible(planned: PlannedStep): boolean {
    return referencesIn(planned).every(({ name }) => this.#stage.lookup(name) !== undefined);
  }
}
