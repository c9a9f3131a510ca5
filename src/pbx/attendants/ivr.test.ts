// IVRs as stories: what keys, digits, silence and chance come to, and where every attribute of a menu shows.
import { describe, expect, it } from 'vitest';
import { attended, chime } from './attendants.rig.ts';
import { atIvr, LETTERS, makeIvr } from './ivr.rig.ts';

describe('a menu', () => {
  it('answers, and its key leads on: the visit ends, and the caller is a call of its own at the next place', () => {
    const { rig, phones, call, exts, ivr, live, told, cdrs, sounds, press, over } = atIvr(({ ids }) => ({
      one: `U:${ids[1]}`,
    }));
    expect(call.log).toEqual(['200']);
    expect(live()).toMatchObject([{ state: 4, context: 'IVR', dst: '850', dst_name: 'Menu', dst_id: String(ivr.id) }]);
    rig.pass(4000);
    press(call, '1');
    expect(phones[1].call.session.state).toBe('calling');
    phones[1].call.ring();
    rig.pass(2000);
    phones[1].call.answer();
    rig.pass(5000);
    expect(live()).toMatchObject([{ state: 4, context: 'USER_LOCAL', dst: exts[1] }]);
    call.hangUp();
    rig.pass(0);
    expect(sounds).toEqual(['prompt/ivr-menu 0']);
    expect(told()).toEqual([
      ...['initial 850', 'connected 850', 'hangup 850'],
      ...[`initial ${exts[1]}`, `ringing ${exts[1]}`, `connected ${exts[1]}`, `hangup ${exts[1]}`],
    ]);
    const [visit, talk] = cdrs();
    expect(visit).toMatchObject({ context: 'IVR', disposition: 'CONNECTED', type: 'I', billsec: 4, dst: '850' });
    expect(talk).toMatchObject({ parent_live_id: visit?.live_id, context: 'USER_LOCAL', billsec: 5 });
    over();
  });

  it('can be interrupted: a key counts while it still speaks', () => {
    const { rig, phones, call, sounds, press, over } = atIvr(({ ids }) => ({ three: `U:${ids[2]}` }));
    rig.pass(500);
    press(call, '3');
    expect(sounds).toEqual(['prompt/ivr-menu 0', '- 0.5']);
    expect(phones[2].calls).toHaveLength(1);
    call.hangUp();
    over();
  });

  it.each([
    ['0', 'zero'],
    ['1', 'one'],
    ['2', 'two'],
    ['3', 'three'],
    ['4', 'four'],
    ['5', 'five'],
    ['6', 'six'],
    ['7', 'seven'],
    ['8', 'eight'],
    ['9', 'nine'],
    ['*', 'star'],
    ['#', 'hash'],
  ])('key %s leads where %s says', (key, member) => {
    const { phones, call, press, over } = atIvr(({ ids }) => ({ [member]: `U:${ids[1]}` }));
    press(call, key);
    expect(phones[1].calls).toHaveLength(1);
    call.hangUp();
    over();
  });

  it.each(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'])(
    'says the sounds of the key %s before the caller goes on',
    (member) => {
      const key = String(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].indexOf(member) + 1);
      const { rig, phones, call, said, press, over } = atIvr(({ ids }) => ({
        [member]: `U:${ids[1]}`,
        [`${member}_sounds`]: 'connecting',
      }));
      press(call, key);
      expect(said().at(-1)).toBe('prompt/connecting');
      expect(phones[1].calls).toHaveLength(0);
      press(call, '9');
      rig.pass(2300);
      expect(phones[1].calls).toHaveLength(1);
      call.hangUp();
      over();
    },
  );

  it('is said again after its timeout, as often as it repeats, and then sends the caller to its final destination', () => {
    const { rig, phones, call, exts, sounds, told, over } = atIvr(({ ids }) => ({
      ...{ timeout: 2, repeats: 2, final_dst_type: LETTERS.U, final_dst_id: ids[2], post_sounds: 'not-available' },
    }));
    rig.pass(3 * 3000 + 3 * 2000 + 3 * 2500 + 3000);
    expect(sounds).toEqual([
      ...['prompt/ivr-menu 0', 'prompt/no-input 5', 'prompt/ivr-menu 7.5', 'prompt/no-input 12.5'],
      ...['prompt/ivr-menu 15', 'prompt/no-input 20', 'prompt/not-available 22.5'],
    ]);
    expect(phones[2].calls).toHaveLength(1);
    expect(told().slice(-2)).toEqual(['hangup 850', `initial ${exts[2]}`]);
    call.hangUp();
    over();
  });

  it('without a final destination hangs up on who chooses nothing', () => {
    const { rig, call, cdrs, over } = atIvr();
    rig.pass(30_000);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrs()).toMatchObject([{ disposition: 'CONNECTED', t_cause: 'Normal clearing', billsec: 21 }]);
    over();
  });

  it('says of a key that does nothing that it is not valid, and itself once more', () => {
    const { rig, call, press, said, over } = atIvr();
    press(call, '5');
    rig.pass(2500);
    press(call, '5');
    rig.pass(3000);
    expect(said()).toEqual(['prompt/ivr-menu', 'prompt/invalid', 'prompt/ivr-menu', 'prompt/invalid']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('hangs up where a key says so', () => {
    const { rig, call, press, cdrs, over } = atIvr(() => ({ nine: 'H', nine_sounds: 'goodbye' }));
    press(call, '9');
    rig.pass(1000);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrs()).toHaveLength(1);
    over();
  });

  it('treats a key whose user is not active as one that does nothing', () => {
    const { call, set, press, said, rig, over } = atIvr(({ ids }) => ({ one: `U:${ids[1]}` }));
    set(1, { active: false });
    press(call, '1');
    expect(said().at(-1)).toBe('prompt/invalid');
    call.hangUp();
    rig.pass(0);
    over();
  });

  it('lets the phone ring for ring_time, not for its own, and then the user’s final destination counts', () => {
    const { rig, phones, call, ids, set, press, live, over } = atIvr(({ ids }) => ({
      ...{ one: `U:${ids[1]}`, ring_time: 7 },
    }));
    set(1, { ring_time: '60', final_dst_type: 'U', final_dst_id: ids[2] });
    set(2, { ring_time: '11' });
    press(call, '1');
    rig.pass(6899);
    expect(phones[2].calls).toHaveLength(0);
    rig.pass(1);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(phones[2].calls).toHaveLength(1);
    rig.pass(10_999);
    expect(live()).toHaveLength(1);
    rig.pass(1);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('waits five seconds where its timeout is 0, and leaves the phone its own time where its ring_time is', () => {
    const { rig, phones, call, set, press, sounds, over } = atIvr(({ ids }) => ({
      ...{ timeout: 0, one: `U:${ids[1]}`, ring_time: 0 },
    }));
    set(1, { ring_time: '4' });
    rig.pass(8000);
    expect(sounds.at(-1)).toBe('prompt/no-input 8');
    press(call, '1');
    rig.pass(3800);
    expect(phones[1].call.ending).toBeUndefined();
    rig.pass(100);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    over();
  });
});

describe('what a menu says', () => {
  it('are prompts, uploaded announcements and texts, with commas between them', () => {
    const all = attended();
    const { rig, ids, phones, sounds, over } = all;
    const { customerId } = rig.customer;
    const id = rig.store.vmannouncements.nextId(customerId);
    const facts = { description: '', extension: ids[1], created_at: '', audio_type: 'WAV' as const };
    rig.store.vmannouncements.insert(customerId, { ...facts, id, data: chime(2) });
    makeIvr(all, { sounds: `goodbye, ${id}, Sales is on 1, 99, ${'goodbye,'.repeat(30)}` });
    const call = phones[0].dial('850');
    rig.pass(1000 + 2000 + 1300);
    call.hangUp();
    expect(sounds).toEqual([
      ...['prompt/goodbye 0', `upload/vmannouncements/${id} 1`, 'text/Sales is on 1 3', 'prompt/goodbye 4.3'],
    ]);
    over();
  });

  it('is no announcement of another account', () => {
    const all = attended();
    const { rig, phones, sounds, over } = all;
    const theirs = rig.other.customerId;
    const id = rig.store.vmannouncements.nextId(theirs);
    const facts = { description: '', extension: 0, created_at: '', audio_type: 'WAV' as const };
    rig.store.vmannouncements.insert(theirs, { ...facts, id, data: chime(2) });
    makeIvr(all, { sounds: `${id},goodbye` });
    const call = phones[0].dial('850');
    rig.pass(500);
    call.hangUp();
    expect(sounds).toEqual(['prompt/goodbye 0']);
    over();
  });

  it('asks for a choice where it has no words of its own', () => {
    const { said, call, over } = atIvr(() => ({ sounds: '' }));
    expect(said()).toEqual(['prompt/ivr-menu']);
    call.hangUp();
    over();
  });
});

describe('an IVR among other places', () => {
  it('is reached by a number from outside, as a final destination, and by a rule', () => {
    const all = attended();
    const { rig, phones, network, exts, cdrs, set } = all;
    const ivr = makeIvr(all);
    const { customerId } = rig.customer;
    const [ddi] = [...rig.store.ddis.list(customerId)];
    rig.store.ddis.update(ddi?.id ?? '', { target_type: LETTERS.I, target_id: ivr.id });
    const fromOutside = network.dial(ddi?.e164 ?? '');
    rig.pass(1000);
    fromOutside.hangUp();
    set(1, { dnd: true, final_dst_type: 'I', final_dst_id: ivr.id });
    const inside = phones[0].dial(exts[1]);
    rig.pass(1000);
    inside.hangUp();
    const rule = { customer: customerId, pos: 0, direction: 1, source: '', time_interval: '', final_dst: true };
    const id = rig.store.routingrules.nextId(customerId);
    rig.store.routingrules.insert(customerId, { ...rule, id, destination: '', action: `redirect:I:${ivr.id}` });
    const ruled = phones[0].dial('+442079460123');
    rig.pass(1000);
    ruled.hangUp();
    rig.pass(0);
    expect(cdrs().map(({ context, parent_live_id, dst }) => [context, parent_live_id > 0, dst])).toEqual([
      ['IVR', false, '850'],
      ['USER_LOCAL', false, exts[1]],
      ['IVR', true, '850'],
      ['IVR', false, '850'],
    ]);
    all.over();
  });

  it('leads to voicemail, and to itself again as often as the caller likes', () => {
    const all = attended();
    const { rig, phones, ids, press, messages, live } = all;
    const ivr = makeIvr(all, { seven: `V:${ids[1]}` });
    rig.store.ivrs.update(ivr.id, { one: `I:${ivr.id}` });
    const call = phones[0].dial('850');
    rig.pass(0);
    for (let turn = 0; turn < 15; turn += 1) press(call, '1');
    expect(live()).toMatchObject([{ context: 'IVR' }]);
    press(call, '7');
    rig.pass(5400 + 4000);
    call.hangUp();
    rig.pass(0);
    expect(messages()).toMatchObject([{ extension_id: ids[1], duration: 4 }]);
    all.over();
  });

  it('keeps a caller on hold who moves on while it holds', () => {
    const { rig, phones, call, live, over } = atIvr(({ ids }) => ({
      ...{ final_dst_type: LETTERS.U, final_dst_id: ids[1] },
    }));
    rig.pass(1000);
    call.reoffer('sendonly');
    rig.pass(0);
    expect(live()).toMatchObject([{ state: 5, context: 'IVR' }]);
    rig.pass(21_000);
    phones[1].call.answer();
    rig.pass(100);
    expect(live()).toMatchObject([{ state: 5, context: 'USER_LOCAL' }]);
    call.hangUp();
    over();
  });
});
