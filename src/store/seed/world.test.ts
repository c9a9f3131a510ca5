// The seed world: the same for one seed, whole in itself, and made of numbers and hosts that are nobody's.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { resources } from '../../contract/resources.ts';
import { IdBlocks } from '../../kernel/ids.ts';
import { Random } from '../../kernel/random.ts';
import type { Collection } from '../collection.ts';
import { collectionOf, createStore, type Store, storedResources } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';
import { MAX_SEEDED_CUSTOMERS, outsideNumber, ownNumber } from './numbers.ts';
import { HOUSE_ROLES, type SeededWorld, seedCustomer, seedWorld } from './world.ts';

const NOW = Date.UTC(2026, 0, 1);
/** London's drama range without the magic numbers, and 555-01xx. */
const FICTION = /^\+(44207946(?!00)0\d{3}|1\d{3}55501\d{2})$/;

function seeded(seed = 1): { store: Store; world: SeededWorld; liveIds: IdBlocks } {
  const store = createStore();
  const liveIds = new IdBlocks();
  const world = seedWorld(store, { random: new Random(seed), nowMs: NOW, domain: 'pbx.example', liveIds });
  return { store, world, liveIds };
}

function contents(store: Store): string {
  const collections = Object.values(store) as Array<Collection<{ id: number }>>;
  return JSON.stringify(collections.map((collection) => [collection.name, [...collection.entries()]]));
}

test('one seed gives one world, to the byte; another seed gives another', () => {
  const first = seeded(7);
  const again = seeded(7);
  expect(contents(again.store)).toBe(contents(first.store));
  expect(again.world).toEqual(first.world);
  expect(contents(seeded(8).store)).not.toBe(contents(first.store));
});

test('the first account has a user of each role, agents or above first, the second one user of its own', () => {
  const { world } = seeded();
  expect(world.customers.map(({ users }) => users.map(({ role }) => role))).toEqual([
    ['root', 'admin', 'agent', 'agent', 'agent', 'restricted', 'two_factor'],
    ['other_customer'],
  ]);
  expect(world.customers[0]?.users.map(({ ext }) => ext)).toEqual(['101', '102', '103', '104', '105', '106', '107']);
  expect(world.customers[0]?.users.map(({ user_id }) => user_id)).toEqual([
    10000001, 10000002, 10000003, 10000004, 10000005, 10000006, 10000007,
  ]);
  expect(world.customers[1]?.users[0]?.user_id).toBe(20000001);
});

test('every user can be called and can log in; only the two-factor user has no API key', () => {
  const { store, world } = seeded();
  for (const user of world.customers.flatMap(({ users }) => users)) {
    expect(store.users.get(user.user_id)).toMatchObject({
      email: user.email,
      ext: user.ext,
      customer: user.customer_id,
      active: true,
      cw: true,
      dnd: false,
      ring_time: '20',
      two_factor_auth: user.role === 'two_factor' ? 'E' : 'D',
    });
    expect(store.accounts.get(user.user_id)).toMatchObject({
      email: user.email,
      password: user.password,
      apiKey: user.api_key,
      sipUsername: user.sip_username,
      sipPassword: user.sip_password,
      role: user.role,
    });
    expect(user.api_key === null).toBe(user.role === 'two_factor');
    expect(user.email).toMatch(/^[a-z0-9]+\.[a-z0-9]+@[a-z0-9]+\.example$/);
  }
});

test('most users have voicemail behind their phones, but nothing follows a call to one of the first three', () => {
  const { store, world } = seeded();
  const ways = world.customers[0]?.users.map(({ user_id }) => {
    const { final_dst_type, final_dst_id, monitor, fm, fm_targets } = store.users.get(user_id) ?? {};
    const isOwn = final_dst_id === user_id;
    return [final_dst_type, isOwn ? 'own' : final_dst_id, monitor, fm, fm_targets];
  });
  expect(ways).toEqual([
    ...[1, 2, 3].map(() => ['H', 0, 'N', false, []]),
    ['V', 'own', 'N', false, []],
    ['V', 'own', 'A', false, []],
    ['R', 10000001, 'N', false, []],
    ['V', 'own', 'N', true, ['+442079460967']],
  ]);
  expect(store.users.get(20000001)).toMatchObject({ final_dst_type: 'H' });
});

test('numbers[i] rings users[i], and no number belongs to anybody in the real world', () => {
  const { store, world } = seeded();
  for (const { numbers, users, customerId } of world.customers) {
    expect(numbers).toHaveLength(users.length);
    numbers.forEach((number, index) => {
      expect(number).toMatch(FICTION);
      const [ddi] = store.ddis.find('e164', number);
      expect(ddi).toMatchObject({ target_type: 1, target_id: users[index]?.user_id, uri: `sip:${number}@pbx.example` });
      expect(store.ddis.customerOf(ddi?.id ?? '')).toBe(customerId);
    });
  }
  expect(world.customers[0]?.numbers.slice(0, 3)).toEqual(['+442079460101', '+442079460102', '+442079460103']);
});

test('accounts never share a number, and the outside world has its own', () => {
  const seen = new Set(Array.from({ length: 100 }, (_, index) => outsideNumber(index)));
  for (let customerId = 1; customerId <= MAX_SEEDED_CUSTOMERS; customerId += 1) {
    for (let index = 0; index < 12; index += 1) {
      const number = ownNumber(customerId, index);
      expect(FICTION.test(number) && !seen.has(number)).toBe(true);
      seen.add(number);
    }
  }
  expect(ownNumber(9, 0)).toBe('+12015550100');
  expect(ownNumber(21, 7)).toBe('+12025550155');
  expect(() => ownNumber(MAX_SEEDED_CUSTOMERS + 1, 0)).toThrow('fiction has 12 each');
});

test('every account has records of every kind, and each is what the contract publishes and keeps', () => {
  const { store, world } = seeded();
  const ajv = new Ajv2020({ strict: false });
  for (const resource of storedResources) {
    const { schema, kept } = resources[resource];
    const validate = ajv.compile({ allOf: kept === undefined ? [schema] : [schema, { ...kept, required: [] }] });
    const names = new Set([...Object.keys(schema.properties), ...Object.keys(kept?.properties ?? {})]);
    for (const { customerId } of world.customers) {
      const records = [...collectionOf(store, resource).list(customerId)];
      expect([resource, customerId, records.length > 0]).toEqual([resource, customerId, true]);
      for (const record of records) {
        expect(validate(record) ? [] : [resource, validate.errors]).toEqual([]);
        expect(Object.keys(record).filter((name) => !names.has(name))).toEqual([]);
      }
    }
  }
});

test('every id that a record names is of the same account', () => {
  const { store, world } = seeded();
  const named: ReadonlyArray<readonly [StoredResourceId, string, StoredResourceId]> = [
    ['users', 'pickup_group_id', 'pickupgroups'],
    ['users', 'vm_announcement_id', 'vmannouncements'],
    ['queues', 'moh', 'mohs'],
    ['ringgroups', 'moh_id', 'mohs'],
    ['contacts', 'user_id', 'users'],
    ['sms', 'user_id', 'users'],
    ['vmannouncements', 'extension', 'users'],
    ['chats', 'operator_id', 'users'],
    ['chatmsgs', 'chat_id', 'chats'],
    ['chatmsgs', 'user_id', 'users'],
    ['cdrnotes', 'cdr_id', 'cdrs'],
    ['cdrnotes', 'user_id', 'users'],
    ['voicemessages', 'extension_id', 'users'],
    ['callmebacksettings', 'call_me_back_button', 'callmebackbuttons'],
    ['trackedcalls', 'cdr_id', 'cdrs'],
  ];
  for (const { customerId } of world.customers) {
    for (const [resource, member, kind] of named)
      for (const record of collectionOf(store, resource).list(customerId)) {
        const id = Number(record[member]);
        if (id > 0)
          expect([resource, member, collectionOf(store, kind).customerOf(id)]).toEqual([resource, member, customerId]);
      }
    const targets = { 1: store.users, 3: store.ringgroups, 4: store.ivrs, 5: store.queues, 6: store.conferences };
    for (const { target_type, target_id } of store.ddis.list(customerId))
      expect(targets[target_type as keyof typeof targets].customerOf(target_id)).toBe(customerId);
    for (const { users } of store.queues.list(customerId))
      for (const { id } of users) expect(store.users.customerOf(id)).toBe(customerId);
  }
});

test('a voice message belongs to the visit that left it, and the box counts it', () => {
  const { store, world } = seeded();
  for (const { customerId, users } of world.customers) {
    for (const message of store.voicemessages.list(customerId)) {
      const [visit] = store.cdrs.find('live_id', message.live_id);
      const [missed] = store.cdrs.find('live_id', message.parent_live_id);
      expect(visit).toMatchObject({
        disposition: 'VM',
        context: 'VOICEMAIL',
        billsec: message.duration + 6,
        parent_live_id: missed?.live_id,
      });
      expect(missed).toMatchObject({ type: 'M', billsec: 0, src: message.caller, user_id: message.extension_id });
    }
    const messages = [...store.voicemessages.list(customerId)];
    for (const { user_id } of users) {
      const own = messages.filter(({ extension_id }) => extension_id === user_id);
      const counts = {
        vm_new: own.filter((one) => one.is_new).length,
        vm_old: own.filter((one) => !one.is_new).length,
      };
      expect(store.users.get(user_id)).toMatchObject(counts);
    }
  }
});

test('history lies in the past, in order, and every id in it leads to something of the same account', () => {
  const { store, world, liveIds } = seeded();
  for (const { customerId } of world.customers) {
    const cdrs = [...store.cdrs.list(customerId)];
    expect(cdrs).toHaveLength(customerId === 1 ? 400 : 40);
    const dates = cdrs.map(({ calldate }) => calldate);
    expect(dates).toEqual(dates.toSorted());
    expect(dates.at(-1) ?? '').toMatch(/^2025-12-/);
    expect(dates[0] ?? '').toMatch(/^2024-12-31|^2025-01-/);
    for (const cdr of cdrs) {
      for (const id of [cdr.src_id, cdr.dst_id].filter((text) => text !== '')) {
        expect(store.users.customerOf(Number(id))).toBe(customerId);
      }
      expect([cdr.src_id, cdr.dst_id]).toContain(String(cdr.user_id));
      expect(cdr.duration).toBeGreaterThanOrEqual(cdr.billsec);
      expect(cdr.type === 'M').toBe(cdr.destination === 'in' && cdr.billsec === 0);
    }
    expect(new Set(cdrs.map(({ type }) => type))).toEqual(new Set(['I', 'O', 'M']));
    expect(liveIds.next(customerId)).toBe(Math.max(...cdrs.map(({ live_id }) => live_id)) + 1);
  }
});

test('past calls were made in office hours, more of them when it is busy', () => {
  const { store } = seeded();
  const hours = new Map<number, number>();
  for (const { calldate } of store.cdrs.list(1)) {
    const when = new Date(`${calldate.replace(' ', 'T')}Z`);
    expect([0, 6]).not.toContain(when.getUTCDay());
    hours.set(when.getUTCHours(), (hours.get(when.getUTCHours()) ?? 0) + 1);
  }
  expect([...hours.keys()].toSorted((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  expect(hours.get(11) ?? 0).toBeGreaterThan(2 * (hours.get(8) ?? 0));
});

test('recordings, media sessions and MSDRs agree with the CDR of their call', () => {
  const { store } = seeded();
  for (const customerId of [1, 2]) {
    const answered = [...store.cdrs.list(customerId)].filter(({ billsec }) => billsec > 0);
    const monitors = [...store.monitors.list(customerId)];
    const spoken = answered.filter(({ context }) => context !== 'VOICEMAIL');
    expect(monitors.length).toBeGreaterThan(spoken.length / 4);
    expect(monitors.length).toBeLessThan(spoken.length / 2);
    for (const monitor of monitors) {
      const [cdr] = store.cdrs.find('live_id', monitor.live_id);
      expect(monitor).toMatchObject({
        duration: cdr?.billsec,
        user_id: cdr?.user_id,
        caller: cdr?.src,
        called: cdr?.dst,
      });
    }
    const msdrs = [...store.msdrs.list(customerId)];
    // A caller from outside who speaks to a voicemail box is nobody's phone.
    expect(msdrs).toHaveLength(spoken.length);
    for (const msdr of msdrs) {
      const liveId = /^past-(\d+)@pbx\.example$/.exec(msdr.call_id)?.[1];
      const [cdr] = store.cdrs.find('live_id', Number(liveId));
      expect(msdr).toMatchObject({ duration: cdr?.billsec, user_id: cdr?.user_id, t_cause: 'Normal clearing' });
      expect(store.mediasessions.get(msdr.media_session_id)).toMatchObject({ call_id: msdr.call_id, status: 'ended' });
    }
    const byWeb = [...store.cdrs.list(customerId)].filter(({ destination }) => destination === 'webcall');
    expect(store.webcalls.count(customerId)).toBe(byWeb.length);
  }
});

test('a fresh account does not move anybody: it is the same whatever was seeded before', () => {
  const { store, world } = seeded();
  const before = JSON.stringify(world);
  const options = { random: new Random(1), nowMs: NOW, domain: 'pbx.example' };
  const fresh = seedCustomer(store, 3, HOUSE_ROLES, options);
  expect(fresh.users[0]?.user_id).toBe(30000001);
  expect(fresh.numbers[0]).toBe('+442079460301');
  expect(seedCustomer(createStore(), 3, HOUSE_ROLES, options)).toEqual(fresh);
  expect(JSON.stringify(world)).toBe(before);
});
