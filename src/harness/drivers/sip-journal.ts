// The target's SIP messages as its control API shows them, read on from where reading stopped. Knows no phone.
import type { ControlClient } from '../run/control-client.ts';
import type { PhoneMessage } from './phone-driver.ts';
import { readSipMessage } from './sip-reading.ts';

/** A message with what the journal knows about it; directions are the phone's. */
export interface JournalledMessage extends PhoneMessage {
  /** The way it went: one per phone. */
  readonly flow: string;
}

export class SipJournal {
  readonly #control: ControlClient;
  readonly #messages: JournalledMessage[] = [];
  #cursor: number;
  #reading: Promise<void> = Promise.resolve();

  private constructor(control: ControlClient, cursor: number) {
    this.#control = control;
    this.#cursor = cursor;
  }

  /** From now on. */
  static async open(control: ControlClient): Promise<SipJournal> {
    const { last } = await control.journal(Number.MAX_SAFE_INTEGER, 'sip');
    return new SipJournal(control, last);
  }

  /** Everything since it was opened, oldest first. */
  async messages(): Promise<readonly JournalledMessage[]> {
    const read = this.#reading.then(() => this.#readOn());
    this.#reading = read.catch(() => {});
    await read;
    return this.#messages;
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { data, last } = await this.#control.journal(this.#cursor, 'sip');
      for (const { kind, data: facts, seq } of data) {
        this.#cursor = seq;
        if (kind !== 'sip.in' && kind !== 'sip.out') continue;
        const message = readSipMessage(String(facts.text ?? ''), kind === 'sip.in' ? 'sent' : 'received');
        if (message !== undefined) this.#messages.push({ ...message, flow: String(facts.flow ?? '') });
      }
      if (data.length === 0) {
        this.#cursor = Math.max(this.#cursor, last);
        return;
      }
    }
  }
}
