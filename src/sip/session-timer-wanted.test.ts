// Session timers that we want ourselves (RFC 4028): asked for in our INVITEs, brought by our answers, kept with peers that know of none,
// and the end of a call whose peer is not there any more.
import { describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from './memory-flow.ts';
import type { SipMessage, SipRequest } from './message.ts';
import { parseMessage } from './parse.ts';
import { createStage, diary, SDP, type Stage } from './user-agent.rig.ts';
import { createUserAgent } from './user-agent.ts';
import type { OutgoingInvite, Session } from './user-agent-api.ts';

const START = Date.UTC(2026, 0, 1);

interface OldPhone {
  readonly clock: Timeline;
  readonly session: Session;
  readonly heard: string[];
  /** `300000 UPDATE`: what reached the phone, ms from the start. */
  readonly got: string[];
  readonly requests: SipRequest[];
  /** Answers nothing any more. */
  dead: boolean;
  /** Says this once instead of 200, with these lines. */
  next: readonly string[] | undefined;
  /** The same for good. */
  always: readonly string[];
  at(ms: number): void;
}

/** A phone that has never heard of timers answers our INVITE, which asks for one of 600 s. */
function oldPhone(allow: string): OldPhone {
  const clock = new Timeline({ mode: 'manual', startMs: START });
  const [flow, phone] = memoryPair({
    clock,
    transport: 'UDP',
    reliable: false,
    ends: [{ address: { host: '192.0.2.1', port: 5060 } }, { address: { host: '192.0.2.2', port: 5060 } }],
  });
  const agent = createUserAgent({
    ...{ clock, random: new Random(1, 'agent'), product: 'exchange', contactUser: 'exchange', route: () => flow },
    sessionExpiresS: 600,
    events: { onInvite() {}, onRequest() {} },
  });
  flow.listener = agent;
  const got: string[] = [];
  const requests: SipRequest[] = [];
  const here: Pick<OldPhone, 'dead' | 'next' | 'always'> = { dead: false, next: undefined, always: [] };
  phone.listener = {
    received(_, bytes) {
      const parsed = parseMessage(bytes);
      if (!parsed.ok || parsed.message.kind !== 'request') return;
      got.push(`${clock.now() - START} ${parsed.message.method}`);
      requests.push(parsed.message);
      if (here.dead || parsed.message.method === 'ACK') return;
      const [status = '200 OK', ...more] = here.next ?? here.always;
      here.next = undefined;
      const to = parsed.message.headers.get('To') ?? '';
      const tagged = to.includes('tag=') ? to : `${to};tag=old`;
      const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(parsed.message, name)}`);
      const lines = [
        `SIP/2.0 ${status}`,
        ...copied,
        `To: ${tagged}`,
        'Contact: <sip:old@192.0.2.2>',
        `Allow: ${allow}`,
      ];
      phone.send(Buffer.from(`${[...lines, ...more, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`));
    },
    closed() {},
  };
  const heard: string[] = [];
  const session = agent.invite({
    ...{ uri: 'sip:old@192.0.2.2', from: '<sip:us@192.0.2.1>', to: '<sip:old@192.0.2.2>', body: 'v=0 ours\r\n' },
    events: diary(heard),
  });
  clock.settle();
  const at = (ms: number): void => void clock.advanceTo(START + ms);
  return Object.assign(here, { clock, session, heard, got, requests, at });
}

const headerOf = (message: SipMessage | undefined, name: string): string | undefined => message?.headers.get(name);

describe('a phone that knows of no timers', () => {
  it('is asked after half the time whether it is there, by UPDATE when it takes that', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    expect(headerOf(phone.requests[0], 'Session-Expires')).toBe('600;refresher=uac');
    phone.at(1_000_000);
    expect(phone.got).toEqual(['0 INVITE', '0 ACK', '300000 UPDATE', '600000 UPDATE', '900000 UPDATE']);
    expect(headerOf(phone.requests[2], 'Session-Expires')).toBe('600;refresher=uac');
    expect(headerOf(phone.requests[2], 'Content-Length')).toBe('0');
    expect(phone.session.state).toBe('confirmed');
  });

  it('is asked by a re-INVITE with what holds where it takes no UPDATE', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL');
    phone.at(400_000);
    expect(phone.got.slice(2)).toEqual(['300000 INVITE', '300000 ACK']);
    expect(Buffer.from(phone.requests[2]?.body ?? []).toString()).toBe('v=0 ours\r\n');
  });

  it('is not asked with an offer that it has refused', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL');
    phone.next = ['488 Not Acceptable Here'];
    phone.session.reinvite('v=0 refused\r\n', () => {});
    phone.at(400_000);
    const bodies = phone.requests.filter(({ method }) => method === 'INVITE').map(({ body }) => `${Buffer.from(body)}`);
    expect(bodies).toEqual(['v=0 ours\r\n', 'v=0 refused\r\n', 'v=0 ours\r\n']);
  });

  it('that does not answer any more is given up 32 s later, with a BYE', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    phone.dead = true;
    phone.at(331_999);
    expect(phone.heard).toEqual(['answered 200']);
    phone.at(332_000);
    expect(phone.heard).toEqual(['answered 200', 'ended expired']);
    expect(phone.got.at(-1)).toBe('332000 BYE');
    expect(headerOf(phone.requests.at(-1), 'Reason')).toBe('SIP;cause=408;text="Session timer expired"');
    phone.at(1_000_000);
    expect(phone.clock.pending()).toEqual([]);
  });

  it('that does not know the call any more (481) is lost', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    phone.next = ['481 Call/Transaction Does Not Exist'];
    phone.at(300_000);
    expect(phone.heard).toEqual(['answered 200', 'ended lost']);
  });

  it('that refuses a refresh is asked again after half of the time that is left', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    phone.next = ['500 Server Internal Error'];
    phone.at(600_000);
    // 300 s, and half of the 268 s until the BYE.
    expect(phone.got.slice(2)).toEqual(['300000 UPDATE', '434000 UPDATE']);
    phone.at(734_000);
    expect(phone.got.slice(4)).toEqual(['734000 UPDATE']);
  });

  it('that refuses them all is hung up on before the time is over', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    phone.always = ['500 Server Internal Error'];
    phone.at(567_999);
    expect(phone.heard).toEqual(['answered 200']);
    expect(phone.got.slice(2)).toEqual(
      ['300000', '434000', '501000', '534500', '551250', '559625'].map((ms) => `${ms} UPDATE`),
    );
    phone.at(568_000);
    expect(phone.heard).toEqual(['answered 200', 'ended expired']);
  });

  it('may want a longer time: 422, and the INVITE goes again with it', () => {
    const phone = oldPhone('INVITE, ACK, BYE, CANCEL, UPDATE');
    phone.next = ['422 Session Interval Too Small', 'Min-SE: 1200'];
    phone.at(300_000);
    expect(phone.got.slice(2)).toEqual(['300000 UPDATE', '300000 UPDATE']);
    expect(headerOf(phone.requests.at(-1), 'Session-Expires')).toBe('1200;refresher=uac');
    expect(headerOf(phone.requests.at(-1), 'Min-SE')).toBe('1200');
    phone.at(1_000_000);
    // The next one after half of that, for this one was taken.
    expect(phone.got.slice(4)).toEqual(['900000 UPDATE']);
  });
});

interface Talk extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
  readonly ok: SipMessage | undefined;
}

/** Alice calls; Bob wants 600 s. */
function answered(call: Partial<OutgoingInvite> = {}): Talk {
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.events = { onReinvite: (_, request) => request.respond(200, { body: SDP }) };
  };
  const stage = createStage({ bob: { sessionExpiresS: 600, events: { onInvite, onRequest() {} } } });
  const alices = stage.call(call);
  stage.at(0);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  bob.accept(SDP);
  stage.clock.settle();
  const ok = stage.sent.find(
    (message) =>
      message.kind === 'response' && message.status === 200 && headerOf(message, 'CSeq')?.endsWith('INVITE') === true,
  );
  return { ...stage, alices, bobs: bob, ok };
}

describe('an answer of ours', () => {
  it.each([
    ['brings our time, which we refresh, to who asks for none', [], '600;refresher=uas'],
    ['takes a shorter one', [['Session-Expires', '300;refresher=uac']], '300;refresher=uac'],
    ['cuts a longer one', [['Session-Expires', '1800;refresher=uac']], '600;refresher=uac'],
    [
      'cuts it to the least that the caller takes',
      [
        ['Session-Expires', '1800'],
        ['Min-SE', '1200'],
      ],
      '1200;refresher=uac',
    ],
    ['is as long as the least that a caller takes who asks for none', [['Min-SE', '900']], '900;refresher=uas'],
  ] as const)('%s', (_, headers, expected) => {
    const { ok } = answered({ headers });
    expect(headerOf(ok, 'Session-Expires')).toBe(expected);
    expect(headerOf(ok, 'Require')).toBe('timer');
  });

  it('is refreshed by us', () => {
    const stage = answered();
    stage.story.length = 0;
    stage.at(700_000);
    expect(stage.story).toEqual([
      '300000 bob UPDATE',
      '300000 alice 200 UPDATE',
      '600000 bob UPDATE',
      '600000 alice 200 UPDATE',
    ]);
  });

  it('begins to count with the call, not with an UPDATE while it rings', () => {
    let bob: Session | undefined;
    const onInvite = (session: Session) => {
      bob = session;
      session.provisional(180);
    };
    const stage = createStage({ bob: { sessionExpiresS: 600, events: { onInvite, onRequest() {} } } });
    const alice = stage.call({ sessionExpiresS: 300 });
    stage.at(0);
    const counting = () => stage.clock.pending().filter(({ name }) => name.startsWith('session ')).length;
    alice.update(undefined, () => {});
    stage.clock.settle();
    const update = stage.sent.filter((message) => headerOf(message, 'CSeq')?.endsWith('UPDATE') === true);
    expect(update.map((message) => message.headers.has('Session-Expires'))).toEqual([false, false]);
    expect(counting()).toBe(0);
    bob?.accept(SDP);
    stage.clock.settle();
    expect(counting()).toBe(2);
  });
});
