// The surroundings of the `sip` driver's tests: a simulator, the driver on one of its wires, phones at its extensions, and a wire that loses.
import type { PhoneDriver, PhoneView, ScenarioPhone, WhenCalled } from '../harness/drivers/phone-driver.ts';
import { type SipPhoneDriverOptions, sipPhoneDriver } from '../harness/peers/sip-phone-driver.ts';
import type { OpenWire, SipServer } from '../harness/peers/wire.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import type { SipAddresses } from '../simulator.ts';
import type { Wire } from './sockets-peer.ts';
import { type Facts, SocketStage, until } from './sockets-stage.ts';

const RING: WhenCalled = { on_call: 'ring' };

export class SipDriverStage {
  readonly stage: SocketStage;
  readonly driver: PhoneDriver;
  readonly #deadlineMs: number | undefined;

  private constructor(stage: SocketStage, driver: PhoneDriver, deadlineMs: number | undefined) {
    this.stage = stage;
    this.driver = driver;
    this.#deadlineMs = deadlineMs;
  }

  /** `deadlineMs`: how long anything may take to be seen. */
  static async open(
    wire: Wire,
    more: Partial<SipPhoneDriverOptions> & { readonly deadlineMs?: number } = {},
  ): Promise<SipDriverStage> {
    const stage = await SocketStage.open();
    const { deadlineMs, ...options } = more;
    const driver = sipPhoneDriver({ domain: stage.sip.domain, server: serverOf(wire, stage.sip), ...options });
    return new SipDriverStage(stage, driver, deadlineMs);
  }

  /** A phone at the extension of that user of the first customer: 0 is at 101. It is told of `messages` that wait when it registers. */
  phone(index: number, conduct: WhenCalled = RING, messages = 0): Promise<ScenarioPhone> {
    const { user_id: userId, ext, sip_username: username, sip_password: password } = this.stage.user(index);
    this.stage.simulator.world.store.users.update(userId, { vm_new: messages, vm_old: 0 });
    return this.driver.open({ name: `phone-${ext}`, userId, ext, sip: { username, password } }, conduct);
  }

  /** Resolves when the phone looks like that. */
  async sees(phone: ScenarioPhone, what: string, match: (view: PhoneView) => boolean): Promise<PhoneView> {
    let view = await phone.view();
    const onChange = (changed: () => void): (() => void) =>
      phone.onChange(() => {
        void phone.view().then((now) => {
          view = now;
          changed();
        });
      });
    return until(() => (match(view) ? view : undefined), onChange, `${phone.name} sees ${what}`, this.#deadlineMs);
  }

  /** Resolves when the phone's only call is in that state. */
  inCall(phone: ScenarioPhone, state: string, held = false): Promise<PhoneView> {
    return this.sees(phone, `a call that is ${state}`, ({ calls }) => {
      const [call] = calls;
      return calls.length === 1 && call?.state === state && call.held === held;
    });
  }

  noCall(phone: ScenarioPhone): Promise<PhoneView> {
    return this.sees(phone, 'no call', ({ calls }) => calls.length === 0);
  }

  /** Statuses and methods that the phone received or sent, in order: `INVITE`, `200 INVITE`. */
  async lines(phone: ScenarioPhone, direction: 'sent' | 'received'): Promise<string[]> {
    const messages = await phone.messages();
    return messages
      .filter((message) => message.direction === direction)
      .map(({ status, method }) => (status === undefined ? method : `${status} ${method}`));
  }

  /** The first journal entry that matches: one that is there already, or one that comes in time. */
  journalled(kind: string, match: (entry: JournalEntry) => boolean, after = 0): Promise<JournalEntry> {
    const { journal } = this.stage.simulator;
    return until(
      () => journal.query({ kind, after }).find(match),
      // An entry may still get its call, within this turn.
      (changed) => journal.subscribe((entry) => (entry.kind.startsWith(kind) ? queueMicrotask(changed) : undefined)),
      `journal entry ${kind}`,
      this.#deadlineMs,
    );
  }

  /** The id of the call that began after that entry. */
  async callBegun(after: number): Promise<number> {
    return (await this.journalled('call.state', () => true, after)).callId ?? 0;
  }

  /** Resolves when that call has left its CDR, with the CDR. */
  async callOver(callId: number): Promise<Facts> {
    await this.journalled('call.closed', (entry) => entry.callId === callId);
    return this.stage.cdr(callId);
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.stage.close();
  }
}

export function serverOf(wire: Wire, sip: SipAddresses): SipServer {
  if (wire === 'WS') return { transport: 'ws', url: sip.ws };
  return wire === 'TCP' ? { transport: 'tcp', ...sip.tcp } : { transport: 'udp', ...sip.udp };
}

/** Loses that share of messages in each direction, but never the same one more often than this in a row. */
const MOST_IN_A_ROW = 3;

export interface Losses {
  lost: number;
  passed: number;
}

/** Messages are lost by the seed. What was lost is counted in `losses`. */
export function lossy(share: number, losses: Losses, seed = 'loss'): (usual: OpenWire) => OpenWire {
  const random = new Random(seed);
  const inARow = new Map<string, number>();
  const isLost = (text: string): boolean => {
    const before = inARow.get(text) ?? 0;
    const lost = before < MOST_IN_A_ROW && random.float() < share;
    if (lost) inARow.set(text, before + 1);
    else inARow.delete(text);
    losses[lost ? 'lost' : 'passed'] += 1;
    return lost;
  };
  return (usual) => async (listener) => {
    const wire = await usual({
      received: (text) => (isLost(text) ? undefined : listener.received(text)),
      closed: (why) => listener.closed(why),
    });
    return {
      transport: wire.transport,
      reliable: wire.reliable,
      ...(wire.local === undefined ? {} : { local: wire.local }),
      send: (text) => (isLost(text) ? undefined : wire.send(text)),
      silence: () => wire.silence(),
      close: () => wire.close(),
    };
  };
}
