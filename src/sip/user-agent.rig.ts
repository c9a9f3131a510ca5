// Two user agents, Alice and Bob, on one in-memory wire under a clock that moves by hand: the stage of tests and benchmarks. Knows no exchange.
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { cseqOf } from './fields.ts';
import { type MemoryFlow, memoryPair, type WireConditions } from './memory-flow.ts';
import type { SipMessage } from './message.ts';
import { createUserAgent } from './user-agent.ts';
import type {
  Ending,
  MessageObserver,
  OutgoingInvite,
  Session,
  SessionEvents,
  UserAgent,
  UserAgentOptions,
} from './user-agent-api.ts';

export interface StageOptions {
  /** True: MEM, reliable. False (default): dressed as UDP, so that lost messages are resent. */
  readonly reliable?: boolean;
  readonly seed?: number;
  readonly alice?: Partial<UserAgentOptions>;
  readonly bob?: Partial<UserAgentOptions>;
  /** What becomes of Alice's and of Bob's messages on the way. */
  readonly fromAlice?: WireConditions;
  readonly fromBob?: WireConditions;
}

export interface Stage {
  readonly clock: Timeline;
  readonly alice: UserAgent;
  readonly bob: UserAgent;
  readonly aliceFlow: MemoryFlow;
  readonly bobFlow: MemoryFlow;
  /** Every message in the order in which it was sent: `500 alice INVITE`, `500 bob 200 INVITE`, times in ms from the start. */
  readonly story: string[];
  /** The same messages, whole. */
  readonly sent: SipMessage[];
  /** Every message that arrived and was taken, on either side. */
  readonly arrived: SipMessage[];
  /** What was dropped, and why. */
  readonly discarded: string[];
  /** A call of Alice's to Bob with an offer, if not said otherwise. */
  call(options?: Partial<OutgoingInvite>): Session;
  /** Moves the clock to so many ms after the start. */
  at(ms: number): void;
}

/** A body that looks like SDP; the engine does not read it. */
export const SDP = 'v=0\r\n';

/** The default Bob leaves every call and request unanswered. */
export function createStage(options: StageOptions = {}): Stage {
  const startMs = Date.UTC(2026, 0, 1);
  const clock = new Timeline({ mode: 'manual', startMs });
  const [aliceFlow, bobFlow] = memoryPair({
    clock,
    transport: options.reliable === true ? 'MEM' : 'UDP',
    reliable: options.reliable === true,
    ends: [
      {
        address: { host: '192.0.2.1', port: 5060 },
        ...(options.fromAlice === undefined ? {} : { conditions: options.fromAlice }),
      },
      {
        address: { host: '192.0.2.2', port: 5060 },
        ...(options.fromBob === undefined ? {} : { conditions: options.fromBob }),
      },
    ],
  });
  const story: string[] = [];
  const sent: SipMessage[] = [];
  const arrived: SipMessage[] = [];
  const discarded: string[] = [];
  const agent = (name: 'alice' | 'bob', flow: MemoryFlow, own: Partial<UserAgentOptions> = {}): UserAgent => {
    const observer: MessageObserver = {
      observed(direction, _flow, message) {
        if (direction === 'in') {
          arrived.push(message);
          return;
        }
        story.push(`${clock.now() - startMs} ${name} ${summary(message)}`);
        sent.push(message);
      },
      discarded(_flow, _bytes, why) {
        discarded.push(`${name}: ${why}`);
      },
    };
    return createUserAgent({
      clock,
      random: new Random(options.seed ?? 1, name),
      product: name,
      contactUser: name,
      route: () => flow,
      observer,
      events: { onInvite() {}, onRequest() {} },
      ...own,
    });
  };
  const alice = agent('alice', aliceFlow, options.alice);
  const bob = agent('bob', bobFlow, options.bob);
  aliceFlow.listener = alice;
  bobFlow.listener = bob;
  return {
    clock,
    alice,
    bob,
    aliceFlow,
    bobFlow,
    story,
    sent,
    arrived,
    discarded,
    call: (call = {}) => {
      const parts = { uri: 'sip:bob@192.0.2.2', from: '<sip:alice@192.0.2.1>', to: '<sip:bob@192.0.2.2>', body: SDP };
      return alice.invite({ ...parts, events: {}, ...call });
    },
    at(ms) {
      clock.advanceTo(startMs + ms);
    },
  };
}

/** `INVITE`, or `180 INVITE` for a response. */
function summary(message: SipMessage): string {
  return message.kind === 'request' ? message.method : `${message.status} ${cseqOf(message)?.method ?? '?'}`;
}

/** What the owner of a session heard, one line each. */
export function diary(lines: string[], more: SessionEvents = {}): SessionEvents {
  return {
    onProvisional: (_, response) => lines.push(`provisional ${response.status}`),
    onAnswered: (_, response) => lines.push(`answered ${response.status}`),
    onAck: () => lines.push('ack'),
    onEnded: (_, ending) => lines.push(`ended ${told(ending)}`),
    ...more,
  };
}

function told(ending: Ending): string {
  return ending.by === 'failure' ? `failure ${ending.outcome.status} by ${ending.outcome.by}` : ending.by;
}
