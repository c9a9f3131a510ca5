// Flows and the clock: a peer that lives in real time keeps a fast clock from jumping while a call or transaction is open.
import { describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from './memory-flow.ts';
import { createUserAgent } from './user-agent.ts';

describe('an external peer', () => {
  it('holds a fast clock while it owes or is owed something, and no longer', () => {
    const timeline = new Timeline({ mode: 'manual', startMs: 0 });
    let held = 0;
    const clock: Clock = {
      mode: 'manual',
      now: () => timeline.now(),
      after: (ms, name, fn, options) => timeline.after(ms, name, fn, options),
      soon: (fn) => timeline.soon(fn),
      hold: (kind) => {
        held += kind === 'external' ? 1 : 100;
        return () => {
          held -= 1;
        };
      },
    };
    const address = { host: '192.0.2.2', port: 5060 };
    const [near, far] = memoryPair({ clock, external: true, ends: [{ address }, { address }] });
    const quiet = { clock, random: new Random(1), product: 'x', contactUser: 'x', route: () => near };
    const agent = createUserAgent({ ...quiet, events: { onInvite() {}, onRequest() {} } });
    near.listener = agent;
    far.listener = createUserAgent({
      ...quiet,
      events: { onInvite: (session) => session.accept('v=0\r\n'), onRequest() {} },
    });
    const call = { uri: 'sip:x@x', from: '<sip:y@x>', to: '<sip:x@x>', body: 'v=0\r\n', events: {} };
    const session = agent.invite(call);
    expect(held).toBe(1);
    timeline.settle();
    // Both ends of the wire have the call.
    expect(held).toBe(2);
    session.end();
    timeline.settle();
    // Timers L and M run on, but nobody waits for the peer any more.
    expect(held).toBe(0);
    expect(timeline.pending().map(({ name }) => name.charAt(0))).toEqual(['L', 'M']);
    expect(timeline.hasForeground).toBe(false);
  });
});
