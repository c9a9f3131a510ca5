// Who pays for a call that is transferred to a number outside, and what it costs.
import { describe, expect, it } from 'vitest';
import { cdrOf, liveIds, record, referTo } from './attended-transfer.rig.ts';
import { company } from './company.rig.ts';

/** 0.02 a minute, and 0.015. */
const LONDON = '+442079460123';
const BOSTON = '+16175550100';
const OUTSIDE = '+442079469999';

/** Somebody outside has talked to the second user for a minute. */
function calledFromOutside() {
  const all = company();
  const { rig, network, phones } = all;
  const caller = network.dial(rig.customer.numbers[1] ?? '', { from: `<sip:${OUTSIDE}@network>` });
  rig.pass(0);
  phones[1].call.answer();
  rig.pass(60_000);
  const [callId = 0] = liveIds(rig);
  const change = (user: number, dst: string): void => {
    rig.exchange.changeCall(callId, user, { dst }, (result) => expect(result.ok).toBe(true));
    rig.pass(0);
  };
  return { ...all, caller, callId, change };
}

const refer = (number: string) => [['Refer-To', `<sip:${number}@pbx.example>`]] as const;

describe('a call from outside that is transferred outside', () => {
  it.each(['REFER', 'PATCH dst'])("by %s is the transferor's, who pays from the answer on", (way) => {
    const { rig, phones, network, exts, ids, caller, callId, change } = calledFromOutside();
    expect(record(rig, callId)).toMatchObject({ dst_rate: 0, min_charge: 0 });
    if (way === 'REFER') phones[1].call.send('REFER', refer(LONDON));
    else change(ids[1], LONDON);
    rig.pass(10_000);
    expect(record(rig, callId)).toMatchObject({ dst_rate: 0 });
    network.call.answer();
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({
      src: OUTSIDE,
      dst: LONDON,
      dst_id: '',
      referred_by: exts[1],
      dst_rate: 0.02,
      min_charge: 0.01,
    });
    rig.pass(90_000);
    caller.hangUp();
    rig.pass(0);
    expect(cdrOf(rig, callId)).toMatchObject([
      {
        user_id: ids[1],
        sip_endpoint_id: ids[1],
        type: 'I',
        src: OUTSIDE,
        dst: LONDON,
        duration: 160,
        billsec: 160,
        rate: 0.02,
        charge: 0.03,
      },
    ]);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', callId, durationS: 160 });
    // The user talked for as long as it was there.
    expect([...rig.store.msdrs.list(rig.customer.customerId)]).toMatchObject([{ user_id: ids[1], duration: 70 }]);
  });

  it('is still its when it is led on from there, and each number costs while it is spoken to', () => {
    const { rig, network, ids, callId, change } = calledFromOutside();
    change(ids[1], LONDON);
    network.call.answer();
    rig.pass(60_000);
    change(ids[0], BOSTON);
    network.call.answer();
    rig.pass(120_000);
    expect(record(rig, callId)).toMatchObject({ dst: BOSTON, dst_rate: 0.015 });
    network.call.hangUp();
    rig.pass(0);
    expect(cdrOf(rig, callId)).toMatchObject([{ user_id: ids[1], billsec: 240, rate: 0.015, charge: 0.05 }]);
  });

  it('costs nothing when nobody answers there', () => {
    const { rig, network, phones, ids, caller, callId } = calledFromOutside();
    phones[1].call.send('REFER', refer(LONDON));
    rig.pass(0);
    network.call.session.reject(486);
    rig.pass(5000);
    caller.hangUp();
    rig.pass(0);
    expect(cdrOf(rig, callId)).toMatchObject([{ user_id: ids[1], billsec: 65, rate: 0, charge: 0 }]);
  });

  it('to whom the user had called before costs in the consultation first, and then in the call that goes on', () => {
    const { rig, network, phones, ids, caller, callId } = calledFromOutside();
    const held = phones[1].call;
    const consulted = phones[1].dial(LONDON);
    rig.pass(0);
    network.call.answer();
    rig.pass(60_000);
    const consultation = liveIds(rig).find((id) => id !== callId) ?? 0;
    held.send('REFER', [referTo(consulted)]);
    rig.pass(120_000);
    expect(record(rig, callId)).toMatchObject({ dst: LONDON, dst_rate: 0.02 });
    caller.hangUp();
    rig.pass(0);
    expect(cdrOf(rig, consultation)).toMatchObject([{ user_id: ids[1], billsec: 60, rate: 0.02, charge: 0.02 }]);
    expect(cdrOf(rig, callId)).toMatchObject([{ user_id: ids[1], billsec: 240, rate: 0.02, charge: 0.04 }]);
  });

  it('has the same charge when the exchange goes down while it lasts', () => {
    const { rig, network, ids, callId, change } = calledFromOutside();
    change(ids[1], LONDON);
    network.call.answer();
    rig.pass(60_000);
    const kept = rig.exchange.keptCall(callId);
    const before = rig.store.cdrs.size;
    rig.exchange.endLost(kept === undefined ? [] : [kept], rig.clock.now());
    expect(rig.store.cdrs.size).toBe(before + 1);
    expect(cdrOf(rig, callId)).toMatchObject([{ user_id: ids[1], billsec: 120, rate: 0.02, charge: 0.02 }]);
  });
});

it('a call to a number outside that is transferred to another one costs both', () => {
  const { rig, network, phones, ids } = company();
  phones[0].dial(LONDON);
  rig.pass(0);
  const callee = network.call;
  callee.answer();
  rig.pass(60_000);
  const [callId = 0] = liveIds(rig);
  phones[0].call.send('REFER', refer(BOSTON));
  rig.pass(0);
  network.call.answer();
  rig.pass(120_000);
  callee.hangUp();
  rig.pass(0);
  expect(cdrOf(rig, callId)).toMatchObject([
    { user_id: ids[0], type: 'O', src: LONDON, dst: BOSTON, billsec: 180, rate: 0.035, charge: 0.09 },
  ]);
});
