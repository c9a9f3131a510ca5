// What a scenario needs of a target and the target has not: the reasons why it cannot be evaluated. Knows no traffic.
import { parseDuration } from '../../kernel/time.ts';
import { missingFor } from '../drivers/drivers.ts';
import type { DriverName } from '../drivers/phone-driver.ts';
import { LONGEST_REAL_WAIT_MS } from '../language/check-meaning.ts';
import type { PlannedStep, ScenarioPlan } from '../language/plan.ts';
import { substitute } from '../language/templates.ts';
import type { Preset, Target } from '../target/target.ts';
import { capabilitiesOf, touchesOf } from '../target/what-it-takes.ts';

/** The capability that the target says it has not, though the scenario needs it. */
export function unsupportedBy(target: Target, plan: ScenarioPlan): string | undefined {
  const lacking = capabilitiesOf(plan).find((name) => target.lacks?.includes(name));
  return lacking === undefined ? undefined : `the target says that it has no ${lacking}`;
}

/** What is set at the target already as the step would set it. */
export function presetFor({ presets = [] }: Target, { configure, id, set }: Preset): Preset | undefined {
  return presets.find(
    (one) =>
      one.configure === configure &&
      String(one.id) === String(id) &&
      Object.entries(set).every(([name, value]) => JSON.stringify(one.set[name]) === JSON.stringify(value)),
  );
}

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
  const configures = plan.configures && !isPreset(target, plan);
  if ((outside || configures) && target.control === undefined) {
    return `the target gives no control API, which ${outside ? 'plays people outside' : 'a configure step asks'}`;
  }
  if (plan.webhooks.length > 0 && target.webhooks === undefined) return 'the target gives no way to set webhooks up';
  const forbidden = touchesOf(plan).find((touch) => target.allow?.includes(touch) === false);
  if (forbidden !== undefined)
    return `nobody allowed to ${forbidden} there: it needs --allow ${forbidden}, or that in allow of the target file`;
  return waitsTooLong(target, plan);
}

/** Why nobody would wait for it at a target whose time cannot be moved. */
export function waitsTooLong({ time }: Target, { steps }: ScenarioPlan): string | undefined {
  const longest = Math.max(0, ...steps.flatMap(waitsOf));
  if (time !== 'real' || longest <= LONGEST_REAL_WAIT_MS) return undefined;
  return `it waits ${longest / 1000} s, and the target's time cannot be moved`;
}

function waitsOf(planned: PlannedStep): number[] {
  if (planned.kind === 'parallel') return planned.branches.flat().flatMap(waitsOf);
  return planned.kind === 'wait' ? [parseDuration(planned.step.wait) ?? 0] : [];
}

/** No message is to be spoilt, and every configure step finds what it would set. Only ids of users are known before a scenario runs. */
function isPreset(target: Target, plan: ScenarioPlan): boolean {
  const known = (name: string): unknown => {
    const [owner = '', fact] = name.split('.');
    return fact === 'id' ? target.users[owner as keyof Target['users']]?.id : undefined;
  };
  return [...plan.steps, ...plan.finally]
    .flatMap(configuresIn)
    .every((step) => step !== undefined && presetFor(target, substitute(step, known) as Preset) !== undefined);
}

function configuresIn(planned: PlannedStep): unknown[] {
  if (planned.kind === 'parallel') return planned.branches.flat().flatMap(configuresIn);
  if (planned.kind === 'fault') return [undefined];
  return planned.kind === 'configure' ? [planned.step] : [];
}
