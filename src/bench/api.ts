// How fast the whole API answers, against a bare node:http server that sends the same bytes. Run alone: `node src/bench/api.ts`.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createStage, keyOf, type Stage } from '../api/api.rig.ts';

export interface ApiFigures {
  readonly route: string;
  readonly bytes: number;
  readonly perSecond: number;
  /** A bare server that sends the same status, headers and body. */
  readonly barePerSecond: number;
  readonly ratio: number;
}

export interface Load {
  readonly port: number;
  /** A whole request as it goes over the wire. */
  readonly request: string;
  readonly requests: number;
  readonly connections: number;
}

export interface Case {
  readonly route: string;
  readonly method: 'GET' | 'POST';
  readonly path: (stage: Stage) => string;
  readonly body?: string;
}

const cases: readonly Case[] = [
  { route: 'GET one call', method: 'GET', path: (stage) => `/calls/${stage.exchange.liveCalls(1)[0]?.record.id}` },
  { route: 'GET one CDR', method: 'GET', path: (stage) => `/cdrs/${[...stage.store.cdrs.list(1)][0]?.id}` },
  { route: 'GET a page of 100 CDRs', method: 'GET', path: () => '/cdrs?limit=100' },
  { route: 'POST /calls', method: 'POST', path: () => '/calls', body: '{"to":"+442079460123"}' },
  {
    route: 'POST /contacts, validated',
    method: 'POST',
    path: () => '/contacts',
    body: JSON.stringify({
      ...{ type: 'contact', first_name: 'Ada', last_name: 'Marsh', company: 'Harbour', email: 'ada@harbour.example' },
      ...{ tel: '+442079460950', mobile: '+442079460951', notes: 'In the morning.', labels: ['a', 'b'], groups: [] },
    }),
  },
];

const ROUNDS = 8;
const CONNECTIONS = 16;

/** Each figure is the best of some rounds, the two servers in turn, so that a busy neighbour does not count. */
export async function apiThroughput(requests = 6000): Promise<ApiFigures[]> {
  const figures: ApiFigures[] = [];
  for (const one of cases) figures.push(await measure(one, one.route.includes('page') ? requests / 10 : requests));
  return figures;
}

/** `fill` puts records into the stage first. */
export async function measure(
  { route, method, path, body = '' }: Case,
  requests: number,
  fill: (stage: Stage) => void = fillCdrs,
): Promise<ApiFigures> {
  const stage = createStage();
  stage.exchange.add(1, [10_000_001], { src: '101', dst: '+442079460123', src_name: 'Somebody', clid: '"A" <101>' });
  fill(stage);
  const target = `/v1.1/pbx${path(stage)}`;
  const api = await listen(createServer(stage.api));
  const authorization = keyOf(stage.people.root);
  const sample = await fetch(`http://127.0.0.1:${api.port}${target}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    ...(body === '' ? {} : { body }),
  });
  const bytes = Buffer.from(await sample.arrayBuffer());
  const skipped = new Set(['date', 'connection', 'keep-alive']);
  const headers = [...sample.headers].filter(([name]) => !skipped.has(name)).flat();
  const bare = await listen(createServer((_, res) => res.writeHead(sample.status, headers).end(bytes)));
  const request = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${authorization}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');
  let perSecond = 0;
  let barePerSecond = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const load = { request, requests, connections: CONNECTIONS };
    barePerSecond = Math.max(barePerSecond, await rate({ ...load, port: bare.port }));
    perSecond = Math.max(perSecond, await rate({ ...load, port: api.port }));
  }
  api.server.close();
  bare.server.close();
  return { route, bytes: bytes.length, perSecond, barePerSecond, ratio: perSecond / barePerSecond };
}

function fillCdrs({ store }: Stage): void {
  const [sample] = store.cdrs.list(1);
  if (sample === undefined) return;
  for (let count = 0; count < 200; count += 1) store.cdrs.insert(1, { ...sample, id: store.cdrs.nextId(1) });
}

/** On loopback, at any free port. */
export function listen(server: Server): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}

/** Requests per second. The load comes from a thread of its own, so that the server has this one to itself. */
export function rate(load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve).once('error', reject);
  });
}

/** Keeps each connection busy with one request after the other; every answer must be as long as the first. */
async function drive({ port, request, requests, connections }: Load): Promise<number> {
  const bytes = Buffer.from(request);
  let left = requests;
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let seen = 0;
      let length = 0;
      const next = (): void => {
        left -= 1;
        if (left < 0) socket.end(resolve);
        else socket.write(bytes);
      };
      socket.setNoDelay(true).on('error', reject).on('connect', next);
      socket.on('data', (chunk) => {
        if (length === 0) length = wholeLength(chunk);
        seen += chunk.length;
        if (seen < length) return;
        seen = 0;
        length = 0;
        next();
      });
    });
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, run));
  return requests / ((performance.now() - start) / 1000);
}

function wholeLength(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n');
  const text = chunk.toString('latin1', 0, head);
  if (!/^HTTP\/1\.1 2\d\d /.test(text)) throw new Error(`the server answered ${text.slice(0, 40)}`);
  return head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
}

if (!isMainThread && parentPort !== null) parentPort.postMessage(await drive(workerData as Load));
else if (import.meta.main) {
  for (const { route, ratio, perSecond, barePerSecond } of await apiThroughput())
    console.log(
      `${route}: ${ratio.toFixed(2)} (${Math.round(perSecond)} against ${Math.round(barePerSecond)} per second)`,
    );
}
