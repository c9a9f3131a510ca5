// What a user agent owes to single messages, good and bad: refusals, limits, sources, matching (RFC 3261, 8.2, 17.2.3 and 18).
import { describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from './memory-flow.ts';
import type { SipResponse } from './message.ts';
import { parseMessage } from './parse.ts';
import { createUserAgent } from './user-agent.ts';
import type { ServerRequest, Session, UserAgent, UserAgentOptions } from './user-agent-api.ts';

interface Desk {
  readonly clock: Timeline;
  readonly agent: UserAgent;
  readonly sessions: Session[];
  readonly requests: ServerRequest[];
  /** Sends text as the peer; the result is what came back at once. */
  ask(lines: readonly string[], body?: string): SipResponse[];
  readonly discarded: string[];
  readonly flow: ReturnType<typeof memoryPair>[0];
  /** What the observer saw, one line a message. */
  readonly observed: string[];
}

/** A user agent alone with a peer that we play by hand. */
function desk(options: Partial<UserAgentOptions> = {}): Desk {
  const clock = new Timeline({ mode: 'manual', startMs: 0 });
  const [peer, flow] = memoryPair({
    clock,
    transport: 'UDP',
    reliable: false,
    ends: [{ address: { host: '192.0.2.9', port: 5099 } }, { address: { host: '192.0.2.2', port: 5060 } }],
  });
  const sessions: Session[] = [];
  const requests: ServerRequest[] = [];
  const discarded: string[] = [];
  const observed: string[] = [];
  const agent = createUserAgent({
    clock,
    random: new Random(1),
    product: 'desk',
    contactUser: '100',
    route: () => flow,
    methods: ['MESSAGE', 'REGISTER'],
    observer: {
      observed(direction, _flow, message, _bytes, session) {
        const what = message.kind === 'request' ? message.method : message.status;
        observed.push(`${direction} ${what} ${session === undefined ? '-' : session.id}`);
      },
      discarded: (_flow, _bytes, why) => discarded.push(why),
    },
    events: {
      onInvite: (session) => sessions.push(session),
      onRequest: (request) => requests.push(request),
    },
    ...options,
  });
  const answers: SipResponse[] = [];
  flow.listener = agent;
  peer.listener = {
    received(_flow, bytes) {
      const parsed = parseMessage(bytes);
      if (parsed.ok && parsed.message.kind === 'response') answers.push(parsed.message);
    },
    closed() {},
  };
  const ask = (lines: readonly string[], body = '') => {
    answers.length = 0;
    peer.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`));
    clock.settle();
    return [...answers];
  };
  return { clock, agent, sessions, requests, ask, discarded, flow, observed };
}

interface Lines {
  readonly method?: string;
  readonly branch?: string;
  readonly via?: string;
  readonly toTag?: string;
  readonly fromTag?: string;
  readonly callId?: string;
  readonly cseq?: number;
  readonly more?: readonly string[];
}

function lines({
  method = 'INVITE',
  branch = 'z9hG4bK1',
  toTag,
  fromTag = 'a',
  callId = 'c1',
  ...rest
}: Lines): string[] {
  return [
    `${method} sip:100@192.0.2.2 SIP/2.0`,
    `Via: ${rest.via ?? `SIP/2.0/UDP 192.0.2.9:5099;branch=${branch}`}`,
    `From: <sip:200@192.0.2.9>;tag=${fromTag}`,
    `To: <sip:100@192.0.2.2>${toTag === undefined ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${rest.cseq ?? 1} ${method}`,
    ...(method === 'INVITE' ? ['Contact: <sip:200@192.0.2.9:5099>'] : []),
    ...(rest.more ?? []),
  ];
}

function statuses(answers: readonly SipResponse[]): number[] {
  return answers.map(({ status }) => status);
}

describe('a request outside any dialog', () => {
  it('goes to the owner, and its answer back with a To tag', () => {
    const { ask, requests } = desk();
    expect(ask(lines({ method: 'OPTIONS' }))).toEqual([]);
    expect(requests.length).toBe(1);
    requests[0]?.respond(200);
    requests[0]?.respond(500);
    const [answer, copy, ...more] = ask(lines({ method: 'OPTIONS' }));
    expect(more).toEqual([]);
    expect(answer?.status).toBe(200);
    expect(copy).toEqual(answer);
    expect(answer?.headers.get('To')).toMatch(/^<sip:100@192\.0\.2\.2>;tag=\w{10}$/);
    expect(answer?.headers.get('Server')).toBe('desk');
    expect(requests.length).toBe(1);
  });

  it.each<[string, Lines, number, string, string]>([
    [
      'an unknown method',
      { method: 'FOO' },
      405,
      'Allow',
      'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, REFER, NOTIFY, MESSAGE, REGISTER',
    ],
    ['an unknown extension', { more: ['Require: precondition'] }, 420, 'Unsupported', 'precondition'],
    [
      'a body of unknown type',
      { more: ['Content-Type: text/html', 'Content-Length: 2'] },
      415,
      'Accept',
      'application/sdp',
    ],
  ])('refuses %s', (_, message, status, header, value) => {
    const { ask, sessions } = desk();
    const body = message.more?.some((line) => line.startsWith('Content-Length')) === true ? 'hi' : '';
    const [answer] = ask(lines(message), body);
    expect(answer?.status).toBe(status);
    expect(answer?.headers.get(header)).toBe(value);
    expect(answer?.headers.get('To')).toMatch(/;tag=\w+$/);
    expect(sessions).toEqual([]);
  });

  it('refuses a BYE that belongs to nothing, with or without a tag: 481', () => {
    const { ask } = desk();
    expect(statuses(ask(lines({ method: 'BYE', toTag: 'x' })))).toEqual([481]);
    expect(statuses(ask(lines({ method: 'BYE', branch: 'z9hG4bK2' })))).toEqual([481]);
    expect(statuses(ask(lines({ method: 'INVITE', branch: 'z9hG4bK3', toTag: 'x' })))).toEqual([481]);
    expect(statuses(ask(lines({ method: 'CANCEL', branch: 'z9hG4bK4' })))).toEqual([481]);
  });

  it('an ACK that belongs to nothing is lost without a word', () => {
    const { ask, observed } = desk();
    expect(ask(lines({ method: 'ACK', toTag: 'x' }))).toEqual([]);
    expect(observed).toEqual(['in ACK -']);
  });

  it('refuses an INVITE at its last hop, unless it is a telephone: 483', () => {
    expect(statuses(desk().ask(lines({ more: ['Max-Forwards: 0'] })))).toEqual([483]);
    expect(statuses(desk({ lastHop: true }).ask(lines({ more: ['Max-Forwards: 0'] })))).toEqual([100]);
  });

  it('refuses a request that comes twice by different ways: 482 (RFC 3261, 8.2.2.2)', () => {
    const { ask, sessions } = desk();
    expect(statuses(ask(lines({})))).toEqual([100]);
    expect(statuses(ask(lines({ branch: 'z9hG4bKother' })))).toEqual([482]);
    expect(sessions.length).toBe(1);
    expect(statuses(ask(lines({ branch: 'z9hG4bKnext', cseq: 2 })))).toEqual([100]);
  });

  it('advertises the extensions that it was given', () => {
    const { ask, sessions } = desk({ extensions: ['replaces'] });
    ask(lines({ more: ['Require: replaces'] }));
    sessions[0]?.accept('v=0\r\n');
    // The copy of the INVITE is absorbed; what comes is the 200.
    const [answer] = ask(lines({}));
    expect(answer?.status).toBe(200);
    expect(answer?.headers.get('Supported')).toBe('100rel, timer, replaces');
  });
});

describe('bad input', () => {
  it('is dropped when it is no SIP message, with the reason', () => {
    const { ask, discarded, agent } = desk();
    expect(ask(['hello'])).toEqual([]);
    expect(ask(lines({ method: 'ACK', via: 'nonsense' }))).toEqual([]);
    expect(ask(['SIP/2.0 200 OK', ...lines({}).slice(1)])).toEqual([]);
    expect(discarded).toEqual(['no start line', 'no readable Via', 'no transaction of ours']);
    expect(agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });

  it('is refused where it came from when its Via cannot be read (RFC 4475, 3.1.2.1), and nothing is kept', () => {
    const { ask, agent } = desk();
    const [answer] = ask(lines({ via: 'SIP/2.0/UDP 192.0.2.15;;,;,,' }));
    expect([answer?.status, answer?.reason]).toEqual([400, 'Malformed Via']);
    expect(answer?.headers.get('Via')).toBe('SIP/2.0/UDP 192.0.2.15;;,;,,');
    expect(ask(lines({}).filter((line) => !line.startsWith('Via')))).toEqual([]);
    expect(agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });

  it('is refused when it is broken: 400 with the reason', () => {
    const { ask, sessions } = desk();
    const [answer] = ask(lines({}).filter((line) => !line.startsWith('Call-ID')));
    expect([answer?.status, answer?.reason]).toEqual([400, 'Missing Call-ID']);
    expect(sessions).toEqual([]);
  });

  it('a fault of our own is not hidden', () => {
    const { ask } = desk({
      events: {
        onInvite() {
          throw new Error('our own fault');
        },
        onRequest() {},
      },
    });
    expect(() => ask(lines({}))).toThrow('our own fault');
  });
});

describe('where it came from', () => {
  it('is noted in Via: received and, when asked for, rport (RFC 3581)', () => {
    const { ask } = desk();
    const via = (value: string, branch: string) =>
      ask(lines({ method: 'BYE', via: `${value};branch=${branch}` }))[0]?.headers.get('Via');
    expect(via('SIP/2.0/UDP 192.0.2.9:5099', 'z9hG4bK1')).toBe('SIP/2.0/UDP 192.0.2.9:5099;branch=z9hG4bK1');
    expect(via('SIP/2.0/UDP pc33.example;rport', 'z9hG4bK2')).toBe(
      'SIP/2.0/UDP pc33.example;branch=z9hG4bK2;received=192.0.2.9;rport=5099',
    );
    expect(via('SIP/2.0/UDP 10.0.0.1:5060', 'z9hG4bK3')).toBe(
      'SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK3;received=192.0.2.9',
    );
  });

  it('leaves the other Vias as they are, on their own lines or not', () => {
    const { ask } = desk();
    const below = 'SIP/2.0/TCP 10.0.0.2;branch=z9hG4bKx';
    const [answer] = ask(
      lines({ method: 'BYE', via: `SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1, ${below}`, more: [`Via: ${below}`] }),
    );
    expect(answer?.headers.all('Via')).toEqual([
      'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;received=192.0.2.9',
      below,
      below,
    ]);
  });
});

describe('a peer of RFC 2543', () => {
  const via = 'SIP/2.0/UDP 192.0.2.9:5099;branch=1';

  it('is matched without a unique branch: copies, CANCEL and ACK find their INVITE', () => {
    const { ask, sessions, agent, clock } = desk();
    expect(statuses(ask(lines({ via })))).toEqual([100]);
    expect(statuses(ask(lines({ via })))).toEqual([100]);
    expect(sessions.length).toBe(1);
    expect(statuses(ask(lines({ via, method: 'CANCEL' })))).toEqual([200, 487]);
    const toTag = sessions[0]?.localTag ?? '';
    expect(ask(lines({ via, method: 'ACK', toTag }))).toEqual([]);
    clock.advanceTo(100_000);
    expect(agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });

  it('acknowledges a 2xx under the branch of its INVITE', () => {
    const { ask, sessions } = desk();
    ask(lines({ via }));
    sessions[0]?.accept('v=0\r\n');
    ask(lines({ via, method: 'ACK', toTag: sessions[0]?.localTag ?? '' }));
    expect(sessions[0]?.state).toBe('confirmed');
  });
});

describe('within a dialog', () => {
  function answered(): Desk & { toTag: string; session: Session } {
    const all = desk();
    all.ask(lines({ cseq: 10 }));
    const [session] = all.sessions;
    if (session === undefined) throw new Error('no session');
    session.accept('v=0\r\n');
    const toTag = session.localTag;
    all.ask(lines({ method: 'ACK', branch: 'z9hG4bKack', toTag, cseq: 10 }));
    return { ...all, toTag, session };
  }

  it('an older request gets 500 and Retry-After', () => {
    const { ask, toTag } = answered();
    expect(statuses(ask(lines({ method: 'OPTIONS', branch: 'z9hG4bK2', toTag, cseq: 12 })))).toEqual([200]);
    const [answer] = ask(lines({ method: 'INFO', branch: 'z9hG4bK3', toTag, cseq: 11 }));
    expect(answer?.status).toBe(500);
    expect(Number(answer?.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
  });

  it('a request with the wrong tag is none of it: 481', () => {
    const { ask, toTag, session } = answered();
    expect(statuses(ask(lines({ method: 'BYE', branch: 'z9hG4bK2', toTag, fromTag: 'b', cseq: 11 })))).toEqual([481]);
    expect(session.state).toBe('confirmed');
  });

  it('a re-INVITE moves the remote target', () => {
    const { ask, toTag, session } = answered();
    const moved = lines({ branch: 'z9hG4bK2', toTag, cseq: 11 }).map((line) =>
      line.startsWith('Contact') ? 'Contact: <sip:200@198.51.100.7:6000>' : line,
    );
    expect(statuses(ask(moved))).toEqual([100, 488]);
    expect(session.remoteContact).toBe('sip:200@198.51.100.7:6000');
  });

  it('every message is observed once, with its session', () => {
    const { ask, toTag, observed } = answered();
    ask(lines({ method: 'BYE', branch: 'z9hG4bK2', toTag, cseq: 11 }));
    ask(lines({ method: 'BYE', branch: 'z9hG4bK2', toTag, cseq: 11 }));
    expect(observed).toEqual([
      'in INVITE 1',
      'out 100 1',
      'out 200 1',
      'in ACK 1',
      'in BYE 1',
      'out 200 1',
      'in BYE 1',
      'out 200 1',
    ]);
  });
});

describe('limits', () => {
  it('beyond the open transactions: 503 with Retry-After, kept nowhere', () => {
    const { ask, agent } = desk({ limits: { open: 2 } });
    ask(lines({ callId: 'c1', branch: 'z9hG4bK1' }));
    ask(lines({ callId: 'c2', branch: 'z9hG4bK2' }));
    const third = lines({ callId: 'c3', branch: 'z9hG4bK3' });
    const [answer] = ask(third);
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get('Retry-After')).toBe('5');
    expect(agent.stats.serverTransactions).toBe(2);
    expect(ask(third)[0]?.headers.get('To')).toBe(answer?.headers.get('To'));
  });

  it('beyond the sessions: 503 to INVITE only', () => {
    const { ask } = desk({ limits: { sessions: 1 } });
    expect(statuses(ask(lines({})))).toEqual([100]);
    expect(statuses(ask(lines({ callId: 'c2', branch: 'z9hG4bK2' })))).toEqual([503]);
    expect(statuses(ask(lines({ method: 'BYE', callId: 'c3', branch: 'z9hG4bK3' })))).toEqual([481]);
  });
});

describe('the observer', () => {
  it('runs the handling of each message inside its cause', () => {
    const order: string[] = [];
    const { ask } = desk({
      observer: {
        observed: (direction, _flow, message) => {
          order.push(`${direction} ${message.kind === 'request' ? message.method : message.status}`);
        },
        discarded() {},
        within(run) {
          order.push('begin');
          run();
          order.push('end');
        },
      },
    });
    ask(lines({ method: 'BYE' }));
    expect(order).toEqual(['begin', 'in BYE', 'out 481', 'end']);
  });
});

describe('closing', () => {
  it('forgets everything without a word', () => {
    const { ask, agent, clock, sessions, observed } = desk();
    ask(lines({}));
    sessions[0]?.provisional(180);
    agent.request({ method: 'OPTIONS', uri: 'sip:x', from: '<sip:100@x>', to: '<sip:x>' }, () => {
      throw new Error('told after closing');
    });
    observed.length = 0;
    agent.close();
    clock.advanceTo(1_000_000);
    expect(observed).toEqual([]);
    expect(clock.pending()).toEqual([]);
    expect(agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });
});
