// Re-INVITEs: hold and resume, glare and its pauses, refusals, lost answers (RFC 3261, 14; RFC 3665, 3.7).
import { describe, expect, it } from 'vitest';
import { MAX_GLARES } from './session-local-offer.ts';
import { MAX_WAITING_OFFERS } from './session-offers.ts';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { Outcome, ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

interface Talk extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly heardByAlice: string[];
  readonly heardByBob: string[];
  readonly outcomes: string[];
  /** Notes what became of an offer. */
  note(outcome: Outcome): void;
}

/** Alice and Bob are talking; the story so far is forgotten. */
function talk(bobMore: SessionEvents, aliceMore: SessionEvents = {}, options: StageOptions = {}): Talk {
  const heardByAlice: string[] = [];
  const heardByBob: string[] = [];
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary(heardByBob, bobMore);
    session.accept(SDP);
  };
  const stage = createStage({ ...options, bob: { events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ events: diary(heardByAlice, aliceMore) });
  stage.at(1_000);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  stage.story.length = 0;
  stage.sent.length = 0;
  heardByAlice.length = 0;
  heardByBob.length = 0;
  const outcomes: string[] = [];
  const note = ({ status, by }: Outcome) => outcomes.push(`${stage.clock.now() - START} ${status} ${by}`);
  return { ...stage, alices, bobs: bob, heardByAlice, heardByBob, outcomes, note: (outcome) => void note(outcome) };
}

const START = Date.UTC(2026, 0, 1);
const agree: SessionEvents = { onReinvite: (_, request) => request.respond(200, { body: 'v=0 answer\r\n' }) };

function nothingIsLeft(stage: Stage): void {
  stage.at(10_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

describe('a re-INVITE', () => {
  it('is answered and acknowledged, and the call goes on', () => {
    const stage = talk(agree);
    stage.alices.reinvite('v=0 hold\r\n', stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual(['1000 alice INVITE', '1000 bob 100 INVITE', '1000 bob 200 INVITE', '1000 alice ACK']);
    expect(stage.outcomes).toEqual(['1000 200 response']);
    expect(stage.sent.map((message) => message.headers.get('CSeq'))).toEqual([
      '2 INVITE',
      '2 INVITE',
      '2 INVITE',
      '2 ACK',
    ]);
    expect(stage.heardByBob).toEqual(['ack']);
    stage.bobs.end();
    nothingIsLeft(stage);
  });

  it('works from the side that was called as well', () => {
    const stage = talk({}, agree);
    stage.bobs.reinvite('v=0 hold\r\n', stage.note);
    stage.clock.settle();
    expect(stage.story).toEqual(['1000 bob INVITE', '1000 alice 100 INVITE', '1000 alice 200 INVITE', '1000 bob ACK']);
    expect(stage.outcomes).toEqual(['1000 200 response']);
  });

  it('without an offer leaves the ACK, with the answer, to the owner', () => {
    const answers: string[] = [];
    const stage = talk({ ...agree, onAck: (_, ack) => answers.push(Buffer.from(ack.body).toString()) });
    stage.alices.reinvite(undefined, stage.note);
    stage.clock.settle();
    expect(stage.story.at(-1)).toBe('1000 bob 200 INVITE');
    stage.alices.ack('v=0 late\r\n');
    stage.clock.settle();
    expect(stage.story.at(-1)).toBe('1000 alice ACK');
    // The first ACK is that of the call itself.
    expect(answers).toEqual(['', 'v=0 late\r\n']);
  });

  it('that is refused leaves the call as it was', () => {
    const stage = talk({});
    stage.alices.reinvite('v=0 hold\r\n', stage.note);
    stage.clock.settle();
    expect(stage.outcomes).toEqual(['1000 488 response']);
    expect(stage.alices.state).toBe('confirmed');
    expect(stage.heardByAlice).toEqual([]);
  });

  it('waits for its turn', () => {
    const stage = talk(agree);
    stage.alices.reinvite('v=0 one\r\n', stage.note);
    stage.alices.reinvite('v=0 two\r\n', stage.note);
    stage.clock.settle();
    expect(stage.story.filter((line) => line.includes('INVITE') && line.includes('alice'))).toEqual([
      '1000 alice INVITE',
      '1000 alice INVITE',
    ]);
    expect(stage.story.indexOf('1000 alice ACK')).toBeLessThan(stage.story.lastIndexOf('1000 alice INVITE'));
    expect(stage.outcomes).toEqual(['1000 200 response', '1000 200 response']);
  });

  it('waits its turn in a line of limited length', () => {
    const stage = talk({ onReinvite() {} });
    for (let count = 0; count < MAX_WAITING_OFFERS + 2; count += 1) stage.alices.reinvite(SDP, stage.note);
    stage.clock.settle();
    expect(stage.outcomes).toEqual(['1000 491 terminated']);
    stage.bobs.end();
    stage.clock.settle();
    expect(stage.outcomes.slice(1)).toEqual(Array(MAX_WAITING_OFFERS + 1).fill('1000 481 terminated'));
    nothingIsLeft(stage);
  });

  it('made before the answer goes out after it', () => {
    const stage = createStage({
      bob: { events: { onInvite: (session) => session.provisional(180), onRequest() {} } },
    });
    const session = stage.call();
    session.reinvite(SDP, () => {});
    stage.clock.settle();
    expect(stage.story).toEqual(['0 alice INVITE', '0 bob 100 INVITE', '0 bob 180 INVITE']);
  });

  it('to which nobody answers ends the call after 32 s, with a BYE', () => {
    const fromAlice = (_: Uint8Array, count: number) => (count <= 2 ? [0] : []);
    const stage = talk(agree, {}, { fromAlice });
    stage.alices.reinvite(SDP, stage.note);
    stage.at(33_000);
    expect(stage.outcomes).toEqual(['33000 408 timeout']);
    expect(stage.heardByAlice).toEqual(['ended lost']);
    expect(stage.story.at(-1)).toBe('33000 alice BYE');
    nothingIsLeft({ ...stage, bob: stage.alice });
  });

  it('answered 481 ends the call, with a BYE (RFC 3261, 12.2.1.2)', () => {
    const stage = talk({ onReinvite: (_, request) => request.respond(481) });
    stage.alices.reinvite(SDP, stage.note);
    stage.clock.settle();
    expect(stage.heardByAlice).toEqual(['ended lost']);
    expect(stage.heardByBob).toEqual(['ended remote-bye']);
    expect(stage.story.slice(-2)).toEqual(['1000 alice BYE', '1000 bob 200 BYE']);
  });

  it('whose 200 is never acknowledged ends the call: no-ack', () => {
    let acks = 0;
    const fromAlice = (bytes: Uint8Array) => {
      if (!Buffer.from(bytes).toString('latin1', 0, 3).startsWith('ACK')) return [0];
      acks += 1;
      return acks === 1 ? [0] : [];
    };
    const stage = talk(agree, {}, { fromAlice });
    stage.alices.reinvite(SDP, stage.note);
    stage.at(32_999);
    expect(stage.heardByBob).toEqual([]);
    stage.at(33_000);
    expect(stage.heardByBob).toEqual(['ended no-ack']);
    expect(stage.heardByAlice).toEqual(['ended remote-bye']);
    nothingIsLeft(stage);
  });

  it('whose ACK was lost does not block a later one', () => {
    let lost = 0;
    const fromAlice = (bytes: Uint8Array) => {
      const ack = Buffer.from(bytes).toString('latin1', 0, 3) === 'ACK';
      if (!ack || lost > 0) return [0];
      lost += 1;
      return [];
    };
    const stage = talk(agree, {}, { fromAlice });
    stage.alices.reinvite(SDP, stage.note);
    stage.at(2_000);
    expect(stage.outcomes).toEqual(['1000 200 response']);
    expect([stage.alices.state, stage.bobs.state]).toEqual(['confirmed', 'confirmed']);
  });

  it('is cancelled by its sender: 487', () => {
    const open: ServerRequest[] = [];
    const stage = talk({ onReinvite: (_, request) => void open.push(request) });
    stage.alices.reinvite(SDP, stage.note);
    stage.clock.settle();
    const text = Buffer.from(stage.sent[0] === undefined ? '' : rawCancel(stage)).toString();
    stage.aliceFlow.send(Buffer.from(text));
    stage.clock.settle();
    expect(stage.story.slice(-3)).toEqual(['1000 bob 200 CANCEL', '1000 bob 487 INVITE', '1000 alice ACK']);
    expect(open[0]?.answered).toBe(true);
    expect(stage.outcomes).toEqual(['1000 487 response']);
  });
});

function rawCancel(stage: Stage): string {
  const [invite] = stage.sent;
  const line = (name: string) => `${name}: ${invite?.headers.get(name)}\r\n`;
  const uri = invite?.kind === 'request' ? invite.uri : '';
  const head = `CANCEL ${uri} SIP/2.0\r\n${line('Via')}${line('From')}${line('To')}${line('Call-ID')}`;
  return `${head}CSeq: 2 CANCEL\r\nContent-Length: 0\r\n\r\n`;
}

describe('glare (RFC 3261, 14.1)', () => {
  it('is answered 491 by both, and both try again: the callee within 2 s, the caller after 2.1 to 4 s', () => {
    const stage = talk(agree, agree, { fromAlice: () => [10], fromBob: () => [10] });
    stage.alices.reinvite('v=0 alice\r\n', stage.note);
    stage.bobs.reinvite('v=0 bob\r\n', stage.note);
    stage.at(1_050);
    expect(stage.story.slice(0, 4)).toEqual([
      '1000 alice INVITE',
      '1000 bob INVITE',
      '1010 bob 491 INVITE',
      '1010 alice 491 INVITE',
    ]);
    expect(stage.outcomes).toEqual([]);
    const pauses = stage.clock.pending().filter(({ name }) => name.startsWith('glare'));
    expect(pauses.length).toBe(2);
    stage.at(10_000);
    const [bobs, alices] = stage.story
      .filter((line) => / (alice|bob) INVITE$/.test(line))
      .slice(2)
      .map((line) => Number.parseInt(line, 10) - 1_020);
    expect(bobs).toBeGreaterThanOrEqual(0);
    expect(bobs).toBeLessThanOrEqual(2_000);
    expect(alices).toBeGreaterThanOrEqual(2_100);
    expect(alices).toBeLessThanOrEqual(4_000);
    expect(stage.outcomes.map((line) => line.split(' ')[1])).toEqual(['200', '200']);
  });

  it('that never ends is told to the owner', () => {
    const stage = talk({ onReinvite: (_, request) => request.respond(491) });
    stage.alices.reinvite(SDP, stage.note);
    stage.at(100_000);
    const offers = stage.story.filter((line) => line.endsWith('alice INVITE'));
    expect(offers.length).toBe(MAX_GLARES + 1);
    expect(stage.outcomes.map((line) => line.slice(line.indexOf(' ')))).toEqual([' 491 response']);
  });

  it('a second offer before the first is answered gets 500 and Retry-After (RFC 3261, 14.2)', () => {
    const stage = talk({ onReinvite() {} });
    stage.alices.reinvite(SDP, stage.note);
    stage.clock.settle();
    const head = `INVITE sip:bob@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKsecond\r\n`;
    const from = `From: <sip:alice@192.0.2.1>;tag=${stage.alices.localTag}\r\n`;
    const to = `To: <sip:bob@192.0.2.2>;tag=${stage.alices.remoteTag}\r\n`;
    const rest = `Call-ID: ${stage.alices.callId}\r\nCSeq: 3 INVITE\r\nContact: <sip:alice@192.0.2.1>\r\n\r\n`;
    stage.aliceFlow.send(Buffer.from(head + from + to + rest));
    stage.clock.settle();
    expect(stage.story.at(-1)).toBe('1000 bob 500 INVITE');
    expect(Number(stage.sent.at(-1)?.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
  });
});
