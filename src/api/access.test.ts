// Who reaches what: other accounts' records do not exist, a restricted user has its own, and every answer has its published shape.
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OperationId, operationById, operations } from '../contract/operations.ts';
import { type ResourceId, resources } from '../contract/resources.ts';
import { mayUse, rankOf } from './access.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';
import { handledOperations } from './handlers.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];
const ajv = new Ajv2020({ strict: false });

function ask(method: string, path: string, who: Who = 'admin', body?: object) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const call = request(stage.api)[verb](`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who])).redirects(0);
  return body === undefined ? call : call.send(body);
}

/** The schema's own words about a record, and no member beside the published ones. */
function expectRecord(resource: ResourceId, record: object, besides: readonly string[] = []): void {
  const { schema } = resources[resource];
  const validate = ajv.compile(schema);
  expect(validate(record) ? [] : validate.errors).toEqual([]);
  expect(Object.keys(record).sort()).toEqual([...Object.keys(schema.properties), ...besides].sort());
}

/** Operations with a path that reaches a record, its body and the status that its row lists. */
const visits: Array<[OperationId, string, string, number, object?]> = [
  ['listAclRoles', 'GET', '/aclroles', 200],
  ['getAclRole', 'GET', '/aclroles/10000001', 200],
  ['listCalls', 'GET', '/calls', 200],
  ['getCall', 'GET', '/calls/10000001', 200],
  ['createCall', 'POST', '/calls', 201, { to: '101' }],
  ['getCallTrace', 'GET', '/calls/10000001/trace', 200],
  ['listCallMonitors', 'GET', '/calls/10000001/monitors', 200],
  ['listWebcalls', 'GET', '/webcalls', 200],
  ['createWebcall', 'POST', '/webcalls', 201, { from: '+442079460911', to: '101' }],
  ['createLeadCall', 'POST', '/leadcalls', 201, { to: '101', caller_id: '+442079460912' }],
  ['listMediaSessions', 'GET', '/mediasessions', 200],
  ['getMediaSession', 'GET', '/mediasessions/10000001', 200],
  ['listCallLabels', 'GET', '/calllabels', 200],
  ['createCallLabel', 'POST', '/calllabels', 201, { name: 'x' }],
  ['getCallLabel', 'GET', '/calllabels/10000001', 200],
  ['updateCallLabel', 'PATCH', '/calllabels/10000001', 200, { name: 'x' }],
  ['getMe', 'GET', '/me', 200],
  ['listUsers', 'GET', '/users', 200],
  ['getUser', 'GET', '/users/10000003', 200],
  ['listUserCalls', 'GET', '/users/10000001/calls', 200],
  ['listCdrs', 'GET', '/cdrs', 200],
  ['getCdr', 'GET', '/cdrs/10000001', 200],
  ['listMonitors', 'GET', '/monitors', 200],
  ['getMonitor', 'GET', '/monitors/10000001', 200],
];

describe('every operation', () => {
  test('has a handler', () => {
    expect(operations.map(({ id }) => id).filter((id) => !handledOperations.has(id))).toEqual([]);
    expect(handledOperations.size).toBe(163);
  });

  test.each(visits)('%s: %s %s answers %i in its published shape', async (id, method, path, status, body) => {
    stage.exchange.add(1, [10_000_001]);
    const answer = await ask(method, path, 'admin', body);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { response } = operationById(id);
    const { data, ...envelope } = answer.body;
    switch (response.kind) {
      case 'collection':
        expect(envelope).toEqual({ total: data.length });
        expect(data.length).toBeGreaterThan(0);
        for (const record of data) expectRecord(response.resource, record);
        return;
      case 'list-single':
        expect(envelope).toEqual({ total: 1 });
        return expectRecord(response.resource, data[0]);
      case 'sub-collection':
        expect(Object.keys(envelope)).toEqual(['links']);
        for (const item of data.items) expectRecord(response.items, item);
        return expectRecord(response.owner, data, ['items', 'total']);
      default:
        expect(Object.keys(envelope)).toEqual(['links']);
        if (response.kind === 'single') expectRecord(response.resource, data);
    }
  });
});

describe('GET /me', () => {
  test('is one record in the envelope of a list, with id and is_root as text', async () => {
    expect((await ask('GET', '/me', 'root')).body).toEqual({
      data: [
        {
          id: '10000001',
          balance: 250,
          cc: '44',
          cli: '+442079460101',
          currency_iso: 'GBP',
          is_root: '1',
          language: 'en',
        },
      ],
      total: 1,
    });
    expect((await ask('GET', '/me', 'agent')).body.data[0]).toMatchObject({ id: '10000003', is_root: '0' });
  });
});

describe("another account's records", () => {
  const never = { message: expect.any(String), errors: [expect.any(String)] };

  test.each(['aclroles', 'mediasessions', 'calllabels', 'users', 'cdrs', 'monitors', 'calls'])(
    'answer as if they had never existed: /%s',
    async (path) => {
      stage.exchange.add(2, [20_000_001]);
      stage.exchange.add(1, [10_000_001]);
      const foreign = await ask('GET', `/${path}/20000001`);
      const absent = await ask('GET', `/${path}/20999999`);
      expect((await ask('GET', `/${path}/20000001`, 'foreigner')).status).toBe(200);
      expect([foreign.status, foreign.body]).toEqual([404, never]);
      expect([absent.status, absent.body]).toEqual([404, foreign.body]);
      for (const id of ['0', '-1', '01', 'x', '1.5', '9'.repeat(30), '%20', '1%2F2', '__proto__', ''])
        expect((await ask('GET', `/${path}/${id}`)).body).toEqual(foreign.body);
    },
  );

  test.each([
    ['PATCH', '/calls/20000001', { state: 'HANGUP' }],
    ['DELETE', '/calls/20000001', undefined],
    ['GET', '/calls/20000001/monitors', undefined],
    ['GET', '/users/20000001/calls', undefined],
    ['PATCH', '/calllabels/20000001', { name: 'mine' }],
    ['DELETE', '/calllabels/20000001', undefined],
  ])('can be neither read nor changed: %s %s', async (method, path, body) => {
    stage.exchange.add(2, [20_000_001]);
    const labels = [...stage.store.calllabels.list(2)];
    const answer = await ask(method, path, 'root', body);
    expect([answer.status, answer.body]).toEqual([404, never]);
    expect(stage.exchange.commands).toEqual([]);
    expect([...stage.store.calllabels.list(2)]).toEqual(labels);
  });

  test.each([
    ['/users', 7, 1],
    ['/cdrs', 30, 40],
    ['/calllabels', 4, 4],
    ['/calls', 1, 2],
  ])('are in no list: %s', async (path, ours, theirs) => {
    stage.exchange.add(1, [10_000_001]);
    stage.exchange.add(2, [20_000_001]);
    stage.exchange.add(2, [20_000_001]);
    const [own, foreign] = [await ask('GET', path), await ask('GET', path, 'foreigner')];
    expect([own.body.total, foreign.body.total]).toEqual([ours, theirs]);
    const idsOf = (body: { data: Array<{ id: number }> }): number[] => body.data.map(({ id }) => id);
    expect(idsOf(own.body).every((id) => id > 10_000_000 && id < 20_000_000)).toBe(true);
    expect(idsOf(foreign.body).every((id) => id > 20_000_000 && id < 30_000_000)).toBe(true);
  });

  test('are found by no filter, not even by an index', async () => {
    const [foreign] = stage.store.cdrs.list(2);
    const filter = JSON.stringify([{ property: 'live_id', operator: '=', value: foreign?.live_id }]);
    expect((await ask('GET', `/cdrs?filter=${encodeURIComponent(filter)}`)).body).toEqual({ data: [], total: 0 });
    expect((await ask('GET', `/cdrs?filter=${encodeURIComponent(filter)}`, 'foreigner')).body.total).toBe(1);
  });
});

describe('a restricted user', () => {
  const mine = 10_000_006;

  test('sees itself among the users', async () => {
    const list = await ask('GET', '/users', 'restricted');
    expect([list.body.total, list.body.data[0].id]).toEqual([1, mine]);
    expect((await ask('GET', `/users/${mine}`, 'restricted')).status).toBe(200);
    expect((await ask('GET', `/users/${mine}/calls`, 'restricted')).status).toBe(200);
    expect((await ask('GET', '/me', 'restricted')).body.data[0].id).toBe(String(mine));
  });

  test('sees the calls it is party to, and may end them', async () => {
    const own = stage.exchange.add(1, [10_000_001, mine]);
    const other = stage.exchange.add(1, [10_000_001]);
    const list = await ask('GET', '/calls', 'restricted');
    expect([list.body.total, list.body.data[0].id]).toEqual([1, own.id]);
    expect((await ask('DELETE', `/calls/${other.id}`, 'restricted')).status).toBe(403);
    expect((await ask('PATCH', `/calls/${other.id}`, 'restricted', { dst: '101' })).status).toBe(403);
    expect((await ask('GET', `/calls/${other.id}/monitors`, 'restricted')).status).toBe(403);
    expect(stage.exchange.commands).toEqual([]);
    expect((await ask('DELETE', `/calls/${own.id}`, 'restricted')).status).toBe(204);
  });

  test.each(['cdrs', 'monitors'] as const)('sees its own %s: as user, as caller, as called', async (path) => {
    const collection = stage.store[path];
    const [sample] = collection.list(1);
    if (sample === undefined) throw new Error('the seed world has no history');
    collection.clear();
    const none = { user_id: 10_000_001, src_id: '10000001', dst_id: 'contact:5', context: 'PSTN_CALL' };
    const add = (members: object): number => {
      const id = collection.nextId(1);
      (collection.insert as (customerId: number, record: object) => object)(1, { ...sample, ...none, ...members, id });
      return id;
    };
    const own = [add({ user_id: mine }), add({ src_id: String(mine) }), add({ dst_id: String(mine) })];
    const others = [add({}), add({ dst_id: String(mine), context: 'QUEUE' })];
    const list = await ask('GET', `/${path}`, 'restricted');
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual(own);
    expect(list.body.total).toBe(3);
    for (const id of own) expect((await ask('GET', `/${path}/${id}`, 'restricted')).status).toBe(200);
    for (const id of others) {
      const answer = await ask('GET', `/${path}/${id}`, 'restricted');
      expect([answer.status, answer.body.errors.length]).toEqual([403, 1]);
    }
    const filter = encodeURIComponent(`[{"property":"live_id","operator":"eq","value":${sample.live_id}}]`);
    expect((await ask('GET', `/${path}?filter=${filter}`, 'restricted')).body.total).toBe(3);
    expect((await ask('GET', `/${path}?filter=${filter}`, 'agent')).body.total).toBe(5);
  });

  test('calls from its own phone alone', async () => {
    expect((await ask('POST', '/calls', 'restricted', { to: '101', from: '10000001' })).status).toBe(403);
    expect(stage.exchange.commands).toEqual([]);
    expect((await ask('POST', '/calls', 'restricted', { to: '101', from: String(mine) })).status).toBe(201);
  });

  test.each([
    ['GET', '/users/10000001', undefined],
    ['GET', '/aclroles', undefined],
    ['GET', '/calllabels', undefined],
    ['POST', '/calllabels', { name: 'x' }],
    ['GET', '/webcalls', undefined],
    ['POST', '/webcalls', { from: '+442079460911', to: '101' }],
    ['POST', '/leadcalls', { to: '101', caller_id: '+442079460912' }],
  ])('is refused %s %s with 403', async (method, path, body) => {
    const answer = await ask(method, path, 'restricted', body);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      message: expect.stringContaining('The role restricted user'),
      errors: [answer.body.message],
    });
    expect(stage.exchange.commands).toEqual([]);
  });
});

describe('recordings of a live call', () => {
  test("are those of one's own account, and of one's own calls for a restricted user", async () => {
    const { monitors } = stage.store;
    const [sample] = monitors.list(1);
    if (sample === undefined) throw new Error('the seed world has no recording');
    monitors.clear();
    const call = stage.exchange.add(1, [10_000_001, 10_000_006]);
    const add = (customerId: number, user_id: number): void => {
      const members = { live_id: call.id, user_id, src_id: '', dst_id: '' };
      monitors.insert(customerId, { ...sample, ...members, id: monitors.nextId(customerId) });
    };
    add(1, 10_000_001);
    add(1, 10_000_006);
    add(2, 10_000_006);
    const path = `/calls/${call.id}/monitors`;
    expect((await ask('GET', path, 'agent')).body.data.total).toBe(2);
    expect((await ask('GET', path, 'restricted')).body.data.total).toBe(1);
  });
});

describe('the access matrix', () => {
  test.each([
    [true, [], 'administrator'],
    [false, ['ROLE_AGENT', 'ROLE_ADMIN'], 'administrator'],
    [false, ['ROLE_RESTRICTED', 'ROLE_AGENT'], 'agent'],
    [false, ['ROLE_RESTRICTED'], 'restricted'],
    [false, ['ROLE_NEVER_HEARD_OF'], 'restricted'],
    [false, [], 'restricted'],
  ])('root %s with the roles %j ranks as %s', (is_root, roles, rank) => {
    expect(rankOf({ is_root, roles })).toBe(rank);
  });

  test.each([
    ['administrator', 'deleteUser', true],
    ['administrator', 'listCdrs', true],
    ['agent', 'deleteAllCdrs', false],
    ['agent', 'deleteCall', true],
    ['agent', 'listCdrs', true],
    ['restricted', 'listCdrs', true],
    ['restricted', 'listContacts', false],
  ] as const)('%s, %s: %s', (rank, id, may) => {
    expect(mayUse(rank, operationById(id))).toBe(may);
  });
});
