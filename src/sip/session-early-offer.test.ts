// Offers while the phone still rings: which of 200, 491 and 500 an UPDATE is owed (RFC 3311, 5.1 and 5.2; RFC 3261, 13.2.1), and what
// the answer to the INVITE says after them.
import { describe, expect, it } from 'vitest';
import { createStage, diary, SDP, type Stage, type StageOptions } from './user-agent.rig.ts';
import type { OutgoingInvite, ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

const REQUIRED: Partial<OutgoingInvite> = { headers: [['Require', '100rel']] };
const AGREE: SessionEvents = { onReinvite: (_, request) => request.respond(200, { body: 'v=0 agreed\r\n' }) };
const PONDER: SessionEvents = { onReinvite: () => {} };

interface Ringing extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly answers: string[];
}

interface Setting {
  readonly call?: Partial<OutgoingInvite>;
  readonly options?: StageOptions;
  readonly alice?: SessionEvents;
  readonly bob?: SessionEvents;
}

/** Alice's INVITE has reached Bob, who has said nothing yet. */
function called({ call = {}, options = {}, alice = AGREE, bob = AGREE }: Setting = {}): Ringing {
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = diary([], bob);
  };
  const stage = createStage({ ...options, bob: { events: { onInvite, onRequest() {} } } });
  const alices = stage.call({ events: diary([], alice), ...call });
  stage.at(0);
  const [bobs1] = bobs;
  if (bobs1 === undefined) throw new Error('Bob was not called');
  return { ...stage, alices, bobs: bobs1, answers: [] };
}

/** Sends an UPDATE out of turn, past the sender's own rules, and notes its answer. */
function force(stage: Ringing, who: 'alice' | 'bob', body = SDP): void {
  const session = who === 'alice' ? stage.alices : stage.bobs;
  session.request('UPDATE', { body }, ({ status, response }) => {
    const later = response?.headers.get('Retry-After');
    if (later !== undefined) expect(Number(later)).toBeLessThanOrEqual(10);
    stage.answers.push(`${who} ${status}${later === undefined ? '' : ' later'}`);
  });
  stage.clock.settle();
}

function ring(stage: Ringing, status: number, body?: string): void {
  stage.bobs.provisional(status, body === undefined ? {} : { body });
  stage.clock.settle();
}

const isPrack = (bytes: Uint8Array): boolean => Buffer.from(bytes).toString().startsWith('PRACK');

describe('an UPDATE with an offer while it rings', () => {
  const table: ReadonlyArray<readonly [situation: string, setting: Setting, act: (stage: Ringing) => void, string[]]> =
    [
      [
        'of the caller, whose offer has no answer',
        {},
        (stage) => {
          ring(stage, 180);
          force(stage, 'alice');
        },
        ['alice 500 later'],
      ],
      [
        'of the caller, who heard a description that was not sent reliably: no answer yet',
        {},
        (stage) => {
          ring(stage, 183, SDP);
          force(stage, 'alice');
        },
        ['alice 500 later'],
      ],
      [
        'of the caller, who was told reliably that it rings, and nothing of sound',
        { call: REQUIRED },
        (stage) => {
          ring(stage, 180);
          force(stage, 'alice');
        },
        ['alice 500 later'],
      ],
      [
        'of the caller, who has the answer',
        { call: REQUIRED },
        (stage) => {
          ring(stage, 183, SDP);
          force(stage, 'alice');
        },
        ['alice 200'],
      ],
      [
        'of the caller, who has the answer although its PRACK was lost',
        { call: REQUIRED, options: { fromAlice: (bytes) => (isPrack(bytes) ? [] : [0]) } },
        (stage) => {
          ring(stage, 183, SDP);
          force(stage, 'alice');
        },
        ['alice 200'],
      ],
      [
        'of the caller, whose UPDATE before waits for its answer',
        { call: REQUIRED, bob: PONDER },
        (stage) => {
          ring(stage, 183, SDP);
          force(stage, 'alice');
          force(stage, 'alice');
          force(stage, 'alice', '');
        },
        ['alice 500 later', 'alice 500 later'],
      ],
      [
        'of the caller, to whom the called side has just offered',
        { call: REQUIRED, alice: PONDER },
        (stage) => {
          ring(stage, 183, SDP);
          stage.bobs.update(SDP, () => {});
          stage.clock.settle();
          force(stage, 'alice');
        },
        ['alice 491'],
      ],
      [
        'of the caller, who left the offer to the called side',
        { call: { body: '' } },
        (stage) => {
          ring(stage, 180);
          force(stage, 'alice');
        },
        ['alice 491'],
      ],
      [
        'of the called side, which owes an answer',
        {},
        (stage) => {
          ring(stage, 180);
          force(stage, 'bob');
        },
        ['bob 491'],
      ],
      [
        'of the called side, whose answer the caller has',
        { call: REQUIRED },
        (stage) => {
          ring(stage, 183, SDP);
          force(stage, 'bob');
        },
        ['bob 200'],
      ],
      [
        'of the called side, to which the caller has just offered',
        { call: REQUIRED, bob: PONDER },
        (stage) => {
          ring(stage, 183, SDP);
          stage.alices.update(SDP, () => {});
          stage.clock.settle();
          force(stage, 'bob');
        },
        ['bob 491'],
      ],
      [
        'of the called side, which owes the first offer',
        { call: { body: '' } },
        (stage) => {
          ring(stage, 180);
          force(stage, 'bob');
        },
        ['bob 500 later'],
      ],
      [
        'of either side, when the offer of the 2xx waits for the answer in the ACK',
        { call: { body: '' } },
        (stage) => {
          stage.bobs.accept(SDP);
          stage.clock.settle();
          force(stage, 'alice');
          force(stage, 'bob');
        },
        ['alice 491', 'bob 500 later'],
      ],
    ];

  it.each(table)('%s', (_, setting, act, answers) => {
    const stage = called(setting);
    act(stage);
    expect(stage.answers).toEqual(answers);
  });

  it('waits for its turn, and so for the answer to the PRACK, which it must not overtake', () => {
    let pracks = 0;
    const lossy = (bytes: Uint8Array): number[] => {
      pracks += isPrack(bytes) ? 1 : 0;
      return isPrack(bytes) && pracks === 1 ? [] : [0];
    };
    const stage = called({ call: REQUIRED, options: { fromAlice: lossy } });
    ring(stage, 183, SDP);
    stage.story.length = 0;
    stage.alices.update(SDP, ({ status }) => stage.answers.push(`alice ${status}`));
    stage.at(1_000);
    expect(stage.story.filter((line) => !line.includes(' 183 '))).toEqual([
      '500 alice PRACK',
      '500 bob 200 PRACK',
      '500 alice UPDATE',
      '500 bob 200 UPDATE',
    ]);
    expect(stage.answers).toEqual(['alice 200']);
  });

  it('that nobody can agree on is 488, and the phone rings on', () => {
    const stage = called({ call: REQUIRED, bob: {} });
    ring(stage, 183, SDP);
    force(stage, 'alice');
    expect(stage.answers).toEqual(['alice 488']);
    stage.bobs.accept(SDP);
    stage.clock.settle();
    expect([stage.alices.state, stage.bobs.state]).toEqual(['confirmed', 'confirmed']);
  });
});

describe('a PRACK', () => {
  it('may bring an offer once the answer is there, and brings the answer back', () => {
    const isPlain = (bytes: Uint8Array): boolean =>
      isPrack(bytes) && !Buffer.from(bytes).toString().includes('Content-Type');
    const offers: ServerRequest[] = [];
    const bob: SessionEvents = {
      onReinvite: (_, request) => {
        offers.push(request);
        request.respond(200, { body: 'v=0 agreed\r\n' });
      },
    };
    const stage = called({ call: REQUIRED, bob, options: { fromAlice: (bytes) => (isPlain(bytes) ? [] : [0]) } });
    ring(stage, 183, SDP);
    const rseq = stage.sent.findLast((message) => message.headers.has('RSeq'))?.headers.get('RSeq');
    const bodies: string[] = [];
    stage.alices.request('PRACK', { headers: [['RAck', `${rseq} 1 INVITE`]], body: 'v=0 more\r\n' }, ({ response }) =>
      bodies.push(Buffer.from(response?.body ?? []).toString()),
    );
    stage.clock.settle();
    expect(offers.map(({ request }) => request.method)).toEqual(['PRACK']);
    expect(bodies).toEqual(['v=0 agreed\r\n']);
  });

  it('that only acknowledges is 200, even while an UPDATE of its sender waits for its answer', () => {
    const stage = called({ call: REQUIRED, bob: PONDER });
    ring(stage, 183, SDP);
    force(stage, 'alice');
    stage.story.length = 0;
    ring(stage, 183);
    expect(stage.story).toEqual(['0 bob 183 INVITE', '0 alice PRACK', '0 bob 200 PRACK']);
  });
});

describe('after the answer has come reliably', () => {
  it('no provisional describes anything again', () => {
    const stage = called({ call: REQUIRED });
    ring(stage, 183, 'v=0 first\r\n');
    ring(stage, 183, 'v=0 second\r\n');
    const told = stage.sent.filter((message) => message.kind === 'response' && message.status === 183);
    expect(told.map((message) => Buffer.from(message.body).toString())).toEqual(['v=0 first\r\n', '']);
  });

  it('what a 2xx describes all the same is nothing', () => {
    const heard: string[] = [];
    const stage = called({
      alice: { onAnswered: (_, response) => heard.push(Buffer.from(response.body).toString()) },
    });
    // By hand: a phone that numbers its provisionals without being asked to, and describes something else in the end.
    stage.bobs.provisional(183, {
      body: 'v=0 first\r\n',
      headers: [
        ['Require', '100rel'],
        ['RSeq', '7'],
      ],
    });
    stage.clock.settle();
    stage.bobs.accept('v=0 second\r\n');
    stage.clock.settle();
    expect(heard).toEqual(['v=0 first\r\n']);
  });
});
