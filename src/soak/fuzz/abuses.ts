// What no client does: half requests, wrong lengths, floods, bytes that are no HTTP, patience that nobody has. Each on a connection of its own.
import type { Random } from '../../kernel/random.ts';
import { Wire, type WireOutcome } from './wire.ts';

export interface AbuseStage {
  readonly port: number;
  readonly authorization: string;
  readonly random: Random;
}

/** How many requests were sent, and what came back to those that were to be answered. */
export interface AbuseResult {
  readonly sent: number;
  readonly outcomes: readonly WireOutcome[];
}

type Abuse = (wire: Wire, stage: AbuseStage) => Promise<AbuseResult>;

const ping = (authorization: string, more = ''): string =>
  `GET /v1.1/pbx/ping HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${more}\r\n`;
const post = (authorization: string, more: string): string =>
  `POST /v1.1/pbx/calllabels HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n${more}\r\n`;

/** Says something and hears one answer, or that the other side has had enough. */
const saying =
  (text: (stage: AbuseStage) => string | Buffer): Abuse =>
  async (wire, stage) => {
    wire.send(text(stage));
    wire.end();
    return { sent: 1, outcomes: [await wire.answer()] };
  };

/** Says something and goes. */
const leaving =
  (text: (stage: AbuseStage) => string | Buffer): Abuse =>
  async (wire, stage) => {
    wire.send(text(stage));
    await pause(stage.random.int(30));
    wire.cut();
    return { sent: 1, outcomes: [] };
  };

const lengths = ['-1', 'abc', '1e3', '0x10', '99999999999999999999', '5, 5', '', ' ', '+5', '5\r\nContent-Length: 6'];
const chunks = [
  'zz\r\nx\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFF\r\nx',
  '-1\r\nx\r\n0\r\n\r\n',
  '5\r\n{"na\r\n100\r\nme":"x"}',
  `5;${'e'.repeat(20_000)}\r\n{"na\r\n0\r\n\r\n`,
  '2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  '2\r\n{}X0\r\n\r\n',
  '0\r\n\r\n',
  '\r\n\r\n\r\n',
];
const openings = [
  '\r\n\r\n\r\nGET',
  'GET /v1.1/pbx/ping\r\n\r\n',
  'GET /v1.1/pbx/ping HTTP/0.9\r\n\r\n',
  'GET /v1.1/pbx/ping HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET  /v1.1/pbx/ping  HTTP/1.1\r\n\r\n',
  'GET /v1.1/pbx/ping\u0000 HTTP/1.1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\nHost: x\n\n',
  'INVITE sip:101@pbxsim.test SIP/2.0\r\nVia: SIP/2.0/TCP x\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `${'A'.repeat(300_000)} / HTTP/1.1\r\n\r\n`,
];

const abuses: readonly Abuse[] = [
  leaving(({ random, authorization }) => ping(authorization).slice(0, 1 + random.int(60))),
  leaving(({ authorization }) => `${post(authorization, 'Content-Length: 100\r\n')}{"name":`),
  leaving(({ authorization }) => ping(authorization)),
  leaving(({ authorization }) => ping(authorization).replace('/ping', '/cdrs?limit=5000')),
  saying(
    ({ authorization, random }) => `${post(authorization, `Content-Length: ${one(lengths, random)}\r\n`)}{"name":"x"}`,
  ),
  saying(({ authorization, random }) => post(authorization, 'Transfer-Encoding: chunked\r\n') + one(chunks, random)),
  saying(
    ({ authorization }) => `${post(authorization, 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n')}0\r\n\r\n`,
  ),
  saying(({ authorization }) =>
    ping(authorization, 'Transfer-Encoding: identity\r\n').replace('/ping', '/users/10000001/cdrs.csv'),
  ),
  saying(({ authorization }) => `${post(authorization, 'Transfer-Encoding: gzip, chunked\r\n')}0\r\n\r\n`),
  saying(
    ({ authorization }) => `${post(authorization, 'Content-Length: 12\r\n')}{"name":"x"}GET /smuggled HTTP/1.1\r\n\r\n`,
  ),
  saying(({ authorization }) =>
    ping(authorization, 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n'),
  ),
  saying(({ authorization }) => ping(authorization, `X: ${'f'.repeat(300_000)}\r\n`)),
  saying(({ authorization }) => ping(authorization, 'A: b\r\n'.repeat(20_000))),
  saying(({ random }) => one(openings, random)),
  saying(({ random }) => Buffer.from(Array.from({ length: 1 + random.int(400) }, () => random.int(256)))),
  saying(() => Buffer.from('16030100a5010000a10303', 'hex')),
  pipelined,
  hugeBody,
  slow,
  deaf,
];

/** Any of them. */
export async function abuse(stage: AbuseStage): Promise<AbuseResult> {
  const { random, port } = stage;
  const wire = await Wire.open(port);
  try {
    return await (abuses[random.int(abuses.length)] ?? pipelined)(wire, stage);
  } finally {
    wire.cut();
  }
}

/** Fifty requests before the first answer is read; all are answered, in order. */
async function pipelined(wire: Wire, { authorization }: AbuseStage): Promise<AbuseResult> {
  const sent = 50;
  wire.send(ping(authorization).repeat(sent));
  const outcomes: WireOutcome[] = [];
  for (let count = 0; count < sent; count += 1) outcomes.push(await wire.answer());
  return { sent, outcomes };
}

/** Larger than any body may be, by its length or as it comes. */
async function hugeBody(wire: Wire, { authorization, random }: AbuseStage): Promise<AbuseResult> {
  const megabyte = Buffer.alloc(1_048_576, 0x20);
  if (random.int(2) === 0) {
    wire.send(post(authorization, `Content-Length: ${2 * megabyte.length}\r\n`));
    wire.send(megabyte);
  } else {
    wire.send(post(authorization, 'Transfer-Encoding: chunked\r\n'));
    for (let count = 0; count < 2; count += 1)
      wire.send(Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]));
  }
  return { sent: 1, outcomes: [await wire.answer()] };
}

/** A byte now and then. */
async function slow(wire: Wire, { authorization, random }: AbuseStage): Promise<AbuseResult> {
  for (const sign of ping(authorization).slice(0, 10 + random.int(20))) {
    wire.send(sign);
    await pause(10);
  }
  return { sent: 1, outcomes: [] };
}

/** Asks for much and reads none of it. */
async function deaf(wire: Wire, { authorization }: AbuseStage): Promise<AbuseResult> {
  wire.stall();
  wire.send(ping(authorization).replace('/ping', '/cdrs?limit=5000').repeat(5));
  await pause(100);
  return { sent: 5, outcomes: [] };
}

function one(texts: readonly string[], random: Random): string {
  return texts[random.int(texts.length)] ?? '';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
