// pbxsim listen: real events are right, wrong ones of a sender that misbehaves are marked and counted, and its webhook goes with it.
import { afterEach, describe, expect, it } from 'vitest';
import { type ListenFlags, listenWith } from '../cli/listen.ts';
import { triggerEvent } from '../cli/trigger.ts';
import type { ClockMode } from '../kernel/clock.ts';
import { CliProcess, run } from './cli-process.ts';
import { type Facts, SocketStage, until, within } from './sockets-stage.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function open(clock: ClockMode, allowHttpWebhooks = true): Promise<SocketStage> {
  const stage = await SocketStage.open({ clock, allowHttpWebhooks });
  opened.push(() => stage.close());
  return stage;
}

interface JsonEvent {
  readonly at: string;
  readonly event: string;
  readonly call_id: number | null;
  readonly violations: readonly { readonly rule: string; readonly message: string }[];
  readonly payload: Facts;
}

/** `listen` within this process, with JSON lines. */
class Listening {
  readonly lines: Facts[] = [];
  readonly told: string[] = [];
  readonly ended: Promise<number>;
  end: () => void = () => {};
  readonly #listeners = new Set<() => void>();

  constructor(flags: Partial<ListenFlags>) {
    const all = { control: '', port: 0, register: true, late: 10_000, json: true, ...flags };
    this.ended = listenWith(all, {
      print: (line) => {
        this.lines.push(JSON.parse(line) as Facts);
        for (const listener of this.#listeners) listener();
      },
      tell: (line) => void this.told.push(line),
      onEnd: (end) => {
        this.end = end;
      },
    });
    this.ended.catch(() => undefined);
    opened.push(async () => {
      this.end();
      await this.ended.catch(() => undefined);
    });
  }

  /** Where it listens, once it does. */
  async url(): Promise<string> {
    return String((await this.#until(() => this.lines[0], 'the first line')).url);
  }

  /** So many events. */
  events(count: number): Promise<JsonEvent[]> {
    const events = (): JsonEvent[] => this.lines.slice(1) as unknown as JsonEvent[];
    return this.#until(() => (events().length >= count ? events() : undefined), `${count} events`);
  }

  #until<T>(find: () => T | undefined, what: string): Promise<T> {
    const found = until(
      find,
      (changed) => {
        this.#listeners.add(changed);
        return () => this.#listeners.delete(changed);
      },
      what,
    );
    return Promise.race([found, this.ended.then(() => found)]);
  }
}

async function webhooks(stage: SocketStage): Promise<unknown> {
  return (await stage.control('GET', '/webhooks')).body.data;
}

describe.each<ClockMode>(['manual', 'real'])('events of a simulator in %s time', (clock) => {
  it('arrive and are right', async () => {
    const stage = await open(clock);
    const control = `${stage.root}/_sim`;
    const listening = new Listening({ control });
    await listening.url();
    for (const event of ['call.unhold', 'call.missed', 'call.failed', 'call.dtmf'])
      await triggerEvent(event, { control, timeout: 5000, after: 30 });
    await triggerEvent('sms.received', { control, timeout: 5000 });
    const events = await listening.events(17);
    expect(events.flatMap(({ violations }) => violations)).toEqual([]);
    expect(events.map(({ event }) => event)).toEqual([
      ...['call.initial', 'call.ringing', 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'],
      ...['call.initial', 'call.ringing', 'call.missed'],
      ...['call.initial', 'call.failed'],
      ...['call.initial', 'call.ringing', 'call.connected', 'call.dtmf', 'call.hangup'],
      'sms.received',
    ]);
  });
});

describe('the webhook of listen', () => {
  it('is saved for the categories that are asked for, and goes with it', async () => {
    const stage = await open('manual');
    const listening = new Listening({ control: `${stage.root}/_sim`, events: 'missed,ended' });
    const url = await listening.url();
    expect(await webhooks(stage)).toEqual([
      { id: 10000001, name: 'pbxsim listen', url, events: ['missed', 'ended'], active: true, customer_id: 1 },
    ]);
    listening.end();
    expect(await listening.ended).toBe(0);
    expect(await webhooks(stage)).toEqual([]);
    expect(listening.told).toEqual(['0 events, 0 violations']);
  });

  it('ends by itself after so many events', async () => {
    const stage = await open('manual');
    const control = `${stage.root}/_sim`;
    const listening = new Listening({ control, count: 2 });
    await listening.url();
    await triggerEvent('call.missed', { control, timeout: 5000 });
    expect(await within(listening.ended, 'the end')).toBe(0);
    expect(listening.lines.slice(1).map(({ event }) => event)).toEqual(['call.initial', 'call.ringing']);
    expect(await webhooks(stage)).toEqual([]);
  });

  it('is refused without --allow-http-webhooks, in words that help', async () => {
    const stage = await open('manual', false);
    const listening = new Listening({ control: `${stage.root}/_sim` });
    await expect(listening.ended).rejects.toThrow(
      /^This simulator sends no webhooks to http:\/\/127\.0\.0\.1:\d+\/hook: start it with pbxsim serve --allow-http-webhooks, or both with --https\.$/,
    );
    expect(await webhooks(stage)).toEqual([]);
  });

  it('needs categories that there are, and a simulator', async () => {
    expect(() => new Listening({ events: 'missed,calls' })).toThrow(
      '--events missed,calls: there is no category calls',
    );
    await expect(new Listening({ control: 'http://127.0.0.1:1/_sim' }).ended).rejects.toThrow(
      'No simulator answers at http://127.0.0.1:1',
    );
  });
});

describe('faults of the simulator', () => {
  it.each<[string, Facts, string, string]>([
    ['a delivery twice', { do: 'duplicate' }, 'call.ringing', 'duplicate'],
    ['a delivery that is dropped', { do: 'drop' }, 'call.connected', 'order'],
    ['a wrong field', { do: 'field', pointer: '/state', value: 'DANCING' }, 'call.ringing', 'schema'],
    ['a field that is missing', { do: 'field', pointer: '/src_hash' }, 'call.initial', 'schema'],
    ['a delay', { do: 'delay', ms: 20_000 }, 'call.hangup', 'late'],
  ])('are seen: %s', async (_, action, event, rule) => {
    const stage = await open('manual');
    const control = `${stage.root}/_sim`;
    const listening = new Listening({ control });
    await listening.url();
    await stage.control('POST', '/faults', { match: { at: 'webhook', event }, action, times: 1 });
    await triggerEvent('call.hangup', { control, timeout: 5000 });
    await stage.control('POST', '/clock', { advance: '1m' });
    listening.end();
    expect(await listening.ended).toBeGreaterThan(0);
    const rules = (listening.lines.slice(1) as unknown as JsonEvent[]).flatMap(({ violations }) =>
      violations.map((one) => one.rule),
    );
    expect(rules).toContain(rule);
  });
});

const EVENT = {
  ...{ event_time: '2026-01-01 12:00:00', start_time: '2026-01-01 12:00:00', connected_at: null, call_id: 7 },
  ...{ context: 'LOCAL_USER', destination: 'in', duration: 0, t_cause: '', clid: '', src: '1', src_id: 0 },
  ...{
    src_name: '',
    src_hash: 'h',
    dst: '101',
    dst_id: 1,
    dst_name: 'Ada\u001b[2J\nLovelace',
    info: '',
    terminated_by: '',
  },
};

describe('the command', () => {
  it('marks what a sender does wrong, counts it, and ends with status 1', async () => {
    const cli = new CliProcess(['listen', '--no-register', '--count', '3', '--late', '1h']);
    opened.push(() => cli.kill());
    const url = await announced(cli);
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const send = (id: string, event: Facts): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...EVENT, id, event_time: now, ...event }),
      });
    expect((await send('1', { event_name: 'call.missed', state: 'FAILED' })).status).toBe(204);
    await send('2', { event_name: 'call.connected', state: 'CONNECTED', connected_at: now });
    await send('2', { event_name: 'call.connected', state: 'CONNECTED', connected_at: now });
    const { status, stdout, stderr } = await cli.ended();
    expect(stdout.trimEnd().split('\n')).toEqual([
      `${now}  call.missed      call 7  FAILED  in 1 -> 101 (Ada [2J Lovelace)  0 s`,
      `${now}  call.connected   call 7  CONNECTED  in 1 -> 101 (Ada [2J Lovelace)  0 s`,
      '  ! order: call.connected after call.missed, which ends the call',
      `${now}  call.connected   call 7  CONNECTED  in 1 -> 101 (Ada [2J Lovelace)  0 s`,
      '  ! duplicate: event 2 came before',
    ]);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('3 events, 2 violations');
    expect(status).toBe(1);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'takes its webhook away on %s, with status 0 when all was well',
    async (signal) => {
      const stage = await open('manual');
      const control = `${stage.root}/_sim`;
      const cli = new CliProcess(['listen', '--json', '--control', control]);
      opened.push(() => cli.kill());
      const first = (await cli.ready()) as unknown as Facts;
      expect(await webhooks(stage)).toMatchObject([{ id: first.webhook_id, url: first.url }]);
      await triggerEvent('call.missed', { control, timeout: 5000 });
      const { status, stdout, stderr, ms } = await cli.endBy(signal);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '3 events, 0 violations\n' });
      expect(ms).toBeLessThan(2000);
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Facts);
      expect(lines.slice(1).map(({ event, violations }) => [event, violations])).toEqual([
        ['call.initial', []],
        ['call.ringing', []],
        ['call.missed', []],
      ]);
      expect(await webhooks(stage)).toEqual([]);
    },
  );

  it('says in one sentence what it cannot do', async () => {
    const stage = await open('manual', false);
    const refused = await run(['listen', '--control', `${stage.root}/_sim`]);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^pbxsim: This simulator sends no webhooks to .* --allow-http-webhooks, or both with --https\.\n$/,
    );
    const wrong = await run(['listen', '--events', 'calls']);
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/^pbxsim: --events calls: there is no category calls; there are missed, .*\.\n$/);
    expect((await run(['listen', '--count', '0'])).stderr).toContain('expected a number from 1.');
  });
});

/** The URL that it names for people. */
function announced(cli: CliProcess): Promise<string> {
  return until(
    () => /Listening at (\S+):/.exec(cli.stderr)?.[1],
    (changed) => {
      const timer = setInterval(changed, 10);
      return () => clearInterval(timer);
    },
    'the announcement',
    15_000,
  );
}
