// Every bench by name, and what of its figures goes into the table.
import { apiThroughput } from './api.ts';
import { businessDay } from './business-day.ts';
import { callMemory } from './call-memory.ts';
import { conformRuns } from './conform-runs.ts';
import { exchangeCalls } from './exchange-calls.ts';
import { type HistoryFigures, historyFigures, historyOverHttp } from './history.ts';
import { inProcess } from './in-process.ts';
import { keptWrites } from './kept-writes.ts';
import { placedCalls } from './placed-calls.ts';
import { atLeast, atMost, type Row, ratioAtLeast } from './row.ts';
import { scenarioRuns, scenariosAtScale } from './scenario-runs.ts';
import { sipCalls } from './sip-calls.ts';
import { sipParse } from './sip-parse.ts';
import { sippCalls } from './sipp-calls.ts';
import { startUp } from './start-up.ts';
import { webhookDeliveries } from './webhooks.ts';

export const benches: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  parse,
  exchange,
  sipp,
  memory,
  day,
  api,
  history,
  calls: placed,
  kept,
  webhooks,
  start,
  library,
  scenarios,
  conform,
};

function parse(): Row[] {
  const figures = sipParse(6, 30_000);
  const unit = 'messages/s';
  return [
    { what: 'INVITE parsed', value: figures.parsedPerSecond, unit, aim: atLeast(250_000) },
    { what: 'INVITE parsed and validated', value: figures.parsedAndValidatedPerSecond, unit },
    { what: 'INVITE written', value: figures.serialisedPerSecond, unit },
  ];
}

const ROUNDS = 3;
const CALLS = 3_000;

/** The best of some rounds, the exchange and its peer in turn. */
function exchange(): Row[] {
  const warmUp = { calls: 1_000 };
  exchangeCalls(warmUp);
  sipCalls(warmUp);
  const unit = 'calls/s';
  let failed = 0;
  const best = { exchange: 0, direct: 0, lossy: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = exchangeCalls({ calls: CALLS });
    const lossy = exchangeCalls({ calls: CALLS, reliable: false });
    const direct = sipCalls({ calls: CALLS * 2 });
    failed += ours.failed + lossy.failed + direct.failed;
    best.exchange = Math.max(best.exchange, ours.callsPerSecond);
    best.lossy = Math.max(best.lossy, lossy.callsPerSecond);
    best.direct = Math.max(best.direct, direct.callsPerSecond);
  }
  const ratio = { value: best.exchange / best.direct, peer: 'two phones alone' };
  return [
    { what: 'calls through the exchange', value: best.exchange, unit, ratio, aim: atLeast(1_000) },
    { what: 'the same with every timer of UDP', value: best.lossy, unit, aim: atLeast(1_000) },
    { what: 'two phones alone, no exchange', value: best.direct, unit },
    { what: 'calls that failed', value: failed, unit: 'calls', aim: atMost(0) },
  ];
}

/** Few steps, so that the whole run stays short; alone it tries more. */
async function sipp(): Promise<Row[]> {
  const { exchange, direct, ratio } = await sippCalls({
    exchangeRates: [500, 1_000, 1_300, 1_600, 2_000, 2_500, 3_000, 4_000],
    directRates: [2_000, 3_000, 4_000, 5_000, 6_000],
  });
  const unit = 'calls/s';
  const peer = 'the SIPp pair alone';
  return [
    {
      what: 'SIPp on both sides over UDP',
      value: exchange.callsPerSecond,
      unit,
      ratio: { value: ratio, peer },
      aim: atLeast(4_000),
    },
    { what: 'the SIPp pair alone', value: direct.callsPerSecond, unit },
  ];
}

const HELD_CALLS = 10_000;
const DAY = { calls: 100_000, users: 200 };

/** Each call is of some kind or other: queues, groups and menus make several live calls of one. */
function day(): Row[] {
  const { calls, seconds, cpuSeconds, callsPerSecond, cdrs, sipMessages, rssMiB, left } = businessDay(DAY);
  return [
    { what: `a business day of ${calls.toLocaleString('en')} calls`, value: seconds, unit: 's', aim: atMost(60) },
    { what: 'the same, processor time', value: cpuSeconds, unit: 's' },
    { what: 'calls of all kinds', value: callsPerSecond, unit: 'calls/s' },
    { what: 'SIP messages at the exchange', value: sipMessages / seconds, unit: 'messages/s' },
    { what: 'records that they left', value: cdrs, unit: 'CDRs' },
    { what: 'the process, at its most', value: rssMiB, unit: 'MiB RSS', aim: atMost(1024) },
    { what: 'calls and transactions left', value: left, unit: '', aim: atMost(0) },
  ];
}

function memory(): Row[] {
  const { calls, wholeBytes, phonesBytes, exchangeBytes } = callMemory(HELD_CALLS);
  const kib = (bytes: number): number => bytes / 1024;
  const ratio = { value: exchangeBytes / phonesBytes, peer: 'two phones alone' };
  const unit = 'KiB';
  return [
    { what: `a live call of ${calls}, exchange alone`, value: kib(exchangeBytes), unit, ratio, aim: atMost(20) },
    { what: 'the same with both its phones', value: kib(wholeBytes), unit },
  ];
}

async function api(): Promise<Row[]> {
  const figures = await apiThroughput(2_500);
  return figures.map(({ route, perSecond, ratio }) => ({
    what: route,
    value: perSecond,
    unit: 'requests/s',
    ratio: { value: ratio, peer: 'bare node:http' },
    ...(route.startsWith('GET one') ? { aim: ratioAtLeast(0.6) } : {}),
  }));
}

async function history(): Promise<Row[]> {
  const figures = historyFigures();
  const { loadMs, rssBytes, freshPageMs, keptPageMs } = figures;
  const found = (what: string, name: keyof HistoryFigures['queries'], aim: number): Row => ({
    what,
    value: figures.queries[name],
    unit: 'ms',
    aim: atMost(aim),
  });
  const { perSecond, ratio } = await historyOverHttp();
  return [
    { what: 'a million CDRs loaded', value: loadMs / 1000, unit: 's', aim: atMost(15) },
    { what: 'the process that holds them', value: rssBytes / 1024 / 1024, unit: 'MiB RSS', aim: atMost(1.2 * 1024) },
    found('found by live id', 'live id', 1),
    found('found by user and day', 'user and day', 1),
    found('found by user and month', 'user and month', 1),
    found('page 5000 of 100', 'page 5000', 1),
    found('sorted by time, newest first', 'newest first', 1),
    found('like on texts', 'like', 200),
    { what: 'JSON of 100, never read before', value: freshPageMs, unit: 'ms' },
    { what: 'JSON of 100, read before', value: keptPageMs, unit: 'ms' },
    {
      what: 'GET a page of 100 of a million',
      value: perSecond,
      unit: 'requests/s',
      ratio: { value: ratio, peer: 'bare node:http' },
      aim: ratioAtLeast(0.3),
    },
  ];
}

async function placed(): Promise<Row[]> {
  const { perSecond, ratio, answered } = await placedCalls();
  const peer = 'bare node:http';
  return [
    { what: 'POST /calls, each call carried', value: perSecond, unit: 'requests/s', ratio: { value: ratio, peer } },
    { what: 'of these answered by the number', value: answered * 100, unit: '%', aim: atLeast(100) },
  ];
}

/** Ratios are of processor time: what else runs on the machine does not count. */
async function kept(): Promise<Row[]> {
  const { writes, reads } = await keptWrites();
  return Object.entries({ 'POST /calllabels': writes, 'GET one call label': reads }).map(([what, figures]) => ({
    what: `${what}, state in a file`,
    value: figures.kept.perSecond,
    unit: 'requests/s',
    ratio: { value: figures.memory.cpuUs / figures.kept.cpuUs, peer: 'memory alone' },
    aim: ratioAtLeast(figures === writes ? 0.6 : 0.9),
  }));
}

async function webhooks(): Promise<Row[]> {
  const { deliveredPerSecond, withoutNetworkPerSecond } = await webhookDeliveries(5_000, 3);
  const unit = 'deliveries/s';
  const ratio = { value: deliveredPerSecond / withoutNetworkPerSecond, peer: 'no network' };
  return [{ what: 'webhooks over HTTP', value: deliveredPerSecond, unit, ratio, aim: atLeast(20_000) }];
}

async function start(): Promise<Row[]> {
  const { readyMs, emptyMs } = await startUp();
  const ratio = { value: readyMs / emptyMs, peer: 'node -e 0' };
  // With the whole seed world: records of every kind and a year of history.
  return [{ what: 'from start to ready', value: readyMs, unit: 'ms', ratio, aim: atMost(400) }];
}

async function library(): Promise<Row[]> {
  const { firstMs, readyMs, resetMs, restoreMs, listenMs } = await inProcess();
  const unit = 'ms';
  const ratio = { value: readyMs / listenMs, peer: 'bare node:http' };
  return [
    { what: 'in process, from create to ready', value: readyMs, unit, ratio, aim: atMost(50) },
    { what: 'the first of a process', value: firstMs, unit, aim: atMost(50) },
    { what: 'reset after a call', value: resetMs, unit, aim: atMost(20) },
    { what: 'restored to a snapshot', value: restoreMs, unit },
  ];
}

/** What Dredd and Newman spend on a request: 9.5 and 11.5 ms, measured on two cores. A check is to take a twentieth of that. */
const OTHERS_MS = 10;

async function conform(): Promise<Row[]> {
  const { seconds, checks, msPerCheck, msPerRequest, bareMsPerRequest } = await conformRuns();
  const ratio = { value: msPerRequest / bareMsPerRequest, peer: 'the requests alone' };
  return [
    {
      what: `the complete judgement, ${checks.toLocaleString('en')} checks`,
      value: seconds,
      unit: 's',
      aim: atMost(10),
    },
    { what: 'one check', value: msPerCheck, unit: 'ms', aim: atMost(OTHERS_MS / 20) },
    { what: 'one request, judged', value: msPerRequest, unit: 'ms', ratio },
  ];
}

async function scenarios(): Promise<Row[]> {
  const { perSecond } = await scenarioRuns();
  const { many, events } = await scenariosAtScale();
  return [
    { what: 'scenarios, each on a fresh simulator', value: perSecond, unit: 'scenarios/s' },
    { what: 'without the start of the process', value: many.passed / many.seconds, unit: 'scenarios/s' },
    { what: `${many.passed} scenarios in one run`, value: many.seconds, unit: 's' },
    { what: 'the same, memory at its most', value: many.rssMiB, unit: 'MiB', aim: atMost(768) },
    { what: '5,000 events in one scenario', value: events.seconds, unit: 's' },
    { what: 'the same, after those', value: events.rssMiB, unit: 'MiB', aim: atMost(768) },
  ];
}
