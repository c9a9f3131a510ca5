// INVITE with Replaces (RFC 3891): moving a call to another phone of one's own, answering for a colleague, and what is refused.
import { describe, expect, it } from 'vitest';
import { stateOf } from './company.rig.ts';
import type { TestCall, TestPhone } from './exchange.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

/** The dialog of a phone's call, as the exchange is asked to give it up. */
function replaces({ session }: TestCall, more = ''): readonly [string, string] {
  return ['Replaces', `${session.callId};to-tag=${session.remoteTag};from-tag=${session.localTag}${more}`];
}

const take = (phone: TestPhone, ...headers: Array<readonly [string, string]>) => phone.dial('whoever', { headers });

/** A has called B, who has another phone; C is in the pickup group of B. */
function ringing(answered = false) {
  const all = watched();
  const { rig, phones, exts } = all;
  all.set(1, { pickup_group_id: 7 });
  all.set(2, { pickup_group_id: 7 });
  const call = phones[0].dial(exts[1]);
  rig.pass(0);
  const called = phones[1].call;
  called.ring();
  rig.pass(0);
  if (answered) called.answer();
  rig.pass(0);
  const callId = rig.exchange.liveCalls(rig.customer.customerId)[0]?.record.id ?? 0;
  return { ...all, call, called, callId };
}

describe('an answered call', () => {
  it('moves to another phone of the same user; the other party hears nothing of it', () => {
    const { rig, exts, call, called, callId, over, told } = ringing(true);
    const mobile = rig.phone(1, { device: 'mobile' });
    const moved = take(mobile, replaces(called));
    rig.pass(0);
    expect(moved.log).toContain('200');
    expect(called.ending).toMatchObject({ by: 'remote-bye' });
    expect(call.log).not.toContain('re-INVITE');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      state: 4,
      dst: exts[1],
      dst_call_id: moved.session.callId,
    });
    call.hangUp();
    rig.pass(0);
    expect(moved.ending).toMatchObject({ by: 'remote-bye' });
    expect(told()).toEqual(['initial', 'ringing', 'connected', 'hangup'].map((name) => `${name} ${exts[1]}`));
    over();
  });

  it('may be taken by the caller as well, on hold, with our offer and another codec', () => {
    const { rig, call, called, callId, over } = ringing(true);
    call.reoffer('sendonly');
    rig.pass(0);
    const laptop = rig.phone(0, { device: 'laptop', codecs: ['PCMA'] });
    take(laptop, replaces(call));
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ state: 4, src_codec: 'PCMA', dst_codec: 'PCMA' });
    expect(called.log).toContain('re-INVITE');
    laptop.call.hangUp();
    rig.pass(0);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: 'caller' });
    over();
  });

  it.each([
    ['a colleague', (c: ReturnType<typeof ringing>) => take(c.phones[2], replaces(c.called)), 403],
    ['somebody outside', (c: ReturnType<typeof ringing>) => take(c.network, replaces(c.called)), 403],
    [
      'its user, as a call that rings',
      (c: ReturnType<typeof ringing>) => take(c.phones[1], replaces(c.called, ';early-only')),
      486,
    ],
    [
      'its user, without tags',
      (c: ReturnType<typeof ringing>) => take(c.phones[1], ['Replaces', c.called.session.callId]),
      400,
    ],
    [
      'its user, twice',
      (c: ReturnType<typeof ringing>) => take(c.phones[1], replaces(c.called), replaces(c.called)),
      400,
    ],
    [
      'its user, with a codec that we do not carry',
      (c: ReturnType<typeof ringing>) => take(c.rig.phone(1, { device: 'odd', codecs: ['G729'] }), replaces(c.called)),
      488,
    ],
  ])('is not taken by %s', (_, attempt, status) => {
    const all = ringing(true);
    const taken = attempt(all);
    all.rig.pass(0);
    expect(taken.ending).toMatchObject({ by: 'failure', outcome: { status } });
    expect(stateOf(all.rig, all.callId)).toBe(4);
    all.call.hangUp();
    all.over();
  });

  it('is none any more when it has ended', () => {
    const { rig, phones, called, call, over } = ringing(true);
    const gone = replaces(called);
    call.hangUp();
    rig.pass(40_000);
    const late = take(phones[1], gone);
    rig.pass(0);
    expect(late.ending).toMatchObject({ outcome: { status: 481 } });
    over();
  });
});

describe('a call that rings', () => {
  it('is picked up by a colleague of the pickup group; the phone that rang has missed nothing', () => {
    const { rig, phones, exts, ids, call, called, callId, over, cdrs } = ringing();
    const picked = take(phones[2], replaces(called, ';early-only'));
    rig.pass(0);
    expect(picked.log).toContain('200');
    expect(call.session.state).toBe('confirmed');
    expect(called.ending).toMatchObject({ by: 'cancel' });
    expect(phones[1].wire).toContain('< CANCEL');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      state: 4,
      dst: exts[2],
      dst_id: String(ids[2]),
      referred_by: exts[1],
    });
    picked.hangUp();
    rig.pass(0);
    expect(cdrs()).toMatchObject([{ type: 'I', dst: exts[2], disposition: 'CONNECTED' }]);
    expect(rig.eventNames().some((name) => name.startsWith('call.missed'))).toBe(false);
    over();
  });

  it('at a member of a group, too, and with our offer', () => {
    const all = watched();
    const { rig, phones, exts, ids, over } = all;
    all.set(1, { pickup_group_id: 7 });
    all.set(2, { pickup_group_id: 7 });
    makeGroup({ rig }, { users: [ids[1]] });
    const call = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    const picked = phones[2].dial('x', { body: null, headers: [replaces(phones[1].call)] });
    rig.pass(0);
    picked.session.ack(picked.sdp());
    rig.pass(0);
    expect(call.session.state).toBe('confirmed');
    expect(all.live()).toMatchObject([
      { dst: '790', state: 4 },
      { dst: exts[2], state: 4, referred_by: exts[1] },
    ]);
    call.hangUp();
    over();
  });

  it('for a transferred party', () => {
    const { rig, phones, exts, call, called, callId, over, set } = ringing(true);
    set(0, { pickup_group_id: 7 });
    called.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(0);
    const picked = take(phones[1], replaces(phones[2].call));
    rig.pass(0);
    expect(picked.session.state).toBe('confirmed');
    expect(called.notified.at(-1)).toBe('SIP/2.0 200 OK');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[1], state: 4 });
    call.hangUp();
    over();
  });

  it.each([
    ['the caller, whose own call it is', (c: ReturnType<typeof ringing>) => take(c.phones[0], replaces(c.call)), 481],
    [
      'a colleague of no pickup group',
      (c: ReturnType<typeof ringing>) => {
        c.set(2, { pickup_group_id: 0 });
        return take(c.phones[2], replaces(c.called));
      },
      403,
    ],
    [
      'a phone without a codec of the caller',
      (c: ReturnType<typeof ringing>) => take(c.rig.phone(2, { device: 'odd', codecs: ['G729'] }), replaces(c.called)),
      488,
    ],
  ])('is not picked up by %s', (_, attempt, status) => {
    const all = ringing();
    const taken = attempt(all);
    all.rig.pass(0);
    expect(taken.ending).toMatchObject({ by: 'failure', outcome: { status } });
    expect(stateOf(all.rig, all.callId)).toBe(3);
    all.call.hangUp();
    all.over();
  });
});
