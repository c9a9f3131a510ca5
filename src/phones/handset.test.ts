// A desk phone that calls and is called: what it sends to an exchange that is played by hand.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import { beforeEach, describe, expect, test } from 'vitest';
import type { Behaviour } from './behaviour.ts';
import { Desk, type PhoneStage, sdp } from './phone.rig.ts';

let desk: Desk;
let stage: PhoneStage;

beforeEach(() => {
  desk = new Desk();
  stage = desk.stage;
});

describe('being called', () => {
  test('it rings at once and answers after two seconds', () => {
    desk.put();
    stage.call();
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', '0 phone 180 INVITE']);
    expect(desk.view.calls).toMatchObject([{ state: 'ringing', held: false, peer: '102' }]);
    stage.pass(2000);
    expect(stage.take()).toEqual(['2000 phone 200 INVITE sendrecv', '2000 far ACK']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test.each<[Behaviour, string[]]>([
    [{ on_call: 'busy' }, ['0 phone 486 INVITE', '0 far ACK']],
    [{ on_call: 'decline' }, ['0 phone 603 INVITE', '0 far ACK']],
    [{ on_call: 'unavailable' }, ['0 phone 480 INVITE', '0 far ACK']],
    [{ on_call: 'busy', after_ms: 500 }, ['0 phone 180 INVITE', '500 phone 486 INVITE', '500 far ACK']],
    [{ on_call: 'redirect', to: '103' }, ['0 phone 302 INVITE', '0 far ACK']],
    [{ on_call: 'ring' }, ['0 phone 180 INVITE']],
    [
      { on_call: 'early_media', after_ms: 500 },
      ['0 phone 183 INVITE sendrecv', '500 phone 200 INVITE sendrecv', '500 far ACK'],
    ],
  ])('%j', (behaviour, expected) => {
    desk.put(behaviour);
    stage.call();
    stage.pass(30_000);
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', ...expected]);
  });

  test('redirect says where to', () => {
    desk.put({ on_call: 'redirect', to: '*7#' });
    stage.call();
    stage.take();
    expect(stage.last('302').headers.get('Contact')).toBe('<sip:*7%23@pbx.example>');
  });

  test('silent: not even 100, so that the caller gives up by its timer B', () => {
    desk.put();
    desk.fleet.setBehaviour(1, '101', { on_call: 'silent' });
    const session = stage.call();
    const seen = stage.messages.length;
    expect(stage.messages.at(-1)).toMatchObject({ kind: 'request', method: 'INVITE' });
    stage.pass(31_999);
    expect(session.state).toBe('calling');
    stage.pass(1);
    expect(session.state).toBe('terminated');
    expect(stage.messages).toHaveLength(seen);
    expect(desk.view).toMatchObject({ registered: true, calls: [] });
  });

  test('no codec in common: 488 before it rings', () => {
    desk.put();
    stage.call(0, sdp('sendrecv', '18'));
    expect(stage.take().slice(1)).toEqual(['0 phone 488 INVITE', '0 far ACK']);
    expect(desk.view.calls).toEqual([]);
  });

  test('a fifth call finds the phone busy; a released line takes the next', () => {
    desk.put({ on_call: 'ring' });
    for (let i = 0; i < 4; i += 1) stage.call();
    stage.take();
    stage.call();
    expect(stage.take().slice(1)).toEqual(['0 phone 486 INVITE', '0 far ACK']);
    expect(desk.view.calls).toHaveLength(4);
    expect(desk.act({ act: 'reject' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone 603 INVITE', '0 far ACK']);
    stage.call();
    expect(stage.take()).toContain('0 phone 180 INVITE');
  });

  test('the caller gives up: 487, and no timer is left', () => {
    desk.put();
    const session = stage.call();
    session.cancel();
    expect(stage.take().slice(2)).toEqual([
      ...['0 far CANCEL', '0 phone 200 CANCEL', '0 phone 487 INVITE', '0 far ACK'],
    ]);
    stage.pass(60_000);
    expect(desk.view.calls).toEqual([]);
    expect(stage.clock.hasForeground).toBe(false);
  });

  test('a call without offer is answered with one, and the ACK brings the answer', () => {
    desk.put();
    const session = stage.call(0, '');
    session.events = { onAnswered: (answered) => answered.ack(sdp('sendrecv', '8 101')) };
    stage.pass(2000);
    expect(stage.take().slice(-2)).toEqual(['2000 phone 200 INVITE sendrecv', '2000 far ACK sendrecv']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test('an answer to its offer that accepts nothing ends the call', () => {
    desk.put();
    const session = stage.call(0, '');
    session.events = { onAnswered: (answered) => answered.ack(sdp('sendrecv', '18')) };
    stage.pass(2000);
    expect(stage.take().slice(-2)).toEqual(['2000 phone BYE', '2000 far 200 BYE']);
  });
});

describe('once connected, the behaviour goes on', () => {
  test('digits, one each 200 ms, then hang up after talk_ms', () => {
    desk.put({ on_call: 'answer', after_ms: 0, digits: '1#', talk_ms: 1000 });
    stage.call();
    stage.pass(0);
    stage.take();
    stage.pass(5000);
    expect(stage.take()).toEqual(['200 phone INFO #', '200 far 200 INFO', '1000 phone BYE', '1000 far 200 BYE']);
    expect(stage.last('INFO').headers.get('Content-Type')).toBe('application/dtmf-relay');
  });

  test('hold after talk_ms', () => {
    desk.put({ on_call: 'answer', after_ms: 0, talk_ms: 700, then: 'hold' });
    stage.call();
    stage.pass(0);
    stage.take();
    stage.pass(700);
    expect(stage.take()).toEqual(['700 phone INVITE sendonly', '700 far 200 INVITE recvonly', '700 phone ACK']);
    expect(desk.view.calls).toMatchObject([{ held: true }]);
  });

  test('transfer after talk_ms', () => {
    desk.put({ on_call: 'answer', after_ms: 0, talk_ms: 700, then: 'transfer', to: '103' });
    stage.onRequest = (request) => request.respond(202);
    stage.call();
    stage.pass(0);
    stage.take();
    stage.pass(700);
    expect(stage.take()).toEqual(['700 phone REFER', '700 far 202 REFER']);
    expect(stage.last('REFER').headers.get('Refer-To')).toBe('<sip:103@pbx.example>');
    expect(stage.last('REFER').headers.get('Referred-By')).toBe('<sip:1-101@pbx.example>');
  });
});

describe('calling', () => {
  test('it calls with an offer, hears it ring, and talks', () => {
    desk.put();
    const result = desk.fleet.act(1, '101', { act: 'call', to: '+442079460999' });
    expect(stage.take()).toEqual(['0 phone INVITE sendrecv']);
    const invite = stage.last('INVITE');
    expect(invite).toMatchObject({ uri: 'sip:+442079460999@pbx.example' });
    expect(invite.headers.get('From')).toMatch(/^"P 101" <sip:1-101@pbx\.example>;tag=/);
    const [session] = stage.invited;
    expect(result).toEqual({ ok: true, value: { sipCallId: session?.callId } });
    expect(desk.view.calls).toMatchObject([{ state: 'calling', peer: '+442079460999' }]);
    session?.provisional(180);
    stage.take();
    expect(desk.view.calls).toMatchObject([{ state: 'ringback' }]);
    session?.accept(sdp());
    expect(stage.take()).toEqual(['0 far 200 INVITE sendrecv', '0 phone ACK']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test('it lets the other side offer, and answers in the ACK', () => {
    desk.put();
    desk.act({ act: 'call', to: '102', offer: 'late' });
    stage.invited[0]?.accept(sdp());
    expect(stage.take()).toEqual(['0 phone INVITE', '0 far 200 INVITE sendrecv', '0 phone ACK sendrecv']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test('it acknowledges a late offer that it cannot take, and hangs up', () => {
    desk.put();
    desk.act({ act: 'call', to: '102', offer: 'late' });
    stage.invited[0]?.accept(sdp('sendrecv', '18'));
    expect(stage.take().slice(2)).toEqual(['0 phone ACK sendrecv', '0 phone BYE', '0 far 200 BYE']);
    expect(desk.view.calls).toEqual([]);
  });

  test('hanging up before the answer cancels', () => {
    desk.put();
    desk.act({ act: 'call', to: '102' });
    stage.take();
    expect(desk.act({ act: 'hangup' })).toBe('done');
    expect(stage.take().slice(0, 2)).toEqual([expect.stringContaining('CANCEL'), expect.stringContaining('CANCEL')]);
    expect(desk.view.calls).toEqual([]);
  });

  test('a refused call is gone', () => {
    desk.put();
    desk.act({ act: 'call', to: '102' });
    stage.invited[0]?.reject(486);
    stage.take();
    expect(desk.view.calls).toEqual([]);
  });
});

test('its SDP names loopback and ports of the virtual range, another one for each call', () => {
  desk.put({ on_call: 'answer', after_ms: 0 });
  const lines: Array<string | undefined> = [];
  for (let i = 0; i < 2; i += 1) {
    stage.call();
    stage.pass(0);
    const answer = Buffer.from(stage.last('200 INVITE').body).toString();
    lines.push(/^c=.*$/m.exec(answer)?.[0].trim(), /^m=.*$/m.exec(answer)?.[0].trim());
  }
  expect(lines).toEqual([
    ...['c=IN IP4 127.0.0.1', 'm=audio 40000 RTP/AVP 0 101'],
    ...['c=IN IP4 127.0.0.1', 'm=audio 40002 RTP/AVP 0 101'],
  ]);
});

test('OPTIONS outside a call is 200, the lamp for messages too, an unknown subscription 489', () => {
  desk.put();
  const [flow] = stage.flows;
  const parts = { uri: 'sip:1-101@127.0.0.1', from: '<sip:pbx.example>', to: '<sip:101@pbx.example>' };
  const seen: number[] = [];
  if (flow === undefined) throw new Error('no flow');
  for (const [method, event] of [
    ['OPTIONS', ''],
    ['NOTIFY', 'message-summary'],
    ['NOTIFY', 'presence'],
    ['MESSAGE', ''],
  ] as const) {
    const headers = [['Event', event] as const, ['Subscription-State', 'active'] as const];
    stage.far.request({ ...parts, flow, method, headers }, ({ status }) => seen.push(status));
    stage.take();
  }
  expect(seen).toEqual([200, 200, 489, 405]);
  expect(seen[2]).toBeGreaterThanOrEqual(400);
});

test('a removed phone hangs up, unregisters and leaves nothing behind', () => {
  desk.connected();
  expect(desk.fleet.remove(1, '101')).toBe(true);
  expect(stage.take().map((line) => line.replace(/^\d+ /, ''))).toEqual([
    ...['phone BYE', 'far 200 BYE', 'phone REGISTER', 'far 401 REGISTER', 'phone REGISTER', 'far 200 REGISTER'],
  ]);
  expect(desk.fleet.list()).toEqual([]);
  expect(stage.far.stats.sessions).toBe(0);
  stage.pass(64_000);
  expect(stage.clock.pending()).toEqual([]);
});
