// Reading the journal as it grows: a cursor that never misses an entry that is kept. Knows no HTTP.
import type { TimeHost } from '../kernel/clock.ts';
import type { Journal, JournalEntry, JournalQuery } from '../kernel/journal.ts';

/** Entries handed over at once. */
const BATCH = 200;

export interface Reader {
  /** Gets entries in order; false asks for a pause until `resume`. */
  readonly take: (entries: readonly JournalEntry[]) => boolean;
  /** The ring has moved on before these entries could be read: that many were lost. */
  readonly missed?: (count: number) => void;
}

export interface Following {
  resume(): void;
  stop(): void;
}

/**
 * Hands over every entry that matches, from `query.after` on and then as they come, never within the append itself but
 * on a later turn: by then an entry that was filed under its call a moment later has been filed.
 */
export function follow(
  journal: Journal,
  host: Pick<TimeHost, 'defer'>,
  query: JournalQuery,
  reader: Reader,
): Following {
  let cursor = query.after ?? 0;
  let asked = false;
  let paused = false;
  let stopped = false;
  const read = () => {
    asked = false;
    while (!stopped && !paused && cursor < journal.last) {
      if (journal.oldest > cursor + 1) {
        reader.missed?.(journal.oldest - cursor - 1);
        cursor = journal.oldest - 1;
      }
      const entries = journal.query({ ...query, after: cursor, limit: BATCH });
      const last = entries.at(-1);
      cursor = last === undefined || entries.length < BATCH ? journal.last : last.seq;
      if (entries.length > 0) paused = !reader.take(entries);
    }
  };
  const ask = () => {
    if (asked || stopped) return;
    asked = true;
    host.defer(read);
  };
  const unsubscribe = journal.subscribe(ask);
  ask();
  return {
    resume: () => {
      paused = false;
      ask();
    },
    stop: () => {
      stopped = true;
      unsubscribe();
    },
  };
}
