// Follow-me with questions and announcements, as stories: who must confirm, what callers hear before numbers ring.
import { describe, expect, it } from 'vitest';
import { VmAnnouncementSchema } from '../contract/resources/storage.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import type { Stored } from '../store/stored.ts';
import { followed, HOME, MOBILE } from './follow-me.rig.ts';

describe('a number that must confirm', () => {
  const asked = (settings = {}) => {
    const all = followed({ fm_init_ring_time: 0, fm_confirm_required: true, ...settings });
    const calling = all.call();
    all.at(MOBILE).ring();
    all.at(MOBILE).answer();
    all.rig.pass(0);
    return { ...all, calling };
  };

  it('is asked, while the caller hears that it rings, and has the caller with 1', () => {
    const { rig, calling, at, press, sounds, live, isRinging, told, over } = asked();
    expect(sounds).toEqual(['prompt/followme-confirm to callee']);
    expect(calling.session.state).not.toBe('confirmed');
    expect(live().map(({ state, dst }) => `${state} ${dst}`)).toEqual(['3 102', `3 ${MOBILE}`, `1 ${HOME}`]);
    rig.pass(3000);
    press(at(MOBILE), '5');
    expect(calling.session.state).not.toBe('confirmed');
    press(at(MOBILE), '1');
    expect(calling.session.state).toBe('confirmed');
    expect(isRinging(HOME)).toBe(false);
    expect(live().map(({ state }) => state)).toEqual([4, 4]);
    calling.hangUp();
    rig.pass(0);
    expect(told().filter((line) => line.startsWith('connected'))).toEqual([`connected ${MOBILE}`, 'connected 102']);
    over();
  });

  it('is hung up on with 2, and the others ring on', () => {
    const { calling, at, press, isRinging, rig, told, over } = asked();
    press(at(MOBILE), '2');
    expect(at(MOBILE).ending).toMatchObject({ by: 'remote-bye' });
    expect(isRinging(HOME)).toBe(true);
    expect(told().at(-1)).toBe(`failed ${MOBILE}`);
    at(HOME).answer();
    rig.pass(0);
    press(at(HOME), '1');
    expect(calling.session.state).toBe('confirmed');
    calling.hangUp();
    over();
  });

  it('that is silent for ten seconds does not take the call; one that is being asked is not cut off by the ring time', () => {
    const { calling, at, rig, isRinging, over } = asked({ fm_strategy: 'H' });
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([true, false]);
    rig.pass(4000);
    expect(at(MOBILE).ending).toMatchObject({ by: 'remote-bye' });
    expect(isRinging(HOME)).toBe(true);
    rig.pass(10_000);
    expect(calling.log.at(-1)).toBe('480');
    over();
  });

  it('that hangs up does not take it, and a caller who gives up is asked about no more', () => {
    const first = asked();
    first.at(MOBILE).hangUp();
    first.rig.pass(0);
    expect(first.told().at(-1)).toBe(`failed ${MOBILE}`);
    first.calling.hangUp();
    first.over();
    const second = asked();
    second.calling.hangUp();
    second.rig.pass(0);
    expect(second.at(MOBILE).ending).toMatchObject({ by: 'remote-bye' });
    second.over();
  });

  it('loses to another one that is asked and says yes first', () => {
    const { at, press, calling, rig, over } = asked();
    at(HOME).answer();
    rig.pass(0);
    press(at(HOME), '1');
    expect(calling.session.state).toBe('confirmed');
    expect(at(MOBILE).ending).toMatchObject({ by: 'remote-bye' });
    calling.hangUp();
    over();
  });
});

describe('an announcement', () => {
  it('is heard before the numbers ring; the caller is answered for it, its call is not', () => {
    const { rig, call, sounds, isRinging, at, told, live, over } = followed({
      fm_init_ring_time: 0,
      fm_announcement_enabled: true,
    });
    const calling = call();
    expect(calling.log.at(-1)).toBe('200');
    expect(sounds).toEqual(['prompt/followme-announcement to caller']);
    expect(live()).toMatchObject([{ state: 1, connected_at: 0 }]);
    rig.pass(3499);
    expect(isRinging(MOBILE)).toBe(false);
    rig.pass(1);
    expect(isRinging(MOBILE)).toBe(true);
    expect(sounds.at(-1)).toBe('tone/ringback to caller');
    at(MOBILE).ring();
    at(MOBILE).answer();
    rig.pass(0);
    expect(told().filter((line) => line.startsWith('connected'))).toEqual([`connected ${MOBILE}`, 'connected 102']);
    calling.hangUp();
    over();
  });

  it('is the uploaded one when the user has chosen one', () => {
    const { rig, ids, call, sounds } = followed({ fm_init_ring_time: 0, fm_announcement_enabled: true });
    const { vmannouncements } = rig.store;
    const { customerId } = rig.customer;
    const empty = emptyRecord(VmAnnouncementSchema, '') as unknown as Stored['vmannouncements'];
    const file = { extension: ids[1], data: 'bm8gc291bmQ=' };
    const upload = vmannouncements.insert(customerId, { ...empty, ...file, id: vmannouncements.nextId(customerId) });
    rig.store.users.update(ids[1], { fm_announcement_id: upload.id });
    call();
    expect(sounds).toEqual([`upload/vmannouncements/${upload.id} to caller`]);
  });

  it('may be left by the caller, and by nobody taking the call', () => {
    const left = followed({ fm_init_ring_time: 0, fm_announcement_enabled: true });
    const leaving = left.call();
    left.rig.pass(1000);
    leaving.hangUp();
    left.over();
    const unanswered = followed({ fm_init_ring_time: 0, fm_announcement_enabled: true });
    const waiting = unanswered.call();
    unanswered.rig.pass(3500 + 10_000);
    expect(waiting.ending).toMatchObject({ by: 'remote-bye' });
    expect(unanswered.told().at(-1)).toBe('missed 102');
    unanswered.over();
  });
});
