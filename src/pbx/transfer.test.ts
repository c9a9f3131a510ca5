// Blind transfer by REFER, as stories.
import { describe, expect, it } from 'vitest';
import { stateOf, talking } from './company.rig.ts';

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
      subscriptions: 0,
      calls: 0,
      mediaSessions: 0,
      recordings: 0,
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
    call.send('REFER', [['Refer-To', '<sip:998@pbx.example>']]);
    rig.pass(0);
    expect(call.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 404 Not Found']);
    expect(stateOf(rig, callId)).toBe(4);
  });
});
