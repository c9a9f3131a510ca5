// A long history, asked over HTTP with filters, orders, groups and pages: every answer against one that comes from looking through all records.
import { Random } from '../../kernel/random.ts';
import { type Ready, ServerProcess } from '../fuzz/server-process.ts';
import { type PlainRecord, PlainRows } from './plain-rows.ts';
import { type Question, question } from './queries.ts';

export interface HistoryPlan {
  readonly records: number;
  readonly questions: number;
  readonly seed: number;
  /** It ends by then, whatever is left. */
  readonly withinMs: number;
}

export interface HistoryReport {
  readonly loadMs: number;
  readonly questions: number;
  readonly slowest: { readonly ms: number; readonly path: string };
  readonly rssBytes: number;
  readonly wrong: readonly string[];
}

/** As many records as a page can have. */
const PAGE = 5000;
const WRONG_TOLD = 10;

interface Page {
  readonly data: readonly PlainRecord[];
  readonly total: number;
}

export async function askHistory(plan: HistoryPlan): Promise<HistoryReport> {
  const from = performance.now();
  const server = new ServerProcess(plan.records);
  try {
    const ready = await server.ready();
    const loadMs = performance.now() - from;
    const ask = asking(ready);
    const { rows, wrong } = await readAll(ask, plan.records);
    const asked =
      wrong.length > 0 ? { questions: 0, slowest: { ms: 0, path: '' }, wrong } : await questions(plan, rows, ask, from);
    const { rssBytes } = await server.weigh();
    return { loadMs, rssBytes, ...asked };
  } finally {
    await server.close();
  }
}

type Ask = (path: string) => Promise<Page>;

function asking({ url, users: [root] }: Ready): Ask {
  const Authorization = `Basic ${Buffer.from(`${root?.user_id}:${root?.api_key}`).toString('base64')}`;
  return async (path) => {
    const answer = await fetch(`${url}/v1.1/pbx${path}`, { headers: { Authorization } });
    if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`);
    const body = (await answer.json()) as {
      data: readonly PlainRecord[] | { items: readonly PlainRecord[]; total: number };
      total: number;
    };
    return 'items' in body.data
      ? { data: body.data.items, total: body.data.total }
      : { data: body.data, total: body.total };
  };
}

/** Page after page: all there, by rising ids, none twice. */
async function readAll(ask: Ask, records: number): Promise<{ rows: PlainRows; wrong: string[] }> {
  const rows = new PlainRows();
  const wrong: string[] = [];
  let last = 0;
  for (let page = 1; ; page += 1) {
    const { data, total } = await ask(`/cdrs?limit=${PAGE}&page=${page}`);
    if (total !== records) wrong.push(`page ${page} has the total ${total}`);
    for (const record of data) {
      if (Number(record.id) <= last) wrong.push(`page ${page}: ${record.id} comes after ${last}`);
      last = Number(record.id);
      rows.add(record);
    }
    if (data.length < PAGE || wrong.length > WRONG_TOLD) break;
  }
  if (rows.count !== records) wrong.push(`the pages have ${rows.count} records of ${records}`);
  return { rows, wrong };
}

async function questions(plan: HistoryPlan, rows: PlainRows, ask: Ask, from: number) {
  const random = new Random(plan.seed, 'history');
  const wrong: string[] = [];
  let slowest = { ms: 0, path: '' };
  let count = 0;
  for (; count < plan.questions && wrong.length < WRONG_TOLD && performance.now() - from < plan.withinMs; count += 1) {
    const { path, plain }: Question = question(rows, random);
    const expected = rows.answer(plain);
    const start = performance.now();
    const page = await ask(path);
    const ms = performance.now() - start;
    if (ms > slowest.ms) slowest = { ms, path };
    const found = page.data.map((record) => JSON.stringify(record)).join('\n');
    const right = expected.rows.map((row) => JSON.stringify(rows.record(row))).join('\n');
    if (page.total !== expected.total)
      wrong.push(`${decodeURIComponent(path)}: total ${page.total}, expected ${expected.total}`);
    else if (found !== right) wrong.push(`${decodeURIComponent(path)}: other records, or in another order`);
  }
  return { questions: count, slowest, wrong };
}
