// The ladder of a call: who said what to whom, in order, read off the call's journal entries. Knows neither the store nor how it is drawn.
import { dataOf, type JournalData, type JournalEntry } from '../kernel/journal.ts';
import { reasonText, type SipGlance, sipGlance } from './sip-glance.ts';

/** A lifeline: `caller`, `exchange`, `callee`, `party-3` (somebody called in their place), `rest`, `webhook`. */
export interface LadderColumn {
  readonly id: string;
  readonly title: string;
}

export interface LadderRow {
  /** From 1: the text's messages name it. */
  readonly no: number;
  /** Of the journal entry. */
  readonly seq: number;
  /** ms since 1970 on the clock. */
  readonly at: number;
  /** Ids of columns; the same one twice for what happened there. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly note: string;
  /** What travelled, whole; empty where nothing did. */
  readonly message: string;
  /** The addresses that it travelled between; empty where they are not known. */
  readonly route: string;
}

export interface Ladder {
  readonly callId: number;
  /** ms since 1970 on the clock. */
  readonly startedAt: number;
  readonly src: string;
  readonly dst: string;
  /** Why it ended; empty while it lives. */
  readonly cause: string;
  /** Entries of the call that were not kept. */
  readonly leftOut: number;
  readonly columns: readonly LadderColumn[];
  readonly rows: readonly LadderRow[];
}

export interface LadderSource {
  readonly callId: number;
  /** Of one call, in the order of the journal. */
  readonly entries: readonly JournalEntry[];
  readonly leftOut?: number;
}

/** Lifelines of parties: a call that goes through more hands than this shows the rest as the last one. */
const MAX_PARTIES = 6;
/** Who places such a call rings first, so the first INVITE out is the caller's. */
const TWO_LEG_ORIGINS: ReadonlySet<unknown> = new Set(['click-to-call', 'webcall', 'leadcall']);

export function ladderOf({ callId, entries, leftOut = 0 }: LadderSource): Ladder {
  const reading = new Reading();
  const drafts = entries.flatMap((entry) => reading.rowsOf(entry, dataOf(entry)));
  const used = new Set(drafts.flatMap(({ from, to }) => [from, to]));
  return {
    callId,
    startedAt: entries[0]?.at ?? 0,
    src: reading.src,
    dst: reading.dst,
    cause: reading.cause,
    leftOut,
    columns: reading.columns().filter(({ id }) => used.has(id)),
    rows: drafts.map((draft, index) => ({
      no: index + 1,
      ...draft,
      note: draft.note || (reading.raised.get(draft.seq) ?? ''),
    })),
  };
}

type Draft = Omit<LadderRow, 'no'>;

/** What is learnt on the way down: which dialog is whose, which event a change of state raised. */
class Reading {
  src = '';
  dst = '';
  cause = '';
  /** Events by the entry of the change that raised them. */
  readonly raised = new Map<number, string>();
  readonly #titles = new Map<string, string>();
  readonly #byDialog = new Map<string, string>();
  readonly #changes = new Set<number>();
  #callerIsCalled = false;

  rowsOf(entry: JournalEntry, data: JournalData): Draft[] {
    const draft = this.#draftOf(entry, data);
    return draft === undefined ? [] : [{ ...nothing, seq: entry.seq, at: entry.at, ...draft }];
  }

  /** From left to right. */
  columns(): LadderColumn[] {
    const title = (id: string): string => `${id} ${this.#titles.get(id) ?? ''}`.trim();
    const others = [...this.#titles.keys()].filter((id) => id.startsWith('party-'));
    return [
      ...['caller', 'exchange', 'callee', ...others].map((id) => ({ id, title: title(id) })),
      { id: 'rest', title: 'REST client' },
      { id: 'webhook', title: 'webhook' },
    ];
  }

  #draftOf(entry: JournalEntry, data: JournalData): Partial<Draft> | undefined {
    switch (entry.kind) {
      case 'sip.in':
      case 'sip.out':
        return this.#sip(entry.kind === 'sip.in', data);
      case 'call.opened':
        return this.#opened(data);
      case 'call.closed':
        this.cause = text(data.cause);
        return undefined;
      case 'call.state':
        // Another INVITE of the same call, another holder: nothing that is to be seen.
        if (data.from === data.to) return undefined;
        this.#changes.add(entry.seq);
        return here(text(data.to));
      case 'event':
        return this.#event(entry, data);
      case 'sound.played':
        return soundPlayed(data);
      case 'webhook.attempt':
        return webhookPost(data);
      case 'rest.request':
        return restRequest(data);
      case 'rest.response':
        return { from: 'exchange', to: 'rest', label: text(data.status), note: text(data.operation) };
      case 'control.request':
        return { from: 'rest', to: 'exchange', label: text(data.path), note: `control: ${text(data.operation)}` };
      default:
        return here(entry.kind, brief(data));
    }
  }

  #opened({ origin, src, dst }: JournalData): undefined {
    this.src = text(src);
    this.dst = text(dst);
    this.#titles.set('caller', this.src).set('callee', this.dst);
    this.#callerIsCalled = TWO_LEG_ORIGINS.has(origin);
    return undefined;
  }

  /** An event beside the change that raised it needs no row of its own. */
  #event({ cause }: JournalEntry, { name }: JournalData): Partial<Draft> | undefined {
    if (cause === null || !this.#changes.has(cause)) return here(text(name));
    this.raised.set(cause, text(name));
    return undefined;
  }

  #sip(isIn: boolean, data: JournalData): Partial<Draft> {
    const message = text(data.text);
    const glance = sipGlance(message);
    const party = this.#partyOf(text(data.sip_call_id), isIn, glance);
    const [local, remote] = [text(data.local), text(data.remote)];
    const [from, to] = isIn ? [party, 'exchange'] : ['exchange', party];
    const way = isIn ? `${remote} -> ${local}` : `${local} -> ${remote}`;
    const route = local === '' ? '' : `${text(data.transport)} ${way}`;
    return { from, to, label: glance.label, note: reasonText(message), message, route };
  }

  #partyOf(dialog: string, isIn: boolean, glance: SipGlance): string {
    const known = this.#byDialog.get(dialog);
    if (known !== undefined) return known;
    const party = this.#newParty(isIn, glance);
    this.#byDialog.set(dialog, party);
    return party;
  }

  /** The call's first INVITE came from the caller, or went to the caller where that one is rung first. */
  #newParty(isIn: boolean, { to }: SipGlance): string {
    const taken = new Set(this.#byDialog.values());
    if (!taken.has('caller') && (isIn || this.#callerIsCalled)) return 'caller';
    if (!taken.has('callee')) return 'callee';
    const id = `party-${Math.min(MAX_PARTIES, taken.size + (taken.has('caller') ? 1 : 2))}`;
    if (!this.#titles.has(id)) this.#titles.set(id, to);
    return id;
  }
}

const nothing = { label: '', note: '', message: '', route: '', from: 'exchange', to: 'exchange' };

/** Something that happened in the exchange. */
function here(label: string, note = ''): Partial<Draft> {
  return { label, note };
}

/** What the exchange lets a party hear goes the way of its packets. */
function soundPlayed({ name, ms, to, loop }: JournalData): Partial<Draft> {
  const note = loop === true ? 'again and again' : typeof ms === 'number' ? `${ms / 1000} s` : '';
  return { from: 'exchange', to: to === 'callee' ? 'callee' : 'caller', label: `~ ${text(name)} ~`, note };
}

function webhookPost({ event, attempt, status, error, retry_in_ms: retryMs, url, body }: JournalData): Partial<Draft> {
  const outcome = status === undefined ? text(error) : text(status);
  const retry = typeof retryMs === 'number' ? `, again in ${retryMs / 1000} s` : '';
  const note = `${outcome}${attempt === 1 ? '' : `, attempt ${text(attempt)}`}${retry}`;
  const message = `POST ${text(url)}\n\n${JSON.stringify(body, null, 2)}`;
  return { from: 'exchange', to: 'webhook', label: `POST ${text(event)}`, note, message };
}

function restRequest({ method, path, operation, query, body }: JournalData): Partial<Draft> {
  const asked = query === undefined ? '' : `\n\nquery ${JSON.stringify(query)}`;
  const sent = body === undefined ? '' : `\n\n${JSON.stringify(body, null, 2)}`;
  return {
    from: 'rest',
    to: 'exchange',
    label: `${text(method)} ${text(path).replace(/^\/v1\.\d(\/pbx)?/, '')}`,
    note: text(operation),
    message: `${text(method)} ${text(path)}${asked}${sent}`,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function brief(data: JournalData): string {
  const facts = Object.entries(data).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return facts.join(', ').slice(0, 100);
}
