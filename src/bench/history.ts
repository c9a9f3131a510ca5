// A million call records: how long they take to load, what they weigh, how fast they are found and sent. Run alone:
// `node --expose-gc src/bench/history.ts [records]`.
import { PageWriter } from '../api/page-json.ts';
import type { Cdr } from '../contract/resources/history.ts';
import { utcText } from '../kernel/time.ts';
import { type CollectionQuery, type Page, parseQuery, runQuery } from '../store/query.ts';
import { createStore, type Store } from '../store/store.ts';
import { type ApiFigures, measure } from './api.ts';

export interface HistoryFigures {
  readonly records: number;
  readonly loadMs: number;
  /** Of the whole process, after all garbage is gone. */
  readonly rssBytes: number;
  /** Medians in ms, by what is asked. */
  readonly queries: Readonly<Record<QueryName, number>>;
  /** A page of 100 that nobody has read yet, as JSON, and the same again: medians in ms. */
  readonly freshPageMs: number;
  readonly keptPageMs: number;
  /** Between two turns of the event loop, the longest of all queries above; ms. */
  readonly longestMs: number;
}

type QueryName = 'live id' | 'user and day' | 'user and month' | 'page 5000' | 'newest first' | 'like' | 'like a time';

const FIRST_ID = 10_000_001;
const USERS = 100;
const CALLERS = 20_000;
const START_MS = Date.UTC(2025, 10, 21);
const YEAR_S = 365 * 86_400;
const ROUNDS = 15;

/** Call records of a year, oldest first; live ids and times a little out of order, as calls end when they like. */
export function* yearOfCalls(count: number): Iterable<Cdr> {
  for (let at = 0; at < count; at += 1) {
    const userId = FIRST_ID + ((at * 7_919) % USERS);
    const caller = (at * 31) % CALLERS;
    const number = `+4420794${String(caller).padStart(5, '0')}`;
    const talkS = at % 4 === 0 ? 0 : 5 + ((at * 17) % 900);
    const liveId = FIRST_ID + (at ^ 1);
    const startedS = Math.floor((at / count) * YEAR_S) - ((at * 13) % 120);
    yield {
      id: FIRST_ID + at,
      duration: talkS + 9,
      live_id: liveId,
      parent_live_id: 0,
      user_id: userId,
      sip_endpoint_id: userId,
      server_id: 1,
      type: talkS > 0 ? 'I' : 'M',
      calldate: utcText(START_MS + startedS * 1000),
      clid: `"Caller ${caller}" <${number}>`,
      src_id: '',
      src_name: `Caller ${caller}`,
      src: number,
      src_ua: 'pbxsim-carrier',
      src_codec: 'PCMU',
      dst_id: String(userId),
      dst: String(101 + (userId % USERS)),
      dst_name: `User ${userId % USERS}`,
      dst_ua: 'pbxsim-phone',
      dst_codec: 'PCMU',
      billsec: talkS,
      disposition: talkS > 0 ? 'CONNECTED' : 'RINGING',
      destination: 'in',
      context: 'PSTN_CALL',
      rate: 0.02,
      charge: Math.round((0.02 * talkS * 10_000) / 60) / 10_000,
      t_cause: talkS > 0 ? 'Normal clearing' : 'No answer',
      info: '',
      call_id: liveId,
    };
  }
}

/** What each query asks in its nth round: always something new. */
const asked: Readonly<Record<QueryName, (round: number) => Record<string, string>>> = {
  'live id': (round) => filter(['live_id', 'eq', FIRST_ID + 480_000 + round * 777]),
  'user and day': (round) =>
    filter(user(round), ['calldate', 'gte', dayIn('03', round)], ['calldate', 'lt', dayIn('03', round + 1)]),
  'user and month': (round) => filter(user(round), ['calldate', 'gte', '2026-03-01'], ['calldate', 'lt', '2026-04-01']),
  'page 5000': (round) => ({ page: String(5_000 + round * 3), limit: '100' }),
  'newest first': (round) => ({ sort: '-calldate', page: String(1 + round) }),
  like: (round) => filter(['clid', 'like', `caller ${190 + round}`]),
  'like a time': (round) => filter(['calldate', 'like', `${dayIn('04', round)}`]),
};

/** Page 5000 over HTTP, against a bare server that sends the same bytes. */
export function historyOverHttp(records = 1_000_000): Promise<ApiFigures> {
  const route = { route: 'page 5000', method: 'GET', path: () => '/cdrs?limit=100&page=5000' } as const;
  return measure(route, 300, ({ store }) => {
    store.cdrs.clear(1);
    store.cdrs.load(1, yearOfCalls(records));
  });
}

export function historyFigures(records = 1_000_000): HistoryFigures {
  const store = createStore();
  const start = performance.now();
  store.cdrs.load(1, yearOfCalls(records));
  const loadMs = performance.now() - start;
  globalThis.gc?.();
  const rssBytes = process.memoryUsage().rss;
  let longestMs = 0;
  const queries = Object.entries(asked).map(([name, parameters]) => {
    const times = Array.from({ length: ROUNDS }, (_, round) => msOf(() => ask(store, parameters(round))));
    longestMs = Math.max(longestMs, ...times);
    return [name, median(times)];
  });
  const writer = new PageWriter();
  const fresh: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const page = () => writer.write(ask(store, { page: String(2_000 + round * 2), limit: '100' }));
    fresh.push(msOf(page));
    kept.push(msOf(page));
  }
  return {
    records,
    loadMs,
    rssBytes,
    queries: Object.fromEntries(queries) as HistoryFigures['queries'],
    freshPageMs: median(fresh),
    keptPageMs: median(kept),
    longestMs,
  };
}

function ask(store: Store, parameters: Record<string, string>): Page<Cdr> {
  const query = parseQuery('cdrs', new URLSearchParams(parameters));
  if (!query.ok) throw new Error(query.failure.details.join());
  const page = runQuery(store.cdrs.source(1), query.value satisfies CollectionQuery);
  if (page.total === 0) throw new Error(`nothing was found by ${JSON.stringify(parameters)}`);
  return page;
}

function filter(...conditions: ReadonlyArray<readonly [property: string, operator: string, value: unknown]>) {
  return {
    filter: JSON.stringify(conditions.map(([property, operator, value]) => ({ property, operator, value }))),
  };
}

function user(round: number): readonly [string, string, number] {
  return ['user_id', 'eq', FIRST_ID + round];
}

function dayIn(month: string, round: number): string {
  return `2026-${month}-${String(1 + round).padStart(2, '0')}`;
}

function msOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) console.log(historyFigures(Number(process.argv[2] ?? 1_000_000)));
