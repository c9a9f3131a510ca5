// How many calls a second two user agents set up and end over an in-memory wire, under a clock that moves by hand. Run it by itself: `node src/bench/sip-calls.ts [calls]`.
import { performance } from 'node:perf_hooks';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from '../sip/memory-flow.ts';
import { createUserAgent } from '../sip/user-agent.ts';

export interface SipCallsResult {
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  /** Of one call: INVITE, 100, 180, 200, ACK, BYE, 200. */
  readonly messagesPerSecond: number;
}

export interface SipCallsOptions {
  readonly calls: number;
  /** Dressed as UDP: every transaction lingers and its timers are set. */
  readonly reliable?: boolean;
  /** Calls begun in one step of the clock. */
  readonly together?: number;
}

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.1',
  's=-',
  'c=IN IP4 192.0.2.1',
  't=0 0',
  'm=audio 4000 RTP/AVP 0 8 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=sendrecv',
  '',
].join('\r\n');

/** Calls of one leg: caller and callee both run in this process, so an exchange's call of two legs costs about twice as much. */
export function sipCalls(options: SipCallsOptions): SipCallsResult {
  const clock = new Timeline({ mode: 'manual', startMs: 0 });
  const reliable = options.reliable ?? true;
  const [near, far] = memoryPair({
    clock,
    reliable,
    transport: reliable ? 'MEM' : 'UDP',
    ends: [{ address: { host: '192.0.2.1', port: 5060 } }, { address: { host: '192.0.2.2', port: 5060 } }],
  });
  const caller = createUserAgent({
    clock,
    random: new Random(1, 'caller'),
    product: 'pbxsim',
    contactUser: '100',
    route: () => near,
    events: { onInvite() {}, onRequest() {} },
  });
  const callee = createUserAgent({
    clock,
    random: new Random(1, 'callee'),
    product: 'pbxsim',
    contactUser: '101',
    route: () => far,
    events: {
      onInvite(session) {
        session.provisional(180);
        session.accept(SDP);
      },
      onRequest() {},
    },
  });
  near.listener = caller;
  far.listener = callee;
  let ended = 0;
  const events = {
    onAnswered: (session: { end(): void }) => session.end(),
    onEnded: () => {
      ended += 1;
    },
  };
  const together = options.together ?? 10;
  const start = performance.now();
  for (let begun = 0; begun < options.calls; begun += together) {
    for (let call = 0; call < together; call += 1) {
      caller.invite({
        uri: 'sip:101@192.0.2.2',
        from: '"Alice" <sip:100@192.0.2.1>',
        to: '<sip:101@192.0.2.2>',
        body: SDP,
        events,
      });
    }
    clock.settle();
    // 4,000 calls a second of simulated time, so that finished transactions leave at a true rate.
    clock.advanceTo(clock.now() + together / 4);
  }
  const seconds = (performance.now() - start) / 1000;
  clock.advanceTo(clock.now() + 100_000);
  const calls = Math.ceil(options.calls / together) * together;
  const callsPerSecond = calls / seconds;
  return { calls, failed: calls - ended, callsPerSecond, messagesPerSecond: callsPerSecond * 7 };
}

if (import.meta.main) {
  const calls = Number(process.argv[2] ?? 20_000);
  for (const reliable of [true, false]) {
    sipCalls({ calls: 2_000, reliable });
    const result = sipCalls({ calls, reliable });
    const rate = `${Math.round(result.callsPerSecond)} calls/s, ${Math.round(result.messagesPerSecond)} messages/s`;
    console.log(`${reliable ? 'MEM' : 'UDP'}: ${rate}, ${result.failed} of ${result.calls} failed`);
  }
}
