// Sets the stage of one scenario: receiver, webhooks, phones. What cannot be had blocks the scenario. Knows no step.
import type { TimeHost } from '../../kernel/clock.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import type { HttpClient } from '../../wires/http-client.ts';
import { openDriver } from '../drivers/drivers.ts';
import { handsetAway } from '../drivers/handset-away.ts';
import { OutsidePhone } from '../drivers/outside-phones.ts';
import { type DriverName, type PhoneDriver, PhoneTrouble } from '../drivers/phone-driver.ts';
import { SipJournal } from '../drivers/sip-journal.ts';
import type { PhonePlan, ScenarioPlan, WebhookPlan } from '../language/plan.ts';
import type { Target } from '../target/target.ts';
import { ControlClient, reasonOf } from './control-client.ts';
import { type Courier, Inbox, type RawDelivery } from './inbox.ts';
import { RestClient } from './rest-client.ts';
import { ManualTime, RealTime, type ScenarioTime } from './scenario-time.ts';
import { Stage, type StagePhone } from './stage.ts';

/** A prerequisite was not met; the message names it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

export interface StageDeps {
  readonly http: Pick<HttpClient, 'send'>;
  readonly host: TimeHost;
  readonly driver: DriverName;
  /** With it the receiver of webhooks speaks HTTPS. */
  readonly identity?: (() => ServerIdentity) | undefined;
  /** Has a hand in what the receiver gets. */
  readonly courier?: Courier | undefined;
  /** Told of each delivery as it comes. */
  readonly heard?: ((delivery: RawDelivery) => void) | undefined;
}

/** What of a scenario needs a stage. */
export type Setting = Pick<ScenarioPlan, 'phones' | 'webhooks'>;

export interface OpenStage {
  readonly stage: Stage;
  /** Puts everything back, last in first out. Never rejects. */
  close(): Promise<void>;
}

/** Where the receiver listens for a target on this machine. */
const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** Rejects with `Blocked`, or with what the control API's client rejects with; nothing stays open then. */
export async function openStage(plan: Setting, target: Target, deps: StageDeps): Promise<OpenStage> {
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const undo of opened.splice(0).reverse()) await undo().catch(() => undefined);
  };
  try {
    const stage = await build(plan, target, deps, opened);
    opened.push(async () => {
      for (const undo of stage.undo.splice(0).reverse()) await undo();
    });
    return { stage, close };
  } catch (error) {
    await close();
    throw error instanceof PhoneTrouble ? new Blocked(error.message) : error;
  }
}

async function build(plan: Setting, target: Target, deps: StageDeps, opened: (() => Promise<void>)[]): Promise<Stage> {
  const control = target.control === undefined ? undefined : new ControlClient(deps.http, target.control);
  let time: ScenarioTime | undefined;
  const stir = (): void => time?.stir();
  const inbox = plan.webhooks.length === 0 ? undefined : await openInbox(target, deps, stir);
  if (inbox !== undefined) opened.push(() => inbox.close());
  time =
    target.time === 'manual' && control !== undefined
      ? new ManualTime(control, inbox ?? { handling: 0 }, deps.host)
      : new RealTime(deps.host);
  if (inbox !== undefined) {
    for (const webhook of plan.webhooks) opened.push(await saveWebhook(webhook, { target, control, inbox }));
  }
  const phones = await openPhones(plan.phones, { target, control, deps, opened, stir });
  return new Stage({ target, control, time, inbox, phones, rest: new RestClient(deps.http, target) });
}

function openInbox(
  { webhooks }: Target,
  { host, identity, heard, courier }: StageDeps,
  stir: () => void,
): Promise<Inbox> {
  const alarm = host.alarm.bind(host);
  if (webhooks?.how === 'by_hand')
    return Inbox.open({ ...webhooks.listen, shared: true, alarm, heard, courier, identity }, stir);
  return Inbox.open({ ...LOOPBACK, shared: false, alarm, heard, courier, identity }, stir);
}

interface WebhookDeps {
  readonly target: Target;
  readonly control: ControlClient | undefined;
  readonly inbox: Inbox;
}

/** Resolves with what takes it away again. */
async function saveWebhook(
  { name, events, of }: WebhookPlan,
  { target, control, inbox }: WebhookDeps,
): Promise<() => Promise<void>> {
  const url = inbox.url(name, events);
  if (target.webhooks?.how !== 'control' || control === undefined) {
    inbox.arm(name);
    return () => Promise.resolve();
  }
  const customerId = target.users[of]?.customerId;
  const body = { name, url, events, ...(customerId === undefined ? {} : { customer_id: customerId }) };
  const saved = await control.ask('POST', '/webhooks', body);
  if (saved.status !== 201) throw new Blocked(`The webhook ${name} is not saved: ${reasonOf(saved)}`);
  inbox.arm(name);
  const { id } = saved.body as { id: number };
  return async () => {
    if (!target.fresh) await control.ask('DELETE', `/webhooks/${id}`);
  };
}

interface PhoneDeps {
  readonly target: Target;
  readonly control: ControlClient | undefined;
  readonly deps: StageDeps;
  readonly opened: (() => Promise<void>)[];
  readonly stir: () => void;
}

async function openPhones(plans: readonly PhonePlan[], parts: PhoneDeps): Promise<Map<string, StagePhone>> {
  const phones = new Map<string, StagePhone>();
  if (plans.length === 0) return phones;
  const journal = parts.control === undefined ? undefined : await SipJournal.open(parts.control);
  const driven = plans.some(({ line }) => 'user' in line);
  const driver = driven ? await openDriver(parts.deps.driver, { ...parts, host: parts.deps.host, journal }) : undefined;
  if (driver !== undefined) parts.opened.push(() => driver.close());
  for (const plan of plans) {
    const opened = await openPhone(plan, parts, { driver, journal });
    parts.opened.push(() => opened.phone.close());
    const deaf = opened.phone.onChange(parts.stir);
    parts.opened.push(async () => deaf());
    phones.set(plan.name, opened);
  }
  return phones;
}

async function openPhone(
  { name, line, conduct }: PhonePlan,
  { target, control, opened }: PhoneDeps,
  { driver, journal }: { readonly driver: PhoneDriver | undefined; readonly journal: SipJournal | undefined },
): Promise<StagePhone> {
  if ('outside' in line) {
    if (control === undefined || journal === undefined) throw new Blocked(`Nobody can play ${name} outside.`);
    const outside = await OutsidePhone.open({ line: { name, number: line.outside }, control, journal }, conduct);
    return { phone: outside, outside };
  }
  const user = target.users[line.user];
  if (driver === undefined || user?.ext === undefined) throw new Blocked(`The phone ${name} has no extension.`);
  const phoneLine = {
    name,
    userId: user.id,
    ext: user.ext,
    ...(user.customerId === undefined ? {} : { customerId: user.customerId }),
    ...(user.sip === undefined ? {} : { sip: user.sip }),
  };
  if (driver.name === 'sip' && control !== undefined) opened.push(await handsetAway(control, phoneLine));
  return { phone: await driver.open(phoneLine, conduct), user };
}
