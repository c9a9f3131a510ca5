// A living company: what goes on by itself, that it is the same each time, and that it stops.
import { describe, expect, it } from 'vitest';
import { createSimulator, type PbxSimulator } from '../index.ts';
import { dataOf } from '../kernel/journal.ts';
import { Simulator } from '../simulator.ts';
import { DAYTIME } from '../traffic/mix.ts';
import { OFF, readRate } from '../traffic/rate.ts';

/** What was begun, in order. */
function begun(simulator: PbxSimulator): Array<{ kind: unknown; from: unknown; to: unknown }> {
  return simulator.journal
    .entries({ kind: 'traffic' })
    .map(({ data }) => ({ kind: data.kind, from: data.from, to: data.to }));
}

async function control(simulator: PbxSimulator, method: string, path: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
  const response = await fetch(`${simulator.url}/_sim${path}`, { method, ...sent });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** What an hour leaves in the first account. */
const LEFT = [
  ...(['cdrs', 'voicemessages', 'sms', 'faxes', 'chats', 'monitors', 'msdrs', 'webcalls'] as const),
  ...(['trackedcalls', 'callmebackcdrs', 'callmebackvisitors'] as const),
];

describe('a living company', () => {
  it('has calls of many kinds at the rate that was asked for', async () => {
    await using simulator = await createSimulator({
      seed: 11,
      traffic: '60/min',
      http: false,
      journalCapacity: 400_000,
    });
    await simulator.clock.advance('10m');
    const all = begun(simulator);
    expect(all.length).toBeGreaterThan(500);
    expect(all.length).toBeLessThan(700);
    const kinds = new Set(all.map(({ kind }) => kind));
    for (const kind of [
      'inbound',
      'missed',
      'internal',
      'outbound',
      'outboundBusy',
      'hold',
      'transfer',
      'group',
      'smsIn',
    ])
      expect([...kinds]).toContain(kind);
    const events = new Set(simulator.journal.entries({ kind: 'event' }).map(({ data }) => data.name));
    for (const name of ['call.connected', 'call.hangup', 'call.missed', 'call.failed', 'call.hold', 'call.unhold'])
      expect([...events]).toContain(name);
  });

  it('leaves in an hour what a company leaves: records of every kind, most calls answered, nothing that does not end', async () => {
    const rate = readRate('20/min');
    const traffic = rate.ok ? rate.value : OFF;
    const simulator = new Simulator({ seed: 11, startMs: Date.UTC(2026, 0, 5, 9), traffic, checkInvariants: true });
    const kinds = new Set<unknown>();
    const stopListening = simulator.journal.subscribe((entry) => {
      if (entry.kind === 'traffic') kinds.add(dataOf(entry).kind);
    });
    const { store, exchange, traffic: dial } = simulator.world;
    const pass = (hours: number): unknown => simulator.clock.advanceTo(simulator.clock.now() + hours * 3_600_000);
    const counts = () => LEFT.map((name) => store[name].count(1));
    const before = counts();
    const past = new Set([...store.cdrs.list(1)].map(({ id }) => id));
    pass(1);
    expect([...kinds].toSorted()).toEqual(Object.keys(DAYTIME).toSorted());
    counts().forEach((count, index) => {
      expect([LEFT[index], count > (before[index] ?? 0)]).toEqual([LEFT[index], true]);
    });
    const cdrs = [...store.cdrs.list(1)].filter(({ id }) => !past.has(id));
    for (const context of [
      'PSTN_CALL',
      'USER_LOCAL',
      'RING_GROUP',
      'QUEUE',
      'IVR',
      'CONFERENCE',
      'VOICEMAIL',
      'FOLLOW_ME',
    ])
      expect([context, cdrs.some((cdr) => cdr.context === context)]).toEqual([context, true]);
    const toUsers = cdrs.filter(({ context, type }) => context === 'PSTN_CALL' && type !== 'O');
    const missed = toUsers.filter(({ type }) => type === 'M').length / toUsers.length;
    expect(missed).toBeGreaterThan(0.05);
    expect(missed).toBeLessThan(0.3);
    expect(cdrs.filter(({ src_name, src }) => src_name !== '' && src.startsWith('+')).length).toBeGreaterThan(
      cdrs.length / 4,
    );
    stopListening();
    dial.setRate('off');
    pass(1);
    expect(exchange.stats.calls).toBe(0);
    expect(simulator.world.violations).toEqual([]);
    void simulator.close();
  });

  it('is the same for the same seed', async () => {
    const day = async (seed: number): Promise<unknown[]> => {
      await using simulator = await createSimulator({ seed, traffic: '30/min', http: false });
      await simulator.clock.advance('3m');
      return begun(simulator);
    };
    const first = await day(5);
    expect(first.length).toBeGreaterThan(50);
    expect(await day(5)).toEqual(first);
    expect(await day(6)).not.toEqual(first);
  });

  it('leaves nothing behind when it is turned off, and starts again when it is turned on', async () => {
    await using simulator = await createSimulator({ traffic: '40/min' });
    await simulator.clock.advance('2m');
    const off = await control(simulator, 'PUT', '/traffic', { rate: 'off' });
    expect(off).toMatchObject({ status: 200, body: { rate: 'off' } });
    expect(simulator.traffic).toEqual(off.body);
    await simulator.clock.advance('1h');
    const { body: quiet } = await control(simulator, 'GET', '/traffic');
    expect(quiet.begun).toBe(off.body.begun);
    const headers = { authorization: simulator.authorization() };
    const live = await (await fetch(`${simulator.apiRoot}/calls`, { headers })).json();
    expect(live).toMatchObject({ data: [], total: 0 });
    expect(simulator.setTraffic('120/min').rate).toBe('120/min');
    expect(() => simulator.setTraffic('some')).toThrow(/expected a rate/);
    await simulator.clock.advance('1m');
    expect((await control(simulator, 'GET', '/traffic')).body.begun).toBeGreaterThan(quiet.begun + 80);
  });

  it('names its timers, so that one sees whose they are', async () => {
    await using simulator = await createSimulator({ traffic: '30/min' });
    const { body } = await control(simulator, 'GET', '/clock');
    expect(body.next.name).toBe('traffic at 30/min');
  });

  it('begins anew with a reset, and goes on after a restore', async () => {
    await using simulator = await createSimulator({ seed: 3, traffic: '30/min' });
    await simulator.clock.advance('2m');
    const snapshot = await simulator.snapshot();
    await control(simulator, 'PUT', '/traffic', { rate: '60/min' });
    await simulator.restore(snapshot);
    expect((await control(simulator, 'GET', '/traffic')).body).toEqual({ rate: '60/min', begun: 0, skipped: 0 });
    await simulator.clock.advance('2m');
    expect((await control(simulator, 'GET', '/traffic')).body.begun).toBeGreaterThan(90);
    await simulator.reset();
    expect((await control(simulator, 'GET', '/traffic')).body).toEqual({ rate: '30/min', begun: 0, skipped: 0 });
    await simulator.clock.advance('2m');
    expect((await control(simulator, 'GET', '/traffic')).body.begun).toBeGreaterThan(40);
  });

  it('leaves other accounts and scripted phones alone', async () => {
    await using simulator = await createSimulator({
      seed: 4,
      traffic: '60/min',
      http: false,
      journalCapacity: 200_000,
    });
    simulator.phones.behaviour('103', 'busy');
    await simulator.clock.advance('5m');
    const customers = new Set(simulator.journal.entries({ kind: 'call.opened' }).map(({ customerId }) => customerId));
    expect([...customers]).toEqual([1]);
    expect(begun(simulator).map(({ from }) => from)).not.toContain('103');
  });

  it('refuses what it cannot do, in words', async () => {
    await using simulator = await createSimulator();
    expect(await control(simulator, 'PUT', '/traffic', { rate: '1000/s' })).toMatchObject({
      status: 400,
      body: { errors: ['rate: expected at most 50/s'] },
    });
    expect(await control(simulator, 'PUT', '/traffic', { rate: 'lots' })).toMatchObject({ status: 400 });
    expect(await control(simulator, 'PUT', '/traffic', {})).toMatchObject({ status: 400 });
    await expect(createSimulator({ traffic: '30' })).rejects.toThrow(/expected a rate such as 30\/min/);
    await expect(createSimulator({ traffic: '30/min', clock: 'fast' })).rejects.toThrow(/fast one would race/);
    await using fast = await createSimulator({ clock: 'fast' });
    expect(await control(fast, 'PUT', '/traffic', { rate: '1/s' })).toMatchObject({ status: 409 });
  });
});
