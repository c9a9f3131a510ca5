// How many webhook deliveries leave per second: domain events in, HTTP POSTs out to a receiver on loopback, each attempt
// journalled and logged. Run alone: `node src/bench/webhooks.ts`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import type { CallEvent, CallEventName } from '../pbx/events.ts';
import type { WebhookSender } from '../webhooks/sender.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { HttpsSender } from '../wires/https-out.ts';
import { systemTime } from '../wires/system-time.ts';

export interface WebhookFigures {
  /** To a receiver in another thread, over HTTP. */
  readonly deliveredPerSecond: number;
  /** To a sender that says 200 at once: what the queues, the journal and the log cost. */
  readonly withoutNetworkPerSecond: number;
}

const NAMES: readonly CallEventName[] = ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'];

/** The best of `rounds`, each of `calls` calls with four events. */
export async function webhookDeliveries(calls = 10_000, rounds = 3): Promise<WebhookFigures> {
  const receiver = await startReceiver();
  const overHttp = new HttpsSender({ allowLoopbackHttp: true });
  const atOnce: WebhookSender = {
    refusal: () => undefined,
    post: (_request, onOutcome) => onOutcome({ ok: true, status: 200, ms: 0 }),
  };
  const best = async (sender: WebhookSender) => {
    let most = 0;
    for (let round = 0; round < rounds; round += 1) most = Math.max(most, await deliver(sender, receiver.url, calls));
    return Math.round(most);
  };
  const figures = { deliveredPerSecond: await best(overHttp), withoutNetworkPerSecond: await best(atOnce) };
  await overHttp.close();
  await receiver.stop();
  return figures;
}

async function deliver(sender: WebhookSender, url: string, calls: number): Promise<number> {
  const clock = new Timeline({ mode: 'manual', startMs: 0, host: systemTime() });
  const journal = new Journal(clock);
  const webhooks = new Webhooks({ clock, journal, random: new Random(1), sender });
  const draft = { name: 'bench', url, events: ['call_state_change'] as const, active: true, customer_id: 1 };
  await new Promise<void>((resolve) => webhooks.create(draft, () => resolve()));
  const start = performance.now();
  for (const [index, name] of NAMES.entries()) {
    for (let call = 1; call <= calls; call += 1) webhooks.receive(eventOf(name, call, index, journal));
  }
  clock.settle();
  while (webhooks.pending > 0) await new Promise((resolve) => setImmediate(resolve));
  const seconds = (performance.now() - start) / 1000;
  clock.close();
  return (calls * NAMES.length) / seconds;
}

function eventOf(name: CallEventName, callId: number, index: number, journal: Journal): CallEvent {
  return {
    kind: 'call',
    id: `${callId.toString(16).padStart(31, '0')}${index}`,
    name,
    seq: journal.append('event', { callId, customerId: 1 }),
    at: 0,
    customerId: 1,
    callId,
    state: 'RINGING',
    startedAt: 0,
    connectedAt: null,
    context: 'LOCAL_USER',
    direction: 'in',
    durationS: 0,
    cause: '',
    clid: '"Ada Lovelace" <101>',
    src: { number: '101', name: 'Ada Lovelace', id: 10000001 },
    dst: { number: '102', name: 'Grace Hopper', id: 10000002 },
    srcHash: '0123456789abcdef0123456789abcdef',
    info: '',
    terminatedBy: null,
  };
}

/** A receiver in a thread of its own, so that it does not share our event loop. */
async function startReceiver(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(new URL(import.meta.url));
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() };
}

function receive(): void {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

if (!isMainThread) receive();
else if (import.meta.main) {
  const figures = await webhookDeliveries();
  console.log('webhook deliveries per second (aim: 20,000 over HTTP)');
  for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(28)} ${figure}`);
}
