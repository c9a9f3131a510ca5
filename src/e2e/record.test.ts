// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
// pbxsim record: what was done by hand becomes a scenario that runs green, goes red when the system is wrong, and says what it cannot repeat.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type RecordFlags, recordWith } from '../cli/record.ts';
import type { ScenarioDocument } from '../harness/language/document.ts';
import { CliProcess, type Ending, run } from './cli-process.ts';
import { type Facts, SocketStage, until, within } from './sockets-stage.ts';

let folder = '';
const opened: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxsim-record-'));
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => rm(folder, { recursive: true }));

/** A simulator with its clock standing still, and somebody who works at it by hand while it is recorded. */
class Hand {
  readonly stage: SocketStage;
  readonly told: string[] = [];
  readonly file: string;
  #end = (): void => {};
  #recorded: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  private constructor(stage: SocketStage, file: string) {
    this.stage = stage;
    this.file = file;
  }

  static async open(name: string, flags: Partial<RecordFlags> = {}): Promise<Hand> {
    const stage = await SocketStage.open({ clock: 'manual', allowHttpWebhooks: true });
    opened.push(() => stage.close());
    const hand = new Hand(stage, join(folder, `${name}.yaml`));
    hand.#recorded = recordWith(
      hand.file,
      { control: `${stage.root}/_sim`, ...flags },
      {
        tell: (line) => {
          hand.told.push(line);
          for (const listener of hand.#listeners) listener();
        },
        onEnd: (end) => {
          hand.#end = end;
        },
      },
    );
    opened.push(() => hand.end().catch(() => undefined));
    await hand.hears('Recording');
    return hand;
  }

  hears(text: string): Promise<true> {
    return until(
      () => (this.told.some((line) => line.includes(text)) ? true : undefined),
      (changed) => {
        this.#listeners.add(changed);
        return () => this.#listeners.delete(changed);
      },
      text,
    );
  }

  act(ext: number, act: string, more: Facts = {}): Promise<unknown> {
    return this.control('POST', `phones/${ext}/acts`, { act, ...more });
  }

  /** Sets how the phone meets calls. */
  meets(ext: number, on_call: string): Promise<unknown> {
    return this.control('PATCH', `phones/${ext}`, { behaviour: { on_call } });
  }

  pass(advance: string): Promise<unknown> {
    return this.control('POST', 'clock', { advance });
  }

  async control(method: string, path: string, body: Facts): Promise<unknown> {
    const answer = await fetch(`${this.stage.root}/_sim/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Ends the recording; resolves with the file's text. */
  async end(): Promise<string> {
    this.#end();
    return this.ended();
  }

  async ended(): Promise<string> {
    await within(this.#recorded, 'the scenario');
    return readFile(this.file, 'utf8');
  }
}

async function callHeldAndResumed(hand: Hand): Promise<void> {
  await hand.meets(102, 'ring');
  await hand.act(101, 'call', { to: '102' });
  await hand.pass('1500ms');
  await hand.act(102, 'answer');
  await hand.pass('2s');
  await hand.act(102, 'hold');
  await hand.pass('3s');
  await hand.act(102, 'resume');
  await hand.pass('2s');
  await hand.act(101, 'digits', { digits: '5#' });
  await hand.pass('1s');
  await hand.act(101, 'hangup');
}

async function clickToCall(hand: Hand): Promise<void> {
  const { body } = await hand.stage.api('POST', '/calls', { to: '102' });
  const id = (body.data as { id: number }).id;
  await hand.pass('2s');
  await hand.act(102, 'answer');
  await hand.pass('2s');
  await hand.stage.api('PATCH', `/calls/${id}`, { state: 'ON_HOLD' });
  await hand.pass('2s');
  await hand.stage.api('DELETE', `/calls/${id}`);
}

async function missedFromOutside(hand: Hand): Promise<void> {
  await hand.meets(103, 'ring');
  await hand.control('POST', 'calls', { from: '+442079469999', to: '+442079460103' });
  await hand.pass('2s');
  await hand.control('POST', 'trunk/%2B442079469999/acts', { act: 'hangup' });
}

async function busyOutside(hand: Hand): Promise<void> {
  await hand.act(103, 'call', { to: '+442079460001' });
}

/** Runs the recorded file against a simulator that lives on, named in a target file. */
async function runAgainst({ simulator, root }: SocketStage, file: string): Promise<Ending> {
  const users = simulator.world.customers.flatMap((customer) => customer.users);
  const named = ['root', 'admin', 'agent'].map((role, index) => {
    const user = users.find((one) => one.role === role);
    return `  ${['first', 'second', 'third'][index]}: { id: ${user?.user_id}, key: '${user?.api_key}' }`;
  });
  const target = join(folder, 'target.yaml');
  const lines = [`api_root: ${root}/v1.1/pbx`, 'users:', ...named, `control: { root: '${root}/_sim' }`, ''];
  await writeFile(target, lines.join('\n'));
  return run(['run', file, '--target', target]);
}

describe('pbxsim record', () => {
  it('writes a day of work by hand as a scenario that runs green', async () => {
    const hand = await Hand.open('day');
    await callHeldAndResumed(hand);
    await hand.pass('4s');
    await clickToCall(hand);
    await hand.pass('4s');
    await missedFromOutside(hand);
    await hand.pass('3s');
    await busyOutside(hand);
    const text = await hand.end();
    expect(hand.told.map((line) => line.replace(/1\d{7}/, 'ID'))).toEqual([
      'Recording: work with phones and the API; Ctrl-C ends it and writes the scenario.',
      'call ID: 101 -> 102',
      'call ID: Normal clearing',
      'call ID: 101 -> 102',
      'call ID: Normal clearing',
      'call ID: +442079469999 -> 103',
      'call ID: Originator cancel',
      'call ID: 103 -> +442079460001',
      'call ID: User busy',
      `${hand.file}: 4 calls, 32 steps. Try it: pbxsim run ${hand.file}`,
    ]);
    // No live id, no credential, no secret of the recorded system.
    expect(text).not.toMatch(/1000\d{4}|password|[A-Za-z0-9]{30}/);
    const { phones, webhooks, steps } = parse(text) as ScenarioDocument;
    expect(phones).toEqual({
      first_phone: { user: 'first' },
      second_phone: { user: 'second' },
      outside: { outside: '+442079469999' },
      third_phone: { user: 'third' },
      outside_2: { outside: '+442079460001', when_called: 'busy' },
    });
    expect(webhooks).toEqual({ all: { events: ['call_state_change', 'dtmf'] } });
    expect(steps.slice(0, 9)).toEqual([
      { phone: 'first_phone', do: 'call', to: 'second_phone' },
      { events: { began: 'call.initial' }, others: 'allow', capture: { call_1: 'began/call_id' } },
      { phone: 'second_phone', do: 'answer', after: '1.5s' },
      { phone: 'second_phone', do: 'hold', after: '2s' },
      { phone: 'second_phone', do: 'resume', after: '3s' },
      { phone: 'first_phone', do: 'digits', digits: '5#', after: '2s' },
      { phone: 'first_phone', is: 'connected' },
      { phone: 'first_phone', do: 'hang_up', after: '1s' },
      {
        events: {
          initial: { event: 'call.initial', with: { '/destination': 'in' } },
          ringing: 'call.ringing',
          connected: 'call.connected',
          hold: 'call.hold',
          unhold: 'call.unhold',
          key_5: { event: 'call.dtmf', where: { '/digit': '5' } },
          key_hash: { event: 'call.dtmf', where: { '/digit': '#' } },
          hangup: { event: 'call.hangup', with: { '/terminated_by': 'caller' } },
        },
        of: '${call_1}',
        order: 'initial < ringing < connected < hold < unhold < key_5 < key_hash < hangup',
        until: 'hangup',
      },
    ]);
    const lint = await run(['lint', hand.file]);
    expect([lint.stdout, lint.status]).toEqual(['1 scenarios in 1 files, all valid\n', 0]);
    const fresh = await run(['run', hand.file]);
    expect([fresh.stdout, fresh.status]).toEqual(['1 passed (fresh simulator, phones: sim)\n', 0]);

    const again = await runAgainst(hand.stage, hand.file);
    expect(again.status, again.stdout).toBe(0);
    const fault = { match: { at: 'webhook', event: 'call.unhold' }, action: { do: 'drop' }, times: 1 };
    await hand.control('POST', 'faults', fault);
    const broken = await runAgainst(hand.stage, hand.file);
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain('expected  unhold: 1 call.unhold\n');
  }, 60_000);

  it.each([
    [
      'a text message',
      'sms',
      async (hand: Hand) => {
        await hand.control('POST', 'sms', { from: '+442079469999', to: '+442079460102', text: 'See you at nine' });
      },
    ],
    [
      'a blind transfer',
      'transfer',
      async (hand: Hand) => {
        await hand.act(101, 'call', { to: '102' });
        await hand.pass('4s');
        await hand.act(102, 'transfer', { to: '103' });
        await hand.pass('4s');
        await hand.act(101, 'hangup');
      },
    ],
    [
      'a call that nobody takes',
      'no-answer',
      async (hand: Hand) => {
        await hand.meets(102, 'ring');
        await hand.act(101, 'call', { to: '102' });
        await hand.pass('40s');
      },
    ],
    [
      'a call to a phone that is away',
      'away',
      async (hand: Hand) => {
        await hand.act(102, 'unregister');
        await hand.pass('1s');
        await hand.act(101, 'call', { to: '102' });
      },
    ],
    [
      'a call that is declined, then one that is answered',
      'declined',
      async (hand: Hand) => {
        await hand.meets(102, 'decline');
        await hand.act(101, 'call', { to: '102' });
        await hand.pass('2s');
        await hand.meets(102, 'answer');
        await hand.act(101, 'call', { to: '102' });
        await hand.pass('5s');
        await hand.act(102, 'hangup');
      },
    ],
    [
      'a call that goes on',
      'going-on',
      async (hand: Hand) => {
        await hand.act(101, 'call', { to: '102' });
        await hand.pass('5s');
      },
    ],
    [
      'requests without a call',
      'requests',
      async (hand: Hand) => {
        await hand.stage.api('GET', '/users/10000001');
        await hand.stage.api('GET', '/calls/5');
        await hand.pass('2s');
        await hand.stage.api('GET', '/me');
      },
    ],
  ] as const)(
    'repeats %s',
    async (_what, name, work) => {
      const hand = await Hand.open(name);
      await work(hand);
      const text = await hand.end();
      const { stdout, status } = await run(['run', hand.file]);
      expect(status, `${stdout}\n${text}`).toBe(0);
      expect(text).not.toMatch(/1000\d{4}/);
    },
    30_000,
  );

  it('says what it cannot repeat', async () => {
    const hand = await Hand.open('strange');
    await hand.stage.api('GET', '/cdrs/10000007');
    await hand.stage.api('DELETE', '/nothing/here');
    await hand.control('PATCH', 'records/users/10000002', { ring_time: '25' });
    await hand.control('POST', 'faults', {
      match: { at: 'api', operation: 'listCalls' },
      action: { do: 'status', status: 503 },
      times: 1,
    });
    await hand.stage.api('GET', '/calls');
    const text = await hand.end();
    const comments = text
      .split('\n')
      .filter((line) => /^\s*#/.test(line))
      .map((line) => line.trim());
    expect(comments.slice(1)).toEqual([
      '# Not repeated: GET /v1.1/pbx/cdrs/10000007: nothing that was recorded tells where 10000007 is from.',
      '# Not repeated: DELETE /v1.1/pbx/nothing/here: the API has no such operation.',
      '# A record was changed by the administration (users 10000002: ring_time): not repeated.',
      '# A deliberate fault struck: it is no part of the scenario, what came of it may be.',
    ]);
    expect((await run(['run', hand.file])).status).toBe(0);
  }, 30_000);

  it('never writes over a file that is there, unless it is told to', async () => {
    const file = join(folder, 'there.yaml');
    await writeFile(file, 'mine');
    const refused = await run(['record', file]);
    expect(refused).toMatchObject({
      status: 2,
      stderr: `pbxsim: ${file} is there already: give another name, or --force to write over it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('says that no simulator is there', async () => {
    const ended = await run(['record', join(folder, 'none.yaml'), '--control', 'http://127.0.0.1:1/_sim']);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain('No simulator answers at http://127.0.0.1:1 (');
    expect((await run(['record', 'none.json'])).stderr).toContain('expected a name that ends in .yaml');
  });

  it('ends by itself after so many calls, and as a command by SIGINT', async () => {
    const hand = await Hand.open('one', { calls: 1 });
    const other = new CliProcess(['record', join(folder, 'other.yaml'), '--control', `${hand.stage.root}/_sim`]);
    opened.push(() => other.kill());
    await until(
      () => (other.stderr.includes('Recording') ? true : undefined),
      (changed) => {
        const look = setInterval(changed, 20);
        return () => clearInterval(look);
      },
      'the command to record',
      10_000,
    );
    await hand.meets(102, 'busy');
    await hand.act(101, 'call', { to: '102' });
    expect(await hand.ended()).toContain('when_called: busy');
    expect(await other.endBy('SIGINT')).toMatchObject({ status: 0, stdout: '' });
    expect(await readFile(join(folder, 'other.yaml'), 'utf8')).toContain('when_called: busy');
  }, 30_000);
});
