// A phone that subscribes, written down to the bytes, at a user agent that tells: the stage of the tests of subscriptions.
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from './memory-flow.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { parseMessage } from './parse.ts';
import { createUserAgent } from './user-agent.ts';
import type { SubscribeRequest, Subscription } from './user-agent-api.ts';

export const START = Date.UTC(2026, 0, 1);

export interface Desk {
  readonly clock: Timeline;
  readonly agent: ReturnType<typeof createUserAgent>;
  readonly subscriptions: Subscription[];
  readonly ended: string[];
  /** What the phone received. */
  readonly got: SipMessage[];
  /** How the phone answers a NOTIFY; undefined: not at all. */
  answer: { status: number; more?: string[] } | undefined;
  waiting: string;
  send(lines: readonly string[]): void;
  at(ms: number): void;
  close(): void;
}

export function desk(onSubscribe?: (request: SubscribeRequest) => boolean, maxSubscriptions?: number): Desk {
  const clock = new Timeline({ mode: 'manual', startMs: START });
  const [phone, flow] = memoryPair({
    clock,
    transport: 'UDP',
    reliable: false,
    ends: [{ address: { host: '192.0.2.9', port: 5099 } }, { address: { host: '192.0.2.2', port: 5060 } }],
  });
  const subscriptions: Subscription[] = [];
  const ended: string[] = [];
  const got: SipMessage[] = [];
  const agent = createUserAgent({
    clock,
    random: new Random(1, 'agent'),
    product: 'exchange',
    contactUser: 'exchange',
    route: () => flow,
    eventPackages: ['message-summary', 'dialog'],
    ...(maxSubscriptions === undefined ? {} : { limits: { subscriptions: maxSubscriptions } }),
    events: {
      onInvite() {},
      onRequest(request) {
        request.respond(404);
      },
      onSubscribe(request) {
        if (onSubscribe?.(request) === false) return;
        const events = { onEnded: (_: Subscription, why: string) => void ended.push(`${clock.now() - START} ${why}`) };
        const state = () => ({ body: desk.waiting, contentType: 'application/simple-message-summary' });
        subscriptions.push(request.accept(state, events));
      },
    },
  });
  flow.listener = agent;
  const desk: Desk = {
    clock,
    agent,
    subscriptions,
    ended,
    got,
    answer: { status: 200 },
    waiting: 'Messages-Waiting: no\r\n',
    send(lines) {
      phone.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
      clock.settle();
    },
    at(ms) {
      clock.advanceTo(START + ms);
    },
    close: () => phone.close('gone'),
  };
  phone.listener = {
    received(_flow, bytes) {
      const parsed = parseMessage(bytes);
      if (!parsed.ok) return;
      got.push(parsed.message);
      if (parsed.message.kind === 'request' && desk.answer !== undefined) {
        const { status, more = [] } = desk.answer;
        phone.send(Buffer.from(`${answerTo(parsed.message, status, more).join('\r\n')}\r\n\r\n`));
      }
    },
    closed() {},
  };
  return desk;
}

function answerTo({ headers }: SipRequest, status: number, more: readonly string[]): string[] {
  const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headers.get(name)}`);
  return [`SIP/2.0 ${status} As asked`, ...copied, ...more];
}

// After the example of RFC 3842, 4.
export function subscribe(
  more: readonly string[] = ['Expires: 3600'],
  cseq = 4,
  toTag = '',
  callId = '1349882',
): string[] {
  return [
    'SUBSCRIBE sip:alice@vmail.example.com SIP/2.0',
    `Via: SIP/2.0/UDP 192.0.2.9:5099;branch=z9hG4bK-${callId}-${cseq}`,
    'Max-Forwards: 70',
    'From: <sip:alice@example.com>;tag=4442',
    `To: <sip:alice@example.com>${toTag === '' ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}@192.0.2.9`,
    `CSeq: ${cseq} SUBSCRIBE`,
    'Contact: <sip:alice@192.0.2.9:5099>',
    ...(more.some((line) => line.startsWith('Event')) ? [] : ['Event: message-summary']),
    ...more,
  ];
}

export function requests({ got }: Desk): SipRequest[] {
  return got.filter((message) => message.kind === 'request');
}

export function responses({ got }: Desk): SipResponse[] {
  return got.filter((message) => message.kind === 'response');
}

export function tagOfOurs(desk: Desk): string {
  return /;tag=(\w+)/.exec(responses(desk)[0]?.headers.get('To') ?? '')?.[1] ?? '';
}

export function states(desk: Desk): string[] {
  return requests(desk).map(({ headers }) => headers.get('Subscription-State') ?? '');
}
