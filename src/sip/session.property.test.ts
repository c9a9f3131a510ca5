// Whatever is lost, doubled or late on the wire, and whatever its users do: each session ends once on each side, and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireConditions } from './memory-flow.ts';
import type { SipMessage } from './message.ts';
import { createStage, SDP, type Stage } from './user-agent.rig.ts';
import type { ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

type Deed =
  | 'ring'
  | 'sound'
  | 'accept'
  | 'reject'
  | 'cancel'
  | 'end'
  | 'hold'
  | 'late offer'
  | 'update'
  | 'move'
  | 'info'
  | 'ack'
  /** Out of turn, past the rules of who sends it. */
  | 'odd update'
  | 'odd prack'
  | 'odd subscribe'
  /** Answers the offers that wait for it, where its side is slow. */
  | 'agree';

interface Step {
  readonly who: 'alice' | 'bob';
  readonly deed: Deed;
  readonly afterMs: number;
}

const deeds: readonly Deed[] = [
  'ring',
  'sound',
  'accept',
  'accept',
  'reject',
  'cancel',
  'end',
  'hold',
  'late offer',
  'update',
  'move',
  'info',
  'ack',
  'odd update',
  'odd prack',
  'odd subscribe',
  'agree',
];

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('alice', 'bob'),
  deed: fc.constantFrom(...deeds),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 40_000 })),
});

/** For each message in turn: the delays of its copies. Beyond the list the wire is clean. */
const weather = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant([0]) },
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 3 }) },
  ),
  { maxLength: 40 },
);

function conditions(delays: readonly (readonly number[])[]): WireConditions {
  return (_, count) => delays[count - 1] ?? [0];
}

interface Ended {
  readonly sessions: Session[];
  /** Offers that nobody has answered yet. */
  readonly waiting: Map<Session, ServerRequest[]>;
  readonly endings: Map<Session, number>;
  readonly heardAfterEnd: string[];
}

function watch(ended: Ended, slow: boolean): SessionEvents {
  const alive = (what: string) => (session: Session) => {
    if (ended.endings.has(session)) ended.heardAfterEnd.push(what);
  };
  return {
    onProvisional: alive('provisional'),
    onAnswered: alive('answered'),
    onAck: alive('ack'),
    onReinvite: (session, request) => {
      alive('reinvite')(session);
      if (slow) ended.waiting.set(session, [...(ended.waiting.get(session) ?? []), request]);
      else request.respond(200, { body: SDP });
    },
    onRequest: (session, request) => {
      alive('request')(session);
      request.respond(200);
    },
    onEnded: (session) => ended.endings.set(session, (ended.endings.get(session) ?? 0) + 1),
  };
}

function act(session: Session | undefined, deed: Deed, outcomes: { asked: number; told: number }): void {
  if (session === undefined) return;
  const told = () => {
    outcomes.told += 1;
  };
  const uac = session.role === 'uac';
  if (deed === 'end') session.end();
  else if (deed === 'cancel' && uac) session.cancel();
  else if (deed === 'ack' && uac && session.state === 'answered') session.ack(SDP);
  else if (deed === 'ring' && !uac) session.provisional(180);
  else if (deed === 'sound' && !uac) session.provisional(183, { body: SDP });
  else if (deed === 'accept' && !uac) session.accept(SDP);
  else if (deed === 'reject' && !uac) session.reject(486);
  else if (
    ['hold', 'late offer', 'update', 'move', 'info', 'odd update', 'odd prack', 'odd subscribe'].includes(deed)
  ) {
    outcomes.asked += 1;
    if (deed === 'odd update') session.request('UPDATE', { body: SDP }, told);
    else if (deed === 'odd prack') session.request('PRACK', { headers: [['RAck', '1 1 INVITE']], body: SDP }, told);
    else if (deed === 'odd subscribe') session.request('SUBSCRIBE', { headers: [['Event', 'refer']] }, told);
    else if (deed === 'info') session.request('INFO', {}, told);
    else if (deed === 'hold') session.reinvite(SDP, told);
    else if (deed === 'update') session.update(SDP, told);
    else if (deed === 'move') session.update(undefined, told);
    else session.reinvite(undefined, told);
  }
}

interface Run extends Stage, Ended {
  readonly outcomes: { asked: number; told: number };
}

/** What the INVITE is like. */
interface Manner {
  readonly offered: boolean;
  /** Provisionals are to be acknowledged (RFC 3262). */
  readonly reliable: boolean;
  /** A session timer is asked for (RFC 4028). */
  readonly timed: boolean;
  /** The called side wants one by itself. */
  readonly timedByBob: boolean;
  /** Offers wait for an answer. */
  readonly slow: boolean;
}

const manner: fc.Arbitrary<Manner> = fc.record({
  offered: fc.boolean(),
  reliable: fc.boolean(),
  timed: fc.boolean(),
  timedByBob: fc.boolean(),
  slow: fc.boolean(),
});

function run(
  { offered, reliable, timed, timedByBob, slow }: Manner,
  steps: readonly Step[],
  fromAlice: readonly (readonly number[])[],
  fromBob: readonly (readonly number[])[],
): Run {
  const ended: Ended = { sessions: [], waiting: new Map(), endings: new Map(), heardAfterEnd: [] };
  const onInvite = (session: Session) => {
    ended.sessions.push(session);
    session.events = watch(ended, slow);
  };
  const stage = createStage({
    fromAlice: conditions(fromAlice),
    fromBob: conditions(fromBob),
    bob: { events: { onInvite, onRequest() {} }, ...(timedByBob ? { sessionExpiresS: 90 } : {}) },
  });
  const alice = stage.call({
    events: watch(ended, slow),
    body: offered ? SDP : '',
    ...(reliable ? { headers: [['Require', '100rel']] } : {}),
    ...(timed ? { sessionExpiresS: 90 } : {}),
  });
  ended.sessions.unshift(alice);
  const outcomes = { asked: 0, told: 0 };
  let ms = 0;
  for (const { who, deed, afterMs } of steps) {
    ms += afterMs;
    stage.at(ms);
    const session = who === 'alice' ? alice : ended.sessions[1];
    if (deed !== 'agree') act(session, deed, outcomes);
    else for (const request of ended.waiting.get(session ?? alice) ?? []) request.respond(200, { body: SDP });
  }
  // In the end both users hang up, and time passes.
  stage.at(ms + 5_000);
  for (const session of ended.sessions) session.end();
  stage.at(ms + 300_000);
  for (const session of ended.sessions) session.end();
  stage.at(ms + 600_000);
  return { ...stage, ...ended, outcomes };
}

/** The INVITEs, by caller's tag and CSeq, whose 2xx arrived although no ACK was ever sent. */
function unacknowledged(stage: Stage): string[] {
  const named = (message: SipMessage) => {
    const tag = /;tag=(\w+)/.exec(message.headers.get('From') ?? '')?.[1];
    return `${tag} ${Number.parseInt(message.headers.get('CSeq') ?? '', 10)}`;
  };
  const acknowledged = new Set(
    stage.sent.filter((message) => message.kind === 'request' && message.method === 'ACK').map(named),
  );
  return stage.arrived
    .filter((m) => m.kind === 'response' && m.status === 200 && m.headers.get('CSeq')?.endsWith('INVITE') === true)
    .map(named)
    .filter((name) => !acknowledged.has(name));
}

describe('sessions in any weather', () => {
  it('end once on each side, tell every outcome, and leave nothing', () => {
    fc.assert(
      fc.property(manner, fc.array(step, { maxLength: 10 }), weather, weather, (how, steps, there, back) => {
        const result = run(how, steps, there, back);
        expect(result.sessions.map((session) => session.state)).toEqual(result.sessions.map(() => 'terminated'));
        expect(result.sessions.map((session) => result.endings.get(session))).toEqual(result.sessions.map(() => 1));
        expect(result.heardAfterEnd).toEqual([]);
        expect(result.outcomes.told).toBe(result.outcomes.asked);
        expect(result.clock.pending()).toEqual([]);
        expect(result.alice.stats).toEqual({
          clientTransactions: 0,
          serverTransactions: 0,
          sessions: 0,
          subscriptions: 0,
        });
        expect(result.bob.stats).toEqual({
          clientTransactions: 0,
          serverTransactions: 0,
          sessions: 0,
          subscriptions: 0,
        });
        expect(unacknowledged(result)).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });
});
