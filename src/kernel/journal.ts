// The one append-only record of what happened. Traces, ladders and live views are readings of it, never bookkeeping of their own.
import type { Clock } from './clock.ts';

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JournalData = { readonly [key: string]: Json | undefined };

/** Data that is costly to write out and made only when somebody reads it. */
export interface LazyData {
  /** What it holds, in bytes; for those that bound what they keep. */
  readonly size?: number;
  toJSON(): JournalData;
}

export interface JournalEntry {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970 on the clock. */
  readonly at: number;
  /** Dotted, the layer first: `sip.in`, `sip.out`, `call.state`, `rest.request`, `event`, `webhook.attempt`. */
  readonly kind: string;
  readonly callId: number | null;
  readonly customerId: number | null;
  /** `seq` of the entry that brought this one about. */
  readonly cause: number | null;
  readonly data: JournalData | LazyData;
}

export interface EntryFacts {
  readonly callId?: number | null;
  readonly customerId?: number | null;
  /** Default: the cause that `within` has set. */
  readonly cause?: number | null;
  readonly data?: JournalData | LazyData;
}

export interface JournalQuery {
  /** Entries with a greater `seq`. */
  readonly after?: number;
  readonly limit?: number;
  readonly kind?: string;
  readonly callId?: number;
  readonly customerId?: number;
}

/** Told each entry that belongs to a call, once, as soon as that is known: not always in the order of `seq`. */
export type CallListener = (entry: JournalEntry, callId: number) => void;

const EMPTY: JournalData = {};

export class Journal {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #capacity: number;
  readonly #ring: JournalEntry[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  readonly #callListeners = new Set<CallListener>();
  #seq = 0;
  #cause: number | null = null;

  /** Keeps the last `capacity` entries; listeners see every one. */
  constructor(clock: Pick<Clock, 'now'>, capacity = 50_000) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  append(kind: string, facts: EntryFacts = {}): number {
    this.#seq += 1;
    const entry: JournalEntry = {
      seq: this.#seq,
      at: this.#clock.now(),
      kind,
      callId: facts.callId ?? null,
      customerId: facts.customerId ?? null,
      cause: facts.cause === undefined ? this.#cause : facts.cause,
      data: facts.data ?? EMPTY,
    };
    this.#ring[(this.#seq - 1) % this.#capacity] = entry;
    for (const listener of this.#listeners) listener(entry);
    if (entry.callId !== null) for (const listener of this.#callListeners) listener(entry, entry.callId);
    return entry.seq;
  }

  /** Files a kept entry under a call: what belongs to it may have come before it was known. */
  assign(seq: number, callId: number, customerId: number): void {
    const at = (seq - 1) % this.#capacity;
    const entry = this.#ring[at];
    if (entry?.seq !== seq) return;
    const filed = { ...entry, callId, customerId };
    this.#ring[at] = filed;
    if (entry.callId !== callId) for (const listener of this.#callListeners) listener(filed, callId);
  }

  /** The entry, while it is kept. */
  get(seq: number): JournalEntry | undefined {
    const entry = this.#ring[(seq - 1) % this.#capacity];
    return entry?.seq === seq ? entry : undefined;
  }

  /** `seq` of the newest entry; 0 when there is none. */
  get last(): number {
    return this.#seq;
  }

  /** `seq` of the oldest entry that is still kept. */
  get oldest(): number {
    return Math.max(1, this.#seq - this.#capacity + 1);
  }

  get cause(): number | null {
    return this.#cause;
  }

  /** Entries appended while `fn` runs name `seq` as their cause. */
  within<T>(seq: number | null, fn: () => T): T {
    const before = this.#cause;
    this.#cause = seq;
    try {
      return fn();
    } finally {
      this.#cause = before;
    }
  }

  /** From here to the end of the surrounding `within`, entries name `seq` as their cause. */
  follow(seq: number): void {
    this.#cause = seq;
  }

  /** The result ends the subscription. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Like `subscribe`, for the entries of calls alone and those filed late among them. */
  subscribeCalls(listener: CallListener): () => void {
    this.#callListeners.add(listener);
    return () => this.#callListeners.delete(listener);
  }

  /** The kept entries that match, oldest first. `kind` matches whole or as a prefix that ends at a dot. */
  query(query: JournalQuery = {}): JournalEntry[] {
    const found: JournalEntry[] = [];
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    for (let seq = Math.max(this.oldest, (query.after ?? 0) + 1); seq <= this.#seq && found.length < limit; seq += 1) {
      const entry = this.#ring[(seq - 1) % this.#capacity];
      if (entry !== undefined && matches(entry, query)) found.push(entry);
    }
    return found;
  }
}

/** What an entry says, written out. */
export function dataOf(entry: JournalEntry): JournalData {
  const { data } = entry;
  return typeof data.toJSON === 'function' ? data.toJSON() : (data as JournalData);
}

export function matches(entry: JournalEntry, query: JournalQuery): boolean {
  if (query.after !== undefined && entry.seq <= query.after) return false;
  if (query.kind !== undefined && entry.kind !== query.kind && !entry.kind.startsWith(`${query.kind}.`)) return false;
  if (query.callId !== undefined && entry.callId !== query.callId) return false;
  return query.customerId === undefined || entry.customerId === query.customerId;
}
