// A desk phone as stories: what it sends to a registrar and an exchange that are played by hand.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import { beforeEach, describe, expect, test } from 'vitest';
import type { Act } from './acts.ts';
import type { Behaviour } from './behaviour.ts';
import { Fleet, type PhoneView } from './fleet.ts';
import { DOMAIN, PhoneStage, phone, sdp } from './phone-stage.ts';

let stage: PhoneStage;
let fleet: Fleet;

beforeEach(() => {
  stage = new PhoneStage();
  fleet = new Fleet({ clock: stage.clock, random: stage.random, domain: DOMAIN, connect: stage.connect });
});

/** A registered phone at 101. */
function phoneAt101(behaviour?: Behaviour): void {
  fleet.add(phone('101', behaviour === undefined ? {} : { behaviour }));
  stage.take();
}

function act(what: Act): string {
  const result = fleet.act(1, '101', what);
  stage.clock.settle();
  return result.ok ? 'done' : `${result.failure.kind}: ${result.failure.message}`;
}

function view(): PhoneView {
  const found = fleet.view(1, '101');
  if (found === undefined) throw new Error('no phone at 101');
  return found;
}

/** A call to 101 that has been answered by hand. */
function connected() {
  phoneAt101({ on_call: 'ring' });
  const session = stage.call();
  act({ act: 'answer' });
  stage.take();
  return session;
}

describe('registration', () => {
  test('a new phone registers with digest and does so again in time, in the background', () => {
    expect(fleet.add(phone('101'))).toMatchObject({ ok: true, value: { ext: '101', registered: false } });
    expect(stage.take()).toEqual(['0 phone REGISTER', '0 far 401 REGISTER', '0 phone REGISTER', '0 far 200 REGISTER']);
    expect(view()).toEqual({
      ext: '101',
      customer_id: 1,
      user_id: 101,
      registered: true,
      stepped_back: false,
      behaviour: { on_call: 'answer', after_ms: 2000 },
      calls: [],
    });
    expect(stage.clock.hasForeground).toBe(false);
    stage.pass(2_879_999);
    expect(stage.take()).toEqual([]);
    stage.pass(1);
    expect(stage.take()).toHaveLength(4);
    expect(view().registered).toBe(true);
  });

  test('the address is the account, the Contact the phone, the Call-ID always the same', () => {
    phoneAt101();
    const first = stage.last('REGISTER').headers;
    expect(first.get('To')).toBe('<sip:1-101@pbx.example>');
    expect(first.get('Contact')).toBe('<sip:1-101@127.0.0.1:5060>');
    expect(first.get('Expires')).toBe('3600');
    stage.pass(2_880_000);
    const second = stage.last('REGISTER').headers;
    expect(second.get('Call-ID')).toBe(first.get('Call-ID'));
    expect(Number.parseInt(second.get('CSeq') ?? '', 10)).toBeGreaterThan(Number.parseInt(first.get('CSeq') ?? '', 10));
  });

  test('a refused phone tries again after a minute, and cannot call', () => {
    fleet.add(phone('101', { sipUsername: 'stranger' }));
    expect(stage.take().at(-1)).toBe('0 far 401 REGISTER');
    expect(act({ act: 'call', to: '102' })).toBe('conflict: The phone at 101 is not registered.');
    stage.pass(60_000);
    expect(stage.take()[0]).toBe('60000 phone REGISTER');
  });

  test('it steps back for an external phone, refuses to act, and comes back', () => {
    phoneAt101();
    fleet.stepBack(1, '101');
    stage.take();
    expect(stage.last('REGISTER').headers.get('Expires')).toBe('0');
    expect(view()).toMatchObject({ registered: false, stepped_back: true });
    const taken = 'conflict: An external phone has taken extension 101; the simulated one has stepped back.';
    expect(act({ act: 'call', to: '102' })).toBe(taken);
    expect(act({ act: 'register' })).toBe(taken);
    stage.pass(86_400_000);
    expect(stage.take()).toEqual([]);
    fleet.comeBack(1, '101');
    stage.take();
    expect(view()).toMatchObject({ registered: true, stepped_back: false });
  });

  test('its user can unregister and register it', () => {
    phoneAt101();
    expect(act({ act: 'unregister' })).toBe('done');
    expect(view().registered).toBe(false);
    expect(act({ act: 'unregister' })).toBe('conflict: The phone at 101 is not registered.');
    expect(act({ act: 'register' })).toBe('done');
    expect(view().registered).toBe(true);
  });
});

describe('being called', () => {
  test('it rings at once and answers after two seconds', () => {
    phoneAt101();
    stage.call();
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', '0 phone 180 INVITE']);
    expect(view().calls).toMatchObject([{ state: 'ringing', held: false, peer: '102' }]);
    stage.pass(2000);
    expect(stage.take()).toEqual(['2000 phone 200 INVITE sendrecv', '2000 far ACK']);
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
  });

  test.each<[Behaviour, string[]]>([
    [{ on_call: 'busy' }, ['0 phone 486 INVITE', '0 far ACK']],
    [{ on_call: 'decline' }, ['0 phone 603 INVITE', '0 far ACK']],
    [{ on_call: 'unavailable' }, ['0 phone 480 INVITE', '0 far ACK']],
    [{ on_call: 'busy', after_ms: 500 }, ['0 phone 180 INVITE', '500 phone 486 INVITE', '500 far ACK']],
    [{ on_call: 'redirect', to: '103' }, ['0 phone 302 INVITE', '0 far ACK']],
    [{ on_call: 'ring' }, ['0 phone 180 INVITE']],
  ])('%j', (behaviour, expected) => {
    phoneAt101(behaviour);
    stage.call();
    stage.pass(30_000);
    expect(stage.take()).toEqual(['0 far INVITE sendrecv', ...expected]);
  });

  test('redirect says where to', () => {
    phoneAt101({ on_call: 'redirect', to: '*7#' });
    stage.call();
    stage.take();
    expect(stage.last('302').headers.get('Contact')).toBe('<sip:*7%23@pbx.example>');
  });

  test('silent: not even 100, so that the caller gives up by its timer B', () => {
    phoneAt101();
    fleet.setBehaviour(1, '101', { on_call: 'silent' });
    const session = stage.call();
    const seen = stage.messages.length;
    expect(stage.messages.at(-1)).toMatchObject({ kind: 'request', method: 'INVITE' });
    stage.pass(31_999);
    expect(session.state).toBe('calling');
    stage.pass(1);
    expect(session.state).toBe('terminated');
    expect(stage.messages).toHaveLength(seen);
    expect(view()).toMatchObject({ registered: true, calls: [] });
  });

  test('no codec in common: 488 before it rings', () => {
    phoneAt101();
    stage.call(0, sdp('sendrecv', '18'));
    expect(stage.take().slice(1)).toEqual(['0 phone 488 INVITE', '0 far ACK']);
    expect(view().calls).toEqual([]);
  });

  test('a fifth call finds the phone busy; a released line takes the next', () => {
    phoneAt101({ on_call: 'ring' });
    for (let i = 0; i < 4; i += 1) stage.call();
    stage.take();
    stage.call();
    expect(stage.take().slice(1)).toEqual(['0 phone 486 INVITE', '0 far ACK']);
    expect(view().calls).toHaveLength(4);
    expect(act({ act: 'reject' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone 603 INVITE', '0 far ACK']);
    stage.call();
    expect(stage.take()).toContain('0 phone 180 INVITE');
  });

  test('the caller gives up: 487, and no timer is left', () => {
    phoneAt101();
    const session = stage.call();
    session.cancel();
    expect(stage.take().slice(2)).toEqual([
      ...['0 far CANCEL', '0 phone 200 CANCEL', '0 phone 487 INVITE', '0 far ACK'],
    ]);
    stage.pass(60_000);
    expect(view().calls).toEqual([]);
    expect(stage.clock.hasForeground).toBe(false);
  });

  test('a call without offer is answered with one, and the ACK brings the answer', () => {
    phoneAt101();
    const session = stage.call(0, '');
    session.events = { onAnswered: (answered) => answered.ack(sdp('sendrecv', '8 101')) };
    stage.pass(2000);
    expect(stage.take().slice(-2)).toEqual(['2000 phone 200 INVITE sendrecv', '2000 far ACK sendrecv']);
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
  });

  test('an answer to its offer that accepts nothing ends the call', () => {
    phoneAt101();
    const session = stage.call(0, '');
    session.events = { onAnswered: (answered) => answered.ack(sdp('sendrecv', '18')) };
    stage.pass(2000);
    expect(stage.take().slice(-2)).toEqual(['2000 phone BYE', '2000 far 200 BYE']);
  });
});

describe('once connected, the behaviour goes on', () => {
  test('digits, one each 200 ms, then hang up after talk_ms', () => {
    phoneAt101({ on_call: 'answer', after_ms: 0, digits: '1#', talk_ms: 1000 });
    stage.call();
    stage.pass(0);
    stage.take();
    stage.pass(5000);
    expect(stage.take()).toEqual(['200 phone INFO #', '200 far 200 INFO', '1000 phone BYE', '1000 far 200 BYE']);
    expect(stage.last('INFO').headers.get('Content-Type')).toBe('application/dtmf-relay');
  });

  test('hold after talk_ms', () => {
    phoneAt101({ on_call: 'answer', after_ms: 0, talk_ms: 700, then: 'hold' });
    stage.call();
    stage.pass(0);
    stage.take();
    stage.pass(700);
    expect(stage.take()).toEqual(['700 phone INVITE sendonly', '700 far 200 INVITE recvonly', '700 phone ACK']);
    expect(view().calls).toMatchObject([{ held: true }]);
  });

  test('transfer after talk_ms', () => {
    phoneAt101({ on_call: 'answer', after_ms: 0, talk_ms: 700, then: 'transfer', to: '103' });
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
    phoneAt101();
    const result = fleet.act(1, '101', { act: 'call', to: '+442079460999' });
    expect(stage.take()).toEqual(['0 phone INVITE sendrecv']);
    const invite = stage.last('INVITE');
    expect(invite).toMatchObject({ uri: 'sip:+442079460999@pbx.example' });
    expect(invite.headers.get('From')).toMatch(/^"P 101" <sip:1-101@pbx\.example>;tag=/);
    const [session] = stage.invited;
    expect(result).toEqual({ ok: true, value: { sipCallId: session?.callId } });
    expect(view().calls).toMatchObject([{ state: 'calling', peer: '+442079460999' }]);
    session?.provisional(180);
    stage.take();
    expect(view().calls).toMatchObject([{ state: 'ringback' }]);
    session?.accept(sdp());
    expect(stage.take()).toEqual(['0 far 200 INVITE sendrecv', '0 phone ACK']);
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
  });

  test('hanging up before the answer cancels', () => {
    phoneAt101();
    act({ act: 'call', to: '102' });
    stage.take();
    expect(act({ act: 'hangup' })).toBe('done');
    expect(stage.take().slice(0, 2)).toEqual([expect.stringContaining('CANCEL'), expect.stringContaining('CANCEL')]);
    expect(view().calls).toEqual([]);
  });

  test('a refused call is gone', () => {
    phoneAt101();
    act({ act: 'call', to: '102' });
    stage.invited[0]?.reject(486);
    stage.take();
    expect(view().calls).toEqual([]);
  });
});

test('its SDP names loopback and ports of the virtual range, another one for each call', () => {
  phoneAt101({ on_call: 'answer', after_ms: 0 });
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

describe('in a call', () => {
  test('hold is sendonly, resume sendrecv, and the version of the SDP rises with each', () => {
    connected();
    expect(act({ act: 'hold' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone INVITE sendonly', '0 far 200 INVITE recvonly', '0 phone ACK']);
    expect(act({ act: 'hold' })).toBe('conflict: The call with 102 is on hold already.');
    expect(act({ act: 'resume' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone INVITE sendrecv', '0 far 200 INVITE recvonly', '0 phone ACK']);
    expect(act({ act: 'resume' })).toBe('conflict: The phone at 101 has no call on hold.');
    const versions = stage.messages.flatMap((message) => {
      const origin = /^o=- \d+ (\d+) IN IP4 127/m.exec(Buffer.from(message.body).toString());
      return origin === null ? [] : [origin[1]];
    });
    expect(versions).toEqual(['1', '2', '3']);
  });

  test('a refused hold changes nothing', () => {
    const session = connected();
    session.events = { onReinvite: (_session, request) => request.respond(488) };
    act({ act: 'hold' });
    expect(stage.take()).toEqual(['0 phone INVITE sendonly', '0 far 488 INVITE', '0 phone ACK']);
    expect(view().calls).toMatchObject([{ state: 'connected', held: false }]);
  });

  test.each([
    ['sendonly', 'recvonly'],
    ['recvonly', 'sendonly'],
    ['inactive', 'inactive'],
    ['sendrecv', 'sendrecv'],
  ])('an offer of %s from the other side is answered %s', (offered, answered) => {
    const session = connected();
    session.reinvite(sdp(offered, '0 8 101', 2), () => {});
    expect(stage.take()).toEqual([`0 far INVITE ${offered}`, `0 phone 200 INVITE ${answered}`, '0 far ACK']);
  });

  test('both hold: the second to hold is answered inactive', () => {
    const session = connected();
    act({ act: 'hold' });
    stage.take();
    session.reinvite(sdp('sendonly', '0 8 101', 2), () => {});
    expect(stage.take()).toEqual(['0 far INVITE sendonly', '0 phone 200 INVITE inactive', '0 far ACK']);
    session.reinvite(sdp('sendrecv', '0 8 101', 3), () => {});
    expect(stage.take()[1]).toBe('0 phone 200 INVITE sendonly');
  });

  test('the old hold with c=0.0.0.0 is answered recvonly', () => {
    const session = connected();
    session.reinvite(sdp('sendrecv', '0 8 101', 2).replace('c=IN IP4 192.0.2.9', 'c=IN IP4 0.0.0.0'), () => {});
    expect(stage.take()[1]).toBe('0 phone 200 INVITE recvonly');
  });

  test('an offer without a codec of ours is refused and the call goes on', () => {
    const session = connected();
    session.reinvite(sdp('sendrecv', '18', 2), () => {});
    expect(stage.take()[1]).toBe('0 phone 488 INVITE');
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
  });

  test('a re-INVITE without offer gets one', () => {
    const session = connected();
    session.reinvite(undefined, () => session.ack(sdp('sendrecv', '0 101', 2)));
    expect(stage.take()).toEqual(['0 far INVITE', '0 phone 200 INVITE sendrecv', '0 far ACK sendrecv']);
  });

  test('NOTIFY talk answers a ringing call, after its own 200', () => {
    phoneAt101({ on_call: 'ring' });
    const session = stage.call();
    stage.take();
    session.request('NOTIFY', { headers: [['Event', 'talk']] });
    expect(stage.take()).toEqual([
      ...['0 far NOTIFY talk', '0 phone 200 NOTIFY', '0 phone 200 INVITE sendrecv', '0 far ACK'],
    ]);
  });

  test('NOTIFY hold holds, NOTIFY talk resumes, other events are unknown', () => {
    const session = connected();
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
    const session = connected();
    session.request('INFO', { body: 'Signal=5\r\n', contentType: 'application/dtmf-relay' });
    session.request('OPTIONS', {});
    expect(stage.take()).toEqual(['0 far INFO 5', '0 far OPTIONS', '0 phone 200 INFO', '0 phone 200 OPTIONS']);
  });

  test('digits go one by one; more keys wait their turn', () => {
    connected();
    expect(act({ act: 'digits', digits: '12' })).toBe('done');
    expect(act({ act: 'digits', digits: '*' })).toBe('done');
    stage.pass(1000);
    expect(stage.take().filter((line) => line.includes('phone'))).toEqual([
      ...['0 phone INFO 1', '200 phone INFO 2', '400 phone INFO *'],
    ]);
  });

  test('picking up a second call holds the first; resuming the first holds the second', () => {
    connected();
    stage.call();
    stage.take();
    expect(act({ act: 'answer' })).toBe('done');
    expect(stage.take()).toContain('0 phone INVITE sendonly');
    expect(view().calls.map(({ held }) => held)).toEqual([true, false]);
    expect(act({ act: 'resume' })).toBe('done');
    stage.take();
    expect(view().calls.map(({ held }) => held)).toEqual([false, true]);
  });

  test('BYE from either side ends it', () => {
    const session = connected();
    session.end();
    expect(stage.take()).toEqual(['0 far BYE', '0 phone 200 BYE']);
    expect(view().calls).toEqual([]);
    expect(act({ act: 'hangup' })).toBe('conflict: The phone at 101 has no call.');
  });
});

describe('blind transfer', () => {
  const progress = (line: string, state = 'active') => ({
    headers: [['Event', 'refer'] as const, ['Subscription-State', state] as const],
    body: `${line}\r\n`,
    contentType: 'message/sipfrag;version=2.0',
  });

  function transferring() {
    const session = connected();
    stage.onRequest = (request) => request.respond(202);
    expect(act({ act: 'transfer', to: '103' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone REFER', '0 far 202 REFER']);
    expect(view().calls).toMatchObject([{ state: 'transferring' }]);
    return session;
  }

  test('the transferor hangs up when the target has answered', () => {
    const session = transferring();
    session.request('NOTIFY', progress('SIP/2.0 100 Trying'));
    session.request('NOTIFY', progress('SIP/2.0 180 Ringing'));
    stage.take();
    expect(view().calls).toMatchObject([{ state: 'transferring' }]);
    session.request('NOTIFY', progress('SIP/2.0 200 OK', 'terminated;reason=noresource'));
    expect(stage.take()).toEqual(['0 far NOTIFY refer', '0 phone 200 NOTIFY', '0 phone BYE', '0 far 200 BYE']);
  });

  test('a busy target: the transferor keeps the call', () => {
    const session = transferring();
    session.request('NOTIFY', progress('SIP/2.0 486 Busy Here', 'terminated;reason=noresource'));
    expect(stage.take()).toEqual(['0 far NOTIFY refer', '0 phone 200 NOTIFY']);
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
    expect(act({ act: 'hold' })).toBe('done');
  });

  test('a refused REFER: the call goes on', () => {
    connected();
    stage.onRequest = (request) => request.respond(603);
    act({ act: 'transfer', to: '103' });
    stage.take();
    expect(view().calls).toMatchObject([{ state: 'connected' }]);
  });

  test('the transferor may hang up right after the 202', () => {
    transferring();
    expect(act({ act: 'hangup' })).toBe('done');
    expect(stage.take()).toEqual(['0 phone BYE', '0 far 200 BYE']);
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
    phoneAt101();
    expect(act(what)).toBe(expected);
  });

  test('while it still rings', () => {
    phoneAt101({ on_call: 'ring' });
    stage.call();
    stage.take();
    expect(act({ act: 'digits', digits: '1' })).toBe('conflict: The call with 102 is not connected.');
    expect(act({ act: 'transfer', to: '103' })).toBe('conflict: The call with 102 is not connected.');
    expect(act({ act: 'hold' })).toBe('conflict: The phone at 101 has no connected call.');
    expect(stage.take()).toEqual([]);
  });
});

test('OPTIONS outside a call is 200, an unknown subscription 489', () => {
  phoneAt101();
  const [flow] = stage.flows;
  const parts = { uri: 'sip:1-101@127.0.0.1', from: '<sip:pbx.example>', to: '<sip:101@pbx.example>' };
  const seen: number[] = [];
  if (flow === undefined) throw new Error('no flow');
  for (const method of ['OPTIONS', 'NOTIFY', 'MESSAGE']) {
    const headers = [['Event', 'message-summary'] as const, ['Subscription-State', 'active'] as const];
    stage.far.request({ ...parts, flow, method, headers }, ({ status }) => seen.push(status));
    stage.take();
  }
  expect(seen.slice(0, 2)).toEqual([200, 489]);
  expect(seen[2]).toBeGreaterThanOrEqual(400);
});

test('a removed phone hangs up, unregisters and leaves nothing behind', () => {
  connected();
  expect(fleet.remove(1, '101')).toBe(true);
  expect(stage.take().map((line) => line.replace(/^\d+ /, ''))).toEqual([
    ...['phone BYE', 'far 200 BYE', 'phone REGISTER', 'far 401 REGISTER', 'phone REGISTER', 'far 200 REGISTER'],
  ]);
  expect(fleet.list()).toEqual([]);
  expect(stage.far.stats.sessions).toBe(0);
  stage.pass(64_000);
  expect(stage.clock.pending()).toEqual([]);
});
