// pbxsim trigger: makes an event happen by real signalling and prints it as a webhook carries it. Never makes one up.
import { systemTime } from '../wires/system-time.ts';
import type { ControlFlags } from './control-flags.ts';
import { UsageError } from './errors.ts';
import { withControl } from './running-simulator.ts';
import { Directory } from './trigger/parties.ts';
import { type OverrideName, type Overrides, type Recipe, recipes } from './trigger/recipes.ts';
import { type Payload, Scene } from './trigger/scene.ts';

export interface TriggerFlags extends ControlFlags, Overrides {
  /** ms. */
  readonly timeout: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

/** What was triggered. */
export interface TriggerResult {
  /** Null for what is no call. */
  readonly call_id: number | null;
  /** As a webhook carries it. */
  readonly event: Payload;
}

const OVERRIDES: readonly OverrideName[] = ['from', 'to', 'ext', 'text', 'digit', 'after'];
/** Of the list's first column. */
const NAME_WIDTH = 17;
/** Ended by SIGINT, as shells report it. */
const INTERRUPTED = 130;

export async function trigger(event: string | undefined, flags: TriggerFlags): Promise<void> {
  if (event === undefined) {
    process.stdout.write(`${eventList()}\n`);
    return;
  }
  const result = await triggerEvent(event, flags, (putBack) => {
    process.once('SIGINT', () => void putBack().finally(() => process.exit(INTERRUPTED)));
  });
  process.stdout.write(`${flags.json === true ? JSON.stringify(result) : resultText(event, result)}\n`);
}

/**
 * Makes the event happen. `onSetUp` gets what puts the phones' behaviours back, for whoever cannot wait for the end.
 * Rejects with one sentence.
 */
export async function triggerEvent(
  event: string,
  flags: TriggerFlags,
  onSetUp: (putBack: () => Promise<void>) => void = () => {},
): Promise<TriggerResult> {
  const recipe = recipeOf(event, flags);
  return withControl(flags, async (control) => {
    const scene = new Scene({ control, host: systemTime(), timeoutMs: flags.timeout + (flags.after ?? 0) });
    onSetUp(() => scene.putBack());
    try {
      const { call, payload } = await recipe.perform(scene, await Directory.read(control), flags);
      if (call !== undefined && flags.keep !== true) await scene.hangUp(call);
      return { call_id: call?.id ?? null, event: payload };
    } finally {
      await scene.putBack();
    }
  });
}

/** Every event with what happens for it, a line each. */
export function eventList(): string {
  return recipes.map(({ event, summary }) => `${event.padEnd(NAME_WIDTH)}${summary}`).join('\n');
}

function recipeOf(event: string, flags: Overrides): Recipe {
  const recipe = recipes.find((one) => one.event === event);
  if (recipe === undefined) throw new UsageError(`There is no event ${event}; there are:\n${eventList()}`);
  const stray = OVERRIDES.find((name) => flags[name] !== undefined && !recipe.takes.includes(name));
  if (stray === undefined) return recipe;
  throw new UsageError(`--${stray} means nothing for ${event}: it takes ${flagList(recipe.takes)}.`);
}

function flagList(names: readonly OverrideName[]): string {
  return names.map((name) => `--${name}`).join(', ');
}

function resultText(event: string, { call_id: callId, event: payload }: TriggerResult): string {
  const title = callId === null ? event : `${event}, call ${callId}`;
  return `${title}\n${JSON.stringify(payload, null, 2)}`;
}
