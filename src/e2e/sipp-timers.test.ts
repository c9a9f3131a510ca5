// Session timers with SIPp, a phone that knows of none, under a clock that moves by hand: it is asked whether it is there, and then it is not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { Simulator } from '../simulator.ts';
import { explained } from './sipp.ts';
import { SippPhones } from './sipp-phones.ts';
import { eventually } from './sipp-served.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';
const CONNECTED = 4;

if (interop) {
  describe('a SIPp phone under a session timer that the exchange wants', () => {
    const simulator = new Simulator({ seed: 1, clock: 'manual', signalling: { sessionExpiresS: 600 } });
    let phones: SippPhones;
    beforeAll(async () => {
      const { udp, tcp, domain } = await simulator.listenSip(0);
      phones = new SippPhones({ udp: `${udp.host}:${udp.port}`, tcp: `${tcp.host}:${tcp.port}`, domain }, 'UDP');
    });
    afterAll(async () => {
      await phones.leave();
      await simulator.close();
    });

    it('answers the refresh, and when it is gone the call ends with the next one', async () => {
      const { clock, world } = simulator;
      const [caller, called] = world.customers[0]?.users ?? [];
      if (caller === undefined || called === undefined) throw new Error('no users');
      const phone = await phones.waits(called, { scenario: 'callee-refreshed', calls: 1 });
      const answer = world.phones.act(caller.customer_id, caller.ext, { act: 'call', to: called.ext });
      expect(answer.ok).toBe(true);
      const states = async () => world.exchange.liveCalls(caller.customer_id).map(({ record }) => record.state);
      await eventually(states, ([state]) => state === CONNECTED);
      clock.advanceTo(clock.now() + 300_000);
      const report = await phone.ended;
      expect(report.failed, explained(report)).toBe(0);
      expect(await states()).toEqual([CONNECTED]);
      // The next refresh is due, goes again at every interval of timer E, and has no answer for 64*T1.
      clock.advanceTo(clock.now() + 300_000 + 31_999);
      expect(await states()).toEqual([CONNECTED]);
      clock.advanceTo(clock.now() + 1);
      expect(await states()).toEqual([]);
      const [closed] = simulator.journal.query({ kind: 'call.closed' });
      expect(closed && dataOf(closed)).toEqual({ cause: 'Session timer expired', q850: 102, terminated_by: null });
    });
  });
}
