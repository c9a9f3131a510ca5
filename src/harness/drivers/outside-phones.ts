// Somebody on the public network, played by the simulator's carrier through its control API, whatever drives the users' phones.
import type { ControlClient } from '../run/control-client.ts';
import { reasonOf } from '../run/control-client.ts';
import { callsSeen } from './calls-seen.ts';
import type {
  ActOutcome,
  OutsideLine,
  PhoneAct,
  PhoneMessage,
  PhoneView,
  ScenarioPhone,
  WhenCalled,
} from './phone-driver.ts';
import { PhoneTrouble } from './phone-driver.ts';
import { written } from './sim-phones.ts';
import type { SipJournal } from './sip-journal.ts';
import { userIn } from './sip-reading.ts';

export interface OutsideParts {
  readonly line: OutsideLine;
  readonly control: ControlClient;
  readonly journal: SipJournal;
}

export class OutsidePhone implements ScenarioPhone {
  readonly #parts: OutsideParts;

  private constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /** Rejects with `PhoneTrouble` when the number cannot be scripted. */
  static async open(parts: OutsideParts, conduct: WhenCalled): Promise<OutsidePhone> {
    const phone = new OutsidePhone(parts);
    const scripted = await phone.whenCalled(conduct);
    if (!scripted.done) throw new PhoneTrouble(`The number ${parts.line.number} cannot be played: ${scripted.why}`);
    return phone;
  }

  get name(): string {
    return this.#parts.line.name;
  }

  get number(): string {
    return this.#parts.line.number;
  }

  whenCalled(conduct: WhenCalled): Promise<ActOutcome> {
    return this.#ask('PUT', this.#path, { behaviour: conduct });
  }

  async act(act: PhoneAct): Promise<ActOutcome> {
    if (act.act === 'call') return this.#ask('POST', '/calls', { from: this.number, to: act.to });
    return this.#ask('POST', `${this.#path}/acts`, written(act));
  }

  /** Sends a text message. */
  text(to: string, message: string): Promise<ActOutcome> {
    return this.#ask('POST', '/sms', { from: this.number, to, text: message });
  }

  async view(): Promise<PhoneView> {
    return { registered: false, calls: callsSeen(await this.messages(), this.number) };
  }

  /** All messages of the calls that begin with an INVITE to or from the number. */
  async messages(): Promise<readonly PhoneMessage[]> {
    const mine = new Set<string>();
    const all = await this.#parts.journal.messages();
    return all.filter((message) => {
      if (this.#isMine(message)) mine.add(message.sipCallId);
      return mine.has(message.sipCallId);
    });
  }

  onChange(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    await this.#ask('DELETE', this.#path).catch(() => undefined);
  }

  get #path(): string {
    return `/trunk/${encodeURIComponent(this.number)}`;
  }

  /** Called: the exchange's INVITE goes to the number. Calling: an INVITE comes from it; a user's comes from an account. */
  #isMine({ method, status, direction, text }: PhoneMessage): boolean {
    if (method !== 'INVITE' || status !== undefined) return false;
    const number = this.number.slice(1);
    if (direction === 'sent') return userIn(text, 'From').replace(/^\+/, '') === number;
    return (/^INVITE sips?:\+?(\d+)@/.exec(text)?.[1] ?? '') === number;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<ActOutcome> {
    const answer = await this.#parts.control.ask(method, path, body);
    if (answer.status >= 300) return { done: false, why: reasonOf(answer) };
    const { call_id: callId } = (answer.body ?? {}) as { call_id?: unknown };
    return { done: true, ...(typeof callId === 'number' ? { callId } : {}) };
  }
}
