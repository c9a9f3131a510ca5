// Text messages: those that users send take their steps on the clock, those that arrive are kept and told. Knows no call.
import { targetTypeCodes } from '../contract/codes.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Sms } from '../contract/resources/storage.ts';
import type { Clock, Timer } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import { utcText } from '../kernel/time.ts';
import type { Letter } from '../store/outbox.ts';
import { parseQuery, runQuery, wholeCollection } from '../store/query.ts';
import type { Store } from '../store/store.ts';
import type { CallBook } from './call-book.ts';
import type { Directory } from './directory.ts';
import type { SendSms } from './face.ts';
import { isPublicNumber } from './party.ts';
import { fateOf } from './text-fates.ts';

/** From queued to sent, and from sent to what becomes of it. */
export const STEP_MS = 1000;
/** Messages that may be under way at a time. */
export const MAX_UNDER_WAY = 10_000;
/** Messages that an account may have, sent and received. */
export const MAX_MESSAGES = 1_000_000;

export interface TextMessagesDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly store: Store;
  readonly directory: Directory;
  readonly calls: Pick<CallBook, 'publish'>;
  readonly mail: (letter: Letter) => void;
}

/** Whom a message reached: null where no user has the number. */
export interface Received {
  readonly customerId: number;
  readonly userId: number | null;
}

export class TextMessages {
  readonly #deps: TextMessagesDeps;
  readonly #timers = new Map<number, Timer>();

  /** What was under way when the store was last in use goes on. */
  constructor(deps: TextMessagesDeps) {
    this.#deps = deps;
    for (const [customerId] of deps.store.customers.entries()) this.#resume(customerId);
  }

  /** The message is queued when this returns; what follows follows by itself. `invalid` names what is wrong. */
  send({ customerId, userId, from, to, text }: SendSms): Result<Sms> {
    if (!isPublicNumber(to)) return failure('invalid', 'There is nobody to send it to.', [`to: nobody has ${to}`]);
    if (this.#timers.size >= MAX_UNDER_WAY)
      return failure('invalid', `${MAX_UNDER_WAY} messages are under way, the most that may be.`);
    const facts = { from, to, message: text, result: 'queued', type: 'out', user_id: userId };
    const kept = this.#keep(customerId, facts);
    if (!kept.ok) return kept;
    this.#note('queued', kept.value, customerId);
    this.#later(kept.value, customerId, () => this.#sent(kept.value, customerId));
    return kept;
  }

  /** A message for a number of ours, wherever it comes from. `not_found` when nobody has it, `invalid` when it takes none. */
  receive(from: string, to: string, text: string): Result<Received> {
    const { directory, calls, clock } = this.#deps;
    const ddi = directory.ddi(to);
    const customerId = ddi === undefined ? undefined : directory.customerOfDdi(ddi);
    if (ddi === undefined || customerId === undefined) return failure('not_found', `Nobody here has the number ${to}.`);
    if (!ddi.sms_enabled) return failure('invalid', `The number ${to} takes no SMS.`, [`to: ${to} takes no SMS`]);
    const userId = this.#readerOf(ddi);
    const facts = { from, to: ddi.e164, message: text, result: 'received', type: 'in', user_id: userId ?? 0 };
    const kept = this.#keep(customerId, facts);
    if (!kept.ok) return kept;
    const event = { customerId, userId, from, to: ddi.e164, text };
    if (ddi.sms_email !== '') this.#deps.mail({ kind: 'sms', to: ddi.sms_email, from, text });
    calls.publish((seq, id) => ({ kind: 'sms', id, seq, at: clock.now(), ...event }));
    return success({ customerId, userId });
  }

  /** The user whose phone or voicemail box the number leads to. */
  #readerOf({ target_type, target_id }: Ddi): number | null {
    const isUsers = target_type === targetTypeCodes.codes.U || target_type === targetTypeCodes.codes.V;
    return isUsers && this.#deps.directory.user(target_id)?.active === true ? target_id : null;
  }

  /** Messages under way. */
  get underWay(): number {
    return this.#timers.size;
  }

  /** No message moves any more. */
  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #keep(customerId: number, facts: Omit<Sms, 'id' | 'created_at'>): Result<Sms> {
    const { store, clock } = this.#deps;
    if (store.sms.count(customerId) >= MAX_MESSAGES)
      return failure('invalid', `The account has ${MAX_MESSAGES} SMS, the most that it may have.`);
    const id = store.sms.nextId(customerId);
    return success(store.sms.insert(customerId, { id, created_at: utcText(clock.now()), ...facts }));
  }

  #later(message: Sms, customerId: number, next: () => void): void {
    const timer = this.#deps.clock.after(STEP_MS, `sms ${message.id} of customer ${customerId}`, () => {
      this.#timers.delete(message.id);
      next();
    });
    this.#timers.set(message.id, timer);
  }

  #sent(message: Sms, customerId: number): void {
    this.#moved('sent', message, customerId);
    if (this.#fateOf(message) !== 'lost') this.#later(message, customerId, () => this.#arrived(message, customerId));
  }

  #arrived(message: Sms, customerId: number): void {
    const ours = this.#deps.directory.ddi(message.to) !== undefined;
    const delivered = ours
      ? this.receive(message.from, message.to, message.message).ok
      : this.#fateOf(message) === 'delivered';
    this.#moved(delivered ? 'delivered' : 'failed', message, customerId);
  }

  #fateOf({ to }: Sms): ReturnType<typeof fateOf> {
    return this.#deps.directory.ddi(to) === undefined ? fateOf(to) : 'delivered';
  }

  /** Who removed the message from the account's list has not called it back. */
  #moved(result: 'sent' | 'delivered' | 'failed', message: Sms, customerId: number): void {
    this.#deps.store.sms.update(message.id, { result });
    this.#note(result, message, customerId);
  }

  #note(result: string, { id, from, to }: Sms, customerId: number): void {
    this.#deps.journal.append(`sms.${result}`, { customerId, data: { id, from, to } });
  }

  #resume(customerId: number): void {
    for (const message of underWayIn(this.#deps.store, customerId)) {
      if (message.result === 'queued') this.#later(message, customerId, () => this.#sent(message, customerId));
      else if (message.result === 'sent' && this.#fateOf(message) !== 'lost')
        this.#later(message, customerId, () => this.#arrived(message, customerId));
    }
  }
}

/** Messages that were queued or sent and not more, looked for without reading all the others. */
function underWayIn({ sms }: Store, customerId: number): Sms[] {
  const found: Sms[] = [];
  for (let page = 1; ; page += 1) {
    const query = parseQuery('sms', new URLSearchParams({ page: String(page), limit: '5000', filter: UNDER_WAY }));
    const { items } = runQuery(sms.source(customerId), query.ok ? query.value : wholeCollection);
    found.push(...items);
    if (!query.ok || items.length < query.value.limit) return found;
  }
}

const UNDER_WAY = JSON.stringify([{ property: 'result', operator: 'in', value: ['queued', 'sent'] }]);
