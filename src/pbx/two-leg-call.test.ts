// Click to call, as stories.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { type Company, company } from './company.rig.ts';

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

  it('has a media session for each leg, and both know both phones', () => {
    const all = company();
    const { rig, phones } = all;
    place(all, all.exts[1]);
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(2000);
    phones[1].call.answer();
    rig.pass(3000);
    const [live] = rig.exchange.liveCalls(rig.customer.customerId);
    const sessions = [...rig.store.mediasessions.list(rig.customer.customerId)].slice(-2);
    expect(sessions.map(({ call_id }) => call_id)).toEqual([live?.record.src_call_id, live?.record.dst_call_id]);
    expect(sessions.map(({ src_ua, dst_ua }) => [src_ua, dst_ua])).toEqual([
      [live?.record.src_ua, live?.record.dst_ua],
      [live?.record.src_ua, live?.record.dst_ua],
    ]);
    expect(live?.record.dst_ua).not.toBe('');
    phones[1].call.hangUp();
    rig.pass(0);
    const msdrs = [...rig.store.msdrs.list(rig.customer.customerId)].slice(-2);
    expect(msdrs.map(({ call_id, duration }) => [call_id, duration])).toEqual(
      expect.arrayContaining([
        [sessions[0]?.call_id, 5],
        [sessions[1]?.call_id, 3],
      ]),
    );
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
    for (const nobody of ['999', '00442079460123', '+1234567890123456'])
      expect(place(all, nobody)).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
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

describe('a web call', () => {
  const place = (all: Company, from: string, to: string) =>
    all.rig.exchange.webCall({ customerId: all.rig.customer.customerId, userId: all.ids[0], from, to });

  it('rings the visitor, then the extension, and settles durations and charges when it is over', () => {
    const all = company();
    const { rig, network, phones, exts } = all;
    const placed = place(all, '442079460123', exts[1]);
    expect(placed).toMatchObject({
      ok: true,
      value: { from: '+442079460123', to: exts[1], from_rate: 0.02, to_rate: 0, charge: 0 },
    });
    rig.pass(0);
    expect(network.call.session.invite.uri).toContain('+442079460123');
    expect(phones[1].calls).toEqual([]);
    expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record).toMatchObject({ src_rate: 0.02, dst_rate: 0 });
    network.call.answer();
    rig.pass(5000);
    phones[1].call.answer();
    rig.pass(55_000);
    phones[1].call.hangUp();
    rig.pass(0);
    const id = placed.ok ? placed.value.id : 0;
    expect(rig.store.webcalls.get(id)).toMatchObject({
      from_duration: 60,
      to_duration: 55,
      from_charge: 0.02,
      to_charge: 0,
      charge: 0.02,
    });
    expect([...rig.store.cdrs.list(rig.customer.customerId)].at(-1)).toMatchObject({
      destination: 'webcall',
      type: 'I',
      billsec: 55,
      dst: exts[1],
    });
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.connected CONNECTED', 'call.hangup HANGUP']);
  });

  it('that the visitor does not answer never rings the extension', () => {
    const all = company();
    place(all, '+442079460123', all.exts[1]);
    all.rig.pass(0);
    all.network.call.session.reject(480);
    all.rig.pass(0);
    expect(all.phones[1].calls).toEqual([]);
    expect(all.rig.eventNames()).toEqual(['call.initial INITIAL', 'call.missed FAILED']);
  });
});

describe('a lead call', () => {
  it('rings the agent, who sees the lead, then the lead, who sees the agent', () => {
    const all = company();
    const { rig, network, phones, exts } = all;
    const placed = rig.exchange.leadCall({
      customerId: rig.customer.customerId,
      userId: all.ids[0],
      to: exts[1],
      callerId: '+442079460123',
    });
    expect(placed).toMatchObject({ ok: true, value: { src: exts[1], dst: '+442079460123', destination: 1 } });
    rig.pass(0);
    expect(phones[1].call.session.invite.headers.get('From')).toContain('+442079460123');
    phones[1].call.answer();
    rig.pass(0);
    expect(network.call.session.invite.headers.get('From')).toContain(rig.customer.numbers[1]);
    network.call.answer();
    rig.pass(0);
    network.call.hangUp();
    rig.pass(0);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', direction: 'out', terminatedBy: 'callee' });
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
  });

  /** 1.2 s: 0.3 s and 70 ms for each of twelve characters, in whole tenths. */
  const spoken = 'Ms Lee calls';
  const placed = (all: Company) => {
    const { rig, exts, ids } = all;
    const parties = { to: exts[1], callerId: '+442079460123', spoken };
    rig.exchange.leadCall({ customerId: rig.customer.customerId, userId: ids[0], ...parties });
    rig.pass(0);
    all.phones[1].call.answer();
    rig.pass(1199);
    return all;
  };

  it('tells the agent first what it is told to say, and then calls the lead', () => {
    const { rig, network, phones } = placed(company());
    const played = rig.journal.query({ kind: 'sound' }).map((entry) => dataOf(entry));
    expect(played).toEqual([{ name: 'text/Ms Lee calls', ms: 1200, to: 'caller' }]);
    expect(network.calls).toEqual([]);
    rig.pass(1);
    network.call.answer();
    rig.pass(0);
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.connected CONNECTED']);
    phones[1].call.hangUp();
    rig.pass(0);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup' });
  });

  it('spares the lead the call when the agent hangs up meanwhile', () => {
    const { rig, network, phones } = placed(company());
    phones[1].call.hangUp();
    rig.pass(5000);
    expect(network.calls).toEqual([]);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.failed', terminatedBy: 'caller' });
    expect(rig.exchange.stats.calls).toBe(0);
  });

  it('ends by order while the agent listens', () => {
    const { rig, network, phones } = placed(company());
    rig.exchange.hangUp(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record.id ?? 0);
    rig.pass(5000);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect([network.calls, rig.exchange.stats.calls]).toEqual([[], 0]);
  });
});
