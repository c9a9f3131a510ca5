// The trace of each call: its journal entries, kept from its first message on, late ones too. Knows no kind of entry but
// those that begin and end a call, and nothing of who reads traces.
import { type Bulk, bulkOf, type Stow, stowNothing } from '../kernel/bulk.ts';
import type { TimeHost } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { ID_BLOCK } from '../kernel/ids.ts';
import type { Journal, JournalEntry } from '../kernel/journal.ts';
import { type CallTrace, type EndedTrace, loadOfTrace, newTrace, TRACES } from './call-trace.ts';
import { OldestFirst } from './oldest-first.ts';
import { dialogsIn, partsOf, sealed, shifted, unsealed } from './sealed-entries.ts';

export interface Trace {
  readonly callId: number;
  readonly customerId: number | null;
  /** In the order of the journal: the call's own entries, and the requests that brought them about. */
  readonly entries: readonly JournalEntry[];
  /** How many further entries were not kept. */
  readonly leftOut: number;
  readonly ended: boolean;
}

export interface TraceLimits {
  /** Calls that have ended and whose traces are kept. */
  readonly calls: number;
  /** Of all sealed traces together. */
  readonly sealedBytes: number;
  /** Of all entries that are not sealed yet, as far as their sizes are known. */
  readonly openBytes: number;
  readonly entriesPerCall: number;
}

const MIB = 1024 * 1024;
export const TRACE_LIMITS: TraceLimits = {
  calls: 10_000,
  sealedBytes: 64 * MIB,
  openBytes: 32 * MIB,
  entriesPerCall: 5_000,
};

/** What an entry is taken to weigh that does not say so itself. */
const USUAL_ENTRY_BYTES = 400;
/** How often somebody looks whether there is time to seal, and the pause between two batches when there is; real ms. */
const LOOK_MS = 500;
const PAUSE_MS = 20;
/** Traces sealed at a time: some milliseconds' work. */
const BATCH = 16;
const LOOKED_AT = 1_000;
/** More entries than this per ms of real time mean that calls need the processor. */
const QUIET_ENTRIES_PER_MS = 1;
/** Of what is not sealed when the simulator closes, so much still is, what ended last first: a quarter of a second's work. */
const SEALED_AT_CLOSE_BYTES = 8 * MIB;
/** A chain of causes is followed this far to the request at its head. */
const CAUSES_FOLLOWED = 16;
/** SIP Call-IDs by which a trace is found. */
const DIALOGS_AT_MOST = 16;
const REQUESTS: ReadonlySet<string> = new Set(['rest.request', 'control.request']);

/** The traces of the calls that have ended, for snapshots. */
export interface TracesState {
  readonly ended: readonly EndedTrace[];
  readonly first: ReadonlyArray<readonly [block: number, callId: number]>;
}

export interface TracesDeps {
  readonly journal: Journal;
  /** Real time, to seal in when nothing else goes on. Without one traces are sealed only when room is short. */
  readonly host?: Pick<TimeHost, 'alarm'>;
  readonly limits?: Partial<TraceLimits>;
  /** Keeps sealed traces beyond the process. */
  readonly stow?: Stow;
  /** Without one nobody knows which calls there were, and those of the history have no traces. */
  readonly past?: Past;
}

/** The calls that have records. */
export interface Past {
  has(callId: number): boolean;
  /** Makes the trace of a call that is of the history which the simulator started with; undefined when there was no such call. */
  read(callId: number): Result<Trace> | undefined;
}

const UNKNOWN_PAST: Past = { has: () => true, read: () => undefined };

/**
 * Entries are only held while calls need the processor, and sealed (written out, compressed) when it is idle. When room
 * is short, the calls that ended first are forgotten; what a live call has said is sealed at once instead.
 */
export class Traces {
  readonly #journal: Journal;
  readonly #host: Pick<TimeHost, 'alarm'> | undefined;
  readonly #limits: TraceLimits;
  readonly #past: Past;
  readonly #stow: Stow;
  readonly #traces = new Map<number, CallTrace>();
  /** In the order in which they ended. */
  readonly #ended = new OldestFirst<CallTrace>();
  /** Those with open entries, the longest first. */
  readonly #open = new OldestFirst<CallTrace>();
  /** The first call of each block of ids that was seen: what was before is history. */
  readonly #first = new Map<number, number>();
  readonly #stopListening: () => void;
  #openBytes = 0;
  #sealedBytes = 0;
  #seen = 0;
  #turn = 0;
  #cancelLook: (() => void) | undefined;

  constructor({ journal, host, limits, past, stow }: TracesDeps) {
    this.#journal = journal;
    this.#host = host;
    this.#limits = { ...TRACE_LIMITS, ...limits };
    this.#past = past ?? UNKNOWN_PAST;
    this.#stow = stow ?? stowNothing;
    this.#stopListening = journal.subscribeCalls((entry, callId) => this.#take(entry, callId));
  }

  /** The call's trace as it is now; `not_found` says why there is none. */
  read(callId: number): Result<Trace> {
    const trace = this.#traces.get(callId);
    if (trace === undefined) return this.#ofHistory(callId) ?? failure('not_found', this.#whyNone(callId));
    // What somebody has seen is not to be gone when the process is.
    if (this.#isStowed && trace.ended && trace.open.length > 0) this.#seal(trace, 'now');
    const entries = [...partsOf(trace.sealed).flatMap(unsealed), ...this.#openOf(trace)];
    if (entries.length === 0 && trace.count > 0) return failure('not_found', this.#whyNone(callId));
    const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
    return success({
      callId,
      customerId: trace.customerId,
      entries: [...bySeq.values()].sort((one, other) => one.seq - other.seq),
      leftOut: trace.leftOut,
      ended: trace.ended,
    });
  }

  /** The call with a dialog of that SIP Call-ID, among those whose traces are kept beyond the process; of several, where it ended. */
  callOfDialog(dialog: string): number | undefined {
    let callId: number | undefined;
    for (const trace of this.#ended) if (trace.dialogs.includes(dialog)) callId = trace.callId;
    return callId;
  }

  /** What is kept now. */
  get stats(): { readonly calls: number; readonly openBytes: number; readonly sealedBytes: number } {
    return { calls: this.#traces.size, openBytes: this.#openBytes, sealedBytes: this.#sealedBytes };
  }

  state(): TracesState {
    if (this.#isStowed) for (const trace of [...this.#ended]) if (trace.open.length > 0) this.#seal(trace);
    const ended = [...this.#ended].map((trace) => ({ ...trace, open: [...trace.open] }));
    return { ended, first: [...this.#first] };
  }

  /** Keeps what was kept then, and nothing else. */
  restore({ ended, first }: TracesState): void {
    for (const trace of [...this.#traces.values()]) this.#drop(trace);
    this.#first.clear();
    for (const [block, callId] of first) this.#first.set(block, callId);
    for (const was of ended) {
      const trace: CallTrace = { ...was, open: [...was.open], ended: true };
      this.#turn = Math.max(this.#turn, trace.turn);
      this.#traces.set(trace.callId, trace);
      this.#ended.add(trace);
      if (trace.open.length > 0) this.#open.add(trace);
      this.#openBytes += trace.openBytes;
      this.#sealedBytes += trace.sealedBytes;
    }
    if (this.#open.size > 0 && this.#cancelLook === undefined) this.#lookIn(LOOK_MS);
  }

  /** Of what is not sealed yet as much as there is time for, before the simulator closes. */
  sealRest(): void {
    if (!this.#isStowed) return;
    let bytes = 0;
    for (const trace of [...this.#ended].reverse()) {
      if (trace.open.length === 0) continue;
      bytes += trace.openBytes;
      if (bytes > SEALED_AT_CLOSE_BYTES) return;
      this.#seal(trace, 'now');
    }
  }

  /** An account is gone, and what was said in its calls. */
  forgetCustomer(customerId: number): void {
    for (const trace of [...this.#traces.values()]) if (trace.customerId === customerId) this.#forget(trace);
  }

  close(): void {
    this.#stopListening();
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  /** On the path of calls: as little as can be. */
  #take(entry: JournalEntry, callId: number): void {
    const trace = this.#traces.get(callId) ?? this.#opened(entry, callId);
    if (trace === undefined) return;
    if (entry.kind === 'call.closed') this.#end(trace);
    if (trace.count >= this.#limits.entriesPerCall) {
      trace.leftOut += 1;
      if (entry.kind === 'call.closed' && trace.open.length === 0) this.#keep(trace, 'later');
      return;
    }
    const bytes = sizeOf(entry);
    if (trace.open.length === 0) this.#open.add(trace);
    trace.open.push(entry);
    trace.openBytes += bytes;
    trace.count += 1;
    trace.newest = this.#journal.last;
    this.#openBytes += bytes;
    if (this.#openBytes > this.#limits.openBytes) this.#makeRoom();
    if (this.#cancelLook === undefined) this.#lookIn(LOOK_MS);
  }

  /** Only its first entry opens a trace: what comes late for a forgotten call does not bring it back. */
  #opened(entry: JournalEntry, callId: number): CallTrace | undefined {
    if (entry.kind !== 'call.opened') return undefined;
    const trace = newTrace(callId, entry.customerId);
    this.#traces.set(callId, trace);
    const block = Math.floor(callId / ID_BLOCK);
    if (!this.#first.has(block)) this.#first.set(block, callId);
    return trace;
  }

  #end(trace: CallTrace): void {
    trace.ended = true;
    this.#turn += 1;
    trace.turn = this.#turn;
    this.#ended.add(trace);
    if (this.#ended.size > this.#limits.calls) this.#forgetOldest();
  }

  #makeRoom(): void {
    const { oldest: longest } = this.#open;
    if (longest === undefined) return;
    if (longest.ended) this.#forget(longest);
    else this.#seal(longest);
  }

  #forgetOldest(): void {
    const { oldest } = this.#ended;
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(trace: CallTrace): void {
    this.#drop(trace);
    if (trace.ended && trace.sealed.count > 0)
      this.#stow(TRACES, trace.customerId ?? 0, trace.callId, undefined, 'later');
  }

  #drop(trace: CallTrace): void {
    this.#traces.delete(trace.callId);
    this.#ended.delete(trace);
    this.#open.delete(trace);
    this.#openBytes -= trace.openBytes;
    this.#sealedBytes -= trace.sealedBytes;
  }

  #seal(trace: CallTrace, when: 'now' | 'later' = 'later'): void {
    const entries = this.#openOf(trace);
    const bytes = sealed(entries);
    trace.sealed = bulkOf([...partsOf(trace.sealed), bytes]);
    if (this.#isStowed)
      trace.dialogs = [...new Set([...trace.dialogs, ...dialogsIn(entries)])].slice(0, DIALOGS_AT_MOST);
    trace.sealedBytes += bytes.length;
    this.#sealedBytes += bytes.length;
    this.#openBytes -= trace.openBytes;
    trace.open = [];
    trace.openBytes = 0;
    this.#open.delete(trace);
    if (trace.ended) this.#keep(trace, when);
    while (this.#sealedBytes > this.#limits.sealedBytes && this.#ended.size > 0) this.#forgetOldest();
  }

  #keep(trace: CallTrace, when: 'now' | 'later'): void {
    const { sealed: bulk } = trace;
    const onKept = (kept: Bulk): void => {
      if (trace.sealed === bulk) trace.sealed = kept;
    };
    this.#stow(TRACES, trace.customerId ?? 0, trace.callId, { ...loadOfTrace(trace), onKept }, when);
  }

  get #isStowed(): boolean {
    return this.#stow !== stowNothing;
  }

  #lookIn(ms: number): void {
    this.#cancelLook = this.#host?.alarm(ms, () => {
      this.#cancelLook = undefined;
      const isFinished = this.#sealWhatRests(ms);
      if (this.#open.size > 0) this.#lookIn(isFinished ? LOOK_MS : PAUSE_MS);
    });
  }

  /** Seals a batch of the traces to which nothing was added since the last look. False when there may be more of them. */
  #sealWhatRests(sinceMs: number): boolean {
    const before = this.#seen;
    this.#seen = this.#journal.last;
    if (this.#seen - before > sinceMs * QUIET_ENTRIES_PER_MS) return true;
    let looked = 0;
    let done = 0;
    for (const trace of this.#open) {
      looked += 1;
      if (trace.newest <= before) {
        this.#seal(trace);
        done += 1;
      }
      if (done === BATCH || looked === LOOKED_AT) return false;
    }
    return true;
  }

  /** What is not sealed yet, as it is to be read and written. */
  #openOf({ open, shift }: CallTrace): readonly JournalEntry[] {
    return shifted(this.#withRequests(open), shift);
  }

  /** The entries, and the requests that brought them about where those are not filed under the call. */
  #withRequests(entries: readonly JournalEntry[]): JournalEntry[] {
    const requests = new Map<number, JournalEntry>();
    for (const { cause } of entries) {
      let seq = cause;
      for (let steps = 0; seq !== null && steps < CAUSES_FOLLOWED; steps += 1) {
        const entry = this.#journal.get(seq);
        if (entry === undefined || entry.callId !== null) break;
        if (REQUESTS.has(entry.kind)) requests.set(entry.seq, entry);
        seq = entry.cause;
      }
    }
    return [...requests.values(), ...entries];
  }

  /** A call that was seen and is forgotten is not made up again. */
  #ofHistory(callId: number): Result<Trace> | undefined {
    return this.#isHistory(callId) ? this.#past.read(callId) : undefined;
  }

  #isHistory(callId: number): boolean {
    const first = this.#first.get(Math.floor(callId / ID_BLOCK));
    return first === undefined || callId < first;
  }

  #whyNone(callId: number): string {
    if (!this.#past.has(callId))
      return `There is no call ${callId}: none in progress has that id, and no record of a call that has ended.`;
    if (this.#isHistory(callId))
      return 'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.';
    return `The trace of this call is not kept: the simulator keeps those of the last ${this.#limits.calls} calls, as long as there is room, and none of a call in which it was killed.`;
  }
}

function sizeOf({ data }: JournalEntry): number {
  return typeof data.toJSON === 'function' && typeof data.size === 'number' ? data.size : USUAL_ENTRY_BYTES;
}
