// Hold, transfer, click to call, orders, digits and the trunk as stories.
import { describe, expect, it } from 'vitest';
import type { LiveCall } from '../contract/resources/calls.ts';
import type { Result } from '../kernel/errors.ts';
import { makeRig, type Rig, type TestPhone } from './rig.ts';

interface Company {
  readonly rig: Rig;
  readonly phones: readonly [TestPhone, TestPhone, TestPhone];
  readonly exts: readonly [string, string, string];
  readonly ids: readonly [number, number, number];
  readonly network: TestPhone;
}

function company(): Company {
  const rig = makeRig();
  const users = rig.customer.users;
  const phones = [rig.phone(0), rig.phone(1), rig.phone(2)] as const;
  for (const phone of phones) phone.register();
  const network = rig.network();
  rig.pass(0);
  const at = (index: number) => users[index] ?? { ext: '', user_id: 0 };
  return {
    rig,
    phones: [...phones],
    exts: [at(0).ext, at(1).ext, at(2).ext],
    ids: [at(0).user_id, at(1).user_id, at(2).user_id],
    network,
  };
}

/** A calls B, who answers at once. */
function talking(): Company & { call: ReturnType<TestPhone['dial']>; callId: number } {
  const all = company();
  const call = all.phones[0].dial(all.exts[1]);
  all.rig.pass(0);
  all.phones[1].call.ring();
  all.phones[1].call.answer();
  all.rig.pass(1000);
  const callId = all.rig.exchange.liveCalls(all.rig.customer.customerId)[0]?.record.id ?? 0;
  return { ...all, call, callId };
}

const stateOf = (rig: Rig, callId: number) => rig.exchange.liveCall(callId)?.record.state;
const directionLine = (body: Uint8Array | undefined) =>
  /a=(sendrecv|sendonly|recvonly|inactive)/.exec(new TextDecoder().decode(body))?.[1];

describe('hold', () => {
  it.each([
    ['sendonly', 'recvonly'],
    ['inactive', 'inactive'],
  ] as const)('is a re-INVITE %s, answered %s; sendrecv resumes', (offered, answered) => {
    const { rig, call, callId } = talking();
    const held = call.reoffer(offered);
    rig.pass(0);
    expect(held).toMatchObject([{ status: 200 }]);
    expect(directionLine(held[0]?.response?.body)).toBe(answered);
    expect(stateOf(rig, callId)).toBe(5);
    const resumed = call.reoffer('sendrecv');
    rig.pass(0);
    expect(directionLine(resumed[0]?.response?.body)).toBe('sendrecv');
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
  });

  it('is also c=0.0.0.0, the old way', () => {
    const { rig, call, callId } = talking();
    call.reofferRaw(call.sdp().replace(/c=IN IP4 127\.0\.0\.1/, 'c=IN IP4 0.0.0.0'));
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
  });

  it('lasts while either party holds, with one event each way', () => {
    const { rig, call, phones, callId } = talking();
    call.reoffer('sendonly');
    rig.pass(0);
    phones[1].call.reoffer('sendonly');
    rig.pass(0);
    call.reoffer('sendrecv');
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
    phones[1].call.reoffer('sendrecv');
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames().slice(3)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
  });

  it('refused with 488 keeps the state', () => {
    const { rig, call, callId } = talking();
    const outcome = call.reofferRaw(
      'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 97\r\na=rtpmap:97 iLBC/8000\r\na=sendonly\r\n',
    );
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 488 }]);
    expect(stateOf(rig, callId)).toBe(4);
  });

  it('can end by hanging up', () => {
    const { rig, call } = talking();
    call.reoffer('sendonly');
    rig.pass(0);
    call.hangUp();
    rig.pass(0);
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.hangup HANGUP']);
    expect(rig.events.at(-1)).toMatchObject({ terminatedBy: 'caller' });
  });
});

describe('blind transfer by REFER', () => {
  it('leads the caller on under the same call id and lets the transferor go', () => {
    const { rig, phones, exts, ids, call, callId } = talking();
    const accepted = phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    expect(accepted).toMatchObject([{ status: 202 }]);
    phones[2].call.ring();
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(phones[1].call.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing', 'SIP/2.0 200 OK']);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(call.log.at(-1)).toBe('re-INVITE');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      dst: exts[2],
      dst_id: String(ids[2]),
      referred_by: exts[1],
      state: 4,
    });
    phones[2].call.hangUp();
    rig.pass(0);
    expect(rig.eventNames()).toEqual([
      'call.initial INITIAL',
      'call.ringing RINGING',
      'call.connected CONNECTED',
      'call.hangup HANGUP',
    ]);
    expect(rig.events.at(-1)).toMatchObject({ callId, terminatedBy: 'callee', dst: { id: ids[2] } });
    rig.pass(40_000);
    expect(rig.exchange.stats).toEqual({
      clientTransactions: 0,
      serverTransactions: 0,
      sessions: 0,
      calls: 0,
      mediaSessions: 0,
    });
  });

  it('survives the transferor hanging up right after 202', () => {
    const { rig, phones, exts, callId, call } = talking();
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[1].call.hangUp();
    rig.pass(500);
    expect(rig.exchange.liveCall(callId)).toBeDefined();
    phones[2].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[2], state: 4 });
    expect(call.session.state).toBe('confirmed');
  });

  it('to a busy target leaves the two as they were', () => {
    const { rig, phones, exts, callId, call } = talking();
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(phones[1].call.notified.at(-1)).toBe('SIP/2.0 486 Busy Here');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[1], state: 4, referred_by: '' });
    call.hangUp();
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
  });

  it('ends a hold of the transferor and makes the callee the caller when the caller transfers', () => {
    const { rig, phones, exts, call, callId } = talking();
    call.reoffer('sendonly');
    rig.pass(0);
    call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      src: exts[1],
      dst: exts[2],
      referred_by: exts[0],
      state: 4,
    });
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
  });

  it.each([
    ['no Refer-To', [], 400],
    [
      'two of them',
      [
        ['Refer-To', '<sip:1@x>'],
        ['Refer-To', '<sip:2@x>'],
      ],
      400,
    ],
  ] as const)('with %s is refused', (_, headers, status) => {
    const { rig, call } = talking();
    const outcome = call.send('REFER', headers);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
  });

  it('to nobody is reported as 404', () => {
    const { rig, call, callId } = talking();
    call.send('REFER', [['Refer-To', '<sip:999@pbx.example>']]);
    rig.pass(0);
    expect(call.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 404 Not Found']);
    expect(stateOf(rig, callId)).toBe(4);
  });
});

describe('click to call', () => {
  const place = (all: Company, to: string) =>
    all.rig.exchange.clickToCall({ customerId: all.rig.customer.customerId, userId: all.ids[0], to });

  it('rings the originator, then the destination, and joins them by re-INVITE', () => {
    const all = company();
    const { rig, phones, exts } = all;
    const placed = place(all, exts[1]);
    expect(placed).toMatchObject({ ok: true, value: { state: 1, src: exts[0], dst: exts[1], destination: 0 } });
    rig.pass(0);
    phones[0].call.ring();
    rig.pass(0);
    expect(rig.eventNames()).toEqual(['call.initial INITIAL']);
    phones[0].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record.state).toBe(2);
    phones[1].call.ring();
    rig.pass(2000);
    phones[1].call.answer();
    rig.pass(0);
    expect(phones[0].call.log).toEqual(['re-INVITE']);
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.ringing RINGING', 'call.connected CONNECTED']);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: 'caller', direction: 'in' });
  });

  it('to the public network fails as an outbound call when the originator does not answer', () => {
    const all = company();
    place(all, '+442079460123');
    all.rig.pass(0);
    all.phones[0].call.session.reject(486);
    all.rig.pass(0);
    expect(all.rig.eventNames()).toEqual(['call.initial INITIAL', 'call.failed FAILED']);
    expect(all.network.calls).toEqual([]);
  });

  it('ends when the originator hangs up while the destination rings', () => {
    const all = company();
    place(all, all.exts[1]);
    all.rig.pass(0);
    all.phones[0].call.answer();
    all.rig.pass(0);
    all.phones[1].call.ring();
    all.rig.pass(0);
    all.phones[0].call.hangUp();
    all.rig.pass(0);
    expect(all.phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(all.rig.events.at(-1)).toMatchObject({ name: 'call.missed', terminatedBy: 'caller' });
  });

  it('is refused when nothing could come of it, and leaves no trace', () => {
    const all = company();
    expect(place(all, '999')).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
    const lonely = all.rig.customer.users[4]?.user_id ?? 0;
    const refused = all.rig.exchange.clickToCall({
      customerId: all.rig.customer.customerId,
      userId: lonely,
      to: all.exts[0],
    });
    expect(refused).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('no phone is registered') },
    });
    expect(all.rig.exchange.liveCalls(all.rig.customer.customerId)).toEqual([]);
  });
});

describe('orders by PATCH', () => {
  const change = (rig: Rig, callId: number, user: number, changes: object) => {
    const results: Array<Result<LiveCall>> = [];
    rig.exchange.changeCall(callId, user, changes, (result) => results.push(result));
    rig.pass(0);
    return results;
  };

  it('answers a ringing phone by NOTIFY talk, and tells when it did', () => {
    const { rig, phones, exts, ids } = company();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    const [live] = rig.exchange.liveCalls(rig.customer.customerId);
    const results = change(rig, live?.record.id ?? 0, ids[1], { state: 'CONNECTED' });
    expect(phones[1].call.notified).toEqual(['talk']);
    expect(results).toEqual([]);
    phones[1].call.answer();
    rig.pass(0);
    expect(results).toMatchObject([{ ok: true, value: { state: 4 } }]);
  });

  it('holds and resumes by NOTIFY hold and talk', () => {
    const { rig, ids, phones, callId } = talking();
    const held = change(rig, callId, ids[1], { state: 'ON_HOLD' });
    expect(phones[1].call.notified).toEqual(['hold']);
    phones[1].call.reoffer('sendonly');
    rig.pass(0);
    expect(held).toMatchObject([{ ok: true, value: { state: 5 } }]);
    const resumed = change(rig, callId, ids[1], { state: 'CONNECTED' });
    phones[1].call.reoffer('sendrecv');
    rig.pass(0);
    expect(resumed).toMatchObject([{ ok: true, value: { state: 4 } }]);
  });

  it('gives the phone four seconds', () => {
    const { rig, ids, callId } = talking();
    const results = change(rig, callId, ids[1], { state: 'ON_HOLD' });
    rig.pass(3999);
    expect(results).toEqual([]);
    rig.pass(1);
    expect(results).toMatchObject([
      { ok: false, failure: { message: 'the phone accepted hold and did not do it within 4 s' } },
    ]);
  });

  it('hangs up, and names words that are no order', () => {
    const { rig, ids, callId, call } = talking();
    expect(change(rig, callId, ids[0], { state: 'RINGING' })).toMatchObject([
      { ok: false, failure: { details: ['state: expected CONNECTED, ON_HOLD or HANGUP, got RINGING'] } },
    ]);
    expect(change(rig, callId, ids[0], { state: 'HANGUP' })).toMatchObject([{ ok: true, value: { state: 6 } }]);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: null });
  });

  it('transfers by dst', () => {
    const { rig, ids, exts, phones, callId } = talking();
    expect(change(rig, callId, ids[1], { dst: exts[2] })).toMatchObject([{ ok: true }]);
    phones[2].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ src: exts[0], dst: exts[2], referred_by: exts[1] });
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
  });
});

describe('the trunk', () => {
  it('carries a user out, with the user number shown, and costs money', () => {
    const { rig, phones, network } = company();
    const calling = phones[0].dial('+442079460123');
    rig.pass(0);
    expect(network.call.session.invite.uri).toBe('sip:+442079460123@network.phone.example;user=phone');
    expect(network.call.session.invite.headers.get('From')).toContain(`sip:${rig.customer.numbers[0]}@`);
    network.call.ring();
    network.call.answer();
    rig.pass(60_000);
    calling.hangUp();
    rig.pass(0);
    expect([...rig.store.cdrs.list(rig.customer.customerId)].at(-1)).toMatchObject({
      type: 'O',
      destination: 'out',
      context: 'PSTN_CALL',
      rate: 0.02,
      charge: 0.02,
      billsec: 60,
    });
  });

  it.each([486, 480, 603, 503, 404])('a %i from the network is call.failed', (status) => {
    const { rig, phones, network } = company();
    const calling = phones[0].dial('+442079460123');
    rig.pass(0);
    network.call.session.reject(status);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe(String(status));
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.failed FAILED']);
  });

  it('brings an outsider to the user of a number, without asking for a password', () => {
    const { rig, phones, network, exts } = company();
    const calling = network.dial(rig.customer.numbers[1] ?? '', { from: '"Sender" <sip:+442079469999@network>' });
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record).toMatchObject({
      src: '+442079469999',
      src_name: 'Sender',
      src_id: '',
      dst: exts[1],
      context: 'PSTN_CALL',
      destination: 0,
    });
  });

  it('refuses a number that nobody has', () => {
    const { rig, network } = company();
    const calling = network.dial('+442079469990');
    rig.pass(0);
    expect(calling.log).toEqual(['404']);
  });
});

describe('digits', () => {
  it('raise an event and reach the other party', () => {
    const { rig, call, phones } = talking();
    const outcome = call.send('INFO', [], 'Signal=5\r\nDuration=160\r\n', 'application/dtmf-relay');
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 200 }]);
    expect(rig.events.at(-1)).toMatchObject({ kind: 'dtmf', digit: '5', by: 'caller' });
    expect(phones[1].call.log).toContain('INFO');
  });

  it.each([
    ['Signal=X', 'application/dtmf-relay', 400],
    ['hello', 'text/plain', 415],
  ])('that are none get an answer that says so: %s', (body, type, status) => {
    const { rig, call } = talking();
    const outcome = call.send('INFO', [], body, type);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
  });
});
