// UPDATE (RFC 3311): an offer within an answered call, the peer that moves, glare, and what may be offered while it rings.
import { describe, expect, it } from 'vitest';
import { MAX_GLARES } from './session-local-offer.ts';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { Outcome, OutgoingInvite, ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

interface Talk extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly outcomes: string[];
  note(outcome: Outcome): void;
}

const START = Date.UTC(2026, 0, 1);
const agree: SessionEvents = { onReinvite: (_, request) => request.respond(200, { body: 'v=0 answer\r\n' }) };

/** Bob's phone rings. */
function ring(
  bobMore: SessionEvents,
  aliceMore: SessionEvents = {},
  call: Partial<OutgoingInvite> = {},
  options: StageOptions = {},
): Talk {
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary([], bobMore);
    session.provisional(180);
  };
  const stage = createStage({ ...options, bob: { events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ events: diary([], aliceMore), ...call });
  stage.at(1_000);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  const outcomes: string[] = [];
  const note = ({ status, by }: Outcome) => outcomes.push(`${stage.clock.now() - START} ${status} ${by}`);
  stage.story.length = 0;
  return { ...stage, alices, bobs: bob, outcomes, note: (outcome) => void note(outcome) };
}

function talk(bobMore: SessionEvents, aliceMore: SessionEvents = {}, options: StageOptions = {}): Talk {
  const stage = ring(bobMore, aliceMore, {}, options);
  stage.bobs.accept(SDP);
  stage.at(2_000);
  stage.story.length = 0;
  stage.sent.length = 0;
  return stage;
}

function nothingIsLeft(stage: Stage): void {
  stage.at(10_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

describe('an UPDATE in an answered call', () => {
  it('brings an offer and its answer in two messages', () => {
    const heard: string[] = [];
    const stage = talk({
      onReinvite: (_, request) => {
        heard.push(request.request.method, Buffer.from(request.request.body).toString());
        request.respond(200, { body: 'v=0 answer\r\n' });
      },
    });
    expect([stage.alices.takesUpdate, stage.bobs.takesUpdate]).toEqual([true, true]);
    const answers: string[] = [];
    stage.alices.update('v=0 hold\r\n', ({ response }) => answers.push(Buffer.from(response?.body ?? []).toString()));
    stage.clock.settle();
    expect(stage.story).toEqual(['2000 alice UPDATE', '2000 bob 200 UPDATE']);
    expect(heard).toEqual(['UPDATE', 'v=0 hold\r\n']);
    expect(answers).toEqual(['v=0 answer\r\n']);
    const [update, ok] = stage.sent;
    expect(update?.headers.get('Contact')).toBe('<sip:alice@192.0.2.1:5060>');
    expect(update?.headers.get('CSeq')).toBe('2 UPDATE');
    expect(ok?.headers.get('Contact')).toBe('<sip:bob@192.0.2.2:5060>');
    stage.bobs.end();
    nothingIsLeft(stage);
  });

  it('without an offer is answered without a word to anybody', () => {
    const heard: string[] = [];
    const stage = talk({ onReinvite: () => heard.push('offer'), onRequest: () => heard.push('request') });
    stage.alices.update(undefined, stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual(['2000 alice UPDATE', '2000 bob 200 UPDATE']);
    expect(stage.outcomes).toEqual(['2000 200 response']);
    expect(heard).toEqual([]);
  });

  it('moves the peer: further requests go to its new Contact', () => {
    const stage = talk(agree);
    stage.alices.update(undefined, stage.note, [['Contact', '<sip:alice@192.0.2.77:5070>']]);
    stage.clock.settle();
    expect(stage.bobs.remoteContact).toBe('sip:alice@192.0.2.77:5070');
    stage.bobs.end();
    stage.clock.settle();
    expect(stage.sent.findLast((message) => message.kind === 'request')).toMatchObject({
      method: 'BYE',
      uri: 'sip:alice@192.0.2.77:5070',
    });
  });

  it('that nobody wants is refused, and the call goes on', () => {
    const stage = talk({});
    stage.alices.update(SDP, stage.note);
    stage.clock.settle();
    expect(stage.outcomes).toEqual(['2000 488 response']);
    expect(stage.alices.state).toBe('confirmed');
  });

  it('crossing one of the other side is 491 both ways; each goes again after its pause', () => {
    const stage = talk(agree, agree);
    stage.alices.update('v=0 a\r\n', stage.note);
    stage.bobs.update('v=0 b\r\n', stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual([
      '2000 alice UPDATE',
      '2000 bob UPDATE',
      '2000 bob 491 UPDATE',
      '2000 alice 491 UPDATE',
    ]);
    stage.at(7_000);
    expect(stage.outcomes.map((line) => line.slice(5))).toEqual(['200 response', '200 response']);
    const again = stage.story.slice(4).filter((line) => line.endsWith(' UPDATE') && !line.includes('200'));
    expect(again.map((line) => line.split(' ')[1])).toEqual(['bob', 'alice']);
    const [bobs, alices] = again.map((line) => Number(line.split(' ')[0]) - 2_000);
    // RFC 3261, 14.1: who made the Call-ID waits 2.1 to 4 s, the other up to 2 s.
    expect(bobs).toBeLessThanOrEqual(2_000);
    expect(alices).toBeGreaterThanOrEqual(2_100);
    expect(alices).toBeLessThanOrEqual(4_000);
  });

  it('is 491 while a re-INVITE of ours is under way, and 500 while one of theirs waits for us', () => {
    const waiting: ServerRequest[] = [];
    const stage = talk({ onReinvite: (_, request) => void waiting.push(request) });
    stage.alices.reinvite(SDP, () => {});
    stage.clock.settle();
    stage.story.length = 0;
    const answers: number[] = [];
    stage.bobs.request('UPDATE', { body: SDP }, ({ status }) => answers.push(status));
    stage.alices.request('UPDATE', { body: SDP }, ({ status, response }) => {
      answers.push(status);
      expect(Number(response?.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
    });
    stage.clock.settle();
    expect(answers).toEqual([491, 500]);
    expect(waiting.length).toBe(1);
  });

  it('is 500 while another waits for its answer (RFC 3311, 5.2), with or without an offer', () => {
    const waiting: ServerRequest[] = [];
    const stage = talk({ onReinvite: (_, request) => void waiting.push(request) });
    const answers: string[] = [];
    const ask = (name: string, body: string) =>
      stage.alices.request('UPDATE', { body }, ({ status }) => answers.push(`${name} ${status}`));
    ask('first', SDP);
    stage.clock.settle();
    ask('second', SDP);
    ask('third', '');
    stage.clock.settle();
    expect(answers).toEqual(['second 500', 'third 500']);
    waiting[0]?.respond(200, { body: SDP });
    stage.clock.settle();
    expect(answers[2]).toBe('first 200');
  });

  it('is 491 while our offer in a 2xx waits for its ACK', () => {
    const stage = talk(agree);
    stage.alices.reinvite(undefined, stage.note);
    stage.clock.settle();
    const answers: number[] = [];
    stage.alices.request('UPDATE', { body: SDP }, ({ status }) => answers.push(status));
    stage.clock.settle();
    expect(answers).toEqual([491]);
    stage.alices.ack(SDP);
    stage.alices.request('UPDATE', { body: SDP }, ({ status }) => answers.push(status));
    stage.clock.settle();
    expect(answers).toEqual([491, 200]);
  });

  it('and re-INVITEs wait for each other', () => {
    const stage = talk(agree);
    stage.alices.update('v=0 one\r\n', stage.note);
    stage.alices.reinvite('v=0 two\r\n', stage.note);
    stage.alices.update('v=0 three\r\n', stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual([
      '2000 alice UPDATE',
      '2000 bob 200 UPDATE',
      '2000 alice INVITE',
      '2000 bob 100 INVITE',
      '2000 bob 200 INVITE',
      '2000 alice ACK',
      '2000 alice UPDATE',
      '2000 bob 200 UPDATE',
    ]);
  });

  it('that is 491 for ever ends with 491', () => {
    const stage = talk({ onReinvite: (_, request) => request.respond(491) });
    stage.alices.update(SDP, stage.note);
    stage.at(100_000);
    expect(stage.story.filter((line) => line.endsWith('alice UPDATE')).length).toBe(MAX_GLARES + 1);
    expect(stage.outcomes.map((line) => line.split(' ').slice(1))).toEqual([['491', 'response']]);
    expect(stage.alices.state).toBe('confirmed');
  });

  it.each([481, 408])('that is answered %i ends the call (RFC 5057)', (status) => {
    const stage = talk({ onReinvite: (_, request) => request.respond(status) });
    stage.alices.update(SDP, stage.note);
    stage.clock.settle();
    expect(stage.alices.state).toBe('terminated');
    expect(stage.story.slice(2)).toEqual(['2000 alice BYE', '2000 bob 200 BYE']);
  });

  it('that waits for its answer when the call ends gets 487', () => {
    const stage = talk({ onReinvite() {} });
    stage.alices.update(SDP, stage.note);
    stage.clock.settle();
    stage.alices.end();
    stage.clock.settle();
    expect(stage.story).toContain('2000 bob 487 UPDATE');
    expect(stage.outcomes).toEqual(['2000 481 terminated']);
    nothingIsLeft(stage);
  });

  it('goes again when it was lost', () => {
    const stage = talk(agree, {}, { fromAlice: (_, count) => (count === 3 ? [] : [0]) });
    stage.alices.update(SDP, stage.note);
    stage.at(3_000);
    expect(stage.story).toEqual(['2000 alice UPDATE', '2500 alice UPDATE', '2500 bob 200 UPDATE']);
    expect(stage.outcomes).toEqual(['2500 200 response']);
  });
});

describe('an UPDATE while the phone rings', () => {
  it('without an offer is answered at once, either way', () => {
    const stage = ring({});
    stage.alices.update(undefined, stage.note);
    stage.bobs.update(undefined, stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual([
      '1000 alice UPDATE',
      '1000 bob UPDATE',
      '1000 bob 200 UPDATE',
      '1000 alice 200 UPDATE',
    ]);
  });

  it('with an offer waits until that of the INVITE is answered', () => {
    const stage = ring(agree);
    stage.alices.update('v=0 more\r\n', stage.note);
    stage.at(5_000);
    expect(stage.story).toEqual([]);
    stage.bobs.accept(SDP);
    stage.clock.settle();
    expect(stage.story).toEqual(['5000 bob 200 INVITE', '5000 alice ACK', '5000 alice UPDATE', '5000 bob 200 UPDATE']);
  });

  it('with an offer is 500 to who called with one, and 491 to who was called', () => {
    const stage = ring({});
    const answers: number[] = [];
    stage.alices.request('UPDATE', { body: SDP }, ({ status }) => answers.push(status));
    stage.bobs.request('UPDATE', { body: SDP }, ({ status }) => answers.push(status));
    stage.clock.settle();
    expect(answers).toEqual([500, 491]);
  });

  it('with an offer waits for the first exchange, too, when the INVITE had none', () => {
    const stage = ring({}, { ...agree, onAnswered: (session) => session.ack(SDP) }, { body: '' });
    stage.bobs.update('v=0 more\r\n', stage.note);
    stage.at(5_000);
    expect(stage.story).toEqual([]);
    stage.bobs.accept(SDP);
    stage.clock.settle();
    expect(stage.story).toEqual(['5000 bob 200 INVITE', '5000 alice ACK', '5000 bob UPDATE', '5000 alice 200 UPDATE']);
    expect(stage.outcomes).toEqual(['5000 200 response']);
  });
});
