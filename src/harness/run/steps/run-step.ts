// Carries out one planned step. Knows every kind of step, none of them closely.
import { parseDuration } from '../../../kernel/time.ts';
import type { ConfigureStep, EventsStep } from '../../language/document.ts';
import { type FaultStep, faultRule } from '../../language/fault-step.ts';
import type { ParallelPlan, PlannedStep } from '../../language/plan.ts';
import type { Preset } from '../../target/target.ts';
import { reasonOf } from '../control-client.ts';
import { judgeEvents } from '../event-check.ts';
import { presetFor } from '../needs.ts';
import type { Stage } from '../stage.ts';
import { outcomeOf, patienceOf, type StepOutcome } from './outcome.ts';
import { runAct, runConduct, runState } from './phone-steps.ts';
import { runHistory, runLiveCall, runRest } from './rest-steps.ts';
import { runSip } from './sip-step.ts';

export type SingleStep = Exclude<PlannedStep, ParallelPlan>;

/** Rejects only when the target's control API is gone or the harness is wrong. */
export async function runStep(planned: SingleStep, stage: Stage): Promise<StepOutcome> {
  const { kind, step } = { ...planned, step: stage.fill(planned.step) } as SingleStep;
  switch (kind) {
    case 'do':
      return runAct(step, stage);
    case 'is':
      return runState(step, stage);
    case 'when_called':
      return runConduct(step, stage);
    case 'rest':
      return runRest(step, stage);
    case 'live_call':
      return runLiveCall(step, stage);
    case 'cdr':
    case 'recording':
      return runHistory(step, stage);
    case 'sip':
      return runSip(step, stage);
    case 'events':
      return runEvents(step, stage);
    case 'configure':
      return runConfigure(step, stage);
    case 'fault':
      return runFault(step, stage);
    case 'wait':
      await stage.time.pass(parseDuration(step.wait) ?? 0);
      return undefined;
  }
}

async function runEvents(step: EventsStep, stage: Stage): Promise<StepOutcome> {
  const { inbox } = stage;
  if (inbox === undefined) return { expected: 'a webhook', actual: 'the target has none' };
  const webhook = step.webhook ?? inbox.webhooks[0];
  const look = () =>
    Promise.resolve(
      judgeEvents(
        step,
        inbox.deliveries.filter((one) => one.webhook === webhook),
      ),
    );
  const seen = await stage.time.until(look, patienceOf(step.within, step.quiet));
  if (seen.is === 'so') for (const [name, value] of seen.value) stage.capture(name, value, step.capture?.[name]);
  return outcomeOf(seen);
}

async function runConfigure(step: ConfigureStep, stage: Stage): Promise<StepOutcome> {
  const { configure, id, set } = step;
  const { control } = stage;
  if (control === undefined && presetFor(stage.target, step as Preset) !== undefined) return undefined;
  if (control === undefined) return { expected: 'a control API', actual: 'the target has none' };
  const path = `/records/${configure}/${encodeURIComponent(String(id))}`;
  const before = await control.ask('GET', path);
  const changed = before.status === 200 ? await control.ask('PATCH', path, set) : before;
  if (changed.status !== 200)
    return { expected: `${configure} ${String(id)} can be changed`, actual: reasonOf(changed) };
  const earlier = before.body as Readonly<Record<string, unknown>>;
  const restored = Object.fromEntries(Object.keys(set).map((name) => [name, earlier[name] ?? null]));
  stage.undo.push(async () => void (await control.ask('PATCH', path, restored).catch(() => undefined)));
  return undefined;
}

async function runFault(step: FaultStep, { control, undo }: Stage): Promise<StepOutcome> {
  if (control === undefined) return { expected: 'a control API', actual: 'the target has none' };
  const set = await control.ask('POST', '/faults', faultRule(step));
  if (set.status !== 201) return { expected: 'a fault that can be set', actual: reasonOf(set) };
  const { id } = set.body as { readonly id: number };
  undo.push(async () => void (await control.ask('DELETE', `/faults/${id}`).catch(() => undefined)));
  return undefined;
}
