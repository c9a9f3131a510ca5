// Session timers (RFC 4028): what is asked for and agreed on, who refreshes and when, and the end of a session of which nobody gives word.
import { describe, expect, it } from 'vitest';
import { Headers } from './headers.ts';
import { NO_BODY } from './message.ts';
import { sessionExpiresOf } from './session-timer.ts';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { OutgoingInvite, Session, SessionEvents } from './user-agent-api.ts';

interface Talk extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly heardByAlice: string[];
  readonly heardByBob: string[];
  /** What each side was offered since the call was answered. */
  readonly offered: string[];
}

function talk(call: Partial<OutgoingInvite>, options: StageOptions = {}): Talk {
  const bobs: Session[] = [];
  const heardByAlice: string[] = [];
  const heardByBob: string[] = [];
  const offered: string[] = [];
  const agree = (who: string): SessionEvents => ({
    onReinvite: (_, request) => {
      offered.push(`${who} ${request.request.method} ${Buffer.from(request.request.body)}`.trim());
      request.respond(200, { body: SDP });
    },
  });
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary(heardByBob, agree('bob'));
    session.accept('v=0 bob\r\n');
  };
  const stage = createStage({ ...options, bob: { ...options.bob, events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ events: diary(heardByAlice, agree('alice')), body: 'v=0 alice\r\n', ...call });
  stage.at(0);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  return { ...stage, alices, bobs: bob, heardByAlice, heardByBob, offered };
}

const asking = (value: string, more: ReadonlyArray<readonly [string, string]> = []): Partial<OutgoingInvite> => ({
  headers: [['Session-Expires', value], ...more],
});
const ok = (stage: Stage) => stage.sent.find((message) => message.kind === 'response' && message.status === 200);
const since = (stage: Stage, ms: number) => stage.story.filter((line) => Number(line.split(' ')[0]) > ms);

function nothingIsLeft(stage: Stage): void {
  stage.at(100_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

describe('Session-Expires', () => {
  it.each([
    ['1800', { seconds: 1800, refresher: undefined }],
    ['1800;refresher=uac', { seconds: 1800, refresher: 'uac' }],
    ['90 ; refresher = uas ; x', { seconds: 90, refresher: 'uas' }],
    ['1800;refresher=nobody', { seconds: 1800, refresher: undefined }],
    ['', 'malformed'],
    ['-1', 'malformed'],
    ['soon', 'malformed'],
    ['99999999999', 'malformed'],
    ['1800;"', 'malformed'],
  ] as const)('%s is read', (value, expected) => {
    const headers = new Headers().append('x', value);
    expect(sessionExpiresOf({ kind: 'response', status: 200, reason: '', headers, body: NO_BODY })).toEqual(expected);
  });
});

describe('what is agreed on', () => {
  it('is nothing when nobody asks', () => {
    const stage = talk({});
    expect(ok(stage)?.headers.has('Session-Expires')).toBe(false);
    expect(ok(stage)?.headers.has('Require')).toBe(false);
    stage.at(90_000_000);
    expect(stage.alices.state).toBe('confirmed');
  });

  it.each([
    ['1800', '1800;refresher=uac'],
    ['1800;refresher=uac', '1800;refresher=uac'],
    ['1800;refresher=uas', '1800;refresher=uas'],
    ['90', '90;refresher=uac'],
    ['4294967295', '86400;refresher=uac'],
  ])('to %s is %s, which the caller must heed', (asked, answered) => {
    const stage = talk(asking(asked));
    expect(ok(stage)?.headers.get('Session-Expires')).toBe(answered);
    expect(ok(stage)?.headers.get('Require')).toBe('timer');
  });

  it.each([
    ['1800;refresher=x;y="', 400, undefined],
    ['89', 422, '90'],
    ['0', 422, '90'],
  ])('is not %s: %i', (asked, status, least) => {
    const ended: string[] = [];
    const stage = createStage();
    stage.call({ ...asking(asked), events: diary(ended) });
    stage.at(0);
    expect(ended).toEqual([`ended failure ${status} by response`]);
    expect(stage.sent.find((message) => message.kind === 'response')?.headers.get('Min-SE')).toBe(least);
  });

  it('is asked for again with what the other side wants at least (RFC 4028, 7.4)', () => {
    const stage = talk({ sessionExpiresS: 60 });
    const invites = stage.sent.filter((message) => message.kind === 'request' && message.method === 'INVITE');
    expect(
      invites.map(({ headers }) => ['CSeq', 'Session-Expires', 'Min-SE'].map((name) => headers.get(name))),
    ).toEqual([
      ['1 INVITE', '60;refresher=uac', undefined],
      ['2 INVITE', '90;refresher=uac', '90'],
    ]);
    expect(new Set(invites.map(({ headers }) => headers.get('Call-ID'))).size).toBe(1);
    expect(stage.alices.state).toBe('confirmed');
  });
});

describe('a refresh', () => {
  it('comes after half the time, by UPDATE, from who was named', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    stage.at(3_000_000);
    expect(since(stage, 0)).toEqual([
      '900000 alice UPDATE',
      '900000 bob 200 UPDATE',
      '1800000 alice UPDATE',
      '1800000 bob 200 UPDATE',
      '2700000 alice UPDATE',
      '2700000 bob 200 UPDATE',
    ]);
    const update = stage.sent.find((message) => message.kind === 'request' && message.method === 'UPDATE');
    expect(update?.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    expect(update?.body.length).toBe(0);
    expect(stage.offered).toEqual([]);
    stage.alices.end();
    nothingIsLeft(stage);
  });

  it('comes from the called side when it was named', () => {
    const stage = talk(asking('1800;refresher=uas'));
    stage.at(1_000_000);
    expect(since(stage, 0)).toEqual(['900000 bob UPDATE', '900000 alice 200 UPDATE']);
    const update = stage.sent.find((message) => message.kind === 'request' && message.method === 'UPDATE');
    // Seen from this request, who sends it is the client.
    expect(update?.headers.get('Session-Expires')).toBe('1800;refresher=uac');
  });

  it('is a re-INVITE with what was offered before where the peer takes no UPDATE', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    (stage.alices as { takesUpdate: boolean }).takesUpdate = false;
    stage.at(1_000_000);
    expect(since(stage, 0)).toEqual([
      '900000 alice INVITE',
      '900000 bob 100 INVITE',
      '900000 bob 200 INVITE',
      '900000 alice ACK',
    ]);
    expect(stage.offered).toEqual(['bob INVITE v=0 alice']);
    stage.at(2_000_000);
    expect(stage.alices.state).toBe('confirmed');
  });

  it('is also any other re-INVITE, which says the time again and begins it anew', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    stage.at(800_000);
    stage.bobs.reinvite('v=0 hold\r\n', () => {});
    stage.at(1_699_999);
    const hold = stage.sent.findLast((message) => message.kind === 'request' && message.method === 'INVITE');
    expect(hold?.headers.get('Session-Expires')).toBe('1800;refresher=uas');
    expect(since(stage, 800_000)).toEqual([]);
    stage.at(1_700_000);
    expect(since(stage, 1_699_999)).toEqual(['1700000 alice UPDATE', '1700000 bob 200 UPDATE']);
  });

  it('is repeated with a longer time when the peer wants that', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    let refused = 0;
    // Bob's exchange has become stricter meanwhile.
    const strict: SessionEvents = {
      onReinvite: (_, request) => {
        refused += 1;
        if (refused === 1) request.respond(422, { headers: [['Min-SE', '3600']] });
        else request.respond(200, { body: SDP });
      },
    };
    stage.bobs.events = strict;
    (stage.alices as { takesUpdate: boolean }).takesUpdate = false;
    stage.at(1_000_000);
    const invites = stage.sent.filter((message) => message.kind === 'request' && message.method === 'INVITE').slice(1);
    expect(invites.map(({ headers }) => [headers.get('Session-Expires'), headers.get('Min-SE')])).toEqual([
      ['1800;refresher=uac', undefined],
      ['3600;refresher=uac', '3600'],
    ]);
  });

  it('ends the counting when it comes from a peer that knows no timers any more', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    const counting = () => stage.clock.pending().filter(({ name }) => name.startsWith('session ')).length;
    expect(counting()).toBe(2);
    // By hand, without a word of timers: Bob's answer has none either.
    const { callId, localTag, remoteTag } = stage.alices;
    stage.aliceFlow.send(
      Buffer.from(
        [
          'UPDATE sip:bob@192.0.2.2 SIP/2.0',
          'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKbyhand',
          `From: <sip:alice@192.0.2.1>;tag=${localTag}`,
          `To: <sip:bob@192.0.2.2>;tag=${remoteTag}`,
          `Call-ID: ${callId}`,
          'CSeq: 77 UPDATE',
          'Contact: <sip:alice@192.0.2.1>',
          'Content-Length: 0\r\n\r\n',
        ].join('\r\n'),
      ),
    );
    stage.at(100);
    expect(stage.story.at(-1)).toBe('0 bob 200 UPDATE');
    expect(stage.sent.at(-1)?.headers.has('Session-Expires')).toBe(false);
    expect(counting()).toBe(1);
  });
});

describe('a session of which nobody gives word', () => {
  it('is hung up 32 s before its end by who waits, and ends for who should have spoken', () => {
    // All that Alice sends after the call was answered is lost.
    const stage = talk({ sessionExpiresS: 1800 }, { fromAlice: (_, count) => (count <= 2 ? [0] : []) });
    stage.at(1_767_999);
    expect(stage.heardByBob).toEqual(['ack']);
    // RFC 3261, 12.2.1.2: the UPDATE of which nothing came back had ended it on her side before.
    expect(stage.heardByAlice.at(-1)).toBe('ended expired');
    stage.at(1_768_000);
    expect(stage.heardByBob).toEqual(['ack', 'ended expired']);
    expect(since(stage, 1_767_999).slice(0, 1)).toEqual(['1768000 bob BYE']);
    const bye = stage.sent.findLast((message) => message.kind === 'request' && message.method === 'BYE');
    expect(bye?.headers.get('Reason')).toBe('SIP;cause=408;text="Session timer expired"');
    nothingIsLeft(stage);
  });

  it('is hung up a third of a short time before its end', () => {
    const stage = talk(asking('90;refresher=uac'), { fromAlice: (_, count) => (count <= 2 ? [0] : []) });
    stage.at(59_999);
    expect(stage.heardByBob).toEqual(['ack']);
    stage.at(60_000);
    expect(stage.heardByBob).toEqual(['ack', 'ended expired']);
  });

  it('ends for its refresher, too, whose refreshes are refused', () => {
    const stage = talk({ sessionExpiresS: 1800 });
    stage.bobs.events = { onReinvite: (_, request) => request.respond(488) };
    (stage.alices as { takesUpdate: boolean }).takesUpdate = false;
    stage.at(1_767_999);
    expect(stage.alices.state).toBe('confirmed');
    stage.at(1_768_000);
    expect(stage.alices.state).toBe('terminated');
    nothingIsLeft(stage);
  });
});
