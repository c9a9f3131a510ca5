// Interop with SIPp, an independent SIP stack, through the real command: registration and calls in every direction over UDP and TCP.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Simulator } from '../simulator.ts';
import { explained, SCENARIOS, type SippReport } from './sipp.ts';
import { SippPhones } from './sipp-phones.ts';
import { type Collection, eventually } from './sipp-served.ts';
import { SippStage } from './sipp-stage.ts';
import { WebhookReceiver } from './sipp-webhooks.ts';

const CALLS = 200;
const RATE = 80;
const TALK_MS = 100;
/** The published number of a live call's state. */
const CONNECTED = 4;
const interop = process.env.PBXSIM_INTEROP !== 'off';
if (!interop) console.log('PBXSIM_INTEROP=off: the interop tests with SIPp are left out.');

function expectAllWell(...reports: readonly SippReport[]): void {
  for (const report of reports) expect(report.failed, explained(report)).toBe(0);
  for (const report of reports) expect(report.successful, explained(report)).toBe(report.calls);
}

describe('SIPp scenario files', () => {
  const files = readdirSync(SCENARIOS).filter((name) => name.endsWith('.xml'));

  it('send every request but ACK, and every final answer to an INVITE, again until it is answered', () => {
    const careless = files.flatMap((name) => {
      const text = readFileSync(join(SCENARIOS, name), 'utf8');
      const sends = [...text.matchAll(/<send([^>]*)><!\[CDATA\[\s*(\S+) (\S+)([\s\S]*?)<\/send>/g)];
      return sends.flatMap(([, attributes, method, status, rest]) => {
        const final =
          method === 'SIP/2.0' && (/^[3-6]/.test(status ?? '') || /application\/sdp|CSeq:\[\$cseq\]/.test(rest ?? ''));
        const again = final || (method !== 'SIP/2.0' && method !== 'ACK');
        return (attributes?.includes('retrans="500"') === true) === again ? [] : [`${name}: ${method} ${status}`];
      });
    });
    expect(files.length).toBeGreaterThanOrEqual(11);
    expect(careless).toEqual([]);
  });
});

for (const transport of interop ? (['UDP', 'TCP'] as const) : []) {
  describe(`SIPp over ${transport}`, () => {
    let stage: SippStage;
    let cdrsBefore = 0;
    beforeAll(async () => {
      stage = await SippStage.open(transport);
      cdrsBefore = await stage.total('/cdrs');
    });
    afterEach(() => stage.phones.leave());
    afterAll(() => stage.close());

    /** No call is left, and each has its record. */
    async function expectRecorded(calls: number): Promise<void> {
      await eventually(
        () => stage.total('/calls'),
        (live) => live === 0,
      );
      expect((await stage.total('/cdrs')) - cdrsBefore).toBe(calls);
      cdrsBefore += calls;
    }

    it('registers with digest and calls simulated handsets', async () => {
      const [user, ...others] = stage.users;
      if (user === undefined) throw new Error('no users');
      await stage.phones.waits(user, { scenario: 'callee', calls: 1 });
      const handset = await stage.simulator.control<{ stepped_back: boolean }>('GET', `/phones/${user.ext}`);
      expect(handset.body.stepped_back).toBe(true);
      const dialled = others.map(({ ext }) => ext);
      expectAllWell(
        await stage.phones.calls(user, dialled, { scenario: 'caller', calls: CALLS, rate: RATE, pauseMs: TALK_MS }),
      );
      await expectRecorded(CALLS);
    });

    it('is called by a simulated handset', async () => {
      const phone = await stage.phones.waits(stage.user(1), {
        scenario: 'callee-hangs-up',
        calls: CALLS,
        pauseMs: TALK_MS,
      });
      const act = { act: 'call', to: stage.user(1).ext };
      const { statuses, report } = await stage.drive(CALLS, phone, () =>
        stage.simulator.control('POST', `/phones/${stage.user(0).ext}/acts`, act),
      );
      expect(statuses).toEqual([200]);
      expectAllWell(report);
      await expectRecorded(CALLS);
    });

    it('is called by click to call over REST', async () => {
      const phone = await stage.phones.waits(stage.user(1), {
        scenario: 'callee-hangs-up',
        calls: CALLS,
        pauseMs: TALK_MS,
      });
      const { statuses, report } = await stage.drive(CALLS, phone, () =>
        stage.simulator.api(stage.user(0), 'POST', '/calls', { to: stage.user(1).ext }),
      );
      expect(statuses).toEqual([201]);
      expectAllWell(report);
      await expectRecorded(CALLS);
    });

    it('calls another SIPp', async () => {
      expectAllWell(
        ...(await stage.pair(
          { scenario: 'caller', calls: CALLS, rate: RATE, pauseMs: TALK_MS },
          { scenario: 'callee', calls: CALLS },
        )),
      );
      await expectRecorded(CALLS);
    });
  });
}

if (interop) {
  describe('flows with SIPp on both sides', () => {
    const calls = 10;
    let stage: SippStage;
    beforeAll(async () => {
      stage = await SippStage.open('UDP');
    });
    afterEach(() => stage.phones.leave());
    afterAll(() => stage.close());

    for (const [title, caller, callee] of [
      ['the callee hangs up', 'caller-hung-up-on', 'callee-hangs-up'],
      ['the caller cancels while it rings', 'caller-cancels', 'callee-rings'],
      ['the callee is busy', 'caller-refused', 'callee-busy'],
      ['the caller holds and resumes', 'caller-holds', 'callee'],
      ['the caller hears the callee before the answer, and holds', 'caller-holds-early', 'callee-sounds-early'],
      ['the caller is a fax machine, is refused T.38, and goes on with sound', 'caller-sends-pictures', 'callee'],
    ] as const) {
      it(title, async () => {
        const plan = { calls, rate: 20, pauseMs: TALK_MS };
        expectAllWell(...(await stage.pair({ scenario: caller, ...plan }, { scenario: callee, ...plan })));
        await eventually(
          () => stage.total('/calls'),
          (live) => live === 0,
        );
      });
    }

    it('the caller transfers: the same live calls go on without it', async () => {
      const [user, stays, target] = stage.users;
      if (user === undefined || stays === undefined || target === undefined) throw new Error('no users');
      const plan = { scenario: 'caller-transfers', calls, rate: 20, pauseMs: TALK_MS };
      expectAllWell(await stage.phones.calls(user, [[stays.ext, target.ext]], plan));
      type Parties = { readonly id: number; readonly src: string; readonly dst: string; readonly referred_by: string };
      const { body } = await stage.simulator.api<Collection<Parties>>(user, 'GET', '/calls');
      expect(body.total).toBe(calls);
      expect(new Set(body.data.map(({ src, dst }) => [src, dst].sort().join('-')))).toEqual(
        new Set([`${stays.ext}-${target.ext}`]),
      );
      for (const { id } of body.data) await stage.simulator.api(user, 'DELETE', `/calls/${id}`);
      await eventually(
        () => stage.total('/calls'),
        (live) => live === 0,
      );
    });
  });

  describe('ten per cent loss on one side, over UDP', () => {
    let stage: SippStage;
    beforeAll(async () => {
      stage = await SippStage.open('UDP');
    });
    afterAll(() => stage.close());

    it('costs the exchange no more calls than it costs the same two SIPps without it', {
      timeout: 60_000,
    }, async () => {
      const [user, other] = [stage.user(0), stage.user(1)];
      // Talking for 4 s leaves time to repeat a lost ACK three times before the BYE.
      const caller = { scenario: 'caller', calls: CALLS, rate: 150, pauseMs: 4_000, lostPercent: 10, withinMs: 45_000 };
      const callee = { scenario: 'callee', calls: CALLS, withinMs: 55_000 };
      const behindExchange = await stage.phones.waits(other, callee);
      const alone = await stage.phones.waits(undefined, { ...callee, pauseMs: 4_000 });
      const direct = await stage.phones.starts(user, [other.ext], { ...caller, remote: `127.0.0.1:${alone.port}` });
      const through = await stage.phones.calls(user, [other.ext], caller);
      // Calls that SIPp itself loses end late: without a loss to compare with there is no reason to wait for them.
      const baseline = await (through.failed === 0 ? direct.stop() : direct.ended);
      const why = `through the exchange: ${explained(through)}\n\nwithout it: ${explained(baseline)}`;
      expect(through.retransmissions, 'nothing was lost on the way').toBeGreaterThan(20);
      expect(through.failed, why).toBeLessThanOrEqual(baseline.failed);
      expect(through.reasons, why).toEqual(through.failed === 0 ? {} : { FailedMaxUDPRetrans: through.failed });
      await eventually(
        () => stage.total('/calls'),
        (live) => live === 0,
      );
      expectAllWell(await behindExchange.ended);
    });
  });

  describe('after the last call', () => {
    // SIP over real sockets under a stopped clock: once the calls are over, moving it shows what would have been left.
    const simulator = new Simulator({ seed: 1, clock: 'manual' });
    let sip: { readonly udp: string; readonly tcp: string; readonly domain: string };
    beforeAll(async () => {
      const { udp, tcp, domain } = await simulator.listenSip(0);
      sip = { udp: `${udp.host}:${udp.port}`, tcp: `${tcp.host}:${tcp.port}`, domain };
    });
    afterAll(() => simulator.close());

    const sockets = (): string[] => process.getActiveResourcesInfo().filter((name) => /^(UDP|TCPSocket)/.test(name));
    const timers = (): string[] =>
      simulator.clock
        .pending()
        .map(({ name }) => name)
        .sort();

    for (const transport of ['UDP', 'TCP'] as const) {
      it(`leaves no dialog, transaction, timer or port over ${transport}`, async () => {
        const [caller, callee] = simulator.world.customers[0]?.users ?? [];
        if (caller === undefined || callee === undefined) throw new Error('no users');
        const before = { sockets: sockets(), timers: timers() };
        const phones = new SippPhones(sip, transport);
        const phone = await phones.waits(callee, { scenario: 'callee', calls: CALLS });
        const calling = phones.calls(caller, [callee.ext], {
          scenario: 'caller',
          calls: CALLS,
          rate: 80,
          pauseMs: 300,
        });
        await eventually(
          async () => simulator.world.exchange.stats,
          ({ calls, sessions }) => calls > 0 && sessions >= 2 * calls,
        );
        expect(sockets().length).toBeGreaterThan(before.sockets.length);
        expectAllWell(await calling, await phone.ended);
        await phones.leave();
        // RFC 3261, 17: the longest wait of a transaction (timers D, H, J) is 64*T1.
        simulator.clock.advanceTo(simulator.clock.now() + 64 * 500);
        const quiet = { calls: 0, sessions: 0, subscriptions: 0, mediaSessions: 0, recordings: 0 };
        expect(simulator.world.exchange.stats).toEqual({ ...quiet, clientTransactions: 0, serverTransactions: 0 });
        expect(timers()).toEqual(before.timers);
        await eventually(
          async () => sockets().length,
          (open) => open === before.sockets.length,
        );
      });
    }
  });

  describe('one SIPp call', () => {
    let stage: SippStage;
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      stage = await SippStage.open('UDP', '--allow-http-webhooks');
      receiver = await WebhookReceiver.open();
    });
    afterAll(async () => {
      await stage.close();
      await receiver.close();
    });

    it('is the same call over REST, in its CDR and at the webhook', async () => {
      const [user, other] = [stage.user(0), stage.user(1)];
      const webhook = { name: 'calls', url: receiver.url, events: ['call_state_change'] };
      expect((await stage.simulator.control('POST', '/webhooks', webhook)).status).toBe(201);
      const callee = await stage.phones.waits(other, { scenario: 'callee', calls: 1 });
      const plan = { scenario: 'caller', calls: 1, pauseMs: 1_500, callId: 'sipp-call-%u@127.0.0.1' };
      const calling = stage.phones.calls(user, [other.ext], plan);
      const live = await eventually(
        () => stage.simulator.api<Collection<Record<string, unknown>>>(user, 'GET', '/calls'),
        ({ body }) => body.data[0]?.state === CONNECTED,
      );
      const parties = { src: user.ext, src_id: String(user.user_id), dst: other.ext, dst_id: String(other.user_id) };
      expect(live.body.total).toBe(1);
      expect(live.body.data[0]).toMatchObject({ ...parties, src_call_id: 'sipp-call-1@127.0.0.1', src_codec: 'PCMU' });
      expect(live.body.data[0]?.dst_contact).toContain(`127.0.0.1:${callee.port}`);
      expectAllWell(await calling, await callee.ended);

      const id = live.body.data[0]?.id;
      const filter = JSON.stringify([{ property: 'live_id', operator: 'eq', value: id }]);
      const path = `/cdrs?filter=${encodeURIComponent(filter)}`;
      const cdrs = await stage.simulator.api<Collection<Record<string, unknown>>>(user, 'GET', path);
      expect(cdrs.body.total).toBe(1);
      expect(cdrs.body.data[0]).toMatchObject({ live_id: id, src: user.ext, dst: other.ext });
      await eventually(
        async () => receiver.bodies,
        (bodies) => bodies.some(({ event_name }) => event_name === 'call.hangup'),
      );
      const told = receiver.bodies.filter(({ call_id }) => call_id === id);
      expect(told.map(({ event_name, src, dst }) => [event_name, src, dst])).toEqual(
        ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'].map((name) => [name, user.ext, other.ext]),
      );
      expect(told.at(-1)).toMatchObject({ terminated_by: 'caller', duration: cdrs.body.data[0]?.duration });
    });
  });
}
