// The public network as stories: magic numbers, scripts, calls in, and calls that come back to a number of ours.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import { beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../sip/user-agent-api.ts';
import { Carrier } from './carrier.ts';
import { DOMAIN, PhoneStage, sdp } from './phone.rig.ts';

const OURS = '+442079460101';

let stage: PhoneStage;
let carrier: Carrier;

beforeEach(() => {
  stage = new PhoneStage();
  const isOurs = (number: string): boolean => number.replace('+', '') === OURS.slice(1);
  const { clock, random, connect } = stage;
  carrier = new Carrier({ clock, random, domain: DOMAIN, connect, isOurs });
});

function callTo(number: string): Session {
  return stage.call(0, sdp(), `sip:${number}@trunk.example`);
}

/** What comes back within the time for a call to the number, without the INVITE and the ACKs. */
function comesBack(number: string, withinMs = 60_000): string[] {
  callTo(number);
  stage.pass(withinMs);
  return stage.take().filter((line) => line.includes('phone') || line.includes('BYE'));
}

describe('numbers that nobody scripted', () => {
  test.each([
    ['+442079460001', ['0 phone 486 INVITE']],
    ['+442079460002', ['0 phone 180 INVITE', '60000 phone 180 INVITE']],
    ['+442079460003', ['0 phone 480 INVITE']],
    ['+442079460004', ['0 phone 603 INVITE']],
    ['+442079460005', ['0 phone 503 INVITE']],
    ['+442079460006', ['0 phone 404 INVITE']],
    ['+442079460007', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv', '4000 phone BYE', '4000 far 200 BYE']],
    ['+442079460008', []],
    ['+442079460009', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv']],
    ['+442079460999', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv']],
    ['442079460999', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv']],
    ['12345', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv']],
    ['+123456789012345', ['0 phone 180 INVITE', '2000 phone 200 INVITE sendrecv']],
    ['1234', ['0 phone 404 INVITE']],
    ['1234567890123456', ['0 phone 404 INVITE']],
    ['nobody', ['0 phone 404 INVITE']],
  ])('%s', (number, expected) => {
    expect(comesBack(number)).toEqual(expected);
  });

  test('silent is silent: no 100 either', () => {
    const session = callTo('+442079460008');
    expect(stage.messages).toHaveLength(1);
    stage.pass(32_000);
    expect(session.state).toBe('terminated');
    expect(stage.messages).toHaveLength(1);
  });
});

describe('scripts', () => {
  test('a scripted number behaves so, however it is written, until it is unscripted', () => {
    expect(carrier.script('0044 20-7946', { on_call: 'busy' })).toMatchObject({ ok: true });
    expect(carrier.script('+44 (20) 7946 0999', { on_call: 'busy' })).toEqual({
      ok: true,
      value: { number: '+442079460999', behaviour: { on_call: 'busy' } },
    });
    expect(comesBack('+442079460999')).toEqual(['0 phone 486 INVITE']);
    expect(carrier.scripts().map(({ number }) => number)).toEqual(['+0044207946', '+442079460999']);
    expect(carrier.unscript('442079460999')).toBe(true);
    expect(carrier.unscript('442079460999')).toBe(false);
    expect(comesBack('+442079460999', 0)).toEqual(['60000 phone 180 INVITE']);
  });

  test('a script outdoes a magic number and even one of ours', () => {
    carrier.script('+442079460001', { on_call: 'answer', after_ms: 100 });
    carrier.script(OURS, { on_call: 'decline' });
    expect(comesBack('+442079460001', 100)).toEqual(['0 phone 180 INVITE', '100 phone 200 INVITE sendrecv']);
    expect(comesBack(OURS, 0)).toEqual(['100 phone 603 INVITE']);
  });

  test('an answered script presses keys and hangs up', () => {
    carrier.script('12345', { on_call: 'answer', after_ms: 0, digits: '9', talk_ms: 500, then: 'hangup' });
    expect(comesBack('12345').slice(2)).toEqual([...['0 phone INFO 9', '500 phone BYE', '500 far 200 BYE']]);
  });

  test.each(['', 'abc', '+', '1234567890123456'])('%j cannot be scripted', (number) => {
    expect(carrier.script(number, { on_call: 'busy' })).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
  });
});

describe('calls from outside', () => {
  test('an INVITE to the number, from the number, answered and ended by the caller as told', () => {
    const behaviour = { on_call: 'answer', digits: '5', talk_ms: 1000 } as const;
    const result = carrier.call({ from: '442079460901', to: OURS.slice(1), behaviour });
    expect(stage.take()).toEqual(['0 phone INVITE sendrecv']);
    const invite = stage.last('INVITE');
    expect(invite).toMatchObject({ uri: 'sip:+442079460101@pbx.example' });
    expect(invite.headers.get('From')).toMatch(/^<sip:\+442079460901@carrier\.invalid>;tag=/);
    const [session] = stage.invited;
    expect(result).toEqual({ ok: true, value: { sipCallId: session?.callId } });
    session?.accept(sdp());
    stage.pass(1000);
    expect(stage.take()).toEqual([
      ...['0 far 200 INVITE sendrecv', '0 phone ACK', '0 phone INFO 5', '0 far 200 INFO'],
      ...['1000 phone BYE', '1000 far 200 BYE'],
    ]);
    expect(carrier.calls()).toEqual([]);
  });

  test('an anonymous caller', () => {
    carrier.call({ from: 'anonymous', to: OURS });
    stage.take();
    expect(stage.last('INVITE').headers.get('From')).toMatch(/^"Anonymous" <sip:anonymous@anonymous\.invalid>;tag=/);
  });

  test('a number that nobody has, and a caller that is no number', () => {
    expect(carrier.call({ from: '12345', to: '+442079460150' })).toMatchObject({
      ok: false,
      failure: { kind: 'not_found', message: 'Nobody here has the number +442079460150.' },
    });
    expect(carrier.call({ from: 'Bob', to: OURS })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', details: ['from: expected 3 to 15 digits or anonymous'] },
    });
    expect(stage.take()).toEqual([]);
  });
});

describe('what the outside party does', () => {
  test('found by number or Call-ID, it holds and hangs up', () => {
    const session = callTo('+442079460999');
    stage.pass(2000);
    stage.take();
    expect(carrier.calls()).toEqual([
      {
        ...{ sip_call_id: session.callId, state: 'connected', held: false },
        ...{ peer: '102', number: '+442079460999' },
      },
    ]);
    expect(carrier.act('442079460999', { act: 'hold' })).toEqual({ ok: true, value: { sipCallId: session.callId } });
    expect(stage.take()).toContain('2000 phone INVITE sendonly');
    expect(carrier.act(session.callId, { act: 'hangup' })).toMatchObject({ ok: true });
    expect(stage.take()).toEqual(['2000 phone BYE', '2000 far 200 BYE']);
    expect(carrier.act(session.callId, { act: 'hangup' })).toMatchObject({ ok: false, failure: { kind: 'not_found' } });
  });

  test('it picks up what only rings', () => {
    carrier.script('12345', { on_call: 'ring' });
    callTo('12345');
    expect(carrier.act('12345', { act: 'digits', digits: '1' })).toMatchObject({
      ok: false,
      failure: { kind: 'conflict', message: 'The call with 102 is not connected.' },
    });
    expect(carrier.act('12345', { act: 'answer' })).toMatchObject({ ok: true });
    expect(stage.take()).toContain('0 phone 200 INVITE sendrecv');
  });
});

describe('a number of ours comes back in', () => {
  /** The exchange calls its own number on the trunk; the second session is the network's call back into it. */
  function looped(offer = sdp()): { out: Session; back: Session } {
    const out = stage.call(0, offer, `sip:${OURS}@trunk.example`);
    stage.clock.settle();
    const [back] = stage.invited;
    if (back === undefined) throw new Error('the call did not come back');
    return { out, back };
  }

  test('as a call of its own, with the caller, the offer and one hop less', () => {
    const { out, back } = looped();
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', '0 phone INVITE sendrecv']);
    expect(back.callId).not.toBe(out.callId);
    expect(back.invite.uri).toBe('sip:+442079460101@pbx.example');
    expect(back.invite.headers.get('Max-Forwards')).toBe('69');
    expect(back.invite.headers.get('From')).toMatch(/^"Ann" <sip:102@pbx\.example>;tag=/);
    expect(back.invite.body).toEqual(out.invite.body);
    expect(carrier.calls()).toEqual([]);
  });

  test('ringing, answer, keys, hold and the end are passed on', () => {
    const { out, back } = looped();
    back.provisional(180);
    stage.take();
    expect(out.state).toBe('early');
    back.accept(sdp('sendrecv', '8 101'));
    expect(stage.take()).toEqual([
      ...['0 far 200 INVITE sendrecv', '0 phone ACK', '0 phone 200 INVITE sendrecv', '0 far ACK'],
    ]);
    back.request('INFO', { body: 'Signal=7\r\n', contentType: 'application/dtmf-relay' });
    expect(stage.take()).toEqual(['0 far INFO 7', '0 phone INFO 7', '0 far 200 INFO', '0 phone 200 INFO']);
    back.reinvite(sdp('sendonly', '8 101', 2), () => {});
    expect(stage.take()).toEqual([
      ...['0 far INVITE sendonly', '0 phone INVITE sendonly', '0 far 200 INVITE recvonly', '0 phone ACK'],
      ...['0 phone 200 INVITE recvonly', '0 far ACK'],
    ]);
    out.end();
    expect(stage.take()).toEqual(['0 far BYE', '0 phone 200 BYE', '0 phone BYE', '0 far 200 BYE']);
    expect(stage.far.stats.sessions).toBe(0);
  });

  test('a refusal is passed on with its status', () => {
    const { back } = looped();
    back.reject(486);
    expect(stage.take().slice(2)).toEqual([...['0 far 486 INVITE', '0 phone ACK', '0 phone 486 INVITE', '0 far ACK']]);
  });

  test('so is a caller who gives up', () => {
    const { out, back } = looped();
    back.provisional(180);
    stage.take();
    out.cancel();
    stage.take();
    expect(back.state).toBe('terminated');
    expect(stage.far.stats.sessions).toBe(0);
  });

  test('a late offer stays late: the offer of the 200 goes back, the answer of the ACK forth', () => {
    const { out, back } = looped('');
    out.events = { onAnswered: (session) => session.ack(sdp('sendrecv', '8 101')) };
    back.accept(sdp('sendrecv', '0 8 101'));
    expect(stage.take().slice(2)).toEqual([
      ...['0 far 200 INVITE sendrecv', '0 phone 200 INVITE sendrecv', '0 far ACK sendrecv', '0 phone ACK sendrecv'],
    ]);
  });

  test('a circle ends when no hop is left', () => {
    const session = stage.far.invite({
      ...{ uri: `sip:${OURS}@trunk.example`, from: '<sip:102@pbx.example>', to: `<sip:${OURS}@trunk.example>` },
      ...{ body: sdp(), maxForwards: 0, events: {} },
    });
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', '0 phone 483 INVITE', '0 far ACK']);
    expect(session.state).toBe('terminated');
  });
});

test('after all calls nothing is left', () => {
  for (const number of ['12345', '+442079460001', '+442079460007', '+442079460008', OURS]) callTo(number);
  stage.pass(2000);
  for (const session of stage.invited) session.reject(480);
  stage.pass(5000);
  expect(carrier.act('12345', { act: 'hangup' })).toMatchObject({ ok: true });
  stage.pass(64_000);
  expect(stage.far.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
  expect(stage.clock.pending()).toEqual([]);
});
