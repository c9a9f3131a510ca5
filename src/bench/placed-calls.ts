// How many calls a second POST /calls places on a whole simulator: API, exchange, phones, trunk and records, on a fast clock. Run alone: `node src/bench/placed-calls.ts [requests]`.
import { createServer } from 'node:http';
import { Simulator } from '../simulator.ts';
import { type Load, listen, rate } from './api.ts';

export interface PlacedCallsFigures {
  readonly perSecond: number;
  /** A bare server that sends the same status, headers and body. */
  readonly barePerSecond: number;
  readonly ratio: number;
  /** Of all calls that were placed, those whose record says that they were answered. */
  readonly answered: number;
}

/** The number answers after 2 s and hangs up 2 s later, so that each call ends by itself. */
const BODY = '{"to":"+442079460007"}';
const CONNECTIONS = 8;

export async function placedCalls(requests = 3_000): Promise<PlacedCallsFigures> {
  await using simulator = new Simulator({ clock: 'fast' });
  const url = new URL(await simulator.listenHttp(0));
  const [customer] = simulator.world.customers;
  const [user] = customer?.users ?? [];
  if (customer === undefined || user === undefined) throw new Error('the seed world has a user');
  const authorization = `Basic ${btoa(`${user.user_id}:${user.api_key}`)}`;
  const request = [
    'POST /v1.1/pbx/calls HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    '',
    BODY,
  ].join('\r\n');
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  const sample = await fetch(new URL('/v1.1/pbx/calls', url), { method: 'POST', headers, body: BODY });
  const bytes = Buffer.from(await sample.arrayBuffer());
  const skipped = new Set(['date', 'connection', 'keep-alive']);
  const lines = [...sample.headers].filter(([name]) => !skipped.has(name)).flat();
  const bare = await listen(createServer((_, response) => response.writeHead(sample.status, lines).end(bytes)));
  const load: Omit<Load, 'port'> = { request, requests, connections: CONNECTIONS };
  const before = cdrsOf(simulator, customer.customerId).length;
  const port = Number(url.port);
  await rate({ ...load, port, requests: Math.ceil(requests / 3) });
  const perSecond = await rate({ ...load, port });
  const barePerSecond = await rate({ ...load, port: bare.port });
  bare.server.close();
  const placed = cdrsOf(simulator, customer.customerId).slice(before);
  const answered = placed.filter(({ disposition }) => disposition === 'CONNECTED').length / placed.length;
  return { perSecond, barePerSecond, ratio: perSecond / barePerSecond, answered };
}

function cdrsOf(simulator: Simulator, customerId: number) {
  return [...simulator.world.store.cdrs.list(customerId)];
}

if (import.meta.main) {
  const { perSecond, ratio, answered } = await placedCalls(Number(process.argv[2] ?? 3_000));
  console.log(
    `POST /calls: ${Math.round(perSecond)}/s, ${ratio.toFixed(2)} of a bare server, ${(answered * 100).toFixed(1)} % answered`,
  );
}
