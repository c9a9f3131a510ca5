// Snapshots from end to end: everything is as it was then, what happens next happens alike each time, calls are no part of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Simulator } from '../simulator.ts';

const START = '2026-01-01T00:00:00.000Z';

let simulator: Simulator;
let api: ReturnType<typeof request>;

beforeEach(() => {
  simulator = new Simulator({ seed: 11, clock: 'manual', allowHttpWebhooks: true });
  api = request(simulator.handler);
});

afterEach(() => simulator.close());

function root() {
  const user = simulator.world.customers[0]?.users[0];
  if (user === undefined) throw new Error('there is no first user');
  return user;
}

async function get(path: string) {
  const { user_id, api_key } = root();
  const { body } = await api
    .get(`/v1.1/pbx${path}`)
    .auth(String(user_id), api_key ?? '')
    .expect(200);
  return body;
}

async function sim(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) {
  const sent = api[method](`/_sim${path}`);
  const response = await (body === undefined ? sent : sent.send(body));
  expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
  return response.body;
}

const advance = (by: string) => sim('post', '/clock', { advance: by });

/** The journal from there on, but for what a second time must change: numbers of entries. */
function storySince(seq: number): string {
  return simulator.journal
    .query({ after: seq })
    .map(({ seq: _, cause, ...entry }) => JSON.stringify({ ...entry, caused: cause !== null }))
    .join('\n');
}

async function aCall(): Promise<void> {
  await sim('post', '/phones/101/acts', { act: 'call', to: '102' });
  await advance('5s');
  await sim('post', '/phones/102/acts', { act: 'hangup' });
  await advance('1m');
}

describe('a restore', () => {
  it('brings back records, ids, phones, scripts, faults and the time, and keeps what was before', async () => {
    await aCall();
    await sim('patch', '/phones/102', { behaviour: 'busy' });
    await sim('put', '/trunk/+442079460123', { behaviour: 'decline' });
    await sim('post', '/phones/103/acts', { act: 'unregister' });
    await sim('post', '/faults', { match: { at: 'webhook' }, action: { do: 'drop' }, times: 3 });
    const before = {
      cdrs: await get('/cdrs?limit=5000'),
      users: await get('/users'),
      phones: await sim('get', '/phones'),
      trunk: await sim('get', '/trunk'),
      faults: await sim('get', '/faults'),
    };
    const { id, at } = await sim('post', '/snapshots');
    expect(at).toBe('2026-01-01T00:01:05.000Z');

    await sim('patch', '/phones/102', { behaviour: 'answer' });
    await aCall();
    await sim('delete', '/trunk/+442079460123');
    await sim('delete', '/faults');
    await sim('post', '/records/users', { ext: '177', first_name: 'New', email: 'new@example.com' });
    await sim('delete', '/phones/101');
    expect((await get('/cdrs')).total).toBe(before.cdrs.total + 1);

    expect(await sim('post', `/snapshots/${id}/restore`)).toEqual({ id, at });
    expect((await sim('get', '/clock')).now).toBe(at);
    expect(await get('/cdrs?limit=5000')).toEqual(before.cdrs);
    expect(await get('/users')).toEqual(before.users);
    expect(await sim('get', '/phones')).toEqual(before.phones);
    expect(await sim('get', '/trunk')).toEqual(before.trunk);
    expect(await sim('get', '/faults')).toEqual(before.faults);
    const newest = simulator.world.exchange.clickToCall({ customerId: 1, userId: root().user_id, to: '104' });
    expect(newest.ok && newest.value.id).toBe(before.cdrs.data.at(-1).live_id + 1);
  });

  it('lets the same things happen alike, however often', async () => {
    await aCall();
    const { id } = await sim('post', '/snapshots');
    const stories: string[] = [];
    for (const _ of [1, 2, 3]) {
      await sim('post', `/snapshots/${id}/restore`);
      const from = simulator.journal.last;
      await aCall();
      await sim('post', '/calls', { from: '+442079469999', to: simulator.world.customers[0]?.numbers[1] ?? '' });
      await advance('10s');
      stories.push(storySince(from));
    }
    expect(stories[0]).toContain('call.hangup');
    expect(new Set(stories).size).toBe(1);
  });

  it('gives tokens their life of then, and those made later none; chance never gives a token twice', async () => {
    const { email, password, user_id } = root();
    const login = async () => (await api.post('/v1.1/pbx/login').send({ email, password }).expect(200)).body.user_token;
    const may = async (token: string) => (await api.get('/v1.1/pbx/me').auth(String(user_id), token)).status;
    const kept = await login();
    await advance('10m');
    const { id } = await sim('post', '/snapshots');
    const later = await login();
    await advance('10m');
    expect([await may(kept), await may(later)]).toEqual([401, 200]);
    await sim('post', `/snapshots/${id}/restore`);
    expect([await may(kept), await may(later)]).toEqual([200, 401]);
    const again = await login();
    expect(again).toBe(later);
    expect(again).not.toBe(kept);
  });

  it('ends live calls first, and of calls that were live at the snapshot nothing is there', async () => {
    await sim('post', '/phones/101/acts', { act: 'call', to: '102' });
    await advance('5s');
    const sessions = [...simulator.world.store.mediasessions.entries()].length;
    const cdrs = (await get('/cdrs')).total;
    const { id } = await sim('post', '/snapshots');
    expect((await get('/calls')).total).toBe(1);
    const from = simulator.journal.last;
    await sim('post', `/snapshots/${id}/restore`);
    const kinds = simulator.journal.query({ after: from }).map(({ kind }) => kind);
    expect(kinds.indexOf('call.closed')).toBeGreaterThan(0);
    expect(kinds.indexOf('call.closed')).toBeLessThan(kinds.indexOf('control.restore'));
    expect((await get('/calls')).total).toBe(0);
    expect((await get('/cdrs')).total).toBe(cdrs);
    expect([...simulator.world.store.mediasessions.entries()].length).toBe(sessions - 2);
    expect(simulator.clock.pending().filter(({ name }) => !/regist|report schedule/.test(name))).toEqual([]);
  });

  it('keeps the traces of calls that had ended', async () => {
    await aCall();
    const callId = (await get('/cdrs?sort=-id')).data[0].live_id;
    const trace = simulator.world.traces.read(callId);
    const { id } = await sim('post', '/snapshots');
    await aCall();
    await sim('post', `/snapshots/${id}/restore`);
    expect(trace.ok).toBe(true);
    expect(simulator.world.traces.read(callId)).toEqual(trace);
    expect(simulator.world.traces.read(callId + 1)).toMatchObject({ ok: false });
  });
});

describe('webhooks', () => {
  it('go on where they were: what was to be tried again is, at its time, and the log is that of then', async () => {
    let status = 200;
    const receiver = createServer((_request, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = receiver.address() as AddressInfo;
      await sim('post', '/webhooks', { url: `http://127.0.0.1:${port}/hook`, events: ['call_state_change'] });
      status = 503;
      await sim('post', '/phones/101/acts', { act: 'call', to: '102' });
      await advance('1s');
      const log = () => sim('get', '/webhooks/10000001/deliveries');
      const before = await log();
      expect(before.data[0]).toMatchObject({ event: 'call.initial', state: 'pending', attempts: [{ status: 503 }] });
      const { id } = await sim('post', '/snapshots');
      status = 200;
      await advance('2m');
      expect((await log()).data[0].state).toBe('delivered');
      await sim('post', `/snapshots/${id}/restore`);
      expect(await log()).toEqual(before);
      await advance('2m');
      const [first] = (await log()).data;
      expect([first.state, first.attempts.length]).toEqual(['delivered', 2]);
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});

describe('a reset', () => {
  it('leaves the snapshots', async () => {
    const { id } = await sim('post', '/snapshots');
    await aCall();
    await sim('post', '/reset');
    expect((await sim('get', '/clock')).now).not.toBe(START);
    await sim('post', `/snapshots/${id}/restore`);
    expect((await sim('get', '/clock')).now).toBe(START);
  });
});
