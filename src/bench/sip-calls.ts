// How many calls a second two user agents set up and end over an in-memory wire, under a clock that moves by hand. Run it by itself: `node src/bench/sip-calls.ts [calls]`.
import { performance } from 'node:perf_hooks';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from '../sip/memory-flow.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { SessionEvents, UserAgentEvents } from '../sip/user-agent-api.ts';

export interface SipCallsResult {
  readonly calls: number;
  readonly failed: number;
  readonly callsPerSecond: number;
  /** Of one call: INVITE, 100, 180, 200, ACK, BYE, 200. */
  readonly messagesPerSecond: number;
}

export interface SipCallsOptions {
  readonly calls: number;
  /** Default true. False: as over UDP, every transaction lingers and its timers are set. */
  readonly reliable?: boolean;
  /** Calls begun in one step of the clock. */
  readonly together?: number;
}

/** Two phones, one of which calls the other. */
export interface PhonePair {
  readonly clock: Timeline;
  call(events: SessionEvents): void;
  /** How many calls have ended at the phone that was called. */
  calledEnded(): number;
}

export const SDP = [
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

/** A phone that rings and answers at once. */
export function answering(onEnded: () => void): UserAgentEvents {
  return {
    onInvite(session) {
      session.events = { onEnded };
      session.provisional(180);
      session.accept(SDP);
    },
    onRequest: (request) => request.respond(200),
  };
}

/** Two phones on one wire. */
export function facingPhones(reliable = true): PhonePair {
  const clock = new Timeline({ mode: 'manual', startMs: 0 });
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
  let calledEnded = 0;
  const callee = createUserAgent({
    clock,
    random: new Random(1, 'callee'),
    product: 'pbxsim',
    contactUser: '101',
    route: () => far,
    events: answering(() => {
      calledEnded += 1;
    }),
  });
  near.listener = caller;
  far.listener = callee;
  const parts = { uri: 'sip:101@192.0.2.2', from: '"Alice" <sip:100@192.0.2.1>', to: '<sip:101@192.0.2.2>', body: SDP };
  return { clock, call: (events) => void caller.invite({ ...parts, events }), calledEnded: () => calledEnded };
}

/** Calls of one leg: caller and callee both run in this process, so an exchange's call of two legs costs about twice as much. */
export function sipCalls(options: SipCallsOptions): SipCallsResult {
  const { calls, callsPerSecond, whole } = carryCalls(facingPhones(options.reliable), options);
  return { calls, failed: calls - whole, callsPerSecond, messagesPerSecond: callsPerSecond * 7 };
}

export interface CarriedCalls {
  readonly calls: number;
  /** Answered, and ended at both phones. */
  readonly whole: number;
  readonly callsPerSecond: number;
}

/** Has each call answered, and then ended by the caller. */
export function carryCalls(pair: PhonePair, options: SipCallsOptions): CarriedCalls {
  const { clock } = pair;
  const endedBefore = pair.calledEnded();
  let answered = 0;
  let ended = 0;
  const events: SessionEvents = {
    onAnswered: (session) => {
      answered += 1;
      session.end();
    },
    onEnded: () => {
      ended += 1;
    },
  };
  const together = options.together ?? 10;
  const start = performance.now();
  for (let begun = 0; begun < options.calls; begun += together) {
    for (let call = 0; call < together; call += 1) pair.call(events);
    clock.settle();
    // 4,000 calls a second of simulated time, so that finished transactions leave at a true rate.
    clock.advanceTo(clock.now() + together / 4);
  }
  const seconds = (performance.now() - start) / 1000;
  clock.advanceTo(clock.now() + 100_000);
  const calls = Math.ceil(options.calls / together) * together;
  const whole = Math.min(answered, ended, pair.calledEnded() - endedBefore);
  return { calls, whole, callsPerSecond: calls / seconds };
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
