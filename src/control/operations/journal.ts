// The journal over HTTP: pages, the stream of server-sent events, and waiting for an entry. Knows no kind of entry.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { array, integer, record, string, word } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import type { Journal, JournalEntry, JournalQuery } from '../../kernel/journal.ts';
import { entryView } from '../../kernel/journal-view.ts';
import { parseDuration } from '../../kernel/time.ts';
import { canonical } from '../canonical.ts';
import type { ControlDeps } from '../deps.ts';
import { follow } from '../follow.ts';
import { type ControlRow, type Input, type Outcome, row, TIMED_OUT } from '../row.ts';
import { query, shape } from '../shapes.ts';

export const PAGE_DEFAULT = 1000;
export const PAGE_MAX = 10_000;

/** How long a wait lasts when it does not say, and at most: ms of real time. */
export const WAIT_DEFAULT_MS = 10_000;
export const WAIT_MAX_MS = 600_000;

/** Streams, and waits, that are open at once. */
export const STREAMS_MAX = 100;
export const WAITS_MAX = 1000;

/** What the simulator notes when it has been reset, or has gone back to a snapshot. */
const ANEW_KINDS = ['control.reset', 'control.restore'];

/** A stream says this often that it is alive, ms of real time. */
const HEARTBEAT_MS = 15_000;

const filter = {
  after: integer({ minimum: 0, description: 'seq of the last entry already seen; default: the last reset or restore' }),
  kind: string({ description: 'a kind, or the part of it before a dot' }),
  call_id: integer(),
  customer_id: integer(),
};
type Filter = { after?: number; kind?: string; call_id?: number; customer_id?: number };

const FilterQuery = query(filter);
const open = { streams: new WeakMap<object, number>(), waits: new WeakMap<object, number>() };

export const journalRows: readonly ControlRow[] = [
  row({
    id: 'listJournal',
    method: 'GET',
    path: '/journal',
    summary: 'A page of what happened, oldest first; total counts what is kept after the cursor.',
    query: query({ ...filter, limit: integer({ minimum: 1, maximum: PAGE_MAX }), form: word(['canonical']) }),
    success: 200,
    answer: record({ data: array(shape('JournalEntry')), total: integer(), last: integer(), oldest: integer() }),
    errors: [400],
    handle: ({ query }, { journal }) => {
      const found = journal.query(wishOf(query, journal));
      const page = found.slice(0, query.limit ?? PAGE_DEFAULT);
      const data = query.form === 'canonical' ? canonical(page) : page.map(entryView);
      return success({ data, total: found.length, last: journal.last, oldest: journal.oldest });
    },
  }),
  {
    ...row({
      id: 'streamJournal',
      method: 'GET',
      path: '/journal/stream',
      summary: 'The journal as server-sent events, from after (or Last-Event-ID) on; without either from now on.',
      query: FilterQuery,
      success: 200,
      errors: [400, 409],
      handle: (_input, { journal }) => enter(open.streams, journal, STREAMS_MAX, 'streams'),
    }),
    stream,
  },
  row({
    id: 'wait',
    method: 'GET',
    path: '/wait',
    summary: 'The first entry after the cursor that matches, as soon as there is one; 408 when there is none in time.',
    query: query({ ...filter, timeout: string({ description: 'real time: 500ms, 10s, or a number of ms' }) }),
    success: 200,
    answer: shape('JournalEntry'),
    errors: [400, 408, 409],
    handle: (input, deps) => wait(input, deps),
  }),
];

function wait({ query, onGone }: Input<Filter & { timeout?: string }>, deps: ControlDeps): Outcome | Promise<Outcome> {
  const timeoutMs = timeoutOf(query.timeout);
  if (timeoutMs === undefined) {
    return failure('invalid', 'The query is not valid.', [
      `timeout: expected a duration such as 500ms or 10s, or a number of ms, at most ${WAIT_MAX_MS / 60_000}m`,
    ]);
  }
  const room = enter(open.waits, deps.journal, WAITS_MAX, 'waits');
  if (!room.ok) return room;
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => {
      following.stop();
      cancel();
      leave(open.waits, deps.journal);
      resolve(outcome);
    };
    const cancel = deps.host.alarm(timeoutMs, () => end(TIMED_OUT));
    const following = follow(deps.journal, deps.host, wishOf(query, deps.journal), {
      take: ([first]) => {
        if (first !== undefined) end(success(entryView(first)));
        return false;
      },
    });
    onGone(() => end(TIMED_OUT));
  });
}

function stream(input: Input, request: IncomingMessage, response: ServerResponse, deps: ControlDeps): void {
  const { journal, host } = deps;
  const query = input.query as Filter;
  const lastSeen = Number(request.headers['last-event-id'] ?? Number.NaN);
  const after = Number.isInteger(lastSeen) && lastSeen >= 0 ? lastSeen : (query.after ?? journal.last);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(`: from ${after}\n\n`);
  const following = follow(
    journal,
    host,
    { ...wishOf(query, journal), after },
    {
      take: (entries) => response.write(entries.map(eventText).join('')),
      missed: (count) => response.write(`: ${count} entries are no longer kept\n\n`),
    },
  );
  let cancel = () => {};
  const beat = () => {
    response.write(': alive\n\n');
    cancel = host.alarm(HEARTBEAT_MS, beat);
  };
  cancel = host.alarm(HEARTBEAT_MS, beat);
  response.on('drain', () => following.resume());
  response.on('close', () => {
    cancel();
    following.stop();
    leave(open.streams, journal);
  });
}

function eventText(entry: JournalEntry): string {
  return `id: ${entry.seq}\ndata: ${JSON.stringify(entryView(entry))}\n\n`;
}

/**
 * Where reading starts without a cursor: at the last reset or restore. Ids begin anew there, and older entries would be of
 * other calls.
 */
export function startOf(journal: Journal): number {
  return Math.max(...ANEW_KINDS.map((kind) => journal.query({ kind }).at(-1)?.seq ?? 0));
}

function wishOf({ after, kind, call_id, customer_id }: Filter, journal: Journal): JournalQuery {
  return {
    after: after ?? startOf(journal),
    ...(kind === undefined ? {} : { kind }),
    ...(call_id === undefined ? {} : { callId: call_id }),
    ...(customer_id === undefined ? {} : { customerId: customer_id }),
  };
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return WAIT_DEFAULT_MS;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseDuration(text);
  return ms === undefined || ms < 0 || ms > WAIT_MAX_MS ? undefined : ms;
}

function enter(counts: WeakMap<object, number>, journal: object, limit: number, what: string): Result<void> {
  const count = counts.get(journal) ?? 0;
  if (count >= limit) return failure('conflict', `There are ${limit} ${what} open already.`);
  counts.set(journal, count + 1);
  return success(undefined);
}

function leave(counts: WeakMap<object, number>, journal: object): void {
  counts.set(journal, (counts.get(journal) ?? 1) - 1);
}
