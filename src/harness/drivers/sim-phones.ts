// The driver `sim`: the simulator's own handsets, told what to do by its control API. Its messages are the target's journal.
import { type ControlClient, ControlTrouble, reasonOf } from '../run/control-client.ts';
import {
  type ActOutcome,
  type PhoneAct,
  type PhoneDriver,
  type PhoneLine,
  type PhoneMessage,
  PhoneTrouble,
  type PhoneView,
  type ScenarioPhone,
  type WhenCalled,
} from './phone-driver.ts';
import type { SipJournal } from './sip-journal.ts';
import { userIn } from './sip-reading.ts';

interface HandsetView {
  readonly registered: boolean;
  readonly behaviour: unknown;
  readonly calls: ReadonlyArray<{
    readonly sip_call_id: string;
    readonly state: PhoneView['calls'][number]['state'];
    readonly held: boolean;
    readonly peer: string;
  }>;
}

export interface SimPhonesOptions {
  readonly control: ControlClient;
  readonly journal: SipJournal;
  /** The simulator is thrown away afterwards: phones need not be put back. */
  readonly fresh: boolean;
}

export class SimPhones implements PhoneDriver {
  readonly name = 'sim';
  readonly #options: SimPhonesOptions;

  constructor(options: SimPhonesOptions) {
    this.#options = options;
  }

  async open(line: PhoneLine, conduct: WhenCalled): Promise<ScenarioPhone> {
    const { control, journal, fresh } = this.#options;
    const query = line.customerId === undefined ? '' : `?customer_id=${line.customerId}`;
    const path = `/phones/${line.ext}`;
    const before = await control.ask('GET', `${path}${query}`);
    const asked =
      before.status === 404
        ? await control.ask('POST', `/phones${query}`, { ext: line.ext, behaviour: conduct })
        : await control.ask('PATCH', `${path}${query}`, { behaviour: conduct });
    if (asked.status >= 300) throw new PhoneTrouble(`No simulated phone at ${line.ext}: ${reasonOf(asked)}`);
    const earlier = before.status === 404 ? undefined : (before.body as HandsetView);
    const phone = new SimPhone({
      line,
      control,
      journal,
      path,
      query,
      ...(fresh || earlier === undefined ? {} : { earlier }),
    });
    const registered = await phone.act({ act: 'register' });
    if (!registered.done) throw new PhoneTrouble(`The phone ${line.name} cannot register: ${registered.why}`);
    return phone;
  }

  async close(): Promise<void> {}
}

interface SimPhoneParts {
  readonly line: PhoneLine;
  readonly control: ControlClient;
  readonly journal: SipJournal;
  readonly path: string;
  readonly query: string;
  /** What to put back. */
  readonly earlier?: HandsetView;
}

class SimPhone implements ScenarioPhone {
  readonly #parts: SimPhoneParts;
  #flow: string | undefined;
  #vanished = false;

  constructor(parts: SimPhoneParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.line.name;
  }

  get number(): string {
    return this.#parts.line.ext;
  }

  async whenCalled(conduct: WhenCalled): Promise<ActOutcome> {
    const { control, path, query } = this.#parts;
    const answer = await control.ask('PATCH', `${path}${query}`, { behaviour: conduct });
    return answer.status < 300 ? { done: true } : { done: false, why: reasonOf(answer) };
  }

  async act(act: PhoneAct): Promise<ActOutcome> {
    if (this.#vanished) return { done: false, why: `The phone ${this.name} has vanished.` };
    if (act.act === 'vanish') {
      this.#vanished = true;
      return this.whenCalled({ on_call: 'silent' });
    }
    if (act.act === 'reject' && act.status !== 603) {
      return { done: false, why: `A simulated phone's user declines with 603, never ${act.status}.` };
    }
    const { control, path, query } = this.#parts;
    const answer = await control.ask('POST', `${path}/acts${query}`, written(act));
    if (answer.status >= 300) return { done: false, why: reasonOf(answer) };
    const { call_id: callId } = (answer.body ?? {}) as { call_id?: unknown };
    return { done: true, ...(typeof callId === 'number' ? { callId } : {}) };
  }

  async view(): Promise<PhoneView> {
    const { control, path, query } = this.#parts;
    const { registered, calls } = await control.get<HandsetView>('GET', `${path}${query}`);
    return {
      registered,
      calls: calls.map(({ sip_call_id: sipCallId, state, held, peer }) => ({ sipCallId, state, held, peer })),
    };
  }

  async messages(): Promise<readonly PhoneMessage[]> {
    const all = await this.#parts.journal.messages();
    // It registered when it was opened, which shows the way that its messages go.
    this.#flow ??= all.find(
      ({ method, status, direction, text }) =>
        method === 'REGISTER' && status === undefined && direction === 'sent' && this.#isMine(userIn(text, 'To')),
    )?.flow;
    return all.filter(({ flow }) => flow === this.#flow);
  }

  /** Moves only when the runner moves the clock, or in real time when nobody can tell. */
  onChange(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    const { control, path, query, earlier } = this.#parts;
    if (earlier === undefined) return;
    try {
      for (const _call of (await this.view()).calls)
        await control.ask('POST', `${path}/acts${query}`, { act: 'hangup' });
      await control.ask('PATCH', `${path}${query}`, { behaviour: earlier.behaviour });
      await control.ask('POST', `${path}/acts${query}`, { act: earlier.registered ? 'register' : 'unregister' });
    } catch (error) {
      if (!(error instanceof ControlTrouble)) throw error;
    }
  }

  #isMine(user: string): boolean {
    const { sip, ext } = this.#parts.line;
    return sip === undefined ? user === ext || user.endsWith(`-${ext}`) : user === sip.username;
  }
}

/** In the words of the control API. */
export function written(act: PhoneAct): object {
  if (act.act === 'hang_up') return { act: 'hangup' };
  return act.act === 'reject' ? { act: 'reject' } : act;
}
