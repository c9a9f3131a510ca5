// Faults as whoever tests against a simulator meets them: set over HTTP, seen by clients, receivers and phones, cleared by a reset.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { banner } from '../cli/banner.ts';
import { dataOf } from '../kernel/journal.ts';
import { type FaultDraft, Simulator } from '../simulator.ts';
import { liveThroughADay } from './scripted-day.ts';
import { SocketStage, WebhookInbox } from './sockets-stage.ts';

let stage: SocketStage;
beforeEach(async () => {
  stage = await SocketStage.open({ clock: 'manual', allowHttpWebhooks: true });
});
afterEach(() => stage.close());

async function set(match: object, action: object, more: object = {}): Promise<void> {
  const answer = await stage.control('POST', '/faults', { match, action, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

async function advance(by: string): Promise<void> {
  expect((await stage.control('POST', '/clock', { advance: by })).status).toBe(200);
}

/** A call between two simulated phones, from the first ring to the hang-up. */
async function callAndHangUp(): Promise<number> {
  const answer = await stage.api('POST', '/calls', { to: stage.user(1).ext });
  const id = Number((answer.body.data as { id: number }).id);
  await advance('5s');
  await stage.api('DELETE', `/calls/${id}`);
  await advance('1s');
  return id;
}

describe('at the API', () => {
  it('a request fails twice and then succeeds', async () => {
    await set({ at: 'api', operation: 'ping' }, { do: 'status', status: 503 }, { times: 2 });
    const statuses = [1, 2, 3].map(async () => (await stage.api('GET', '/ping')).status);
    expect((await Promise.all(statuses)).toSorted()).toEqual([200, 503, 503]);
  });

  it('an answer is held until the clock moves', async () => {
    await set({ at: 'api', operation: 'ping' }, { do: 'delay', ms: 60_000 });
    const fault = stage.entry('fault', () => true);
    const answer = stage.api('GET', '/ping');
    await fault;
    expect((await stage.control('GET', '/clock')).body.next).toEqual({
      at: '2026-01-01T00:01:00.000Z',
      name: 'fault 1 delays a response',
    });
    await advance('1m');
    expect((await answer).status).toBe(200);
  });

  it('a connection is reset', async () => {
    await set({ at: 'api' }, { do: 'reset' }, { times: 1 });
    await expect(stage.api('GET', '/ping')).rejects.toThrow('fetch failed');
    expect((await stage.api('GET', '/ping')).status).toBe(200);
  });

  it('a body ends in the middle', async () => {
    await set({ at: 'api' }, { do: 'truncate' }, { times: 1 });
    await expect(stage.api('GET', '/ping')).rejects.toThrow('terminated');
  });
});

describe('at the webhooks', () => {
  it('an event comes twice, another never, a third late, and the call stays in order', async () => {
    const inbox = await WebhookInbox.open();
    await stage.hear(inbox);
    await set({ at: 'webhook', event: 'call.initial' }, { do: 'drop' });
    await set({ at: 'webhook', event: 'call.ringing' }, { do: 'duplicate' });
    await set({ at: 'webhook', event: 'call.connected' }, { do: 'delay', ms: 30_000 });
    const id = await callAndHangUp();
    const names = () => inbox.bodies.filter(({ call_id }) => call_id === id).map(({ event_name }) => event_name);
    expect(names()).toEqual(['call.ringing', 'call.ringing']);
    await advance('30s');
    await inbox.ofCall(id, 'call.hangup');
    expect(names()).toEqual(['call.ringing', 'call.ringing', 'call.connected', 'call.hangup']);
    await inbox.close();
  });
});

describe('on the wire', () => {
  it('a lost INVITE rings nobody', async () => {
    await set({ at: 'sip', method: 'INVITE', direction: 'out' }, { do: 'drop' });
    const answer = await stage.api('POST', '/calls', { to: stage.user(1).ext });
    await advance('2m');
    const id = Number((answer.body.data as { id: number }).id);
    expect(await stage.cdr(id)).toMatchObject({ disposition: 'INITIAL' });
    const faults = stage.simulator.journal.query({ kind: 'fault', callId: id });
    expect(faults.map((entry) => [dataOf(entry).method, dataOf(entry).direction])).toEqual([['INVITE', 'out']]);
  });

  it('messages that come late, twice or in the wrong order make the same call', async () => {
    await set({ at: 'sip' }, { do: 'duplicate' }, { probability: 0.3 });
    await set({ at: 'sip' }, { do: 'delay', ms: 40 }, { probability: 0.5 });
    await set({ at: 'sip', direction: 'in' }, { do: 'reorder', ms: 20 }, { probability: 0.3 });
    const id = await callAndHangUp();
    await advance('1m');
    expect(await stage.cdr(id)).toMatchObject({ disposition: 'CONNECTED' });
    expect(stage.simulator.journal.query({ kind: 'fault' }).length).toBeGreaterThan(0);
    expect(stage.simulator.world.violations).toEqual([]);
  });
});

describe('rules', () => {
  it('are gone after a reset, and what they held is let go', async () => {
    await set({ at: 'api', operation: 'ping' }, { do: 'delay', ms: 60_000 });
    const fault = stage.entry('fault', () => true);
    const held = stage.api('GET', '/ping');
    await fault;
    await stage.control('POST', '/reset');
    expect((await held).status).toBe(200);
    expect((await stage.control('GET', '/faults')).body).toEqual({ data: [], total: 0 });
    expect((await stage.api('GET', '/ping')).status).toBe(200);
  });

  it('given at the start are set, shown by the banner, and set again by a reset', async () => {
    const drop = { match: { at: 'webhook', event: 'call.missed' }, action: { do: 'drop' } } as const;
    const simulator = new Simulator({ faults: [drop] });
    const shown = () =>
      banner({
        httpUrl: 'http://127.0.0.1:1',
        sip: stage.sip,
        simulator,
        allowHttpWebhooks: false,
        controlToken: undefined,
      });
    expect(shown()).toMatch(/Fault.*1: webhook call\.missed drop/);
    simulator.reset();
    expect(simulator.world.faults.list()).toMatchObject([drop]);
    simulator.world.faults.clear();
    expect(shown()).not.toContain('Fault');
    await simulator.close();
  });

  it('that never match change not a byte of a whole day', async () => {
    const [plain, watched] = await Promise.all([journalOfADay([]), journalOfADay([neverMatching])]);
    expect(watched.filter((line) => !line.includes('"control.fault_set"'))).toEqual(plain);
    expect(watched).toHaveLength(plain.length + 1);
  });
});

const neverMatching = { match: { at: 'sip', method: 'PUBLISH' }, action: { do: 'drop' } } as const;

/** Without the entries' numbers: that of the rule itself moves those behind it. */
async function journalOfADay(faults: readonly FaultDraft[]): Promise<string[]> {
  const simulator = new Simulator({ seed: 3, faults });
  await liveThroughADay(simulator, await simulator.listenHttp(0));
  const lines = simulator.journal.query().map((entry) => JSON.stringify(entry));
  await simulator.close();
  return lines.map((line) => line.replace(/"(seq|cause)":\d+/g, '"$1":0'));
}
