// Every SIP message at the exchange's boundary, in the journal, under the call whose dialog it belongs to.
import type { Journal, JournalData, LazyData } from '../kernel/journal.ts';
import { LastUsed } from '../kernel/last-used.ts';
import { unshared } from '../kernel/unshared.ts';
import { callIdOf, cseqOf } from '../sip/fields.ts';
import type { Address, Flow } from '../sip/flow.ts';
import type { SipMessage } from '../sip/message.ts';
import { parseMessage } from '../sip/parse.ts';
import type { MessageObserver } from '../sip/user-agent-api.ts';
import { OldestFirst } from '../store/oldest-first.ts';

/** Dialogs that are remembered at least: those in which something was said last; never twice as many. */
export const MAX_DIALOGS = 100_000;
/** A dialog whose Call-ID is longer is not remembered: what is said in it later is filed under no call. */
export const MAX_CALL_ID = 512;
/** Messages that came before their dialog had a call (the first INVITE, its challenge) are filed late: of one dialog for so many that are remembered. */
const DIALOGS_TO_WAITING = 20;
const MAX_WAITING_PER_DIALOG = 16;

/** Of messages that are longer than this, so many bytes are kept together; of those that came before, only so much of the beginning. */
export const LONG_BYTES = 4_096;
const LONG_KEPT_BYTES = 64 * 1024 * 1024;

/** One text each for all entries. */
const KINDS = { in: 'sip.in', out: 'sip.out' } as const;

const decoder = new TextDecoder();
const REPLACED = '\uFFFD';

interface CallKey {
  readonly callId: number;
  readonly customerId: number;
}

export class SipJournal implements MessageObserver {
  readonly #journal: Journal;
  /** By Call-ID. */
  readonly #calls: LastUsed<string, CallKey>;
  readonly #waiting: LastUsed<string, number[]>;
  /** Those that the journal still has. */
  readonly #long = new OldestFirst<{ readonly seq: number; readonly message: WrittenLater }>();
  #longBytes = 0;

  constructor(journal: Journal, dialogs = MAX_DIALOGS) {
    this.#journal = journal;
    this.#calls = new LastUsed(dialogs, unshared);
    this.#waiting = new LastUsed(Math.ceil(dialogs / DIALOGS_TO_WAITING), unshared);
  }

  /** Files the dialog's messages under the call, those that came already too. */
  file(sipCallId: string, key: CallKey): void {
    if (sipCallId.length <= MAX_CALL_ID) this.#calls.set(sipCallId, key);
    for (const seq of this.#waiting.get(sipCallId) ?? []) this.#journal.assign(seq, key.callId, key.customerId);
    this.#waiting.delete(sipCallId);
  }

  callOf(sipCallId: string): number | undefined {
    return this.keyOf(sipCallId)?.callId;
  }

  /** What an entry about a message of that dialog is filed under. */
  keyOf(sipCallId: string): CallKey | undefined {
    return this.#calls.get(sipCallId);
  }

  /** Files an entry about a message of that dialog once its call is known, if it is not yet. */
  fileLater(sipCallId: string, seq: number): void {
    if (this.keyOf(sipCallId) === undefined) this.#wait(sipCallId, seq);
  }

  observed(direction: 'in' | 'out', flow: Flow, message: SipMessage, bytes: Uint8Array): void {
    const sipCallId = callIdOf(message) ?? '';
    const key = this.keyOf(sipCallId);
    // Written out only for who reads it, and from the bytes alone: most entries leave the ring unread, and a message kept
    // with all its headers would take several times as much.
    const data = new WrittenLater(flow, bytes);
    const seq = this.#journal.append(KINDS[direction], {
      callId: key?.callId ?? null,
      customerId: key?.customerId ?? null,
      data,
    });
    if (bytes.length > LONG_BYTES) this.#longCame(seq, data);
    else if (this.#long.size > 0) this.#makeRoom();
    if (direction === 'in') this.#journal.follow(seq);
    if (key === undefined) this.#wait(sipCallId, seq);
  }

  discarded(flow: Flow, bytes: Uint8Array, why: string): void {
    this.#journal.append('sip.discarded', { data: { flow: flow.id, bytes: bytes.length, why } });
  }

  /** What a message brings about names it as its cause: `observed` says which it is. */
  within(run: () => void): void {
    this.#journal.within(this.#order(), run);
  }

  /** A message of a phone that was just told to act has that order as its cause; what else phones do is their own doing. */
  #order(): number | null {
    const { cause } = this.#journal;
    return cause !== null && this.#journal.get(cause)?.kind === 'control.request' ? cause : null;
  }

  #longCame(seq: number, message: WrittenLater): void {
    this.#long.add({ seq, message });
    this.#longBytes += message.size;
    this.#makeRoom();
  }

  /** The journal's entries are counted, and whoever floods us chooses how long they are. */
  #makeRoom(): void {
    for (let one = this.#long.oldest; one !== undefined; one = this.#long.oldest) {
      const isThere = one.seq >= this.#journal.oldest;
      if (isThere && this.#longBytes <= LONG_KEPT_BYTES) return;
      this.#long.delete(one);
      this.#longBytes -= one.message.size;
      if (isThere) one.message.cut();
    }
  }

  #wait(sipCallId: string, seq: number): void {
    if (sipCallId.length > MAX_CALL_ID) return;
    const seqs = this.#waiting.get(sipCallId);
    if (seqs === undefined) this.#waiting.set(sipCallId, [seq]);
    else if (seqs.length < MAX_WAITING_PER_DIALOG) seqs.push(seq);
  }
}

/** Thousands of these are kept: two members and no closure. */
class WrittenLater implements LazyData {
  readonly flow: Flow;
  /** The message, or the entry of one that was cut. */
  #said: Uint8Array | (JournalData & { readonly whole_bytes: number });

  constructor(flow: Flow, bytes: Uint8Array) {
    this.flow = flow;
    this.#said = bytes;
  }

  /** Of the whole message. */
  get size(): number {
    return this.#said instanceof Uint8Array ? this.#said.length : this.#said.whole_bytes;
  }

  cut(): void {
    const { base64: _, ...entry } = this.toJSON();
    const short = Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' ? unshared(value.slice(0, LONG_BYTES)) : value,
    ]);
    this.#said = { ...Object.fromEntries(short), whole_bytes: this.size };
  }

  toJSON(): JournalData {
    return this.#said instanceof Uint8Array ? entryOf(this.flow, this.#said) : this.#said;
  }
}

function entryOf(flow: Flow, bytes: Uint8Array): JournalData {
  const parsed = parseMessage(bytes);
  const facts = parsed.ok ? factsOf(parsed.message) : {};
  const text = decoder.decode(bytes);
  return {
    flow: flow.id,
    transport: flow.transport,
    local: written(flow.local),
    remote: written(flow.remote),
    ...facts,
    text,
    // What is no UTF-8 cannot be told by its text.
    ...(text.includes(REPLACED) ? { base64: Buffer.from(bytes).toString('base64') } : {}),
  };
}

function written({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function factsOf(message: SipMessage): JournalData {
  const what =
    message.kind === 'request'
      ? { method: message.method }
      : { status: message.status, method: cseqOf(message)?.method ?? '' };
  return { ...what, sip_call_id: callIdOf(message) ?? '' };
}
