// Reliable provisionals (RFC 3262): who wants them gets them, one at a time, repeated until PRACK, and what they agree on.
import { describe, expect, it } from 'vitest';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { OutgoingInvite, ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

const REQUIRED: Partial<OutgoingInvite> = { headers: [['Require', '100rel']] };

interface Ringing extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly heardByAlice: string[];
  readonly heardByBob: string[];
}

/** Alice's INVITE wants every provisional acknowledged, and has reached Bob. */
function called(options: StageOptions = {}, call: Partial<OutgoingInvite> = {}, bobMore: SessionEvents = {}): Ringing {
  const bobs: Session[] = [];
  const heardByAlice: string[] = [];
  const heardByBob: string[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary(heardByBob, bobMore);
  };
  const stage = createStage({ ...options, bob: { events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ ...REQUIRED, events: diary(heardByAlice), ...call });
  stage.at(0);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  stage.story.length = 0;
  stage.sent.length = 0;
  return { ...stage, alices, bobs: bob, heardByAlice, heardByBob };
}

function nothingIsLeft(stage: Stage): void {
  stage.at(10_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

const header = (stage: Stage, line: string, name: string) => {
  const at = stage.story.findIndex((entry) => entry.endsWith(line));
  return stage.sent[at]?.headers.get(name);
};

describe('a provisional to a caller that requires 100rel', () => {
  it('says its number, and is acknowledged by it', () => {
    const stage = called();
    stage.bobs.provisional(180);
    stage.at(100);
    expect(stage.story).toEqual(['0 bob 180 INVITE', '0 alice PRACK', '0 bob 200 PRACK']);
    const rseq = header(stage, 'bob 180 INVITE', 'RSeq');
    expect(Number(rseq)).toBeGreaterThanOrEqual(1);
    expect(Number(rseq)).toBeLessThan(2 ** 31);
    expect(header(stage, 'bob 180 INVITE', 'Require')).toBe('100rel');
    expect(header(stage, 'alice PRACK', 'RAck')).toBe(`${rseq} 1 INVITE`);
    expect(header(stage, 'alice PRACK', 'CSeq')).toBe('2 PRACK');
    expect(stage.heardByAlice).toEqual(['provisional 180']);
  });

  it('is not reliable to others, and its number rises by one', () => {
    const plain = called({}, { headers: [] });
    plain.bobs.provisional(180);
    plain.at(100);
    expect(plain.story).toEqual(['0 bob 180 INVITE']);
    expect(header(plain, 'bob 180 INVITE', 'RSeq')).toBeUndefined();
    const stage = called();
    stage.bobs.provisional(180);
    stage.at(100);
    stage.bobs.provisional(183);
    stage.at(200);
    const [first, second] = ['180', '183'].map((status) => Number(header(stage, `bob ${status} INVITE`, 'RSeq')));
    expect(second).toBe((first ?? 0) + 1);
  });

  it('is repeated at 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s without PRACK, and then the call is refused with 504', () => {
    const stage = called({ fromAlice: (_, count) => (count === 1 ? [0] : []) });
    stage.bobs.provisional(180);
    stage.at(31_999);
    expect(stage.story.filter((line) => line.endsWith('bob 180 INVITE'))).toEqual(
      [0, 500, 1500, 3500, 7500, 15_500, 31_500].map((ms) => `${ms} bob 180 INVITE`),
    );
    stage.at(32_000);
    expect(stage.story.filter((line) => line.includes('bob 504'))).toEqual(['32000 bob 504 INVITE']);
    expect(stage.heardByBob).toEqual(['ended failure 504 by response']);
    nothingIsLeft(stage);
  });

  it('that is lost comes again, is passed on once, and gets one PRACK', () => {
    const stage = called({ fromBob: (_, count) => (count === 2 ? [] : [0]) });
    stage.bobs.provisional(180);
    stage.at(1_000);
    expect(stage.story).toEqual(['0 bob 180 INVITE', '500 bob 180 INVITE', '500 alice PRACK', '500 bob 200 PRACK']);
    expect(stage.heardByAlice).toEqual(['provisional 180']);
  });

  it('whose PRACK is lost is acknowledged by the copy of the PRACK, and passed on once', () => {
    const stage = called({ fromAlice: (_, count) => (count === 2 ? [] : [0]) });
    stage.bobs.provisional(180);
    stage.at(2_000);
    expect(stage.story).toEqual([
      '0 bob 180 INVITE',
      '0 alice PRACK',
      '500 bob 180 INVITE',
      '500 alice PRACK',
      '500 bob 200 PRACK',
    ]);
    expect(stage.heardByAlice).toEqual(['provisional 180']);
  });

  it('waits for the one before to be acknowledged', () => {
    const stage = called({ fromBob: (_, count) => (count === 2 ? [700] : [0]) });
    stage.bobs.provisional(180);
    stage.bobs.provisional(183, { body: SDP });
    stage.at(1_000);
    expect(stage.story.filter((line) => !line.includes('PRACK'))).toEqual([
      '0 bob 180 INVITE',
      '500 bob 180 INVITE',
      '500 bob 183 INVITE',
    ]);
    expect(stage.heardByAlice).toEqual(['provisional 180', 'provisional 183']);
  });

  it('is not sent at all when the call came without an offer: the first one would have to bring ours', () => {
    const stage = called({}, { body: '' });
    stage.bobs.provisional(180);
    stage.at(1_000);
    expect(stage.story).toEqual([]);
    stage.bobs.accept(SDP);
    stage.clock.settle();
    expect(stage.heardByAlice).toEqual(['answered 200']);
  });

  it('is not asked for by an INVITE of ours without an offer', () => {
    const stage = createStage();
    stage.call({ body: '' });
    stage.call({});
    stage.at(0);
    const [without, withOffer] = stage.sent.filter((message) => message.kind === 'request');
    expect(without?.headers.get('Supported')).toBe('timer');
    expect(withOffer?.headers.get('Supported')).toBe('100rel, timer');
  });
});

describe('a PRACK', () => {
  it('of anything else is 481, and a method of no other use', () => {
    const stage = called();
    stage.bobs.provisional(180);
    stage.at(100);
    const answers: number[] = [];
    for (const rack of ['', '1 1 INVITE', 'x', `${header(stage, 'bob 180 INVITE', 'RSeq')} 1 BYE`]) {
      stage.alices.request('PRACK', { headers: [['RAck', rack]] }, ({ status }) => answers.push(status));
    }
    stage.bobs.request('PRACK', { headers: [['RAck', '1 1 INVITE']] }, ({ status }) => answers.push(status));
    stage.at(200);
    expect(answers).toEqual([481, 481, 481, 481, 481]);
    expect(stage.bobs.state).toBe('early');
  });

  it('may offer once the answer has come reliably', () => {
    const offers: ServerRequest[] = [];
    const stage = called(
      {},
      {},
      {
        onReinvite: (_, request) => {
          offers.push(request);
          request.respond(200, { body: 'v=0 second answer\r\n' });
        },
      },
    );
    stage.bobs.provisional(183, { body: 'v=0 answer\r\n' });
    stage.at(100);
    // By hand: an offer in an UPDATE, which the same rules let pass.
    const answers: string[] = [];
    stage.alices.update('v=0 second offer\r\n', ({ response }) =>
      answers.push(Buffer.from(response?.body ?? []).toString()),
    );
    stage.at(200);
    expect(offers.map(({ request }) => request.method)).toEqual(['UPDATE']);
    expect(answers).toEqual(['v=0 second answer\r\n']);
  });
});

describe('the answer to a caller that requires 100rel', () => {
  it('waits for the PRACK of a description, which is then not sent again; the owner gets it all the same', () => {
    const answers: string[] = [];
    const stage = called(
      { fromAlice: (_, count) => (count === 2 ? [300] : [0]) },
      { events: { onAnswered: (_, response) => answers.push(Buffer.from(response.body).toString()) } },
    );
    stage.bobs.provisional(183, { body: 'v=0 answer\r\n' });
    stage.at(100);
    stage.bobs.accept('v=0 answer\r\n');
    stage.bobs.accept('v=0 another\r\n');
    stage.at(200);
    expect(stage.bobs.state).toBe('early');
    stage.at(1_000);
    expect(stage.story).toEqual([
      '0 bob 183 INVITE',
      '0 alice PRACK',
      '300 bob 200 PRACK',
      '300 bob 200 INVITE',
      '300 alice ACK',
    ]);
    const ok = stage.sent[3];
    expect(ok?.body.length).toBe(0);
    expect(ok?.headers.has('Content-Type')).toBe(false);
    expect(answers).toEqual(['v=0 answer\r\n']);
    stage.bobs.end();
    nothingIsLeft(stage);
  });

  it('does not wait for a provisional without one', () => {
    const stage = called({ fromAlice: (_, count) => (count === 2 ? [300] : [0]) });
    stage.bobs.provisional(180);
    stage.at(100);
    stage.bobs.accept(SDP);
    stage.at(1_000);
    expect(stage.story).toEqual(
      ['0 bob 180 INVITE', '0 alice PRACK', '100 bob 200 INVITE', '100 alice ACK', '300 bob 200 PRACK'].filter(
        (line) => line !== '',
      ),
    );
    nothingIsLeftAfter(stage);
  });

  it('that waits is forgotten when the caller gives up', () => {
    const stage = called({ fromAlice: (_, count) => (count === 2 ? [10_000] : [0]) });
    stage.bobs.provisional(183, { body: SDP });
    stage.at(100);
    stage.bobs.accept(SDP);
    stage.alices.cancel();
    stage.at(20_000);
    expect(stage.heardByBob).toEqual(['ended cancel']);
    expect(stage.heardByAlice.at(-1)).toBe('ended cancel');
    nothingIsLeft(stage);
  });
});

function nothingIsLeftAfter(stage: Ringing): void {
  stage.alices.end();
  nothingIsLeft(stage);
}

describe('an UPDATE beside them', () => {
  it('may offer when the answer came reliably, from either side, and not before', () => {
    const agree: SessionEvents = { onReinvite: (_, request) => request.respond(200, { body: SDP }) };
    const stage = called({}, { events: agree }, agree);
    const outcomes: string[] = [];
    stage.alices.update(SDP, ({ status }) => outcomes.push(`alice ${status}`));
    stage.bobs.update(SDP, ({ status }) => outcomes.push(`bob ${status}`));
    stage.bobs.provisional(180);
    stage.at(100);
    expect(outcomes).toEqual([]);
    stage.bobs.provisional(183, { body: SDP });
    stage.at(10_000);
    expect(outcomes.toSorted()).toEqual(['alice 200', 'bob 200']);
  });
});
