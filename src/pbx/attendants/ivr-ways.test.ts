// Ways out of an IVR that are no keys, as stories: extensions that the caller keys in, and chance.
import { describe, expect, it } from 'vitest';
import { makeGroup } from '../ring-group.rig.ts';
import { attended } from './attendants.rig.ts';
import { makeConference } from './conference.rig.ts';
import { atIvr, LETTERS, makeIvr } from './ivr.rig.ts';
import { NEXT_DIGIT_MS } from './ivr.ts';
import { makeQueue } from './queue.rig.ts';

describe('extension dialling', () => {
  it('rings the extension at its last digit', () => {
    const { phones, call, exts, press, over } = atIvr(() => ({ ext_dialing: true }));
    press(call, exts[1]);
    expect(phones[1].calls).toHaveLength(1);
    call.hangUp();
    over();
  });

  it('waits 3 s after a key with which extensions begin, and then takes it for the key', () => {
    const { rig, phones, call, exts, ids, press, over } = atIvr(({ exts: [ext], ids: [, , id] }) => ({
      ...{ ext_dialing: true },
      ...(ext.startsWith('1') ? { one: `U:${id}` } : {}),
    }));
    expect(exts[0].slice(0, 1)).toBe('1');
    expect(ids[2]).toBeGreaterThan(0);
    press(call, '1');
    rig.pass(2899);
    expect(phones[2].calls).toHaveLength(0);
    rig.pass(1);
    expect(phones[2].calls).toHaveLength(1);
    call.hangUp();
    over();
  });

  it('takes the hash for the end of the number, and a key that begins no extension at once', () => {
    const { phones, call, press, over } = atIvr(({ ids }) => ({ ext_dialing: true, one: `U:${ids[1]}` }));
    press(call, '1#');
    expect(phones[1].calls).toHaveLength(1);
    call.hangUp();
    over();
    const other = atIvr(({ ids }) => ({ ext_dialing: true, two: `U:${ids[1]}` }));
    other.press(other.call, '2');
    expect(other.phones[1].calls).toHaveLength(1);
    other.call.hangUp();
    other.over();
  });

  it('says of digits that are nobody’s that they are not valid; an inactive user is nobody', () => {
    const { rig, call, exts, set, press, said, phones, over } = atIvr(() => ({ ext_dialing: true, repeats: 3 }));
    press(call, `${exts[0].slice(0, 2)}9`);
    expect(said().at(-1)).toBe('prompt/invalid');
    rig.pass(3000);
    set(1, { active: false });
    press(call, exts[1]);
    expect(said().at(-1)).toBe('prompt/invalid');
    rig.pass(3000);
    press(call, '1*');
    expect(said().at(-1)).toBe('prompt/invalid');
    expect(phones[1].calls).toHaveLength(0);
    call.hangUp();
    over();
  });

  it('reaches nothing where it is off, and neither the public network nor services where it is on', () => {
    const off = atIvr();
    off.press(off.call, off.exts[1]);
    expect(off.phones[1].calls).toHaveLength(0);
    off.call.hangUp();
    off.over();
    const on = atIvr(() => ({ ext_dialing: true, repeats: 100 }));
    on.press(on.call, '442079460999');
    on.press(on.call, '*97#');
    on.rig.pass(5000);
    expect(on.network.calls).toHaveLength(0);
    expect(on.live()).toMatchObject([{ context: 'IVR' }]);
    on.call.hangUp();
    on.over();
  });

  it.each([
    ['a queue', '690', 'QUEUE', '690'],
    ['a ring group', '790', 'RING_GROUP', '790'],
    ['a conference by its extension', '990', 'CONFERENCE', '990'],
    ['a conference by the number for callers from outside', '100990', 'CONFERENCE', '990'],
  ])('reaches %s, for users and for callers from outside', (_, digits, context, dst) => {
    const all = attended();
    const { rig } = all;
    const { id } = makeIvr(all, { ext_dialing: true });
    makeQueue(rig);
    makeGroup(all);
    makeConference(rig, { pin_pstn: '77' });
    const number = rig.customer.numbers[0] ?? '';
    const [ddi] = rig.store.ddis.find('e164', number);
    rig.store.ddis.update(ddi?.id ?? '', { target_type: LETTERS.I, target_id: id });
    for (const call of [all.phones[0].dial('850'), all.network.dial(number)]) {
      rig.pass(0);
      all.press(call, digits);
      rig.pass(NEXT_DIGIT_MS);
      const [{ context: at, dst: to } = {}] = all.live().filter(({ parent_id }) => parent_id > 0);
      expect([at, to]).toEqual([context, dst]);
      // Who comes from outside is asked for the PIN of those, whatever the number was that it keyed in.
      expect(rig.exchange.conferring).toBe(context === 'CONFERENCE' && call === all.phones[0].calls[0] ? 1 : 0);
      call.hangUp();
      rig.pass(0);
    }
    all.over();
  });

  it('reaches groups and other menus by their extensions', () => {
    const all = attended();
    const { phones, said } = { ...all, said: () => all.sounds.length };
    makeIvr(all, { ext_dialing: true });
    makeIvr(all, { number: 851, name: 'Second', sounds: 'goodbye' });
    const call = phones[0].dial('850');
    all.rig.pass(0);
    all.press(call, '851');
    expect(all.live()).toMatchObject([{ context: 'IVR', dst: '851', dst_name: 'Second' }]);
    expect(all.sounds.at(-1)).toBe('prompt/goodbye 0.2');
    expect(said()).toBe(3);
    call.hangUp();
    all.over();
  });
});

describe('random choice', () => {
  it('leads after the welcome to one of the places that it lists, by the seed, whatever keys are pressed', () => {
    const { rig, phones, call, press, said, over } = atIvr(({ ids }) => ({
      ...{ random_choice: true, random_dst: `U:${ids[1]}, U:${ids[2]}`, one: 'H', ring_time: 5 },
    }));
    press(call, '1');
    rig.pass(2900);
    expect(said()).toEqual(['prompt/ivr-menu']);
    expect(phones[1].calls.length + phones[2].calls.length).toBe(1);
    rig.pass(5000);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('comes to each of them in time', () => {
    const all = attended();
    const { rig, phones, ids } = all;
    makeIvr(all, { random_choice: true, random_dst: `U:${ids[1]},U:${ids[2]}` });
    for (let turn = 0; turn < 20; turn += 1) {
      const call = phones[0].dial('850');
      rig.pass(3000);
      call.hangUp();
      rig.pass(1000);
    }
    expect(phones[1].calls.length + phones[2].calls.length).toBe(20);
    expect(phones[1].calls.length).toBeGreaterThan(3);
    expect(phones[2].calls.length).toBeGreaterThan(3);
    all.over();
  });

  it('with nothing to choose from is a menu that nobody answers; H hangs up', () => {
    const none = atIvr(({ ids }) => ({ random_choice: true, final_dst_type: LETTERS.U, final_dst_id: ids[1] }));
    none.rig.pass(3000);
    expect(none.phones[1].calls).toHaveLength(1);
    none.call.hangUp();
    none.over();
    const end = atIvr(() => ({ random_choice: true, random_dst: 'H' }));
    end.rig.pass(3000);
    expect(end.call.ending).toMatchObject({ by: 'remote-bye' });
    end.over();
  });

  it('never leads round in circles: two menus that choose each other end at the final destination', () => {
    const all = attended();
    const { rig, phones, ids, told } = all;
    const second = makeIvr(all, { number: 851, random_choice: true, sounds: '' });
    const first = makeIvr(all, { random_choice: true, random_dst: `I:${second.id}`, sounds: '' });
    const final = { final_dst_type: LETTERS.U, final_dst_id: ids[1] };
    rig.store.ivrs.update(second.id, { random_dst: `I:${first.id}`, ...final });
    const call = phones[0].dial('850');
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(1);
    expect(told().filter((event) => event.startsWith('connected'))).toEqual(['connected 850', 'connected 851']);
    call.hangUp();
    all.over();
  });
});
