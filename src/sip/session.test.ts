// Sessions between Alice and Bob as stories: the flows of RFC 3665, section 3, seen from outside.
import { describe, expect, it } from 'vitest';
import { createStage, diary, SDP, type Stage } from './user-agent.rig.ts';
import type { Ending, ServerRequest, Session, SessionEvents, UserAgentEvents } from './user-agent-api.ts';

interface Play extends Stage {
  readonly bobSession: () => Session;
  readonly heardByAlice: string[];
  readonly heardByBob: string[];
}

/** Alice has called Bob; Bob did what `answer` says. */
function play(answer: (session: Session) => void, aliceMore: SessionEvents = {}, bobMore: SessionEvents = {}): Play {
  const heardByAlice: string[] = [];
  const heardByBob: string[] = [];
  let bobs: Session | undefined;
  const events: UserAgentEvents = {
    onInvite(session) {
      bobs = session;
      session.events = diary(heardByBob, bobMore);
      answer(session);
    },
    onRequest: (request) => request.respond(200),
  };
  const stage = createStage({ bob: { events } });
  const alices = stage.call({ events: diary(heardByAlice, aliceMore) });
  stage.clock.settle();
  const bobSession = () => {
    if (bobs === undefined) throw new Error('Bob was not called');
    return bobs;
  };
  return { ...stage, call: () => alices, bobSession, heardByAlice, heardByBob };
}

function ringAndAnswer(session: Session): void {
  session.provisional(180);
  session.accept(SDP);
}

function nothingIsLeft(stage: Stage): void {
  stage.at(10_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

describe('a call that succeeds (RFC 3665, 3.1)', () => {
  it('rings, is answered and is hung up by the callee', () => {
    const stage = play((session) => session.provisional(180));
    const [alices, bobs] = [stage.call(), stage.bobSession()];
    expect([alices.state, bobs.state]).toEqual(['early', 'early']);
    stage.at(3_000);
    bobs.accept(SDP);
    expect(bobs.state).toBe('answered');
    stage.clock.settle();
    expect([alices.state, bobs.state]).toEqual(['confirmed', 'confirmed']);
    stage.at(60_000);
    bobs.end();
    expect(bobs.state).toBe('terminated');
    stage.clock.settle();
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 180 INVITE',
      '3000 bob 200 INVITE',
      '3000 alice ACK',
      '60000 bob BYE',
      '60000 alice 200 BYE',
    ]);
    expect(stage.heardByAlice).toEqual(['provisional 180', 'answered 200', 'ended remote-bye']);
    expect(stage.heardByBob).toEqual(['ack', 'ended local-bye']);
    nothingIsLeft(stage);
  });

  it('is hung up by the caller', () => {
    const stage = play(ringAndAnswer);
    stage.call().end();
    stage.clock.settle();
    expect(stage.story.slice(-2)).toEqual(['0 alice BYE', '0 bob 200 BYE']);
    expect(stage.heardByAlice.at(-1)).toBe('ended local-bye');
    expect(stage.heardByBob.at(-1)).toBe('ended remote-bye');
    nothingIsLeft(stage);
  });

  it('puts the same dialog on both sides', () => {
    const stage = play(ringAndAnswer);
    const [alices, bobs] = [stage.call(), stage.bobSession()];
    expect(bobs.callId).toBe(alices.callId);
    expect([bobs.localTag, bobs.remoteTag]).toEqual([alices.remoteTag, alices.localTag]);
    expect(alices.remoteContact).toBe('sip:bob@192.0.2.2:5060');
    expect(bobs.remoteContact).toBe('sip:alice@192.0.2.1:5060');
    expect([alices.remoteProduct, bobs.remoteProduct]).toEqual(['bob', 'alice']);
    expect(stage.alice.findSession(alices.callId, alices.localTag, alices.remoteTag)).toBe(alices);
    expect(stage.alice.findSession(alices.callId, alices.localTag, 'other')).toBeUndefined();
    alices.end();
    expect(stage.alice.findSession(alices.callId, alices.localTag, alices.remoteTag)).toBeUndefined();
  });

  it('gives every response but 100 the same To tag, and ours the headers that are owed', () => {
    const stage = play(ringAndAnswer);
    const tags = stage.sent
      .filter((message) => message.kind === 'response')
      .map((message) => /;tag=(\w+)/.exec(message.headers.get('To') ?? '')?.[1]);
    expect(tags).toEqual([undefined, stage.bobSession().localTag, stage.bobSession().localTag]);
    const [invite, , , ok] = stage.sent;
    expect(invite?.headers.get('Via')).toMatch(/^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK\w{14}$/);
    expect(invite?.headers.get('Max-Forwards')).toBe('70');
    expect(ok?.headers.get('Via')).toMatch(
      /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;branch=z9hG4bK\w{14};received=192\.0\.2\.1;rport=5060$/,
    );
    expect(ok?.headers.get('Contact')).toBe('<sip:bob@192.0.2.2:5060>');
    expect(ok?.headers.get('Allow')).toBe('INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, REFER, NOTIFY');
    expect(ok?.headers.get('Supported')).toBe('100rel, timer');
  });

  it('repeats the provisional each minute while it rings', () => {
    const stage = play((session) => session.provisional(180));
    stage.at(150_000);
    stage.bobSession().accept(SDP);
    stage.at(300_000);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 180 INVITE',
      '60000 bob 180 INVITE',
      '120000 bob 180 INVITE',
      '150000 bob 200 INVITE',
      '150000 alice ACK',
    ]);
  });

  it('without an offer has it in the 200 and the answer in the ACK', () => {
    const heard: string[] = [];
    const bobEvents: UserAgentEvents = {
      onInvite(session) {
        session.events = { onAck: (_, ack) => heard.push(Buffer.from(ack.body).toString()) };
        session.accept('v=0 offer\r\n');
      },
      onRequest() {},
    };
    const stage = createStage({ bob: { events: bobEvents } });
    const session = stage.call({ body: '' });
    stage.clock.settle();
    expect(session.state).toBe('answered');
    expect(stage.story.at(-1)).toBe('0 bob 200 INVITE');
    session.ack('v=0 answer\r\n');
    stage.clock.settle();
    expect(session.state).toBe('confirmed');
    expect(heard).toEqual(['v=0 answer\r\n']);
    expect(() => session.ack('again')).toThrow('owes no ACK');
  });
});

describe('a call that fails (RFC 3665, 3.8 to 3.10)', () => {
  it.each([
    [486, 'Busy Here'],
    [480, 'Temporarily Unavailable'],
    [603, 'Decline'],
    [302, 'Moved Temporarily'],
  ])('with %i', (status, reason) => {
    const stage = play((session) => session.reject(status));
    expect(stage.story).toEqual(['0 alice INVITE', '0 bob 100 INVITE', `0 bob ${status} INVITE`, '0 alice ACK']);
    const refusal = stage.sent[2];
    expect(refusal?.kind === 'response' && refusal.reason).toBe(reason);
    expect(stage.heardByAlice).toEqual([`ended failure ${status} by response`]);
    expect(stage.heardByBob).toEqual([`ended failure ${status} by response`]);
    nothingIsLeft(stage);
  });

  it('acknowledges a failure on the way of its INVITE (RFC 3261, 17.1.1.3)', () => {
    const stage = play((session) => session.reject(486));
    const [invite, , busy, ack] = stage.sent;
    expect(ack?.headers.get('Via')).toBe(invite?.headers.get('Via'));
    expect(ack?.headers.get('CSeq')).toBe('1 ACK');
    expect(ack?.headers.get('To')).toBe(busy?.headers.get('To'));
    expect(ack?.kind === 'request' && ack.uri).toBe('sip:bob@192.0.2.2');
  });

  it('for nobody is there: 503 when there is no way', () => {
    const stage = createStage({ alice: { route: () => undefined } });
    const heard: string[] = [];
    stage.call({ events: diary(heard) });
    expect(heard).toEqual([]);
    stage.clock.settle();
    expect(heard).toEqual(['ended failure 503 by transport']);
    expect(stage.story).toEqual([]);
    nothingIsLeft(stage);
  });

  it('is lost with its connection', () => {
    const stage = play((session) => session.provisional(180));
    stage.aliceFlow.close('reset by peer');
    stage.clock.settle();
    expect(stage.heardByAlice).toEqual(['provisional 180', 'ended failure 503 by transport']);
    expect(stage.heardByBob).toEqual(['ended lost']);
    nothingIsLeft(stage);
  });

  it('is lost in the middle, too', () => {
    const stage = play(ringAndAnswer);
    stage.aliceFlow.close('reset by peer');
    stage.clock.settle();
    expect([stage.heardByAlice.at(-1), stage.heardByBob.at(-1)]).toEqual(['ended lost', 'ended lost']);
    nothingIsLeft(stage);
  });
});

describe('a call that the caller gives up (RFC 3665, 3.7)', () => {
  it('is cancelled: 200 to CANCEL, 487 to INVITE', () => {
    const reasons: Array<string | undefined> = [];
    const onEnded = (_: Session, ending: Ending) => {
      reasons.push(ending.by === 'cancel' ? ending.request?.headers.get('Reason') : ending.by);
    };
    const stage = play((session) => session.provisional(180), {}, { onEnded });
    stage.at(5_000);
    stage.call().cancel('SIP;cause=200;text="Call completed elsewhere"');
    stage.clock.settle();
    expect(stage.story.slice(3)).toEqual([
      '5000 alice CANCEL',
      '5000 bob 200 CANCEL',
      '5000 bob 487 INVITE',
      '5000 alice ACK',
    ]);
    expect(stage.heardByAlice).toEqual(['provisional 180', 'ended cancel']);
    expect(reasons).toEqual(['SIP;cause=200;text="Call completed elsewhere"']);
    const [invite, cancelled, ok] = [stage.sent[0], stage.sent[3], stage.sent[4]];
    expect(cancelled?.headers.get('Via')).toBe(invite?.headers.get('Via'));
    expect(cancelled?.headers.get('To')).toBe('<sip:bob@192.0.2.2>');
    expect(cancelled?.headers.get('CSeq')).toBe('1 CANCEL');
    expect(ok?.headers.get('To')).toBe(stage.sent[2]?.headers.get('To'));
    nothingIsLeft(stage);
  });

  it('holds the CANCEL back until a provisional came', () => {
    const stage = createStage({ fromBob: (_, count) => (count <= 2 ? [] : [0]) });
    const heard: string[] = [];
    const session = stage.call({ events: diary(heard) });
    session.cancel();
    stage.at(10_000);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '500 alice INVITE',
      '500 bob 100 INVITE',
      '1500 alice INVITE',
      '1500 bob 100 INVITE',
      '1500 alice CANCEL',
      '1500 bob 200 CANCEL',
      '1500 bob 487 INVITE',
      '1500 alice ACK',
    ]);
    expect(heard).toEqual(['ended cancel']);
    nothingIsLeft(stage);
  });

  it('is given up 32 s after a CANCEL that nobody follows', () => {
    const stage = createStage({ fromAlice: (_, count) => (count === 1 ? [0] : []) });
    const heard: string[] = [];
    const session = stage.call({ events: diary(heard) });
    stage.at(1_000);
    session.cancel();
    stage.at(32_999);
    expect(heard).toEqual([]);
    stage.at(33_000);
    expect(heard).toEqual(['ended cancel']);
    expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });
});

describe('within a call', () => {
  it('requests reach the other side, and OPTIONS is answered by the engine', () => {
    const bodies: string[] = [];
    const stage = play(
      ringAndAnswer,
      {},
      {
        onRequest(_, request) {
          bodies.push(`${request.request.method} ${Buffer.from(request.request.body)}`);
          request.respond(200);
        },
      },
    );
    const outcomes: number[] = [];
    const info = { body: 'Signal=5', contentType: 'application/dtmf-relay' };
    stage.call().request('INFO', info, ({ status }) => outcomes.push(status));
    stage.call().request('OPTIONS', {}, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(bodies).toEqual(['INFO Signal=5']);
    expect(outcomes).toEqual([200, 200]);
    expect(stage.sent.at(-1)?.headers.get('Accept')).toBe('application/sdp');
    expect(stage.sent.filter((m) => m.kind === 'request').map((m) => m.headers.get('CSeq'))).toEqual([
      '1 INVITE',
      '1 ACK',
      '2 INFO',
      '3 OPTIONS',
    ]);
  });

  it('what nobody handles is refused: 481 to NOTIFY, 405 to others', () => {
    const stage = play(ringAndAnswer);
    const outcomes: number[] = [];
    stage.call().request('NOTIFY', {}, ({ status }) => outcomes.push(status));
    stage.call().request('REFER', {}, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(outcomes).toEqual([481, 405]);
    expect(stage.call().state).toBe('confirmed');
  });

  it('481 to a vital request means that the call is lost', () => {
    const refuse = (_: Session, request: ServerRequest) => request.respond(481);
    const stage = play(ringAndAnswer, {}, { onRequest: refuse });
    const outcomes: number[] = [];
    stage.call().request('INFO', {}, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(outcomes).toEqual([481]);
    expect(stage.heardByAlice.at(-1)).toBe('ended lost');
  });

  it('requests that await their answer end with the call: 481', () => {
    const stage = play(ringAndAnswer, {}, { onRequest() {} });
    const outcomes: string[] = [];
    stage.call().request('INFO', {}, ({ status, by }) => outcomes.push(`${status} ${by}`));
    stage.clock.settle();
    stage.bobSession().end();
    stage.at(100_000);
    expect(outcomes).toEqual(['481 terminated']);
    stage.call().request('INFO', {}, ({ status, by }) => outcomes.push(`${status} ${by}`));
    stage.clock.settle();
    expect(outcomes).toEqual(['481 terminated', '481 terminated']);
  });
});
