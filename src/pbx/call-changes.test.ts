// PATCH /calls/{id} on the exchange: orders to phones, hang-up and transfer, as stories.
import { describe, expect, it } from 'vitest';
import type { LiveCall } from '../contract/resources/calls.ts';
import type { Result } from '../kernel/errors.ts';
import { company, talking } from './company.rig.ts';
import type { Rig } from './exchange.rig.ts';

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
