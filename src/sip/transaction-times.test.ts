// Every timer of RFC 3261, 17 and RFC 6026 at its literal time, on an unreliable wire with scripted losses.
import { describe, expect, it } from 'vitest';
import type { WireConditions } from './memory-flow.ts';
import { createStage, SDP, type Stage } from './user-agent.rig.ts';
import type { Ending, Outcome, ServerRequest, Session, UserAgentOptions } from './user-agent-api.ts';

const loseAll: WireConditions = () => [];

/** A Bob who answers each call with one status, and each other request with another. */
function answering(status: number, requestStatus = 200): Partial<UserAgentOptions> {
  return {
    methods: ['MESSAGE'],
    events: {
      onInvite: (session) => (status === 200 ? session.accept(SDP) : session.reject(status)),
      onRequest: (request) => request.respond(requestStatus),
    },
  };
}

/** Loses the messages of one side whose text begins like that; of those the first `count`. */
function lose(start: string, count = Number.POSITIVE_INFINITY): WireConditions {
  let lost = 0;
  return (bytes) => {
    if (!Buffer.from(bytes).toString('latin1', 0, 60).startsWith(start) || lost >= count) return [0];
    lost += 1;
    return [];
  };
}

function sendMessage(stage: Stage, onOutcome: (outcome: Outcome) => void = () => {}): void {
  const parts = { uri: 'sip:bob@192.0.2.2', from: '<sip:alice@192.0.2.1>', to: '<sip:bob@192.0.2.2>' };
  stage.alice.request({ method: 'MESSAGE', ...parts, body: 'hi', contentType: 'text/plain' }, onOutcome);
}

function pendingNames(stage: Stage): string[] {
  return stage.clock.pending().map(({ name }) => name.split(' ')[0] ?? '');
}

describe('INVITE client transaction', () => {
  it('resends on timer A at 500 ms, doubling, and gives up on timer B at 32 s with 408', () => {
    const stage = createStage({ fromAlice: loseAll });
    const endings: Array<[number, Ending]> = [];
    const session = stage.call({ events: { onEnded: (_, ending) => endings.push([stage.clock.now(), ending]) } });
    stage.at(31_999);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '500 alice INVITE',
      '1500 alice INVITE',
      '3500 alice INVITE',
      '7500 alice INVITE',
      '15500 alice INVITE',
      '31500 alice INVITE',
    ]);
    expect(session.state).toBe('calling');
    stage.at(32_000);
    expect(session.state).toBe('terminated');
    const outcome = { status: 408, reason: 'Request Timeout', by: 'timeout' };
    expect(endings).toEqual([[Date.UTC(2026, 0, 1) + 32_000, { by: 'failure', outcome }]]);
    expect(stage.clock.pending()).toEqual([]);
    expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });

  it('stops resending at the first provisional and then waits without end', () => {
    const stage = createStage({ fromAlice: lose('INVITE', 2) });
    const session = stage.call();
    stage.at(3_600_000);
    expect(stage.story).toEqual(['0 alice INVITE', '500 alice INVITE', '1500 alice INVITE', '1500 bob 100 INVITE']);
    expect(session.state).toBe('calling');
    expect(stage.clock.pending()).toEqual([]);
  });

  it('names its timers by letter and branch', () => {
    const stage = createStage({ fromAlice: loseAll });
    stage.call();
    const branch = /branch=(z9hG4bK\w+)/.exec(stage.sent[0]?.headers.get('Via') ?? '')?.[1];
    expect(stage.clock.pending().map(({ name }) => name)).toEqual([`A ${branch}`, `B ${branch}`]);
  });

  it('acknowledges each copy of a failure until timer D, 32 s later', () => {
    const stage = createStage({ bob: answering(486), fromAlice: lose('ACK', 2) });
    stage.call();
    stage.at(31_999);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 486 INVITE',
      '0 alice ACK',
      '500 bob 486 INVITE',
      '500 alice ACK',
      '1500 bob 486 INVITE',
      '1500 alice ACK',
    ]);
    expect(stage.alice.stats.clientTransactions).toBe(1);
    stage.at(32_000);
    expect(stage.alice.stats.clientTransactions).toBe(0);
  });

  it('stays for timer M, 32 s, after a 2xx', () => {
    const stage = createStage({ bob: answering(200) });
    stage.call();
    stage.at(31_999);
    expect(stage.alice.stats.clientTransactions).toBe(1);
    stage.at(32_000);
    expect(stage.alice.stats.clientTransactions).toBe(0);
  });
});

describe('non-INVITE client transaction', () => {
  it('resends on timer E at 500 ms, doubling up to 4 s, and gives up on timer F at 32 s with 408', () => {
    const stage = createStage({ fromAlice: loseAll });
    const outcomes: Outcome[] = [];
    sendMessage(stage, (outcome) => outcomes.push(outcome));
    stage.at(100_000);
    expect(stage.story.map((line) => Number.parseInt(line, 10))).toEqual([
      0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ]);
    expect(outcomes).toEqual([{ status: 408, reason: 'Request Timeout', by: 'timeout' }]);
    expect(stage.clock.pending()).toEqual([]);
  });

  it('resends each 4 s after a provisional, still up to 32 s', () => {
    const onRequest = (request: ServerRequest) => request.respond(182);
    const stage = createStage({ bob: { methods: ['MESSAGE'], events: { onInvite() {}, onRequest } } });
    const outcomes: Outcome[] = [];
    sendMessage(stage, (outcome) => outcomes.push(outcome));
    stage.at(100_000);
    expect(stage.story.filter((line) => line.includes('alice'))).toEqual([
      '0 alice MESSAGE',
      '500 alice MESSAGE',
      '4500 alice MESSAGE',
      '8500 alice MESSAGE',
      '12500 alice MESSAGE',
      '16500 alice MESSAGE',
      '20500 alice MESSAGE',
      '24500 alice MESSAGE',
      '28500 alice MESSAGE',
    ]);
    expect(outcomes.map(({ status, by }) => `${status} ${by}`)).toEqual(['408 timeout']);
  });

  it('absorbs late copies of the response until timer K, 5 s later', () => {
    const stage = createStage({ bob: answering(200), fromBob: () => [0, 10, 4_000] });
    const outcomes: Outcome[] = [];
    sendMessage(stage, (outcome) => outcomes.push(outcome));
    stage.at(4_999);
    expect(outcomes.map(({ status }) => status)).toEqual([200]);
    expect(stage.discarded).toEqual([]);
    expect(stage.alice.stats.clientTransactions).toBe(1);
    stage.at(5_000);
    expect(stage.alice.stats.clientTransactions).toBe(0);
  });
});

describe('INVITE server transaction', () => {
  it('resends a failure on timer G at 500 ms, doubling up to 4 s, and gives up on timer H at 32 s', () => {
    const stage = createStage({ bob: answering(486), fromAlice: lose('ACK') });
    stage.call();
    stage.at(31_999);
    const copies = stage.story.filter((line) => line.endsWith('bob 486 INVITE'));
    expect(copies.map((line) => Number.parseInt(line, 10))).toEqual([
      0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ]);
    expect(stage.bob.stats.serverTransactions).toBe(1);
    stage.at(32_000);
    expect(stage.bob.stats.serverTransactions).toBe(0);
    expect(pendingNames(stage)).toEqual([]);
  });

  it('absorbs late copies of INVITE and ACK until timer I, 5 s after the first ACK', () => {
    const stage = createStage({ bob: answering(486), fromAlice: () => [0, 4_000] });
    stage.call();
    stage.at(4_999);
    expect(stage.bob.stats.serverTransactions).toBe(1);
    stage.at(5_000);
    expect(stage.bob.stats.serverTransactions).toBe(0);
    expect(stage.story.filter((line) => line.endsWith('bob 486 INVITE'))).toEqual(['0 bob 486 INVITE']);
  });

  it('answers a copy of the INVITE with the last provisional', () => {
    const ring = (session: Session) => session.provisional(180);
    const bob = { events: { onInvite: ring, onRequest() {} } };
    const stage = createStage({ bob, fromBob: lose('SIP/2.0 1', 2) });
    stage.call();
    stage.at(1_000);
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 180 INVITE',
      '500 alice INVITE',
      '500 bob 180 INVITE',
    ]);
  });

  it('absorbs copies of an accepted INVITE until timer L, 32 s after the 2xx', () => {
    const stage = createStage({ bob: answering(200), fromAlice: () => [0, 20_000] });
    stage.call();
    stage.at(31_999);
    expect(stage.story).toEqual(['0 alice INVITE', '0 bob 100 INVITE', '0 bob 200 INVITE', '0 alice ACK']);
    expect(stage.bob.stats.serverTransactions).toBe(1);
    stage.at(32_000);
    expect(stage.bob.stats.serverTransactions).toBe(0);
  });
});

describe('non-INVITE server transaction', () => {
  it('answers copies with the same response, without asking again, until timer J, 32 s after it', () => {
    let asked = 0;
    const onRequest = (request: ServerRequest) => {
      asked += 1;
      request.respond(202);
    };
    const bob = { methods: ['MESSAGE'], events: { onInvite() {}, onRequest } };
    const stage = createStage({ bob, fromBob: lose('SIP/2.0 202', 3) });
    sendMessage(stage);
    stage.at(31_999);
    expect(stage.story).toEqual([
      '0 alice MESSAGE',
      '0 bob 202 MESSAGE',
      '500 alice MESSAGE',
      '500 bob 202 MESSAGE',
      '1500 alice MESSAGE',
      '1500 bob 202 MESSAGE',
      '3500 alice MESSAGE',
      '3500 bob 202 MESSAGE',
    ]);
    expect(asked).toBe(1);
    expect(stage.bob.stats.serverTransactions).toBe(1);
    stage.at(32_000);
    expect(stage.bob.stats.serverTransactions).toBe(0);
  });

  it('is silent towards copies that come before its answer', () => {
    const stage = createStage({ bob: { methods: ['MESSAGE'] } });
    sendMessage(stage);
    stage.at(10_000);
    expect(stage.story.filter((line) => line.includes('bob'))).toEqual([]);
  });
});

describe('on a reliable flow', () => {
  it('nothing is resent, and a finished non-INVITE transaction is gone at once', () => {
    const stage = createStage({ reliable: true, bob: answering(486) });
    sendMessage(stage);
    stage.call();
    stage.clock.settle();
    expect(stage.clock.pending()).toEqual([]);
    expect(stage.alice.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
    expect(stage.bob.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  });

  it('silence still ends in 408 after 32 s', () => {
    const stage = createStage({ reliable: true, fromAlice: loseAll });
    const outcomes: Outcome[] = [];
    sendMessage(stage, (outcome) => outcomes.push(outcome));
    stage.at(31_999);
    expect(outcomes).toEqual([]);
    stage.at(32_000);
    expect(outcomes.map(({ status }) => status)).toEqual([408]);
    expect(stage.story).toEqual(['0 alice MESSAGE']);
  });
});
