// What checks with phones play on: phones, a webhook receiver, time, all put back when the curtain falls. Knows no clause.
import type { WebhookCategory } from '../../contract/events.ts';
import { BrokenInvariant } from '../../kernel/errors.ts';
import type { DriverName, PhoneMessage, PhoneView, ScenarioPhone, WhenCalled } from '../drivers/phone-driver.ts';
import type { UserName } from '../language/document.ts';
import { ControlTrouble } from '../run/control-client.ts';
import type { Delivery, Inbox } from '../run/inbox.ts';
import { Blocked, type OpenStage, openStage, type StageDeps } from '../run/open-stage.ts';
import type { Stage, StagePhone } from '../run/stage.ts';
import { runAct, runState } from '../run/steps/phone-steps.ts';
import type { Target, TargetUser } from '../target/target.ts';
import { blocked, CheckEnd } from './finding.ts';

export interface Setting {
  /** Phones by name: a user's, or somebody's on the public network. */
  readonly cast: Readonly<Record<string, { readonly user: UserName } | { readonly outside: string }>>;
  /** How calls are met from the start; they ring if nothing is said. */
  readonly conduct?: Readonly<Record<string, WhenCalled['on_call']>>;
  /** Categories by webhook. */
  readonly webhooks?: Readonly<Record<string, readonly WebhookCategory[]>>;
}

type Act = Exclude<Parameters<typeof runAct>[0]['do'], 'text'>;
type State = Parameters<typeof runState>[0]['is'];

/** Told of each new SIP message at a phone. */
export type SipWitness = (phone: string, message: PhoneMessage) => void;

/** Which phones there can be: the simulator's own where it can be told, else ours. */
export function driverFor({ control }: Target): DriverName {
  return control === undefined ? 'sip' : 'sim';
}

/** The target does not trust the certificate of our webhook receiver. */
export class UntrustedReceiver extends Error {
  override readonly name = 'UntrustedReceiver';
}

/** Opens a stage, plays on it, puts everything back. What cannot be had ends the check as blocked. */
export async function onStage<T>(
  { cast, conduct = {}, webhooks = {} }: Setting,
  target: Target,
  { witness, ...deps }: Omit<StageDeps, 'driver'> & { readonly witness: SipWitness },
  play: (stage: CallStage) => Promise<T>,
): Promise<T> {
  const plan = {
    phones: Object.entries(cast).map(([name, line]) => ({
      ...{ name, line, conduct: { on_call: conduct[name] ?? ('ring' as const) } },
    })),
    webhooks: Object.entries(webhooks).map(([name, events]) => ({ name, events, of: 'first' as const })),
  };
  let opened: OpenStage | undefined;
  try {
    // The next check opens a stage of its own at the same target, so everything is put back.
    opened = await openStage(plan, { ...target, fresh: false }, { ...deps, driver: driverFor(target) });
    const stage = new CallStage(opened.stage, witness);
    await stage.clear();
    const value = await play(stage);
    await stage.note();
    return value;
  } catch (error) {
    if (error instanceof Blocked && deps.identity !== undefined && /certificate/i.test(error.message))
      throw new UntrustedReceiver(error.message);
    if (error instanceof Blocked || error instanceof ControlTrouble) throw new CheckEnd(blocked(error.message));
    throw error;
  } finally {
    await opened?.close();
  }
}

/** Calls of earlier checks that may still be at a phone. */
const MAX_OLD_CALLS = 10;
/** In real time: how long an event may take, and what ends a call. */
const SOON = '10s';

export class CallStage {
  readonly #stage: Stage;
  readonly #witness: SipWitness;
  readonly #noted = new Map<string, number>();
  /** Deliveries that came while the stage was being set. */
  #earlier = 0;

  constructor(stage: Stage, witness: SipWitness) {
    this.#stage = stage;
    this.#witness = witness;
  }

  /** What the webhooks got so far, tests of their URLs apart. */
  get deliveries(): readonly Delivery[] {
    return this.#stage.inbox?.deliveries.slice(this.#earlier) ?? [];
  }

  get inbox(): Inbox {
    const { inbox } = this.#stage;
    if (inbox !== undefined) return inbox;
    throw new BrokenInvariant('A check asks for deliveries', 'its setting has no webhook', 'Name one in the setting');
  }

  /** ms since 1970 on the target's clock, or ours in real time. */
  now(): Promise<number> {
    return this.#stage.time.now();
  }

  phone(name: string): ScenarioPhone {
    return this.#at(name).phone;
  }

  /** Whose phone it is. */
  user(name: string): TargetUser {
    const { user } = this.#at(name);
    if (user !== undefined) return user;
    throw new BrokenInvariant(`A check asks for the user of ${name}`, 'there is none', 'Name a user’s phone');
  }

  /** Waits until it can be done and does it; ends the check as blocked when it cannot. */
  async act(phone: string, act: Act, more: { readonly to?: string; readonly digits?: string } = {}): Promise<void> {
    this.#demand(await runAct({ phone, do: act, ...more }, this.#stage));
    await this.note();
  }

  /** How the phone meets calls from now on. */
  async conduct(phone: string, onCall: WhenCalled['on_call']): Promise<void> {
    const outcome = await this.phone(phone).whenCalled({ on_call: onCall });
    if (!outcome.done) throw new CheckEnd(blocked(outcome.why));
  }

  /** Whether the phone comes to be in that state. */
  async is(phone: string, state: State, within = SOON): Promise<boolean> {
    const outcome = await runState({ phone, is: state, within }, this.#stage);
    await this.note();
    return outcome === undefined;
  }

  /** Ends the check as blocked unless the phone comes to be in that state. */
  async must(phone: string, state: State): Promise<void> {
    this.#demand(await runState({ phone, is: state, within: SOON }, this.#stage));
    await this.note();
  }

  pass(ms: number): Promise<void> {
    return this.#stage.time.pass(ms);
  }

  /** Whether it comes to be so within that time. */
  async until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
    const look = async () =>
      (await isSo()) ? ({ is: 'so', value: true } as const) : ({ is: 'not', difference: true } as const);
    return (await this.#stage.time.until(look, { withinMs })).is === 'so';
  }

  view(phone: string): Promise<PhoneView> {
    return this.phone(phone).view();
  }

  messages(phone: string): Promise<readonly PhoneMessage[]> {
    return this.phone(phone).messages();
  }

  /** Tells what the phones have sent and got since. */
  async note(): Promise<void> {
    for (const [name, { phone }] of this.#stage.phones) {
      const messages = await phone.messages();
      for (const message of messages.slice(this.#noted.get(name) ?? 0)) this.#witness(name, message);
      this.#noted.set(name, messages.length);
    }
  }

  /** No call is left at any phone of a user; what came so far is nobody's. */
  async clear(): Promise<void> {
    for (const { phone, user } of this.#stage.phones.values()) {
      for (let left = user === undefined ? 0 : MAX_OLD_CALLS; left > 0; left -= 1) {
        if ((await phone.view()).calls.length === 0) break;
        await phone.act({ act: 'hang_up' });
        await this.pass(100);
      }
    }
    this.#earlier = this.#stage.inbox?.deliveries.length ?? 0;
  }

  #at(name: string): StagePhone {
    const at = this.#stage.phones.get(name);
    if (at !== undefined) return at;
    throw new BrokenInvariant(`A check speaks of the phone ${name}`, 'its setting has none', 'Name it in the setting');
  }

  #demand(difference: { readonly expected: string; readonly actual: string } | undefined): void {
    if (difference === undefined) return;
    throw new CheckEnd(blocked(`Expected that ${difference.expected}: ${difference.actual}.`));
  }
}
