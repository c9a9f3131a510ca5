// What happened, as a test reads and awaits it. Knows no kind of entry but events, which have names.

import { follow } from '../control/follow.ts';
import { startOf } from '../control/operations/journal.ts';
import type { TimeHost } from '../kernel/clock.ts';
import { dataOf, type JournalData, type JournalEntry, type JournalQuery } from '../kernel/journal.ts';
import type { Simulator } from '../simulator.ts';
import { clockHint, type WaitOptions, waitUntil } from './waiting.ts';

/** One thing that happened. */
export interface Entry extends Omit<JournalEntry, 'data'> {
  readonly data: JournalData;
}

/** All that are given must be so. */
export interface EntryFilter {
  /** `event`, `call.state`, `sip.in`, `rest.request` and so on, or the part before a dot. */
  readonly kind?: string;
  /** The call's id in the API. */
  readonly callId?: number;
  readonly customerId?: number;
  /** Name of an event: `call.hangup`. Stands for kind `event`. */
  readonly event?: string;
  /** Entries after the one with this `seq`. Default: since the start, the last reset or the last restore. */
  readonly after?: number;
}

export type EntryWish = EntryFilter | ((entry: Entry) => boolean);

/** Near misses that a failed wait lists. */
const NEAR_MISSES = 5;

/** The one record of what happened: SIP messages, states, requests, events, webhooks, each with its cause. */
export class SimulatorJournal {
  readonly #simulator: Simulator;
  readonly #host: Pick<TimeHost, 'alarm' | 'defer'>;

  /** @internal */
  constructor(simulator: Simulator, host: Pick<TimeHost, 'alarm' | 'defer'>) {
    this.#simulator = simulator;
    this.#host = host;
  }

  /** `seq` of the newest entry: give it as `after` to see only what comes. */
  get last(): number {
    return this.#simulator.journal.last;
  }

  /** The kept entries that match, oldest first. */
  entries(filter: EntryFilter & { readonly limit?: number } = {}): Entry[] {
    const found = this.#simulator.journal.query(this.#queryOf(filter)).map(written).filter(fitOf(filter));
    return found.slice(0, filter.limit);
  }

  /** Calls `listener` with every entry from now on. The result ends it. */
  subscribe(listener: (entry: Entry) => void): () => void {
    return this.#simulator.journal.subscribe((entry) => listener(written(entry)));
  }

  /** See `PbxSimulator.waitFor`. */
  waitFor(wish: EntryWish, { timeoutMs }: WaitOptions = {}): Promise<Entry> {
    const filter = typeof wish === 'function' ? {} : wish;
    const fits = typeof wish === 'function' ? wish : fitOf(wish);
    const { journal } = this.#simulator;
    return waitUntil<Entry>({
      host: this.#host,
      timeoutMs,
      look: (found) => {
        const take = (entries: readonly JournalEntry[]): boolean => {
          const first = entries.map(written).find(fits);
          if (first !== undefined) found(first);
          return true;
        };
        const following = follow(journal, this.#host, this.#queryOf(filter), { take });
        return () => following.stop();
      },
      failure: (ms) => this.#nothingCame(wish, ms),
    });
  }

  #queryOf({ kind, callId, customerId, event, after }: EntryFilter): JournalQuery {
    const chosen = kind ?? (event === undefined ? undefined : 'event');
    return {
      after: after ?? startOf(this.#simulator.journal),
      ...(chosen === undefined ? {} : { kind: chosen }),
      ...(callId === undefined ? {} : { callId }),
      ...(customerId === undefined ? {} : { customerId }),
    };
  }

  #nothingCame(wish: EntryWish, timeoutMs: number): string {
    const wanted = typeof wish === 'function' ? 'entry that fits' : `entry with ${JSON.stringify(wish)}`;
    return `No ${wanted} within ${timeoutMs} ms. ${this.#nearest(wish)}${clockHint(this.#simulator.clock)}`;
  }

  /** The newest entries that differ in one thing only; without a filter the newest ones. */
  #nearest(wish: EntryWish): string {
    const { event, kind, callId, after } = typeof wish === 'function' ? {} : wish;
    const from = after === undefined ? {} : { after };
    const otherName =
      event === undefined ? [] : [{ ...from, kind: 'event', ...(callId === undefined ? {} : { callId }) }];
    const otherKind = callId === undefined ? [] : [{ ...from, callId }];
    const otherCall = kind === undefined && event === undefined ? [] : [{ ...from, kind: kind ?? 'event' }];
    for (const filter of [...otherName, ...otherKind, ...otherCall, from]) {
      const near = this.entries(filter).slice(-NEAR_MISSES);
      if (near.length > 0) return `Nearest: ${near.map(brief).join('; ')}.`;
    }
    return 'Nothing has happened.';
  }
}

function written(entry: JournalEntry): Entry {
  return { ...entry, data: dataOf(entry) };
}

function fitOf({ event }: EntryFilter): (entry: Entry) => boolean {
  return event === undefined ? () => true : ({ data }) => data.name === event;
}

function brief({ seq, kind, callId, data }: Entry): string {
  const what = ['name', 'state', 'to', 'method', 'operation'].map((member) => data[member]).find(isText);
  return [seq, kind, what, callId === null ? undefined : `of call ${callId}`]
    .filter((word) => word !== undefined)
    .join(' ');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
