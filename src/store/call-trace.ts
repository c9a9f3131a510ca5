// What is held of the trace of one call, and what of it is kept beyond the process. Knows no journal and no limit.
import { type Bulk, bulkOf, type Load } from '../kernel/bulk.ts';
import type { JournalEntry } from '../kernel/journal.ts';

export interface CallTrace {
  readonly callId: number;
  readonly customerId: number | null;
  /** Not sealed yet. Filed late ones stand behind later ones. */
  open: JournalEntry[];
  openBytes: number;
  /** Compressed, in parts: what came after sealing is sealed apart. They are in the file, if there is one, or here. */
  sealed: Bulk;
  sealedBytes: number;
  count: number;
  leftOut: number;
  ended: boolean;
  /** `seq` of the newest entry. */
  newest: number;
  /** What is added to each `seq` of now, because its first entries are of a process that is gone: 0 where there was none. */
  shift: number;
  /** The later its call ended, the greater. */
  turn: number;
  /** SIP Call-IDs of what is sealed; for traces that are kept beyond the process alone. */
  dialogs: readonly string[];
}

/** Where they are kept beyond the process: by call, of its customer. */
export const TRACES = 'traces';

/** What is known of a trace after every start. */
export type TraceFacts = Readonly<Pick<CallTrace, 'sealedBytes' | 'count' | 'leftOut' | 'turn' | 'dialogs'>> & {
  /** Its greatest `seq`. */
  readonly last: number;
};

/** One of a call that has ended. */
export type EndedTrace = Readonly<Omit<CallTrace, 'ended'>>;

export function newTrace(callId: number, customerId: number | null): CallTrace {
  const nothingOpen = { open: [], openBytes: 0, newest: 0 };
  const nothingSealed = { sealed: bulkOf([]), sealedBytes: 0, dialogs: [] };
  return {
    callId,
    customerId,
    ...nothingOpen,
    ...nothingSealed,
    count: 0,
    leftOut: 0,
    ended: false,
    shift: 0,
    turn: 0,
  };
}

/** What is kept of it beyond the process. */
export function loadOfTrace({ sealed: bulk, ...trace }: EndedTrace): Load {
  const { sealedBytes, count, leftOut, turn, dialogs, newest, shift } = trace;
  const facts: TraceFacts = { sealedBytes, count, leftOut, turn, dialogs, last: newest + shift };
  return { facts, bulk };
}

/** The trace of a call of a process that is gone: what comes late is numbered behind it. */
export function keptTrace(callId: number, customerId: number, facts: TraceFacts, bulk: Bulk): EndedTrace {
  const { last, ...rest } = facts;
  const nothingOpen = { open: [], openBytes: 0, newest: 0 };
  return {
    callId,
    customerId: customerId === 0 ? null : customerId,
    ...nothingOpen,
    ...rest,
    sealed: bulk,
    shift: last,
  };
}
