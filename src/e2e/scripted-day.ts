// A script of calls through REST and control API on a manual clock, for the determinism tests. Prints the journal when run by itself.
import { Simulator } from '../simulator.ts';

interface Reply {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly call_id?: number } & Record<string, unknown>;
}

/** Requests against a simulator, as its first user. */
export class Driver {
  readonly #root: string;
  readonly #authorization: string;

  constructor(root: string, user: { readonly user_id: number; readonly api_key: string | null }) {
    this.#root = root;
    this.#authorization = `Basic ${Buffer.from(`${user.user_id}:${user.api_key}`).toString('base64')}`;
  }

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${this.#root}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: this.#authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }

  advance(by: string): Promise<Reply> {
    return this.send('POST', '/_sim/clock', { advance: by });
  }
}

/** Calls of every kind that the first slice knows: click to call, inbound, busy, hold, transfer, digits, magic numbers. */
export async function liveThroughADay(simulator: Simulator, root: string): Promise<void> {
  const [customer] = simulator.world.customers;
  const [first, second, third] = customer?.users ?? [];
  if (customer === undefined || first === undefined || second === undefined || third === undefined)
    throw new Error('the seed world is too small');
  const driver = new Driver(root, first);
  await driver.send('POST', '/v1.1/pbx/calls', { to: second.ext });
  await driver.advance('5s');
  const [live] = simulator.world.exchange.liveCalls(customer.customerId);
  await driver.send('PATCH', `/v1.1/pbx/calls/${live?.record.id}`, { state: 'ON_HOLD' });
  await driver.send('PATCH', `/v1.1/pbx/calls/${live?.record.id}`, { state: 'CONNECTED' });
  await driver.send('PATCH', `/v1.1/pbx/calls/${live?.record.id}`, { dst: third.ext });
  await driver.advance('10s');
  await driver.send('DELETE', `/v1.1/pbx/calls/${live?.record.id}`);
  await driver.send('PATCH', `/_sim/phones/${second.ext}`, { behaviour: { on_call: 'busy' } });
  await driver.send('POST', `/_sim/phones/${third.ext}/acts`, { act: 'call', to: second.ext });
  await driver.send('POST', '/_sim/calls', {
    from: '+442079469999',
    to: customer.numbers[2],
    behaviour: { on_call: 'answer', talk_ms: 4000, digits: '12#' },
  });
  await driver.advance('30s');
  for (const ending of ['01', '03', '04', '05', '06', '07', '08']) {
    await driver.send('POST', '/v1.1/pbx/calls', { to: `+4420794600${ending}` });
    await driver.advance('40s');
  }
  await driver.advance('5m');
}

/** The whole journal of such a day, one JSON object a line. */
export async function journalOfADay(seed: number): Promise<string> {
  const simulator = new Simulator({ seed, clock: 'manual' });
  const root = await simulator.listenHttp(0);
  await liveThroughADay(simulator, root);
  const lines = simulator.journal.query().map((entry) => JSON.stringify(entry));
  await simulator.close();
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) process.stdout.write(await journalOfADay(Number(process.argv[2] ?? 1)));
