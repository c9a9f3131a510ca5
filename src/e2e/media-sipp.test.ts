// Keys in the sound of a third implementation: SIPp plays captured RFC 4733 packets into a call.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { explained } from './sipp.ts';
import { SippPhones } from './sipp-phones.ts';
import { type Facts, SocketStage } from './sockets-stage.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';
/** SIPp plays captures through a raw socket. */
const mayPlay = process.getuid?.() === 0;
if (interop && !mayPlay) console.log('Not root: SIPp cannot play packets, the test of its keys is left out.');

describe.runIf(interop && mayPlay)('SIPp', () => {
  it('presses keys in its sound, each of which is told once', async () => {
    const stage = await SocketStage.open();
    const { udp, tcp, domain } = stage.sip;
    const written = ({ host, port }: { host: string; port: number }): string => `${host}:${port}`;
    const phones = new SippPhones({ udp: written(udp), tcp: written(tcp), domain }, 'UDP');
    try {
      await stage.behave(stage.user(1).ext, { on_call: 'answer', after_ms: 0 });
      const report = await phones.calls(stage.user(0), [stage.user(1).ext], {
        scenario: 'caller-presses-keys',
        calls: 1,
      });
      expect(report.successful, explained(report)).toBe(1);
      const told = stage.simulator.journal.query({ kind: 'event' }).map((entry) => dataOf(entry) as Facts);
      const keys = told.filter(({ name }) => name === 'call.dtmf').map(({ payload }) => (payload as Facts).digit);
      expect(keys).toEqual(['5', '5', '#']);
    } finally {
      await phones.leave();
      await stage.close();
    }
  });
});
