// Call waiting as stories: a second call rings at a user who talks, or finds it busy.
import { describe, expect, it } from 'vitest';
import { watched } from './ring-group.rig.ts';

/** The first and the second user talk. */
function busy(cw: boolean) {
  const all = watched();
  const { rig, phones, exts, set, network } = all;
  set(1, { cw });
  phones[0].dial(exts[1]);
  rig.pass(0);
  phones[1].call.answer();
  rig.pass(1000);
  const third = () => {
    const call = phones[2].dial(exts[1]);
    rig.pass(0);
    return call;
  };
  return { ...all, third, network };
}

describe('a user who talks', () => {
  it('hears a second call when it has call waiting', () => {
    const { phones, rig, third, over } = busy(true);
    const call = third();
    phones[1].call.ring();
    rig.pass(0);
    expect(call.log).toContain('180');
    call.hangUp();
    phones[0].call.hangUp();
    over();
  });

  it('is busy for a second caller when it has none: 486, a missed call', () => {
    const { rig, phones, exts, third, cdrs, over } = busy(false);
    expect(third().log.at(-1)).toBe('486');
    expect(phones[1].calls).toHaveLength(1);
    expect(cdrs()).toMatchObject([{ dst: exts[1], type: 'M', t_cause: 'User busy' }]);
    phones[0].call.hangUp();
    rig.pass(0);
    over();
  });

  it('sends a second caller to its final destination', () => {
    const { rig, ids, network, set, third, phones, over } = busy(false);
    set(1, { final_dst_type: 'U', final_dst_id: ids[0] });
    const call = third();
    expect(phones[0].calls).toHaveLength(2);
    phones[0].call.answer();
    rig.pass(0);
    expect(call.session.state).toBe('confirmed');
    expect(network.calls).toEqual([]);
    for (const one of phones[0].calls) one.hangUp();
    over();
  });

  it('is busy, too, while it calls somebody itself', () => {
    const { rig, phones, exts, set } = watched();
    set(1, { cw: false });
    phones[1].dial(exts[0]);
    rig.pass(0);
    const call = phones[2].dial(exts[1]);
    rig.pass(0);
    expect(call.log.at(-1)).toBe('486');
  });

  it('is not while somebody speaks to its voicemail', () => {
    const { rig, phones, exts, ids, set } = watched();
    set(1, { cw: false, ring_time: '3', final_dst_type: 'V', final_dst_id: ids[1] });
    phones[0].dial(exts[1]);
    rig.pass(4000);
    expect(phones[0].call.session.state).toBe('confirmed');
    const before = phones[1].calls.length;
    phones[2].dial(exts[1]);
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(before + 1);
  });

  it('is not when the phone rang for the same caller before', () => {
    const { rig, phones, exts, ids, set } = watched();
    set(1, { cw: false, ring_time: '3', fm: true, fm_init_ring_time: 3, fm_targets: [exts[1]] });
    phones[0].dial(exts[1]);
    rig.pass(3000);
    expect(ids[1]).toBeGreaterThan(0);
    expect(phones[1].calls).toHaveLength(2);
  });
});
