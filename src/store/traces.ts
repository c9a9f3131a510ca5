// The trace of each call: its journal entries, kept from its first message on, late ones too. Knows no kind of entry but
// those that begin and end a call, and nothing of who reads traces.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TimeHost } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { ID_BLOCK } from '../kernel/ids.ts';
import { dataOf, type Journal, type JournalEntry } from '../kernel/journal.ts';
import { OldestFirst } from './oldest-first.ts';

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
/** A chain of causes is followed this far to the request at its head. */
const CAUSES_FOLLOWED = 16;
const REQUESTS: ReadonlySet<string> = new Set(['rest.request', 'control.request']);

interface CallTrace {
  readonly callId: number;
  readonly customerId: number | null;
  /** Not sealed yet. Filed late ones stand behind later ones. */
  open: JournalEntry[];
  openBytes: number;
  /** Compressed, in parts: what came after sealing is sealed apart. */
  readonly sealed: Uint8Array[];
  sealedBytes: number;
  count: number;
  leftOut: number;
  ended: boolean;
  /** `seq` of the newest entry. */
  newest: number;
}

/** The traces of the calls that have ended, for snapshots. */
export interface TracesState {
  readonly ended: readonly EndedTrace[];
  readonly first: ReadonlyArray<readonly [block: number, callId: number]>;
}

type EndedTrace = Readonly<Omit<CallTrace, 'ended'>>;

export interface TracesDeps {
  readonly journal: Journal;
  /** Real time, to seal in when nothing else goes on. Without one traces are sealed only when room is short. */
  readonly host?: Pick<TimeHost, 'alarm'>;
  readonly limits?: Partial<TraceLimits>;
  /** Makes the trace of a call that is of the history which the simulator started with; undefined when there was no such call. */
  readonly revive?: Revive;
}

export type Revive = (callId: number) => Result<Trace> | undefined;

/**
 * Entries are only held while calls need the processor, and sealed (written out, compressed) when it is idle. When room
 * is short, the calls that ended first are forgotten; what a live call has said is sealed at once instead.
 */
export class Traces {
  readonly #journal: Journal;
  readonly #host: Pick<TimeHost, 'alarm'> | undefined;
  readonly #limits: TraceLimits;
  readonly #revive: Revive;
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
  #cancelLook: (() => void) | undefined;

  constructor({ journal, host, limits, revive }: TracesDeps) {
    this.#journal = journal;
    this.#host = host;
    this.#limits = { ...TRACE_LIMITS, ...limits };
    this.#revive = revive ?? (() => undefined);
    this.#stopListening = journal.subscribeCalls((entry, callId) => this.#take(entry, callId));
  }

  /** The call's trace as it is now; `not_found` says why there is none. */
  read(callId: number): Result<Trace> {
    const trace = this.#traces.get(callId);
    if (trace === undefined) return this.#ofHistory(callId) ?? failure('not_found', this.#whyNone(callId));
    const entries = [...trace.sealed.flatMap(unsealed), ...this.#withRequests(trace.open)];
    const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
    return success({
      callId,
      customerId: trace.customerId,
      entries: [...bySeq.values()].sort((one, other) => one.seq - other.seq),
      leftOut: trace.leftOut,
      ended: trace.ended,
    });
  }

  /** What is kept now. */
  get stats(): { readonly calls: number; readonly openBytes: number; readonly sealedBytes: number } {
    return { calls: this.#traces.size, openBytes: this.#openBytes, sealedBytes: this.#sealedBytes };
  }

  state(): TracesState {
    const ended = [...this.#ended].map((trace) => ({ ...trace, open: [...trace.open], sealed: [...trace.sealed] }));
    return { ended, first: [...this.#first] };
  }

  /** Keeps what was kept then, and nothing else. */
  restore({ ended, first }: TracesState): void {
    for (const trace of [...this.#traces.values()]) this.#forget(trace);
    this.#first.clear();
    for (const [block, callId] of first) this.#first.set(block, callId);
    for (const was of ended) {
      const trace: CallTrace = { ...was, open: [...was.open], sealed: [...was.sealed], ended: true };
      this.#traces.set(trace.callId, trace);
      this.#ended.add(trace);
      if (trace.open.length > 0) this.#open.add(trace);
      this.#openBytes += trace.openBytes;
      this.#sealedBytes += trace.sealedBytes;
    }
    if (this.#open.size > 0 && this.#cancelLook === undefined) this.#lookIn(LOOK_MS);
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
    const { customerId } = entry;
    const trace: CallTrace = {
      callId,
      customerId,
      open: [],
      openBytes: 0,
      sealed: [],
      sealedBytes: 0,
      count: 0,
      leftOut: 0,
      ended: false,
      newest: 0,
    };
    this.#traces.set(callId, trace);
    const block = Math.floor(callId / ID_BLOCK);
    if (!this.#first.has(block)) this.#first.set(block, callId);
    return trace;
  }

  #end(trace: CallTrace): void {
    trace.ended = true;
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
    this.#traces.delete(trace.callId);
    this.#ended.delete(trace);
    this.#open.delete(trace);
    this.#openBytes -= trace.openBytes;
    this.#sealedBytes -= trace.sealedBytes;
  }

  #seal(trace: CallTrace): void {
    const bytes = sealed(this.#withRequests(trace.open));
    trace.sealed.push(bytes);
    trace.sealedBytes += bytes.length;
    this.#sealedBytes += bytes.length;
    this.#openBytes -= trace.openBytes;
    trace.open = [];
    trace.openBytes = 0;
    this.#open.delete(trace);
    while (this.#sealedBytes > this.#limits.sealedBytes && this.#ended.size > 0) this.#forgetOldest();
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
    return this.#isHistory(callId) ? this.#revive(callId) : undefined;
  }

  #isHistory(callId: number): boolean {
    const first = this.#first.get(Math.floor(callId / ID_BLOCK));
    return first === undefined || callId < first;
  }

  #whyNone(callId: number): string {
    if (this.#isHistory(callId))
      return 'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.';
    return `The trace of this call is not kept: traces are in memory alone, those of the last ${this.#limits.calls} calls since the start, as long as there is room.`;
  }
}

function sizeOf({ data }: JournalEntry): number {
  return typeof data.toJSON === 'function' && typeof data.size === 'number' ? data.size : USUAL_ENTRY_BYTES;
}

/** Copied, as what zlib gives is the beginning of 16 KiB that would be kept with it. */
function sealed(entries: readonly JournalEntry[]): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(entries.map((entry) => ({ ...entry, data: dataOf(entry) })))));
}

function unsealed(bytes: Uint8Array): JournalEntry[] {
  return JSON.parse(inflateRawSync(bytes).toString('utf8')) as JournalEntry[];
}
