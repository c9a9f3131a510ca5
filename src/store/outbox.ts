// Emails that a real system would have sent: codes and tokens that a person reads. Knows no request and sends nothing.
import type { Clock } from '../kernel/clock.ts';
import { type Mark, markNothing } from './keeping.ts';

export interface Mail {
  readonly id: number;
  /** ms since 1970 on the clock. */
  readonly at: number;
  readonly kind: '2fa' | 'reset' | 'confirmation' | 'report' | 'fax' | 'sms' | 'missed_call' | 'voicemail';
  /** Email address. */
  readonly to: string;
  readonly code?: string;
  readonly token?: string;
  /** Of a report: what it is called, which it is, which schedule sent it, and its format (a word of the contract). */
  readonly subject?: string;
  readonly report_id?: number;
  readonly schedule_id?: number;
  readonly format?: string;
  /** Of a fax or an SMS that a number received: who sent it. */
  readonly from?: string;
  readonly text?: string;
  readonly fax_id?: number;
  readonly filename?: string;
  readonly pages?: number;
  /** Of a fax: the number that received it. */
  readonly number?: string;
  /** Of a missed call or a voice message: the live call that was. */
  readonly call_id?: number;
  readonly voicemessage_id?: number;
  /** Seconds. */
  readonly duration?: number;
}

/** What is written; where it stands and when it was sent come with sending. */
export type Letter = Omit<Mail, 'id' | 'at'>;

export interface OutboxState {
  readonly mails: readonly Mail[];
  readonly count: number;
}

/** The newest mails that are kept; older ones are forgotten. */
export const OUTBOX_LIMIT = 1000;

export class Outbox {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #mark: Mark;
  #mails: Mail[] = [];
  #count = 0;

  constructor(clock: Pick<Clock, 'now'>, mark: Mark = markNothing) {
    this.#clock = clock;
    this.#mark = mark;
  }

  send(letter: Letter): Mail {
    this.#count += 1;
    const mail = { id: this.#count, at: this.#clock.now(), ...letter };
    this.#mails.push(mail);
    this.#mark('mails', 0, mail.id, () => mail);
    const forgotten = this.#mails.length > OUTBOX_LIMIT ? this.#mails.shift() : undefined;
    if (forgotten !== undefined) this.#mark('mails', 0, forgotten.id, () => undefined);
    return mail;
  }

  /** Oldest first. */
  list(): readonly Mail[] {
    return [...this.#mails];
  }

  state(): OutboxState {
    return { mails: this.list(), count: this.#count };
  }

  restore({ mails, count }: OutboxState): void {
    this.#mails = [...mails];
    this.#count = count;
  }

  clear(): void {
    this.#mails = [];
    this.#count = 0;
  }
}
