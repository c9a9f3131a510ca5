// A desk phone in a call: hold, keys, transfer, and the acts that are impossible just then.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Act } from './acts.ts';
import { Desk, type PhoneStage, sdp } from './phone.rig.ts';

let desk: Desk;
let stage: PhoneStage;

beforeEach(() => {
  desk = new Desk();
  stage = desk.stage;
});

describe('in a call', () => {
  test('hold is sendonly, resume sendrecv, and the version of the SDP rises with each', () => {
    desk.connected();
    expect(desk.act({ act: 'hold' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone INVITE sendonly', '0 far 200 INVITE recvonly', '0 phone ACK']);
    expect(desk.act({ act: 'hold' })).toBe('conflict: The call with 102 is on hold already.');
    expect(desk.act({ act: 'resume' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone INVITE sendrecv', '0 far 200 INVITE recvonly', '0 phone ACK']);
    expect(desk.act({ act: 'resume' })).toBe('conflict: The phone at 101 has no call on hold.');
    const versions = stage.messages.flatMap((message) => {
      const origin = /^o=- \d+ (\d+) IN IP4 127/m.exec(Buffer.from(message.body).toString());
      return origin === null ? [] : [origin[1]];
    });
    expect(versions).toEqual(['1', '2', '3']);
  });

  test('hold by UPDATE, and resume', () => {
    desk.connected();
    expect(desk.act({ act: 'hold', by: 'UPDATE' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone UPDATE sendonly', '0 far 200 UPDATE recvonly']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected', held: true }]);
    expect(desk.act({ act: 'resume', by: 'UPDATE' })).toBe('done');
    expect(stage.take()[0]).toBe('0 phone UPDATE sendrecv');
    expect(desk.view.calls).toMatchObject([{ held: false }]);
  });

  test('a refused hold changes nothing', () => {
    const session = desk.connected();
    session.events = { onReinvite: (_session, request) => request.respond(488) };
    desk.act({ act: 'hold' });
    expect(stage.take()).toEqual(['0 phone INVITE sendonly', '0 far 488 INVITE', '0 phone ACK']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected', held: false }]);
  });

  test.each([
    ['sendonly', 'recvonly'],
    ['recvonly', 'sendonly'],
    ['inactive', 'inactive'],
    ['sendrecv', 'sendrecv'],
  ])('an offer of %s from the other side is answered %s', (offered, answered) => {
    const session = desk.connected();
    session.reinvite(sdp(offered, '0 8 101', 2), () => {});
    expect(stage.take()).toEqual([`0 far INVITE ${offered}`, `0 phone 200 INVITE ${answered}`, '0 far ACK']);
  });

  test('both hold: the second to hold is answered inactive', () => {
    const session = desk.connected();
    desk.act({ act: 'hold' });
    stage.take();
    session.reinvite(sdp('sendonly', '0 8 101', 2), () => {});
    expect(stage.take()).toEqual(['0 far INVITE sendonly', '0 phone 200 INVITE inactive', '0 far ACK']);
    session.reinvite(sdp('sendrecv', '0 8 101', 3), () => {});
    expect(stage.take()[1]).toBe('0 phone 200 INVITE sendonly');
  });

  test('the old hold with c=0.0.0.0 is answered recvonly', () => {
    const session = desk.connected();
    session.reinvite(sdp('sendrecv', '0 8 101', 2).replace('c=IN IP4 192.0.2.9', 'c=IN IP4 0.0.0.0'), () => {});
    expect(stage.take()[1]).toBe('0 phone 200 INVITE recvonly');
  });

  test('an offer without a codec of ours is refused and the call goes on', () => {
    const session = desk.connected();
    session.reinvite(sdp('sendrecv', '18', 2), () => {});
    expect(stage.take()[1]).toBe('0 phone 488 INVITE');
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test('a re-INVITE without offer gets one', () => {
    const session = desk.connected();
    session.reinvite(undefined, () => session.ack(sdp('sendrecv', '0 101', 2)));
    expect(stage.take()).toEqual(['0 far INVITE', '0 phone 200 INVITE sendrecv', '0 far ACK sendrecv']);
  });

  test('NOTIFY talk answers a ringing call, after its own 200', () => {
    desk.put({ on_call: 'ring' });
    const session = stage.call();
    stage.take();
    session.request('NOTIFY', { headers: [['Event', 'talk']] });
    expect(stage.take()).toEqual([
      ...['0 far NOTIFY talk', '0 phone 200 NOTIFY', '0 phone 200 INVITE sendrecv', '0 far ACK'],
    ]);
  });

  test('NOTIFY hold holds, NOTIFY talk resumes, other events are unknown', () => {
    const session = desk.connected();
    session.request('NOTIFY', { headers: [['Event', 'hold']] });
    expect(stage.take().slice(0, 3)).toEqual(['0 far NOTIFY hold', '0 phone 200 NOTIFY', '0 phone INVITE sendonly']);
    session.request('NOTIFY', { headers: [['Event', 'talk']] });
    expect(stage.take().slice(0, 3)).toEqual(['0 far NOTIFY talk', '0 phone 200 NOTIFY', '0 phone INVITE sendrecv']);
    session.request('NOTIFY', { headers: [['Event', 'presence']] });
    expect(stage.take()).toEqual(['0 far NOTIFY presence', '0 phone 489 NOTIFY']);
    session.request('NOTIFY', { headers: [['Event', 'refer']] });
    expect(stage.take()).toEqual(['0 far NOTIFY refer', '0 phone 481 NOTIFY']);
  });

  test('INFO and OPTIONS are answered 200', () => {
    const session = desk.connected();
    session.request('INFO', { body: 'Signal=5\r\n', contentType: 'application/dtmf-relay' });
    session.request('OPTIONS', {});
    expect(stage.take()).toEqual(['0 far INFO 5', '0 far OPTIONS', '0 phone 200 INFO', '0 phone 200 OPTIONS']);
  });

  test('digits go one by one; more keys wait their turn', () => {
    desk.connected();
    expect(desk.act({ act: 'digits', digits: '12' })).toBe('done');
    expect(desk.act({ act: 'digits', digits: '*' })).toBe('done');
    stage.pass(1000);
    expect(stage.take().filter((line) => line.includes('phone'))).toEqual([
      ...['0 phone INFO 1', '200 phone INFO 2', '400 phone INFO *'],
    ]);
  });

  test('picking up a second call holds the first; resuming the first holds the second', () => {
    desk.connected();
    stage.call();
    stage.take();
    expect(desk.act({ act: 'answer' })).toBe('done');
    expect(stage.take()).toContain('0 phone INVITE sendonly');
    expect(desk.view.calls.map(({ held }) => held)).toEqual([true, false]);
    expect(desk.act({ act: 'resume' })).toBe('done');
    stage.take();
    expect(desk.view.calls.map(({ held }) => held)).toEqual([false, true]);
  });

  test('BYE from either side ends it', () => {
    const session = desk.connected();
    session.end();
    expect(stage.take()).toEqual(['0 far BYE', '0 phone 200 BYE']);
    expect(desk.view.calls).toEqual([]);
    expect(desk.act({ act: 'hangup' })).toBe('conflict: The phone at 101 has no call.');
  });
});

describe('blind transfer', () => {
  const progress = (line: string, state = 'active') => ({
    headers: [['Event', 'refer'] as const, ['Subscription-State', state] as const],
    body: `${line}\r\n`,
    contentType: 'message/sipfrag;version=2.0',
  });

  function transferring() {
    const session = desk.connected();
    stage.onRequest = (request) => request.respond(202);
    expect(desk.act({ act: 'transfer', to: '103' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone REFER', '0 far 202 REFER']);
    expect(desk.view.calls).toMatchObject([{ state: 'transferring' }]);
    return session;
  }

  test('the transferor hangs up when the target has answered', () => {
    const session = transferring();
    session.request('NOTIFY', progress('SIP/2.0 100 Trying'));
    session.request('NOTIFY', progress('SIP/2.0 180 Ringing'));
    stage.take();
    expect(desk.view.calls).toMatchObject([{ state: 'transferring' }]);
    session.request('NOTIFY', progress('SIP/2.0 200 OK', 'terminated;reason=noresource'));
    expect(stage.take()).toEqual(['0 far NOTIFY refer', '0 phone 200 NOTIFY', '0 phone BYE', '0 far 200 BYE']);
  });

  test('a busy target: the transferor keeps the call', () => {
    const session = transferring();
    session.request('NOTIFY', progress('SIP/2.0 486 Busy Here', 'terminated;reason=noresource'));
    expect(stage.take()).toEqual(['0 far NOTIFY refer', '0 phone 200 NOTIFY']);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
    expect(desk.act({ act: 'hold' })).toBe('done');
  });

  test('a refused REFER: the call goes on', () => {
    desk.connected();
    stage.onRequest = (request) => request.respond(603);
    desk.act({ act: 'transfer', to: '103' });
    stage.take();
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
  });

  test('the transferor may hang up right after the 202', () => {
    transferring();
    expect(desk.act({ act: 'hangup' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone BYE', '0 far 200 BYE']);
  });
});

describe('attended transfer', () => {
  /** 102 is on hold, and 103 has been called and has `said` something. */
  function consulting(said: 'nothing' | 'rings' | 'answered') {
    const held = desk.connected();
    expect(desk.act({ act: 'call', to: '103' })).toBe('done');
    const consulted = stage.invited.at(-1);
    if (said !== 'nothing') consulted?.provisional(180);
    stage.clock.settle();
    if (said === 'answered') consulted?.accept(sdp());
    stage.take();
    stage.onRequest = (request) => request.respond(202);
    return { held, consulted };
  }

  test.each(['rings', 'answered'] as const)('names the dialog of the other call, when that %s', (said) => {
    const { held, consulted } = consulting(said);
    expect(desk.act({ act: 'join' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone REFER', '0 far 202 REFER']);
    const refer = stage.last('REFER');
    expect(refer.headers.get('Call-ID')).toBe(held.callId);
    const replaces = `${consulted?.callId};to-tag=${consulted?.localTag};from-tag=${consulted?.remoteTag}`;
    expect(decodeURIComponent(refer.headers.get('Refer-To') ?? '')).toBe(`<sip:103@pbx.example?Replaces=${replaces}>`);
    expect(desk.view.calls).toMatchObject([{ state: 'transferring' }, { peer: '103' }]);
  });

  test('needs a party on hold, and somebody to join it with', () => {
    desk.connected();
    expect(desk.act({ act: 'join' })).toBe('conflict: The phone at 101 has no call on hold.');
    desk.act({ act: 'hold' });
    expect(desk.act({ act: 'join' })).toBe('conflict: The phone at 101 has nobody to join the party on hold with.');
  });

  test('needs a phone over there that has said something', () => {
    consulting('nothing');
    expect(desk.act({ act: 'join' })).toBe('conflict: The phone at 101 has nobody to join the party on hold with.');
  });
});

describe('acts that are impossible now', () => {
  test.each<[Act, string]>([
    [{ act: 'answer' }, 'conflict: The phone at 101 has no call that rings.'],
    [{ act: 'reject' }, 'conflict: The phone at 101 has no call that rings.'],
    [{ act: 'hold' }, 'conflict: The phone at 101 has no connected call.'],
    [{ act: 'resume' }, 'conflict: The phone at 101 has no call on hold.'],
    [{ act: 'transfer', to: '103' }, 'conflict: The phone at 101 has no call.'],
    [{ act: 'digits', digits: '1' }, 'conflict: The phone at 101 has no call.'],
    [{ act: 'hangup' }, 'conflict: The phone at 101 has no call.'],
  ])('%j without a call', (what, expected) => {
    desk.put();
    expect(desk.act(what)).toBe(expected);
  });

  test('while it still rings', () => {
    desk.put({ on_call: 'ring' });
    stage.call();
    stage.take();
    expect(desk.act({ act: 'digits', digits: '1' })).toBe('conflict: The call with 102 is not connected.');
    expect(desk.act({ act: 'transfer', to: '103' })).toBe('conflict: The call with 102 is not connected.');
    expect(desk.act({ act: 'hold' })).toBe('conflict: The phone at 101 has no connected call.');
    expect(stage.take()).toEqual([]);
  });
});

describe('with several calls', () => {
  test('a behaviour of the next call alone is gone with it', () => {
    desk.put({ on_call: 'busy' });
    expect(desk.fleet.behaveOnce(1, '101', { on_call: 'answer', after_ms: 100 })).toBe(true);
    expect(desk.fleet.behaveOnce(1, '109', { on_call: 'ring' })).toBe(false);
    stage.call();
    stage.pass(100);
    expect(desk.view.calls).toMatchObject([{ state: 'connected' }]);
    stage.take();
    stage.call();
    expect(stage.take()).toContain('100 phone 486 INVITE');
    expect(desk.view.behaviour).toEqual({ on_call: 'busy' });
  });

  test('an act may be about one of them', () => {
    desk.connected();
    stage.call();
    desk.act({ act: 'answer' });
    const [first, second] = desk.view.calls.map(({ sip_call_id }) => sip_call_id);
    const act = (among: string | undefined) => desk.fleet.act(1, '101', { act: 'hangup' }, among).ok;
    expect(act('nobody')).toBe(false);
    expect(act(first)).toBe(true);
    stage.take();
    expect(desk.view.calls.map(({ sip_call_id }) => sip_call_id)).toEqual([second]);
    expect(act('102')).toBe(true);
    stage.take();
    expect(desk.view.calls).toEqual([]);
  });
});
