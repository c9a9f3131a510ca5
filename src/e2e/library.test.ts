// The library as a test author uses it: calls, time, webhooks, waiting, going back, many at once.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSimulator, type PbxSimulator, Refused, TimedOut } from '../index.ts';

let simulator: PbxSimulator;
beforeEach(async () => {
  simulator = await createSimulator({ http: false });
});
afterEach(() => simulator.close());

const callOf = (from: string, to: string) => simulator.phones.act(from, { act: 'call', to }).callId;

describe('a simulator', () => {
  it('is reached at its URL with the credentials it names', async () => {
    await using listening = await createSimulator({ seed: 7 });
    expect(listening.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${listening.apiRoot}/me`, { headers: { authorization: listening.authorization() } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: [{ id: String(listening.user('root').user_id) }], total: 1 });
  });

  it('has users of every role, numbers of its first customer, and a foreign account', () => {
    expect(simulator.users.map(({ role }) => role)).toEqual([
      'root',
      'admin',
      'agent',
      'agent',
      'agent',
      'restricted',
      'two_factor',
      'other_customer',
    ]);
    expect(simulator.numbers.length).toBe(7);
    expect(simulator.customers.map(({ customerId }) => customerId)).toEqual([1, 2]);
  });

  it('is an app for supertest and for Express, which keeps its own paths', async () => {
    await request(simulator.app).get('/v1.1/pbx/me').set('authorization', simulator.authorization('agent')).expect(200);
    const app = express()
      .use(simulator.app)
      .get('/mine', (_request, response) => void response.send('mine'));
    expect((await request(app).get('/mine').expect(200)).text).toBe('mine');
    await request(app).get('/v1.1/pbx/calls').set('authorization', simulator.authorization()).expect(200);
    await request(app).get('/_sim/clock').expect(200);
    await request(app).get('/openapi.json').expect(200);
    await request(simulator.app).get('/mine').expect(404);
  });

  it('without a socket has no URL, and says what to use instead', () => {
    expect(() => simulator.url).toThrow('It was created with http: false and listens nowhere: give app to supertest');
  });

  it('listens for SIP when asked to', async () => {
    expect(simulator.sip).toBeUndefined();
    await using listening = await createSimulator({ http: false, sip: true });
    expect(listening.sip).toMatchObject({ udp: { host: '127.0.0.1' }, domain: 'pbxsim.test' });
  });

  it('refuses options that cannot be', async () => {
    await expect(createSimulator({ start: 'tomorrow' })).rejects.toThrow('start: expected a Date');
    const fault = { match: { at: 'api' as const, operation: 'nothing' }, action: { do: 'reset' as const } };
    await expect(createSimulator({ faults: [fault] })).rejects.toBeInstanceOf(Refused);
    await expect(createSimulator({ sessionExpiresS: 89 })).rejects.toThrow('sessionExpiresS: expected');
    await expect(createSimulator({ digest: 'sha1' as 'md5' })).rejects.toThrow('digest: expected md5, sha-256, both');
  });
});

describe('how the exchange speaks SIP', () => {
  it('is an option: session timers that it wants, and what it asks passwords with', async () => {
    await using simulator = await createSimulator({ http: false, sessionExpiresS: 600, digest: 'both' });
    simulator.phones.act('101', { act: 'call', to: '102' });
    await simulator.clock.advance('5s');
    const told = simulator.journal.entries({ kind: 'sip.out' }).map((entry) => JSON.stringify(entry.data));
    const challenge = told.find((text) => text.includes('407 Proxy Authentication Required')) ?? '';
    expect([...challenge.matchAll(/algorithm=([\w-]+)/g)].map(([, name]) => name)).toEqual(['SHA-256', 'MD5']);
    expect(told.filter((text) => text.includes('Session-Expires: 600;refresher=')).length).toBe(2);
    await simulator.clock.advance('5m');
    const refreshes = simulator.journal.entries({ kind: 'sip.out' }).filter(({ data }) => data.method === 'UPDATE');
    expect(refreshes.length).toBe(2);
  });
});

describe('the clock', () => {
  it('starts where it is told to and moves by durations, ms, to times, to the next timer and until idle', async () => {
    await using timed = await createSimulator({ http: false, start: new Date('2026-03-01T08:00:00Z') });
    expect([timed.clock.mode, timed.clock.now]).toEqual(['manual', 1_772_352_000_000]);
    await timed.clock.advance('15m');
    await timed.clock.advance(500);
    expect(timed.clock.now).toBe(1_772_352_900_500);
    await timed.clock.advanceTo('2026-03-01T09:00:00Z');
    expect(timed.clock.now).toBe(1_772_355_600_000);
    timed.phones.act('101', { act: 'call', to: '+442079460007' });
    expect(timed.clock.nextTimer?.at).toBeGreaterThan(timed.clock.now);
    expect((await timed.clock.next()).length).toBeGreaterThan(0);
    await timed.clock.idle();
    expect(timed.journal.entries({ event: 'call.hangup' }).length).toBe(1);
  });

  it('never goes back, and a real one is not moved', async () => {
    await expect(simulator.clock.advanceTo(0)).rejects.toMatchObject({ name: 'Refused', kind: 'invalid' });
    await using real = await createSimulator({ http: false, clock: 'real' });
    await expect(real.clock.advance('1s')).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('phones and trunk', () => {
  it('do what people do', async () => {
    expect(simulator.phones.behaviour('102', 'ring').behaviour).toEqual({ on_call: 'ring' });
    const callId = callOf('101', '102');
    expect(simulator.phones.view('102').calls).toMatchObject([{ state: 'ringing' }]);
    expect(simulator.phones.act('102', 'answer')).toEqual({ callId });
    expect(simulator.phones.view('102').calls).toMatchObject([{ state: 'connected' }]);
    simulator.phones.act('101', { act: 'hangup' });
    expect(simulator.journal.entries({ event: 'call.hangup', callId }).length).toBe(1);
    expect(simulator.phones.list().map(({ ext }) => ext)).toEqual(['101', '102', '103', '104', '105', '106', '107']);
  });

  it('bring calls and texts from outside, and say whom outbound calls reach', async () => {
    const events = simulator.webhooks.capture();
    const [, number = ''] = simulator.numbers;
    const { callId } = simulator.trunk.call({ from: '+442079469999', to: number, behaviour: { on_call: 'answer' } });
    await simulator.clock.advance('3s');
    expect(simulator.trunk.calls()).toMatchObject([{ number: '+442079469999', state: 'connected' }]);
    simulator.trunk.act('+442079469999', 'hangup');
    simulator.trunk.script('+442079460123', 'busy');
    expect(simulator.trunk.scripts()).toEqual([{ number: '+442079460123', behaviour: { on_call: 'busy' } }]);
    const refused = callOf('101', '+442079460123');
    expect(simulator.trunk.sms({ from: 'Bank', to: number, text: 'Hello' })).toMatchObject({ customerId: 1 });
    await simulator.clock.settled();
    expect(events.ofCall(callId).at(-1)?.name).toBe('call.hangup');
    expect(events.ofCall(refused).at(-1)?.name).toBe('call.failed');
    expect(events.names.at(-1)).toBe('sms.received');
    expect(simulator.trunk.unscript('+442079460123')).toBe(true);
  });

  it('refuse what cannot be, with the kind and the member', () => {
    const refusal = (wish: () => unknown): unknown => {
      try {
        return wish();
      } catch (error) {
        return error instanceof Refused ? [error.kind, error.message] : error;
      }
    };
    expect(refusal(() => simulator.phones.act('101', 'answer'))).toEqual([
      'conflict',
      'The phone at 101 has no call that rings.',
    ]);
    expect(refusal(() => simulator.phones.view('999'))).toEqual(['not_found', 'No simulated phone has extension 999.']);
    const busyy = { on_call: 'busyy' } as unknown as { on_call: 'busy' };
    expect(refusal(() => simulator.phones.behaviour('101', busyy))).toMatchObject(['invalid', /behaviour\.on_call/]);
    expect(refusal(() => simulator.trunk.call({ from: '+442079469999', to: '+442079461234' }))).toMatchObject([
      'not_found',
      /\+442079461234/,
    ]);
  });
});

describe('a capture of webhooks', () => {
  it('has received everything that is due when the clock has moved, without a socket', async () => {
    const events = simulator.webhooks.capture({ events: ['call_state_change'] });
    expect(events.events).toEqual([]);
    const callId = callOf('101', '102');
    await simulator.clock.advance('2s');
    expect(events.names).toEqual(['call.initial', 'call.ringing', 'call.connected']);
    expect(events.events[2]).toMatchObject({
      callId,
      at: Date.UTC(2026, 0, 1, 0, 0, 2),
      body: { event_name: 'call.connected', call_id: callId, state: 'CONNECTED' },
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(events.events[2]?.raw ?? '')).toEqual(events.events[2]?.body);
    events.clear();
    expect(events.names).toEqual([]);
  });

  it('answers as told, and what it refuses is tried again on the schedule', async () => {
    const events = simulator.webhooks.capture({
      events: ['ringing'],
      answer: () => (events.events.length < 3 ? 503 : 200),
    });
    callOf('101', '102');
    await simulator.clock.settled();
    expect(events.names).toEqual(['call.ringing']);
    await simulator.clock.advance('1h');
    expect(events.names).toEqual(['call.ringing', 'call.ringing', 'call.ringing']);
    expect(new Set(events.events.map(({ raw }) => raw)).size).toBe(1);
    const [delivery] = simulator.webhooks.deliveries(events.id);
    expect(delivery).toMatchObject({ state: 'delivered' });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
    await simulator.webhooks.replay(events.id, delivery?.id ?? 0);
    expect(events.events.length).toBe(4);
  });

  it('is waited on: for what was received, for what comes, and not for ever', async () => {
    const events = simulator.webhooks.capture();
    const coming = events.waitFor('call.connected');
    callOf('101', '102');
    expect((await events.waitFor('call.initial')).name).toBe('call.initial');
    await simulator.clock.advance('2s');
    expect((await coming).body).toMatchObject({ state: 'CONNECTED' });
    const never = events.waitFor((event) => event.name === 'call.hangup', { timeoutMs: 1 });
    await expect(never).rejects.toThrow(
      'No event that fits within 1 ms. Received: call.initial, call.ringing, call.connected. The clock is manual',
    );
  });

  it('that is closed receives no more, and its webhook is gone', async () => {
    const events = simulator.webhooks.capture();
    expect(simulator.webhooks.list().map(({ id }) => id)).toEqual([events.id]);
    events.close();
    callOf('101', '102');
    await simulator.clock.advance('5s');
    expect([events.names, simulator.webhooks.list()]).toEqual([[], []]);
  });

  it('that outlived a reset takes no other webhook with it', async () => {
    const before = simulator.webhooks.capture();
    await simulator.reset();
    const after = simulator.webhooks.capture();
    expect(after.id).toBe(before.id);
    before.close();
    expect(simulator.webhooks.list().map(({ id }) => id)).toEqual([after.id]);
  });

  it('is not needed: an application that listens gets them over HTTP', async () => {
    await using other = await createSimulator({ http: false, allowHttpWebhooks: true });
    const bodies: string[] = [];
    const server = createServer((message, response) => {
      message.on('data', (chunk: Buffer) => void bodies.push(String(chunk)));
      message.on('end', () => void response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { id } = await other.webhooks.add({ url, events: ['ringing'] });
    other.phones.act('101', { act: 'call', to: '102' });
    await other.clock.settled();
    expect(bodies.map((body) => JSON.parse(body).event_name)).toEqual(['webhook.test', 'call.ringing']);
    expect(other.webhooks.remove(id)).toBe(true);
    server.closeAllConnections();
    server.close();
    await expect(simulator.webhooks.add({ url })).rejects.toMatchObject({ name: 'Refused', kind: 'invalid' });
  });
});

describe('waiting', () => {
  it('gives what has happened already, or what happens next', async () => {
    const callId = callOf('101', '102');
    const ringing = await simulator.waitFor({ event: 'call.ringing', callId });
    expect(ringing).toMatchObject({ kind: 'event', callId, data: { name: 'call.ringing' } });
    const next = simulator.waitFor({ kind: 'call.state', callId, after: simulator.journal.last });
    await simulator.clock.advance('2s');
    expect((await next).seq).toBeGreaterThan(ringing.seq);
    const found = await simulator.waitFor((entry) => entry.kind === 'sip.in' && entry.callId === callId);
    expect(found.data).toMatchObject({ sip_call_id: expect.any(String) });
  });

  it('fails with what came nearest, and why nothing more comes', async () => {
    const callId = callOf('101', '102');
    const failed = simulator.waitFor({ event: 'call.hangup', callId }, { timeoutMs: 1 });
    await expect(failed).rejects.toBeInstanceOf(TimedOut);
    await expect(failed).rejects.toThrow(
      new RegExp(
        `^No entry with {"event":"call.hangup","callId":${callId}} within 1 ms. Nearest: \\d+ event call.initial of call ${callId}; \\d+ event call.ringing of call ${callId}. The clock is manual and stands at 2026-01-01T00:00:00.000Z; ".*" is due at .*. Move it with clock.advance.$`,
      ),
    );
  });

  it('in real time needs nobody to move anything', async () => {
    await using real = await createSimulator({ http: false, clock: 'real' });
    real.phones.behaviour('102', { on_call: 'answer', after_ms: 1 });
    const { callId } = real.phones.act('101', { act: 'call', to: '102' });
    expect((await real.waitFor({ event: 'call.connected', callId })).callId).toBe(callId);
  });
});

describe('faults', () => {
  it('are set, counted, and gone when they are removed', async () => {
    const me = () => request(simulator.app).get('/v1.1/pbx/me').set('authorization', simulator.authorization());
    const { id } = simulator.faults.set({ match: { at: 'api' }, action: { do: 'status', status: 503 }, times: 1 });
    expect([(await me()).status, (await me()).status]).toEqual([503, 200]);
    expect(simulator.faults.list()).toMatchObject([{ id, acted: 1, active: false }]);
    expect([simulator.faults.remove(id), simulator.faults.remove(id)]).toEqual([true, false]);
    const unknown = { match: { at: 'api' as const }, action: { do: 'drop' as const } };
    expect(() => simulator.faults.set(unknown)).toThrow(Refused);
  });
});

describe('going back', () => {
  it('to a snapshot, as often as wished, gives the same again; captures go on', async () => {
    const events = simulator.webhooks.capture();
    await simulator.clock.advance('1h');
    const snapshot = await simulator.snapshot();
    expect(snapshot.at).toBe(Date.UTC(2026, 0, 1, 1));
    const rounds: unknown[] = [];
    for (const _ of [1, 2]) {
      await simulator.restore(snapshot);
      events.clear();
      callOf('101', '102');
      await simulator.clock.advance('10s');
      rounds.push(events.events);
    }
    expect(rounds[1]).toEqual(rounds[0]);
    expect(simulator.clock.now).toBe(snapshot.at + 10_000);
  });

  it('is refused with the snapshot of another simulator', async () => {
    await using other = await createSimulator({ http: false });
    await expect(simulator.restore(await other.snapshot())).rejects.toThrow('of another simulator');
  });

  it.each(['a reset', 'a restore'])('ends the calls that %s finds as an administrator ends them', async (way) => {
    const snapshot = await simulator.snapshot();
    const ends: unknown[] = [];
    simulator.journal.subscribe(({ kind, data }) => {
      if (kind === 'call.closed') ends.push([data.cause, data.terminated_by]);
    });
    callOf('101', '102');
    await simulator.clock.advance('10s');
    callOf('103', '104');
    await simulator.clock.settled();
    await (way === 'a reset' ? simulator.reset() : simulator.restore(snapshot));
    expect(ends).toEqual([
      ['Normal clearing', null],
      ['Normal clearing', null],
    ]);
  });

  it('to the start is a reset: what was made is gone, ids begin anew', async () => {
    simulator.webhooks.capture();
    const first = callOf('101', '102');
    await simulator.clock.advance('1m');
    await simulator.reset();
    expect([simulator.webhooks.list(), simulator.trunk.calls()]).toEqual([[], []]);
    expect(callOf('101', '102')).toBe(first);
    await simulator.waitFor({ event: 'call.ringing', callId: first });
  });
});

describe('simulators in one process', () => {
  /** Steps of a day; between any two another simulator may do its own. */
  async function* day(of: PbxSimulator) {
    const events = of.webhooks.capture();
    const [, , number = ''] = of.numbers;
    yield of.phones.act('101', { act: 'call', to: '102' });
    yield await of.clock.advance('5s');
    yield of.trunk.call({ from: '+442079469999', to: number });
    yield await request(of.app).get('/v1.1/pbx/calls').set('authorization', of.authorization());
    yield await of.clock.advance('3s');
    yield of.phones.act('101', { act: 'digits', digits: '12#' });
    yield await of.clock.advance('2s');
    yield of.phones.act('102', 'hangup');
    yield await of.clock.advance('5m');
    expect(events.names).toContain('call.hangup');
  }

  const journalOf = (of: PbxSimulator) => of.journal.entries().map((entry) => JSON.stringify(entry));

  it('share nothing: two with one seed, step by step in turn, write the journal that each writes alone', async () => {
    await using alone = await createSimulator({ http: false, seed: 5 });
    for await (const _ of day(alone));
    await using one = await createSimulator({ http: false, seed: 5 });
    await using other = await createSimulator({ http: false, seed: 5 });
    const days = [day(one), day(other)];
    const ended = new Set();
    while (ended.size < days.length) for (const steps of days) if ((await steps.next()).done) ended.add(steps);
    expect(journalOf(alone).length).toBeGreaterThan(100);
    expect(journalOf(one)).toEqual(journalOf(alone));
    expect(journalOf(other)).toEqual(journalOf(alone));
  });

  it('are told apart by ids of calls, phones and time', async () => {
    await using other = await createSimulator({ http: false });
    other.phones.behaviour('102', 'busy');
    await other.clock.advance('1h');
    expect(simulator.phones.view('102').behaviour.on_call).toBe('answer');
    expect(simulator.clock.now).toBe(Date.UTC(2026, 0, 1));
    expect(simulator.journal.entries({ kind: 'event' })).toEqual([]);
  });
});
