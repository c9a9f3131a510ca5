// What records demand of each other, without a request: what only the administration writes, and what a removal leaves behind.
import { beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../kernel/random.ts';
import { seedWorld } from '../seed/world.ts';
import { createStore } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';
import { readForm } from './read-form.ts';
import { changeRecord, createRecord, removeRecord } from './record-book.ts';
import type { Ground } from './rules.ts';

/** 2026-01-01T00:00:00Z */
const START_MS = 1_767_225_600_000;

let ground: Ground;
beforeEach(() => {
  const store = createStore();
  seedWorld(store, { random: new Random(1), nowMs: START_MS, domain: 'pbx.test', history: 10 });
  ground = { store, customerId: 1, nowMs: START_MS };
});

function make(resource: StoredResourceId, body: object) {
  return createRecord(ground, resource, readForm(resource, body));
}

function change(resource: StoredResourceId, id: number | string, body: object) {
  return changeRecord(ground, resource, id, readForm(resource, body));
}

const refusal = (detail: string) => ({ ok: false, failure: { kind: 'invalid', details: [detail] } });

describe('the keys of an IVR', () => {
  it('lead to things of the account, or hang up', () => {
    const keys = { one: 'Q:10000001', star: 'H', hash: '', random_dst: 'U:10000002, H,R:10000001' };
    expect(change('ivrs', 10_000_001, keys)).toMatchObject({ ok: true, value: keys });
  });

  it.each([
    ['two', 'Q:20000001'],
    ['two', 'Q'],
    ['two', 'X:1'],
    ['two', 'H,H'],
    ['random_dst', 'H,,H'],
    ['random_dst', 'nowhere'],
  ])('%s does not lead to %j', (key, place) => {
    expect(change('ivrs', 10_000_001, { [key]: place })).toMatchObject(
      refusal(`${key}: expected H or a letter and an id of this account, as in Q:10000001`),
    );
  });

  it('do nothing when what they led to is gone', () => {
    change('ivrs', 10_000_001, {
      one: 'U:10000003',
      two: 'V:10000003',
      three: 'R:10000001',
      random_dst: 'V:10000003,H',
    });
    removeRecord(ground, 'users', 10_000_003);
    expect(ground.store.ivrs.get(10_000_001)).toMatchObject({ one: '', two: '', three: 'R:10000001', random_dst: 'H' });
  });
});

describe('a contact that stands for a user', () => {
  it('is internal and has the extension, until the user is gone', () => {
    expect(change('contacts', 10_000_001, { rel_user_id: 10_000_003 })).toMatchObject({
      ok: true,
      value: { internal: true, ext: '103' },
    });
    removeRecord(ground, 'users', 10_000_003);
    expect(ground.store.contacts.get(10_000_001)).toMatchObject({ rel_user_id: 0, internal: false, ext: '' });
  });
});

describe('messages and kept answers', () => {
  it('stay when their user goes, and are nobody’s then', () => {
    const { sms, cannedresponses } = ground.store;
    const mine = sms.find('user_id', 10_000_001).map(({ id }) => id);
    expect(mine.length).toBeGreaterThan(0);
    removeRecord(ground, 'users', 10_000_001);
    expect(mine.map((id) => sms.get(id)?.user_id)).toEqual(mine.map(() => 0));
    expect(cannedresponses.get(10_000_001)?.user_id).toBe(0);
  });

  it('are of a user of the account', () => {
    expect(make('sms', { user_id: 20_000_001 })).toMatchObject(
      refusal('user_id: there is no user 20000001 in this account'),
    );
  });
});

describe('a campaign that is removed', () => {
  it('lets its numbers go; the calls that it brought stay', () => {
    const { ddis, trackedcalls } = ground.store;
    expect(ddis.get('10000012')?.campaign_id).toBe(10_000_001);
    const tracked = trackedcalls.count(1);
    removeRecord(ground, 'campaigns', '10000001');
    expect(ddis.get('10000012')?.campaign_id).toBe(0);
    expect([...trackedcalls.list(1)].map(({ campaign_id }) => campaign_id)).toEqual(Array(tracked).fill(0));
  });
});

describe('a routing rule that is removed', () => {
  it('leaves no gap', () => {
    for (const action of ['redirect:U:10000001', 'redirect:V:10000002'])
      make('routingrules', { action, direction: 'in' });
    removeRecord(ground, 'routingrules', 10_000_001);
    expect([...ground.store.routingrules.list(1)].map(({ id, pos }) => [id, pos])).toEqual([
      [10_000_002, 1],
      [10_000_003, 2],
    ]);
  });

  it('blocks when its target is removed, the voicemail box of a user with the user', () => {
    for (const action of ['redirect:U:10000002', 'redirect:V:10000002', 'redirect:U:10000001'])
      make('routingrules', { action, direction: 'in' });
    removeRecord(ground, 'users', 10_000_002);
    expect([...ground.store.routingrules.list(1)].map(({ action, final_dst }) => [action, final_dst])).toEqual([
      ['block', false],
      ['block', false],
      ['block', false],
      ['redirect:U:10000001', true],
    ]);
  });
});

describe('rooms', () => {
  it('get the next free numbers, and no two have the same', () => {
    removeRecord(ground, 'conferences', 10_000_001);
    expect(make('conferences', { name: 'One' })).toMatchObject({ value: { confno: 900, confno_pstn: 100_900 } });
    expect(make('conferences', { name: 'Two' })).toMatchObject({ value: { confno: 902, confno_pstn: 100_902 } });
    expect(make('conferences', { name: 'Three', confno_pstn: 100_902 })).toMatchObject(
      refusal('confno_pstn: another room has 100902'),
    );
    expect(change('conferences', 10_000_002, { confno: 700 })).toMatchObject(
      refusal('confno: the extension 700 is taken'),
    );
  });
});
