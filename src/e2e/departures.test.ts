// Users and accounts that leave, from end to end: calls end, phones fall silent, credentials are refused, nothing is left behind.
import request from 'supertest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Simulator } from '../simulator.ts';

let simulator: Simulator;
let api: ReturnType<typeof request>;

beforeEach(() => {
  simulator = new Simulator({ seed: 11, clock: 'manual', checkInvariants: true });
  api = request(simulator.handler);
});

afterEach(async () => {
  expect(simulator.world.violations).toEqual([]);
  await simulator.close();
});

function user(index: number) {
  const found = simulator.world.customers[0]?.users[index];
  if (found === undefined) throw new Error(`there is no user ${index}`);
  return found;
}

async function ask(method: 'get' | 'post' | 'delete' | 'patch', path: string, by = 0, body?: object) {
  const { user_id, api_key } = user(by);
  const sent = api[method](`/v1.1/pbx${path}`).auth(String(user_id), api_key ?? '');
  return body === undefined ? sent : sent.send(body);
}

async function sim(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) {
  const sent = api[method](`/_sim${path}`);
  const response = await (body === undefined ? sent : sent.send(body));
  expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
  return response.body;
}

const advance = (by: string) => sim('post', '/clock', { advance: by });

/** 102 talks to 103; the result is the call's id. */
async function talking(from = '102', to = '103'): Promise<number> {
  const { call_id } = await sim('post', `/phones/${from}/acts`, { act: 'call', to });
  await advance('5s');
  expect((await ask('get', `/calls/${call_id}`)).body.data.state).toBe(4);
  return call_id;
}

it.each([
  ['the caller', 1],
  ['the called party', 2],
])('a user who leaves in a call ends it: %s', async (_, index) => {
  const { user_id, ext, email, password, sip_username } = user(index);
  const token = (await api.post('/v1.1/pbx/login').send({ email, password })).body.user_token;
  const callId = await talking();
  expect((await ask('delete', `/users/${user_id}`)).status).toBe(204);
  await advance('0s');
  expect((await ask('get', `/calls/${callId}`)).status).toBe(404);
  await advance('40s');
  const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: callId }]));
  const cdrs = await ask('get', `/cdrs?filter=${filter}`);
  expect(cdrs.body).toMatchObject({ total: 1, data: [{ disposition: 'CONNECTED', src: '102', dst: '103' }] });
  expect((await ask('get', '/me', index)).status).toBe(401);
  expect((await api.get('/v1.1/pbx/me').auth(String(user_id), token)).status).toBe(401);
  expect((await api.post('/v1.1/pbx/login').send({ email, password })).status).toBe(400);
  expect((await sim('get', '/phones')).data.map((phone: { ext: string }) => phone.ext)).not.toContain(ext);
  expect(simulator.world.exchange.bindings(user_id)).toEqual([]);
  expect(simulator.world.store.accounts.find('sipUsername', sip_username)).toEqual([]);
  const refused = await api.post('/_sim/phones/101/acts').send({ act: 'call', to: ext });
  expect([refused.status, refused.body.message]).toEqual([409, 'The INVITE made no call: 404 Not Found.']);
  expect(simulator.world.exchange.stats).toMatchObject({ calls: 0, mediaSessions: 0 });
});

it('a user who leaves while its phone rings is rung no more', async () => {
  await sim('patch', '/phones/103', { behaviour: 'ring' });
  const { call_id } = await sim('post', '/phones/102/acts', { act: 'call', to: '103' });
  await advance('1s');
  expect((await ask('get', `/calls/${call_id}`)).body.data.state).toBe(3);
  expect((await ask('delete', `/users/${user(2).user_id}`)).status).toBe(204);
  await advance('1m');
  expect((await ask('get', `/calls/${call_id}`)).status).toBe(404);
  expect(simulator.world.exchange.stats).toMatchObject({ calls: 0, mediaSessions: 0 });
});

it('a call that is live when the records are removed leaves its record', async () => {
  const callId = await talking();
  expect((await ask('delete', '/cdrs')).status).toBe(204);
  expect((await ask('get', '/cdrs')).body).toEqual({ data: [], total: 0 });
  await sim('post', '/phones/102/acts', { act: 'hangup' });
  await advance('1m');
  expect((await ask('get', '/cdrs')).body).toMatchObject({
    total: 1,
    data: [{ live_id: callId, disposition: 'CONNECTED' }],
  });
});

it('a user whom the administration removes goes the same way, and none comes back by a restore but that of before', async () => {
  const { user_id } = user(2);
  const before = await sim('post', '/snapshots');
  const callId = await talking();
  await sim('delete', `/records/users/${user_id}`);
  await advance('40s');
  expect((await ask('get', `/calls/${callId}`)).status).toBe(404);
  expect((await ask('get', '/me', 2)).status).toBe(401);
  const after = await sim('post', '/snapshots');
  await sim('post', `/snapshots/${after.id}/restore`);
  expect((await ask('get', '/users')).body.total).toBe(6);
  expect((await sim('get', '/phones')).total).toBe(6);
  await sim('post', `/snapshots/${before.id}/restore`);
  expect((await ask('get', '/me', 2)).status).toBe(200);
  await talking();
});

it('an account that leaves takes everything along, and its ids never come again', async () => {
  const { store, exchange, webhooks } = simulator.world;
  const [, other] = simulator.world.customers;
  const others = Object.values(store).map((collection) => [...collection.list(2)].length);
  await talking();
  await talking('104', '105');
  expect((await ask('delete', '/customers/1')).status).toBe(204);
  await advance('1m');
  for (const { role, user_id, api_key } of simulator.world.customers[0]?.users ?? [])
    expect([role, (await api.get('/v1.1/pbx/ping').auth(String(user_id), api_key ?? 'x')).status]).toEqual([role, 401]);
  for (const collection of Object.values(store))
    expect([collection.name, collection.count(1)]).toEqual([collection.name, 0]);
  expect(Object.values(store).map((collection) => [...collection.list(2)].length)).toEqual(others);
  expect(exchange.stats).toMatchObject({ calls: 0, mediaSessions: 0 });
  expect(simulator.world.phones.list(1)).toEqual([]);
  expect(webhooks.list(1)).toEqual([]);
  const [survivor] = other?.users ?? [];
  expect((await api.get('/v1.1/pbx/users').auth(String(survivor?.user_id), survivor?.api_key ?? '')).body.total).toBe(
    1,
  );
  expect((await sim('post', '/customers')).customer_id).toBe(3);
  expect(store.users.nextId(1)).toBeGreaterThan(user(6).user_id);
});

it('a report goes out when it is due, whatever the clock is, and again after a restore', async () => {
  const { email } = user(0);
  const mails = async () =>
    (await sim('get', '/outbox')).data.filter(
      (mail: { kind: string; schedule_id: number }) => mail.kind === 'report' && mail.schedule_id < 20_000_000,
    );
  const snapshot = await sim('post', '/snapshots');
  await advance('4d');
  expect(await mails()).toEqual([]);
  // The seed's weekly report: Mondays at 7 in London, and 5 January 2026 is one.
  await advance('8h');
  const [schedule] = (await ask('get', '/reportschedules')).body.data;
  const mail = {
    kind: 'report',
    to: email,
    subject: 'Calls of the week',
    report_id: 1,
    schedule_id: schedule.id,
    format: 'pdf',
  };
  expect(await mails()).toMatchObject([{ ...mail, at: '2026-01-05T07:00:00.000Z' }]);
  expect(schedule).toMatchObject({ last_run_at: '2026-01-05 07:00:00', next_run_at: '2026-01-12 07:00:00', status: 1 });
  await sim('post', `/snapshots/${snapshot.id}/restore`);
  expect(await mails()).toEqual([]);
  await advance('5d');
  expect(await mails()).toMatchObject([{ ...mail, at: '2026-01-05T07:00:00.000Z' }]);
  await sim('post', '/reset');
  await advance('1m');
  expect(simulator.clock.pending().filter(({ name }) => name.startsWith('report schedule'))).toHaveLength(2);
});
