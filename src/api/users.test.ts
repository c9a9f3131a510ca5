// Users as an administrator works with them: what belongs to each, moved in bulk, removed with all that is theirs.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Stored } from '../store/stored.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];
const ROOT = 10_000_001;
const ADMIN = 10_000_002;
const AGENT = 10_000_003;
const RESTRICTED = 10_000_006;

function ask(method: string, path: string, who: Who = 'admin', body?: unknown) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const call = request(stage.api)[verb](`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who]));
  return body === undefined ? call : call.send(body as object);
}

async function newId(path: string, body: object): Promise<number> {
  const answer = await ask('POST', path, 'admin', body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.data.id;
}

describe('what belongs to a user', () => {
  test('is read below the user, with the user, in pages', async () => {
    const mine = await newId('/contacts', { first_name: 'Ada', user_id: AGENT });
    const { body } = await ask('GET', `/users/${AGENT}/contacts?sort=-id&limit=2`);
    expect(body.data.id).toBe(AGENT);
    expect(body.data.email).toBe(stage.people.agent.email);
    expect(body.data.groups).toBeUndefined();
    expect(body.data.items).toHaveLength(2);
    expect(body.data.items[0]).toMatchObject({ id: mine, first_name: 'Ada', user_id: AGENT });
    expect(body.data.total).toBe([...stage.store.contacts.list(1)].filter(({ user_id }) => user_id === AGENT).length);
    expect(body.links).toEqual({
      self: `/v1.1/pbx/users/${AGENT}/contacts`,
      user: `/v1.1/pbx/users/${AGENT}`,
    });
  });

  test('call records are those of calls that the user made or took', async () => {
    const { body } = await ask('GET', `/users/${AGENT}/cdrs?limit=5000`);
    const wanted = [...stage.store.cdrs.list(1)].filter(
      ({ user_id, src_id, dst_id }) => user_id === AGENT || src_id === `${AGENT}` || dst_id === `${AGENT}`,
    );
    expect(wanted.length).toBeGreaterThan(3);
    expect(body.data.items.map(({ id }: { id: number }) => id)).toEqual(wanted.map(({ id }) => id));
    const filter = JSON.stringify([{ property: 'type', operator: 'eq', value: 'O' }]);
    const out = await ask('GET', `/users/${AGENT}/cdrs?filter=${encodeURIComponent(filter)}`);
    expect(out.body.data.total).toBe(wanted.filter(({ type }) => type === 'O').length);
  });

  test('chat messages and audio are the user’s own', async () => {
    const messages = await ask('GET', `/users/${ROOT}/chatmsgs`);
    expect(messages.body.data.total).toBeGreaterThan(0);
    for (const one of messages.body.data.items) expect(one.user_id).toBe(ROOT);
    const audio = await ask('GET', `/users/${ROOT}/audio`);
    expect(audio.body.data.items).toMatchObject([{ extension: ROOT, description: 'Greeting' }]);
    expect(audio.body.data.items[0].data).toBeUndefined();
  });

  test('a reset of the audio gives the standard one back', async () => {
    expect(stage.store.users.get(ROOT)?.vm_announcement_id).not.toBe(0);
    expect((await ask('DELETE', `/users/${ROOT}/audio`)).status).toBe(204);
    expect((await ask('GET', `/users/${ROOT}/audio`)).body.data).toMatchObject({ items: [], total: 0 });
    expect((await ask('GET', `/users/${ROOT}`)).body.data.vm_announcement_id).toBe(0);
  });

  test.each(['smsthreads', 'sms/threads'])('an SMS thread goes both ways, the oldest first: %s', async (path) => {
    const [one, other] = ['+442079460101', '+442079460999'];
    const at = (minute: number) => `2026-01-01 10:0${minute}:00`;
    const facts = { result: '', type: 'out', user_id: ROOT };
    const put = (from: string, to: string, message: string, minute: number, user_id = ROOT) => {
      const id = stage.store.sms.nextId(1);
      stage.store.sms.insert(1, { ...facts, id, from, to, message, created_at: at(minute), user_id });
    };
    put(one, other, 'Hello', 1);
    put(other, one, 'Hello yourself', 2);
    put(one, '+442079460998', 'Somebody else', 3);
    put(one, other, 'Of a colleague', 4, ADMIN);
    for (const numbers of [`${other.slice(1)}/${one.slice(1)}`, encodeURI(`${one}/${other}`)]) {
      const { body } = await ask('GET', `/users/${ROOT}/${path}/${numbers}`);
      expect(body.data.items.map(({ message }: { message: string }) => message)).toEqual(['Hello', 'Hello yourself']);
      expect(body.data).toMatchObject({ id: ROOT, total: 2 });
    }
  });

  test('a restricted user reads its own and nobody else’s', async () => {
    for (const part of ['contacts', 'cdrs', 'chatmsgs', 'calls', 'audio', 'smsthreads/1/2', 'cdrs.csv']) {
      expect([part, (await ask('GET', `/users/${RESTRICTED}/${part}`, 'restricted')).status]).toEqual([part, 200]);
      expect([part, (await ask('GET', `/users/${ROOT}/${part}`, 'restricted')).status]).toEqual([part, 403]);
    }
  });

  test('of another account is as if it had never been', async () => {
    for (const part of [
      'contacts',
      'cdrs',
      'chatmsgs',
      'calls',
      'audio',
      'smsthreads/1/2',
      'sms/threads/1/2',
      'cdrs.csv',
    ]) {
      const foreign = await ask('GET', `/users/20000001/${part}`);
      expect([part, foreign.status]).toEqual([part, 404]);
      expect(foreign.body).toEqual((await ask('GET', `/users/999/${part}`)).body);
    }
  });
});

describe('PATCH /users', () => {
  test('moves several users at once: location and groups', async () => {
    const [sales, support] = [
      await newId('/usergroups', { name: 'Sales' }),
      await newId('/usergroups', { name: 'Help' }),
    ];
    const answer = await ask('PATCH', '/users', 'admin', [
      { id: AGENT, location_id: 7, groups: [sales, { id: support }] },
      { id: ADMIN, location_id: '12', groups: [] },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBe(2);
    expect(answer.body.data).toMatchObject([
      { id: AGENT, location_id: '7' },
      { id: ADMIN, location_id: '12' },
    ]);
    expect(stage.store.users.get(AGENT)?.groups).toEqual([sales, support]);
    expect((await ask('DELETE', `/usergroups/${sales}`)).status).toBe(204);
    expect(stage.store.users.get(AGENT)?.groups).toEqual([support]);
  });

  test.each([
    [[{ id: 999, location_id: 1 }], 404, '[1].id: There is no such user, got 999'],
    [[{ id: 20_000_001, location_id: 1 }], 404, '[1].id: There is no such user, got 20000001'],
    [[{ id: AGENT, groups: [4711] }], 400, '[1].groups[0]: there is no user group 4711 in this account'],
    [[{ id: AGENT, groups: ['Sales'] }], 400, '[1].groups[0]: expected'],
    [[{ id: AGENT, location_id: 'Hull' }], 400, '[1].location_id: expected'],
    [
      [
        { id: AGENT, location_id: 2 },
        { id: AGENT, location_id: 3 },
      ],
      400,
      '[2].id: 10000003 comes twice',
    ],
    [[{ location_id: 3 }], 400, '[1].id: is missing'],
  ])('all or nothing: %j answers %i', async (more, status, reason) => {
    const before = [...stage.store.users.list(1)];
    const answer = await ask('PATCH', '/users', 'admin', [{ id: ADMIN, location_id: 99 }, ...more]);
    expect(answer.status).toBe(status);
    expect(answer.body.errors.join()).toContain(reason);
    expect([...stage.store.users.list(1)]).toEqual(before);
  });

  test('writes nothing beyond what it publishes', async () => {
    await ask('PATCH', '/users', 'agent', [{ id: AGENT, location_id: 1, is_root: true, roles: ['ROLE_ADMIN'] }]);
    expect(stage.store.users.get(AGENT)).toMatchObject({ location_id: '1', is_root: false, roles: ['ROLE_AGENT'] });
  });

  test('a restricted user may not', async () => {
    expect((await ask('PATCH', '/users', 'restricted', [{ id: RESTRICTED, location_id: 1 }])).status).toBe(403);
  });
});

describe('DELETE /users/{id}', () => {
  test('takes along what is theirs and leaves what is the account’s', async () => {
    const { store, people } = stage;
    const agent = people.agent;
    const number = [...store.ddis.list(1)].find(({ target_id }) => target_id === AGENT);
    const group = await newId('/ringgroups', {
      name: 'Desk',
      users: [AGENT, ADMIN],
      final_dst_type: 'V',
      final_dst_id: AGENT,
    });
    const contact = await newId('/contacts', { first_name: 'Ada', user_id: AGENT });
    const cdrs = store.cdrs.count(1);
    const mailbox = store.ddis.insert(1, {
      ...number,
      id: '10009999',
      e164: '+442079460199',
      target_type: 2,
    } as Stored['ddis']);
    expect((await ask('DELETE', `/users/${AGENT}`)).status).toBe(204);
    expect((await ask('GET', `/users/${AGENT}`)).status).toBe(404);
    expect((await ask('GET', '/users')).body.total).toBe(6);
    expect((await ask('GET', '/me', 'agent')).status).toBe(401);
    const login = { email: agent.email, password: agent.password };
    expect((await request(stage.api).post('/v1.1/pbx/login').send(login)).status).toBe(400);
    expect((await ask('GET', `/ddis/${number?.e164.slice(1)}`)).body.data[0]).toMatchObject({
      target_type: 0,
      target_id: 0,
    });
    expect(store.ddis.get(mailbox.id)).toMatchObject({ target_type: 0, target_id: 0 });
    expect((await ask('GET', '/ringgroups?include=users')).body.data.at(-1).users).toEqual([ADMIN]);
    expect((await ask('GET', `/ringgroups/${group}`)).body.data).toMatchObject({ final_dst_type: 7, final_dst_id: 0 });
    expect((await ask('GET', `/contacts/${contact}`)).status).toBe(404);
    expect([...store.voicemessages.list(1)].filter(({ extension_id }) => extension_id === AGENT)).toEqual([]);
    expect(store.cdrs.count(1)).toBe(cdrs);
    expect(store.accounts.get(AGENT)).toBeUndefined();
  });

  test.each([
    ['root', ROOT, 403, 'Users do not remove themselves'],
    ['admin', ROOT, 403, 'the last root user'],
    ['agent', ADMIN, 403, 'may not use DELETE /users/{id}'],
    ['restricted', RESTRICTED, 403, 'may not use DELETE /users/{id}'],
    ['admin', 20_000_001, 404, 'There is no such user.'],
    ['admin', 999, 404, 'There is no such user.'],
  ] as const)('%s may not remove %i: %i', async (who, id, status, reason) => {
    const before = [...stage.store.users.entries()];
    const answer = await ask('DELETE', `/users/${id}`, who);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(reason)]);
    expect([...stage.store.users.entries()]).toEqual(before);
  });

  test('a second root user may go', async () => {
    stage.store.users.update(ADMIN, { is_root: true });
    expect((await ask('DELETE', `/users/${ROOT}`)).status).toBe(204);
  });
});

describe('DELETE /customers/{id}', () => {
  test('removes one’s own account and nothing of another', async () => {
    const { store } = stage;
    const others = Object.values(store).map((collection) => [collection.name, [...collection.list(2)]]);
    const highest = Math.max(...[...store.users.list(1)].map(({ id }) => id));
    expect((await ask('DELETE', '/customers/1', 'root')).status).toBe(204);
    expect((await ask('GET', '/ping', 'root')).status).toBe(401);
    expect((await ask('GET', '/ping', 'admin')).status).toBe(401);
    for (const collection of Object.values(store))
      expect([collection.name, collection.count(1)]).toEqual([collection.name, 0]);
    expect(Object.values(store).map((collection) => [collection.name, [...collection.list(2)]])).toEqual(others);
    expect((await ask('GET', '/users', 'foreigner')).body.total).toBe(1);
    expect(store.users.nextId(1)).toBeGreaterThan(highest);
  });

  test.each([
    ['root', '2', 404],
    ['root', '999', 404],
    ['root', 'x', 404],
    ['agent', '1', 403],
    ['restricted', '1', 403],
  ] as const)('%s may not remove %s: %i', async (who, id, status) => {
    const answer = await ask('DELETE', `/customers/${id}`, who);
    expect(answer.status).toBe(status);
    if (status === 404) expect(answer.body.message).toBe('There is no such customer.');
    expect(stage.store.users.count(1)).toBe(7);
  });
});

describe('groups', () => {
  test.each(['/usergroups', '/usergrouppolicies', '/queuegroups'])(
    '%s are made, changed, listed and removed',
    async (path) => {
      const hasColor = path !== '/queuegroups';
      const id = await newId(path, { name: 'Sales', ...(hasColor ? { color: 'red' } : {}) });
      const changed = await ask('PATCH', `${path}/${id}`, 'agent', { name: 'Sales UK', id: 5 });
      expect(changed.body.data).toEqual({ id, name: 'Sales UK', ...(hasColor ? { color: 'red' } : {}) });
      expect((await ask('GET', `${path}/${id}`)).body.data.name).toBe('Sales UK');
      expect((await ask('GET', path)).body.data.at(-1).id).toBe(id);
      for (const bad of [{}, { name: '' }, { name: 5 }]) {
        const refused = await ask('POST', path, 'admin', bad);
        expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringMatching(/^name: /)]);
      }
      expect((await ask('GET', `${path}/${id}`, 'restricted')).status).toBe(403);
      expect((await ask('PATCH', `${path}/${id}`, 'foreigner', { name: 'x' })).status).toBe(404);
      expect((await ask('DELETE', `${path}/${id}`, 'foreigner')).status).toBe(404);
      expect((await ask('DELETE', `${path}/${id}`)).status).toBe(204);
      expect((await ask('GET', `${path}/${id}`)).status).toBe(404);
      expect((await ask('DELETE', `${path}/${id}`)).status).toBe(404);
    },
  );
});
