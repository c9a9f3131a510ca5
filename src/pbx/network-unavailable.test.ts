// The number for a phone that is offline (nun), as stories.
import { describe, expect, it } from 'vitest';
import { makeQueue } from './attendants/queue.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

const NUN = '+442079460123';

/** The second user's phone is offline, and a number is given for that. */
function offline(settings: Parameters<ReturnType<typeof watched>['set']>[1] = {}) {
  const all = watched();
  const { rig, phones, exts, set } = all;
  set(1, { nun: NUN, nun_ring_time: 7, ...settings });
  phones[1].register(0);
  rig.pass(0);
  const call = () => {
    const made = phones[0].dial(exts[1]);
    rig.pass(0);
    return made;
  };
  return { ...all, call };
}

describe('a user whose phone is offline', () => {
  it('is called at that number: a call of its own after the one that was missed', () => {
    const { rig, exts, network, call, cdrs, over } = offline();
    const calling = call();
    expect(network.call.session.invite.uri).toBe(`sip:${NUN}@network.phone.example;user=phone`);
    network.call.ring();
    network.call.answer();
    rig.pass(30_000);
    calling.hangUp();
    rig.pass(0);
    const [missed, taken] = cdrs();
    expect(missed).toMatchObject({ type: 'M', dst: exts[1], t_cause: 'Subscriber absent' });
    expect(taken).toMatchObject({ type: 'O', dst: NUN, parent_live_id: missed?.live_id, charge: 0.01, billsec: 30 });
    over();
  });

  it('pays for callers from outside whom it sends there', () => {
    const { rig, ids, network, cdrs } = offline();
    const calling = network.dial(rig.customer.numbers[1] ?? '', { from: '<sip:+442079469999@network>' });
    rig.pass(0);
    expect(network.call.session.invite.headers.get('From')).toContain('<sip:+442079469999@');
    network.call.answer();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(cdrs().at(-1)).toMatchObject({ dst: NUN, user_id: ids[1], src: '+442079469999' });
  });

  it('has it rung for nun_ring_time, and then its final destination', () => {
    const { rig, ids, set, phones, network, call, over } = offline();
    set(1, { final_dst_type: 'U', final_dst_id: ids[2] });
    const calling = call();
    network.call.ring();
    rig.pass(6999);
    expect(phones[2].calls).toEqual([]);
    rig.pass(1);
    expect(network.call.ending).toMatchObject({ by: 'cancel' });
    phones[2].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    calling.hangUp();
    over();
  });

  it('may be called at an extension or a number as dialled at home instead', () => {
    const { phones, call } = offline({ nun: '103' });
    call();
    expect(phones[2].calls).toHaveLength(1);
    const { network, call: callAgain } = offline({ nun: '02079460123' });
    callAgain();
    expect(network.call.session.invite.uri).toContain(`sip:${NUN}@`);
  });

  it('only for calls to itself when it wants that', () => {
    const handedOn = (nun_only_direct: boolean): number => {
      const { rig, phones, exts, ids, set, network } = offline({ nun_only_direct });
      set(2, { dnd: true, final_dst_type: 'U', final_dst_id: ids[1] });
      phones[0].dial(exts[2]);
      rig.pass(0);
      return network.calls.length;
    };
    expect([handedOn(false), handedOn(true)]).toEqual([1, 0]);
    const { call, network } = offline({ nun_only_direct: true });
    call();
    expect(network.calls).toHaveLength(1);
  });

  it.each([
    ['a ring group', '790'],
    ['a queue', '690'],
  ])('is not called there as one of %s: it is passed over, and the others ring', (_, number) => {
    const { rig, phones, ids, network, live, over } = offline();
    makeGroup({ rig }, { users: [ids[1], ids[2]] });
    makeQueue(rig, { agents: [ids[1], ids[2]] });
    const calling = phones[0].dial(number);
    rig.pass(5000);
    expect(network.calls).toEqual([]);
    expect(phones[2].calls).toHaveLength(1);
    expect(live().map(({ dst }) => dst)).toEqual([number, '103']);
    calling.hangUp();
    over();
  });

  it('is followed rather than called there when follow-me is on', () => {
    const { call, network } = offline({ fm: true, fm_targets: ['+442079460124'] });
    call();
    expect(network.calls.map(({ session }) => session.invite.uri.split('@')[0])).toEqual(['sip:+442079460124']);
  });
});

describe('a user whose phone is there', () => {
  it.each([
    ['does not answer', (phone: ReturnType<typeof offline>['phones'][1]) => phone.call.ring()],
    ['is busy', (phone: ReturnType<typeof offline>['phones'][1]) => phone.call.session.reject(486)],
  ])('and %s is not called at that number', (_, act) => {
    const { rig, phones, network, call } = offline();
    phones[1].register();
    rig.pass(0);
    call();
    act(phones[1]);
    rig.pass(30_000);
    expect(network.calls).toEqual([]);
  });

  it('nor is one who is not to be disturbed', () => {
    const { rig, network, call } = offline({ dnd: true });
    call();
    rig.pass(30_000);
    expect(network.calls).toEqual([]);
  });
});
