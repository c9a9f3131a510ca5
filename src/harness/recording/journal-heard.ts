// From the journal of a simulator, entry by entry, to what a recording holds. Knows no scenario.
import { readSipMessage } from '../drivers/sip-reading.ts';
import type { JournalView } from '../run/control-client.ts';
import type { HeardCall, HeardEvent, HeardRequest, Note, Recording } from './heard.ts';
import { PhonesHeard } from './phones-heard.ts';
import type { Roster } from './roster.ts';

/** Entries that one recording takes. */
export const MAX_ENTRIES = 200_000;

export interface RecordedEntry extends JournalView {
  readonly customer_id: number | null;
  readonly cause: number | null;
}

interface CallParts extends Omit<HeardCall, 'closed'> {
  readonly events: HeardEvent[];
  readonly states: { seq: number; at: number; to: string }[];
  closed?: { seq: number; at: number };
}

/** What only the operator of a simulator does: nothing that a scenario could do to any target. */
const CONTROL_WORDS: Readonly<Record<string, string>> = {
  'record.created': 'A record was made by the administration',
  'record.changed': 'A record was changed by the administration',
  'record.removed': 'A record was removed by the administration',
  'control.reset': 'The simulator was reset',
  'control.restore': 'The simulator went back to a snapshot',
  'sip.discarded': 'A message that is no SIP came and was discarded',
};

export class JournalHeard {
  readonly #phones: PhonesHeard;
  readonly #calls = new Map<number, CallParts>();
  readonly #requests = new Map<number, HeardRequest>();
  readonly #texts: HeardEvent[] = [];
  readonly #notes: Note[] = [];
  readonly #said = new Set<string>();
  #entries = 0;

  constructor(roster: Roster) {
    this.#phones = new PhonesHeard(roster);
  }

  get isFull(): boolean {
    return this.#entries >= MAX_ENTRIES;
  }

  /** Calls that began and ended within the recording. */
  get ended(): number {
    return [...this.#calls.values()].filter(({ closed }) => closed !== undefined).length;
  }

  get recording(): Recording {
    const { acts, meetings, notes, talking } = this.#phones;
    return {
      acts,
      meetings,
      talking,
      texts: this.#texts,
      calls: [...this.#calls.values()],
      requests: [...this.#requests.values()],
      notes: [...this.#notes, ...notes],
    };
  }

  take(entry: RecordedEntry): void {
    if (this.isFull) return;
    this.#entries += 1;
    const { kind } = entry;
    if (kind === 'sip.in' || kind === 'sip.out') this.#sip(entry);
    else if (kind.startsWith('call.')) this.#call(entry);
    else if (kind === 'event') this.#event(entry);
    else if (kind.startsWith('rest.')) this.#rest(entry);
    else this.#beside(entry);
  }

  #sip(entry: RecordedEntry): void {
    const { kind, seq, data, customer_id: customerId } = entry;
    const text = String(data.text ?? '');
    const message = readSipMessage(text, kind === 'sip.in' ? 'sent' : 'received');
    const at = Date.parse(entry.at);
    if (message === undefined) {
      this.#once({
        seq,
        at,
        text: `A faulty message came (${text.slice(0, 40).replace(/\s+/g, ' ').trim()}): no phone of a scenario sends it.`,
      });
      return;
    }
    const far = /^(?!127\.|\[?::1)[\d.[\]:a-f]+$/i.test(String(data.remote ?? '').replace(/:\d+$/, ''));
    if (far)
      this.#once({
        seq,
        at,
        text: `A phone elsewhere than on this machine took part (${String(data.remote)}): a phone of the scenario does what it did.`,
      });
    this.#phones.take({ seq, at, flow: String(data.flow ?? ''), customerId, callId: entry.call_id, message });
  }

  #call({ kind, seq, at: time, call_id: id, customer_id: customerId, data }: RecordedEntry): void {
    if (id === null) return;
    const at = Date.parse(time);
    if (kind === 'call.opened') {
      this.#calls.set(id, { id, seq, at, customerId: customerId ?? 0, events: [], states: [] });
      return;
    }
    const call = this.#calls.get(id);
    if (call === undefined) return;
    if (kind === 'call.state') call.states.push({ seq, at, to: String(data.to) });
    if (kind === 'call.closed') call.closed = { seq, at };
  }

  #event({ seq, at: time, call_id: id, data }: RecordedEntry): void {
    const heard = {
      seq,
      at: Date.parse(time),
      name: String(data.name),
      payload: (data.payload ?? {}) as HeardEvent['payload'],
    };
    if (heard.name === 'sms.received') this.#texts.push(heard);
    else if (id !== null) this.#calls.get(id)?.events.push(heard);
  }

  #rest(entry: RecordedEntry): void {
    const { kind, seq, data, call_id: callId, cause } = entry;
    if (kind === 'rest.request') {
      const { operation, method, path, query, body, user_id: userId } = data;
      this.#requests.set(seq, {
        seq,
        at: Date.parse(entry.at),
        callId,
        method: String(method),
        path: String(path),
        operation: typeof operation === 'string' ? operation : null,
        userId: typeof userId === 'number' ? userId : null,
        ...(query === undefined ? {} : { query }),
        ...(body === undefined ? {} : { body }),
      });
      return;
    }
    const request = cause === null ? undefined : this.#requests.get(cause);
    if (kind !== 'rest.response' || request === undefined) return;
    this.#requests.set(request.seq, { ...request, callId: request.callId ?? callId, status: Number(data.status) });
  }

  #beside({ kind, seq, at: time, data }: RecordedEntry): void {
    const at = Date.parse(time);
    if (kind === 'fault') {
      this.#once({
        seq,
        at,
        text: 'A deliberate fault struck: it is no part of the scenario, what came of it may be.',
      });
      return;
    }
    const words = CONTROL_WORDS[kind];
    if (words === undefined) return;
    const what =
      data.resource === undefined ? '' : ` (${String(data.resource)} ${String(data.id)}: ${String(data.members)})`;
    this.#notes.push({ seq, at, text: `${words}${what}: not repeated.` });
  }

  #once(note: Note): void {
    if (!this.#said.has(note.text)) this.#notes.push(note);
    this.#said.add(note.text);
  }
}
