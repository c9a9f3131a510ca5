// What crosses on the wire or gets lost there: lost ACK, CANCEL against 200, BYE against BYE, forks (RFC 3261, 9.1, 13 and 15).
import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse.ts';
import { responseTo, serialise } from './serialise.ts';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { Session, SessionEvents } from './user-agent-api.ts';

interface Play extends Stage {
  readonly alices: Session;
  readonly bobs: Session[];
  readonly heardByAlice: string[];
  readonly heardByBob: string[];
}

function play(options: StageOptions, answer: (session: Session) => void, bobMore: SessionEvents = {}): Play {
  const heardByAlice: string[] = [];
  const heardByBob: string[] = [];
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary(heardByBob, bobMore);
    answer(session);
  };
  const stage = createStage({ ...options, bob: { ...options.bob, events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ events: diary(heardByAlice) });
  stage.clock.settle();
  return { ...stage, alices, bobs, heardByAlice, heardByBob };
}

const accept = (session: Session) => session.accept(SDP);

function startsWith(bytes: Uint8Array, start: string): boolean {
  return Buffer.from(bytes).toString('latin1', 0, start.length) === start;
}

function nothingIsLeft(stage: Stage): void {
  stage.at(10_000_000);
  expect(stage.clock.pending()).toEqual([]);
  expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
}

describe('the ACK of a 2xx', () => {
  it('is waited for by a BYE of ours; what the peer asks for meanwhile it asks of a dialog that is over', () => {
    let lost = 0;
    const fromAlice = (bytes: Uint8Array) => {
      if (!startsWith(bytes, 'ACK') || lost === 1) return [0];
      lost += 1;
      return [];
    };
    let asked = 0;
    const bobMore: SessionEvents = {
      onRequest: (_, request) => {
        asked += 1;
        request.respond(202);
      },
    };
    const stage = play({ fromAlice }, accept, bobMore);
    stage.bobs[0]?.end();
    stage.alices.request('REFER', { headers: [['Refer-To', '<sip:carol@pbx.example>']] });
    stage.at(60_000);
    expect(asked).toBe(0);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 200 INVITE',
      '0 alice ACK',
      '0 alice REFER',
      '0 bob 481 REFER',
      '500 bob 200 INVITE',
      '500 alice ACK',
      '500 bob BYE',
      '500 alice 200 BYE',
    ]);
    nothingIsLeft(stage);
  });

  it('is sent again for each copy of the 2xx', () => {
    let lost = 0;
    const fromAlice = (bytes: Uint8Array) => {
      if (!startsWith(bytes, 'ACK') || lost === 2) return [0];
      lost += 1;
      return [];
    };
    const stage = play({ fromAlice }, accept);
    stage.at(60_000);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 200 INVITE',
      '0 alice ACK',
      '500 bob 200 INVITE',
      '500 alice ACK',
      '1500 bob 200 INVITE',
      '1500 alice ACK',
    ]);
    expect(stage.heardByAlice).toEqual(['answered 200']);
    expect(stage.heardByBob).toEqual(['ack']);
    const acks = stage.sent.filter((message) => message.kind === 'request' && message.method === 'ACK');
    expect(new Set(acks.map((ack) => ack.headers.get('Via'))).size).toBe(1);
  });

  it('that never comes ends the call: the 2xx is repeated for 32 s, then BYE', () => {
    const stage = play({ fromAlice: (bytes) => (startsWith(bytes, 'ACK') ? [] : [0]) }, accept);
    stage.at(31_999);
    const copies = stage.story.filter((line) => line.endsWith('bob 200 INVITE'));
    expect(copies.map((line) => Number.parseInt(line, 10))).toEqual([
      0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ]);
    expect(stage.heardByBob).toEqual([]);
    stage.at(32_000);
    expect(stage.story.slice(-2)).toEqual(['32000 bob BYE', '32000 alice 200 BYE']);
    expect(stage.heardByBob).toEqual(['ended no-ack']);
    expect(stage.heardByAlice).toEqual(['answered 200', 'ended remote-bye']);
    nothingIsLeft(stage);
  });

  it('is waited for by the BYE of the callee (RFC 3261, 15)', () => {
    const stage = play({ fromAlice: (bytes) => (startsWith(bytes, 'ACK') ? [700] : [0]) }, (session) => {
      session.accept(SDP);
      session.end();
    });
    stage.at(699);
    expect(stage.story.some((line) => line.includes('BYE'))).toBe(false);
    stage.at(5_000);
    expect(stage.story.slice(-2)).toEqual(['700 bob BYE', '700 alice 200 BYE']);
    expect(stage.heardByBob).toEqual(['ended local-bye']);
    nothingIsLeft(stage);
  });
});

describe('a CANCEL that crosses', () => {
  it('the 200: the caller acknowledges it and hangs up', () => {
    // Bob answers at 1000; Alice cancels while his 200 is on its way.
    const fromBob = (bytes: Uint8Array) => (startsWith(bytes, 'SIP/2.0 200') ? [50] : [0]);
    const stage = play({ fromBob }, (session) => session.provisional(180));
    stage.at(1_000);
    stage.bobs[0]?.accept(SDP);
    stage.at(1_010);
    stage.alices.cancel();
    stage.at(2_000);
    expect(stage.story.slice(3)).toEqual([
      '1000 bob 200 INVITE',
      '1010 alice CANCEL',
      '1010 bob 200 CANCEL',
      '1050 alice ACK',
      '1050 alice BYE',
      '1050 bob 200 BYE',
    ]);
    expect(stage.heardByAlice).toEqual(['provisional 180', 'ended local-bye']);
    expect(stage.heardByBob).toEqual(['ack', 'ended remote-bye']);
    nothingIsLeft(stage);
  });

  it('another failure: that one is the outcome', () => {
    const fromBob = (bytes: Uint8Array) => (startsWith(bytes, 'SIP/2.0 486') ? [50] : [0]);
    const stage = play({ fromBob }, (session) => session.provisional(180));
    stage.bobs[0]?.reject(486);
    stage.alices.cancel();
    stage.at(2_000);
    expect(stage.heardByAlice).toEqual(['provisional 180', 'ended failure 486 by response']);
    expect(stage.story).toContain('0 bob 200 CANCEL');
    nothingIsLeft(stage);
  });
});

describe('BYE against BYE', () => {
  it('both are answered 200 and each side ends once', () => {
    const stage = play({ fromAlice: () => [20], fromBob: () => [20] }, accept);
    stage.at(1_000);
    stage.alices.end();
    stage.bobs[0]?.end();
    stage.at(2_000);
    expect(stage.story.slice(-4)).toEqual(['1000 alice BYE', '1000 bob BYE', '1020 bob 200 BYE', '1020 alice 200 BYE']);
    expect(stage.heardByAlice).toEqual(['answered 200', 'ended local-bye']);
    expect(stage.heardByBob).toEqual(['ack', 'ended local-bye']);
    nothingIsLeft(stage);
  });

  it('a BYE after the end finds no dialog: 481', () => {
    const stage = play({}, accept);
    const bye = `BYE sip:bob@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKlate\r\nFrom: <sip:alice@192.0.2.1>;tag=${stage.alices.localTag}\r\nTo: <sip:bob@192.0.2.2>;tag=${stage.alices.remoteTag}\r\nCall-ID: ${stage.alices.callId}\r\nCSeq: 9 BYE\r\nContent-Length: 0\r\n\r\n`;
    stage.alices.end();
    stage.at(1_000);
    stage.aliceFlow.send(Buffer.from(bye));
    stage.clock.settle();
    expect(stage.story.at(-1)).toBe('1000 bob 481 BYE');
  });
});

describe('a caller that hangs up early with BYE', () => {
  it('gets 200 to the BYE and 487 to the INVITE (RFC 3261, 15.1.2)', () => {
    const stage = play({}, (session) => session.provisional(180));
    const bye = `BYE sip:bob@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKearly\r\nFrom: <sip:alice@192.0.2.1>;tag=${stage.alices.localTag}\r\nTo: <sip:bob@192.0.2.2>;tag=${stage.alices.remoteTag}\r\nCall-ID: ${stage.alices.callId}\r\nCSeq: 2 BYE\r\nContent-Length: 0\r\n\r\n`;
    stage.aliceFlow.send(Buffer.from(bye));
    stage.clock.settle();
    expect(stage.story.slice(3)).toEqual(['0 bob 200 BYE', '0 bob 487 INVITE', '0 alice ACK']);
    expect(stage.heardByBob).toEqual(['ended remote-bye']);
    nothingIsLeft(stage);
  });
});

describe('forks', () => {
  /** Whatever Bob's side receives an INVITE, these tags answer it with 200, one after the other. */
  function forked(tags: readonly string[], repeatFirst = false): Stage & { heard: string[]; session: Session } {
    const stage = createStage();
    const heard: string[] = [];
    stage.bobFlow.listener = {
      received(flow, bytes) {
        const parsed = parseMessage(bytes);
        if (!parsed.ok || parsed.message.kind !== 'request' || parsed.message.method === 'ACK') return;
        const request = parsed.message;
        for (const toTag of request.method === 'INVITE' ? tags : ['']) {
          const headers = [['Contact', `<sip:${toTag}@192.0.2.2>`]] as const;
          const parts = request.method === 'INVITE' ? { toTag, headers } : {};
          flow.send(serialise(responseTo(request, 200, parts)));
        }
        if (repeatFirst && request.method === 'INVITE')
          flow.send(serialise(responseTo(request, 200, { toTag: 'one' })));
      },
      closed() {},
    };
    const session = stage.call({ events: diary(heard) });
    stage.clock.settle();
    return { ...stage, heard, session };
  }

  it('that answer too are acknowledged and hung up on', () => {
    const stage = forked(['one', 'two']);
    expect(stage.story).toEqual(['0 alice INVITE', '0 alice ACK', '0 alice ACK', '0 alice BYE']);
    expect(stage.sent.slice(1).map((message) => message.kind === 'request' && message.uri)).toEqual([
      'sip:one@192.0.2.2',
      'sip:two@192.0.2.2',
      'sip:two@192.0.2.2',
    ]);
    expect(stage.sent[3]?.headers.get('To')).toBe('<sip:bob@192.0.2.2>;tag=two');
    expect(stage.heard).toEqual(['answered 200']);
    expect(stage.session.state).toBe('confirmed');
    expect(stage.session.remoteTag).toBe('one');
  });

  it('a copy of the first 200 only gets its ACK again', () => {
    const stage = forked(['one'], true);
    expect(stage.story).toEqual(['0 alice INVITE', '0 alice ACK', '0 alice ACK']);
  });

  it('beyond sixteen are ignored', () => {
    const stage = forked(Array.from({ length: 40 }, (_, index) => `tag${index}`));
    expect(stage.story.filter((line) => line === '0 alice ACK').length).toBe(16);
    expect(stage.story.filter((line) => line === '0 alice BYE').length).toBe(15);
  });

  it('that answer after the call was given up are hung up on as well', () => {
    const stage = createStage();
    const held: Array<() => void> = [];
    stage.bobFlow.listener = {
      received(flow, bytes) {
        const parsed = parseMessage(bytes);
        if (!parsed.ok || parsed.message.kind !== 'request') return;
        const request = parsed.message;
        if (request.method !== 'INVITE') {
          if (request.method !== 'ACK') flow.send(serialise(responseTo(request, 200)));
          return;
        }
        flow.send(serialise(responseTo(request, 180, { toTag: 'one' })));
        held.push(() => flow.send(serialise(responseTo(request, 200, { toTag: 'two' }))));
      },
      closed() {},
    };
    const heard: string[] = [];
    const session = stage.call({ events: diary(heard) });
    stage.clock.settle();
    session.end();
    stage.clock.settle();
    held[0]?.();
    stage.clock.settle();
    expect(stage.story).toEqual(['0 alice INVITE', '0 alice CANCEL', '0 alice ACK', '0 alice BYE']);
    expect(heard).toEqual(['provisional 180', 'ended local-bye']);
    stage.at(100_000);
    expect(stage.clock.pending()).toEqual([]);
    expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });
});
