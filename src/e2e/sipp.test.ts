// Interop with SIPp, an independent SIP stack, through the real command: registration and calls in every direction over UDP and TCP.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { explained, SCENARIOS, type SippReport } from './sipp.ts';
import { type Collection, eventually } from './sipp-served.ts';
import { SippStage } from './sipp-stage.ts';

const CALLS = 200;
const RATE = 80;
const TALK_MS = 100;
const interop = process.env['PBXSIM_INTEROP'] !== 'off';
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
        const final = method === 'SIP/2.0' && (/^[3-6]/.test(status ?? '') || /application\/sdp/.test(rest ?? ''));
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
}
