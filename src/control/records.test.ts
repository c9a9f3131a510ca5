// The administration application: users and numbers with every attribute, checked like the API's own.
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { UserSchema } from '../contract/resources/customer.ts';
import { DdiSchema } from '../contract/resources/settings.ts';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

const ajv = new Ajv2020({ strict: false });
let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

const users = '/_sim/records/users';
const ddis = '/_sim/records/ddis';
const ada = { ext: '101', email: 'ada@a.example', first_name: 'Ada' };

it('lists a kind of record for every resource that has records', async () => {
  const { body } = await api.get('/_sim/records').expect(200);
  expect(body.total).toBe(36);
  expect(body.data).toContainEqual({ id: 'users', name: 'user' });
  expect(body.data).toContainEqual({ id: 'mohs', name: 'music on hold' });
  const missing = await api.get('/_sim/records/calls').expect(404);
  expect(missing.body.message).toMatch(/^There are no records calls; there are webcalls, mediasessions, /);
});

describe('users', () => {
  it('are made with usual settings and credentials of their own', async () => {
    const { body } = await api.post(users).send(ada).expect(201);
    expect(body).toMatchObject({
      id: 10000001,
      customer: 1,
      customer_id_id: 1,
      ext: '101',
      active: true,
      cw: true,
      dnd: false,
      ring_time: '20',
      final_dst_type: 'H',
      created_at: '2026-01-01 00:00:00',
      role: 'agent',
      sip_username: '1-101',
      api_key: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
    expect(ajv.validate(UserSchema, body)).toBe(true);
    expect(stage.store.accounts.find('apiKey', body.api_key)).toMatchObject([{ id: 10000001, email: 'ada@a.example' }]);
    expect((await api.get(`${users}/10000001`).expect(200)).body).toEqual(body);
    expect((await api.get(users)).body).toEqual({ data: [body], total: 1 });
  });

  it('have settings that the API only reads', async () => {
    await api.post(users).send(ada);
    const settings = {
      dnd: true,
      fm: true,
      fm_targets: ['+15550100'],
      ring_time: '45',
      two_factor_auth: 'E',
      cw: false,
    };
    const { body } = await api.patch(`${users}/10000001`).send(settings).expect(200);
    expect(body).toMatchObject(settings);
    expect(stage.store.users.get(10000001)).toMatchObject(settings);
  });

  it('have an API key that can be given and revoked', async () => {
    await api.post(users).send({ ...ada, api_key: 'first-key' });
    await api.patch(`${users}/10000001`).send({ api_key: 'second-key' }).expect(200);
    expect(stage.store.accounts.find('apiKey', 'first-key')).toEqual([]);
    const { body } = await api.patch(`${users}/10000001`).send({ api_key: null }).expect(200);
    expect(body.api_key).toBeNull();
    expect(stage.store.accounts.find('apiKey', 'second-key')).toEqual([]);
  });

  it('may do what their new role may do', async () => {
    await api
      .post(users)
      .send({ ...ada, role: 'restricted' })
      .expect(201);
    expect(stage.store.users.get(10000001)).toMatchObject({ roles: ['ROLE_RESTRICTED'] });
    await api.patch(`${users}/10000001`).send({ role: 'admin' }).expect(200);
    expect(stage.store.users.get(10000001)).toMatchObject({ roles: ['ROLE_ADMIN'] });
    const role = { _name: 'ROLE_GUEST', name: 'Guest' };
    await api.post('/_sim/records/aclroles').send(role).expect(201);
    await api
      .patch(`${users}/10000001`)
      .send({ roles: ['ROLE_ADMIN', 'ROLE_GUEST'] })
      .expect(200);
    expect(stage.store.users.get(10000001)).toMatchObject({ roles: ['ROLE_ADMIN', 'ROLE_GUEST'] });
    const { body } = await api
      .patch(`${users}/10000001`)
      .send({ roles: ['ROLE_KING'] })
      .expect(400);
    expect(body.errors).toEqual(['roles[0]: there is no role "ROLE_KING" in this account, only ROLE_GUEST']);
  });

  it('hand unanswered calls on to nobody but users of the same customer', async () => {
    await api.post(users).send(ada).expect(201);
    await api.post(users).send({ ext: '102', email: 'bob@a.example' }).expect(201);
    const ofAda = `${users}/10000001`;
    await api.patch(ofAda).send({ final_dst_type: 'U', final_dst_id: 10000002 }).expect(200);
    const { body } = await api.patch(ofAda).send({ final_dst_id: 20000001 }).expect(400);
    expect(body.errors).toEqual(['final_dst_id: there is nothing with the id 20000001 that final_dst_type U leads to']);
    await api.patch(ofAda).send({ fm_final_dst_type: 'U' }).expect(400);
    await api.patch(ofAda).send({ final_dst_type: 'H', final_dst_id: 0 }).expect(200);
    expect(stage.store.users.get(10000001)).toMatchObject({ final_dst_type: 'H', fm_final_dst_type: 'H' });
  });

  it('are checked member by member', async () => {
    const { body } = await api
      .post(users)
      .send({ ext: 'one', dnd: 'yes', monitor: 'Z', vm_pin: '12', colour: 'red' })
      .expect(400);
    expect([...body.errors].sort()).toEqual([
      expect.stringMatching(/^colour: unknown, expected one of id, /),
      'dnd: expected true or false',
      'email: missing, expected text (email address; at most 254 characters)',
      'ext: expected text (2 to 10 digits)',
      'monitor: expected one of N, A, I, O, or one of 0, 1, 2, 3',
      expect.stringMatching(/^vm_pin: expected text \(.+\), or an integer \(1000 to 9999\)$/),
    ]);
    expect(stage.store.users.size).toBe(0);
  });

  it('share no extension within a customer, no email and no key with anybody', async () => {
    await api
      .post(users)
      .send({ ...ada, api_key: 'key-one' })
      .expect(201);
    const { body } = await api
      .post(users)
      .send({ ...ada, api_key: 'key-one' })
      .expect(400);
    expect(body.errors).toEqual([
      'ext: the extension 101 is taken',
      'email: another user has ada@a.example',
      'api_key: another user has it',
    ]);
    await api.post(`${users}?customer_id=2`).send({ ext: '101', email: 'bob@b.example' }).expect(201);
    await api.patch(`${users}/10000001`).send({ ext: '101', email: 'ada@a.example' }).expect(200);
    const nobody = await api.post(`${users}?customer_id=9`).send({ ext: '101', email: 'c@c.example' }).expect(400);
    expect(nobody.body.errors).toEqual(['customer_id: no customer 9']);
  });

  it('keep their id and their customer', async () => {
    const { body } = await api.post(users).send(ada).expect(201);
    await api.patch(`${users}/10000001`).send(body).expect(200);
    const moved = await api.patch(`${users}/10000001`).send({ customer: 2 }).expect(400);
    expect(moved.body.errors).toEqual(['customer: cannot be changed']);
    expect((await api.post(users).send({ id: 5, ext: '102', email: 'x@a.example' }).expect(400)).body.errors).toEqual([
      'id: cannot be chosen',
    ]);
  });

  it('take their phone along when the extension changes, and when they go', async () => {
    await api.post(users).send(ada);
    await api.post('/_sim/phones').send({ ext: '101', behaviour: 'decline' }).expect(201);
    await api.patch(`${users}/10000001`).send({ ext: '201', sip_password: 'new' }).expect(200);
    expect((await api.get('/_sim/phones')).body.data).toMatchObject([
      { ext: '201', behaviour: { on_call: 'decline' } },
    ]);
    expect(stage.phones.added.at(-1)).toMatchObject({ ext: '201', sipPassword: 'new' });
    await api.delete(`${users}/10000001`).expect(204);
    expect((await api.get('/_sim/phones')).body.total).toBe(0);
    expect(stage.store.accounts.size).toBe(0);
    await api.get(`${users}/10000001`).expect(404);
    await api.delete(`${users}/10000001`).expect(404);
  });
});

describe('numbers', () => {
  it('are made, led to a user, renamed and removed', async () => {
    await api.post(users).send(ada);
    const wish = { e164: '442079460191', target_type: 1, target_id: 10000001, name: 'Front desk' };
    const { body } = await api.post(ddis).send(wish).expect(201);
    expect(body).toMatchObject({ ...wish, id: '10000001', e164: '+442079460191', status: 1, sms_enabled: true });
    expect(ajv.validate(DdiSchema, body)).toBe(true);
    expect((await api.patch(`${ddis}/10000001`).send({ name: 'Hotline' }).expect(200)).body.name).toBe('Hotline');
    expect((await api.get(ddis)).body).toMatchObject({ total: 1, data: [{ name: 'Hotline', target_id: 10000001 }] });
    await api.delete(`${ddis}/10000001`).expect(204);
    await api.get(`${ddis}/10000001`).expect(404);
  });

  it('belong to one customer and lead only to its own', async () => {
    await api.post(ddis).send({ e164: '+442079460191' }).expect(201);
    const taken = await api.post(`${ddis}?customer_id=2`).send({ e164: '442079460191' }).expect(400);
    expect(taken.body.errors).toEqual(['e164: +442079460191 is taken']);
    await api.post(`${users}?customer_id=2`).send({ ext: '101', email: 'bob@b.example' });
    const foreign = await api.patch(`${ddis}/10000001`).send({ target_type: 1, target_id: 20000001 }).expect(400);
    expect(foreign.body.errors).toEqual([
      'target_id: there is nothing with the id 20000001 that target_type U leads to',
    ]);
    const odd = await api.patch(`${ddis}/10000001`).send({ target_type: 99 }).expect(400);
    expect(odd.body.errors).toEqual(['target_type: expected one of 0 none, 1 U, 2 V, 3 R, 4 I, 5 Q, 6 C, 7 H']);
    expect((await api.post(ddis).send({ e164: 'front desk' }).expect(400)).body.errors).toEqual([
      'e164: expected text (E.164, with or without +)',
    ]);
  });
});
