// Where a caller goes whom nobody answered, as stories: do-not-disturb, ring time, the final destination, and no circles.
import { describe, expect, it } from 'vitest';
import { type Company, company } from './company.rig.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';

type Settings = Parameters<Company['rig']['store']['users']['update']>[1];

function watched() {
  const all = company();
  const watch = new InvariantWatch(all.rig.store);
  watchInvariants(watch, all.rig.journal, (listener) => all.rig.exchange.subscribe(listener));
  const set = (index: 0 | 1 | 2, settings: Settings) => all.rig.store.users.update(all.ids[index], settings);
  const cdrs = () => [...all.rig.store.cdrs.list(all.rig.customer.customerId)];
  const over = () => {
    all.rig.pass(40_000);
    watch.checkQuiet({ ...all.rig.exchange.stats });
    expect(watch.violations).toEqual([]);
  };
  return { ...all, set, cdrs, over };
}

describe('a user who is not to be disturbed', () => {
  it('is not rung: the caller gets 480, the call is missed', () => {
    const { rig, phones, exts, set, cdrs, over } = watched();
    set(1, { dnd: true });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    expect(phones[1].calls).toEqual([]);
    expect(calling.log.at(-1)).toBe('480');
    expect(rig.eventNames()).toEqual(['call.missed FAILED']);
    expect(cdrs()).toMatchObject([{ type: 'M', t_cause: 'Do not disturb', dst: exts[1] }]);
    over();
  });

  it('sends callers straight to the final destination', () => {
    const { rig, ids, phones, exts, set, cdrs, over } = watched();
    set(1, { dnd: true, final_dst_type: 'U', final_dst_id: ids[2] });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(2000);
    phones[2].call.answer();
    rig.pass(5000);
    expect(calling.session.state).toBe('confirmed');
    const [live] = rig.exchange.liveCalls(rig.customer.customerId);
    expect(live?.record).toMatchObject({ state: 4, dst: exts[2], src: exts[0], duration: 7 });
    phones[0].call.hangUp();
    rig.pass(0);
    const [missed, taken] = cdrs();
    expect(missed).toMatchObject({ type: 'M', dst: exts[1], duration: 0, parent_live_id: 0 });
    expect(taken).toMatchObject({ type: 'I', dst: exts[2], duration: 7, billsec: 5, parent_live_id: missed?.live_id });
    expect(live?.record.parent_id).toBe(missed?.live_id);
    over();
  });

  it('sends callers to its own voicemail, named or not', () => {
    for (const isNamed of [true, false]) {
      const { rig, ids, phones, exts, set } = watched();
      set(1, { dnd: true, final_dst_type: 'V', final_dst_id: isNamed ? ids[1] : 0 });
      const calling = phones[0].dial(exts[1]);
      rig.pass(0);
      expect(calling.session.state).toBe('confirmed');
      expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record).toMatchObject({ context: 'VOICEMAIL' });
    }
  });

  it('still places calls by click to call: the own phone rings', () => {
    const { rig, ids, phones, exts, set } = watched();
    set(0, { dnd: true });
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: exts[1] });
    rig.pass(0);
    expect(phones[0].calls).toHaveLength(1);
  });
});

describe('a user who does not answer', () => {
  it('within the ring time hands the caller on, who hears one call ring on; one hash, one end each', () => {
    const { rig, ids, phones, exts, set, cdrs, over } = watched();
    set(1, { ring_time: '7', final_dst_type: 'U', final_dst_id: ids[2] });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(6999);
    expect(phones[2].calls).toEqual([]);
    rig.pass(1);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    phones[2].call.ring();
    rig.pass(1000);
    phones[2].call.answer();
    rig.pass(3000);
    phones[2].call.hangUp();
    rig.pass(0);
    expect(calling.log).toEqual(['180', '180', '200', 'remote-bye']);
    const events = rig.events.flatMap((event) => (event.kind === 'call' ? [event] : []));
    expect(events.map(({ name, dst }) => `${name} ${dst.number}`)).toEqual([
      ...[`call.initial ${exts[1]}`, `call.ringing ${exts[1]}`, `call.missed ${exts[1]}`],
      ...[`call.initial ${exts[2]}`, `call.ringing ${exts[2]}`, `call.connected ${exts[2]}`, `call.hangup ${exts[2]}`],
    ]);
    expect(new Set(events.map(({ srcHash }) => srcHash)).size).toBe(1);
    expect(new Set(events.map(({ callId }) => callId)).size).toBe(2);
    expect(cdrs().map(({ t_cause }) => t_cause)).toEqual(['No answer', 'Normal clearing']);
    over();
  });

  it.each([486, 603])('but says %i hands the caller on as well', (status) => {
    const { rig, ids, phones, exts, set, over } = watched();
    set(1, { final_dst_type: 'U', final_dst_id: ids[2] });
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.session.reject(status);
    rig.pass(0);
    expect(phones[2].calls).toHaveLength(1);
    phones[2].call.session.reject(480);
    over();
  });

  it('and whose caller gives up ends there: nobody else is rung', () => {
    const { rig, ids, phones, exts, set, cdrs, over } = watched();
    set(1, { final_dst_type: 'U', final_dst_id: ids[2] });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(phones[2].calls).toEqual([]);
    expect(cdrs()).toMatchObject([{ t_cause: 'Originator cancel' }]);
    over();
  });

  it('two who send callers to each other end the call when both were rung', () => {
    const { rig, ids, phones, exts, set, cdrs, over } = watched();
    set(1, { dnd: true, final_dst_type: 'U', final_dst_id: ids[2] });
    set(2, { dnd: true, final_dst_type: 'U', final_dst_id: ids[1] });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('480');
    const [first, second] = cdrs();
    expect(cdrs()).toHaveLength(2);
    expect(second?.parent_live_id).toBe(first?.live_id);
    over();
  });

  it('hands on who was connected by click to call, without losing the first party', () => {
    const { rig, ids, phones, exts, set, cdrs, over } = watched();
    set(1, { ring_time: '5', final_dst_type: 'U', final_dst_id: ids[2] });
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: exts[1] });
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(5000);
    phones[2].call.answer();
    rig.pass(4000);
    expect(phones[0].call.session.state).toBe('confirmed');
    const [live] = rig.exchange.liveCalls(rig.customer.customerId);
    expect(live?.record).toMatchObject({ state: 4, src: exts[0], dst: exts[2] });
    expect(rig.exchange.hangUp(live?.record.id ?? 0)).toBe(true);
    rig.pass(0);
    expect(phones[0].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrs().map(({ dst, billsec }) => [dst, billsec])).toEqual([
      [exts[1], 0],
      [exts[2], 4],
    ]);
    over();
  });
});
