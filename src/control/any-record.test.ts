// The administration of every resource: made with what it needs, read in full, changed in either form, removed with what named it.
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { resources } from '../contract/resources.ts';
import { storedResources } from '../store/store.ts';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

const ajv = new Ajv2020({ strict: false });
let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

const least: Readonly<Record<string, object>> = {
  aclroles: { _name: 'ROLE_GUEST', name: 'Guest' },
  users: { ext: '101', email: 'ada@a.example' },
  ddis: { e164: '+442079460191' },
  queues: { name: 'Support' },
  ringgroups: { name: 'Sales' },
  ivrs: { name: 'Menu' },
  conferences: { name: 'Room' },
  usergroups: { name: 'Staff' },
  usergrouppolicies: { name: 'Staff' },
  queuegroups: { name: 'All' },
  calllabels: { name: 'Urgent' },
  contacts: { tel: '+442079460123' },
};

describe.each(storedResources)('%s', (resource) => {
  const path = `/_sim/records/${resource}`;

  it('are made, read, changed and removed, always in their published shape', async () => {
    const { body } = await api
      .post(path)
      .send(least[resource] ?? {})
      .expect(201);
    const { schema } = resources[resource];
    expect(ajv.validate(schema, body), ajv.errorsText()).toBe(true);
    expect((await api.get(`${path}/${body.id}`).expect(200)).body).toEqual(body);
    expect((await api.get(path).expect(200)).body).toEqual({ data: [body], total: 1 });
    const text = [
      'name',
      'message',
      'dst_name',
      'first_name',
      'visitor_name',
      'info',
      'filename',
      'caller',
      'from',
    ].find((name) => name in schema.properties);
    if (text !== undefined) {
      const changed = await api
        .patch(`${path}/${body.id}`)
        .send({ [text]: 'Renamed' })
        .expect(200);
      expect(changed.body).toEqual({ ...body, [text]: 'Renamed' });
    }
    const wrong = await api.patch(`${path}/${body.id}`).send({ no_such_member: 1 }).expect(400);
    expect(wrong.body.errors).toEqual([expect.stringMatching(/^no_such_member: unknown, expected one of /)]);
    await api.delete(`${path}/${body.id}`).expect(204);
    await api.get(`${path}/${body.id}`).expect(404);
    expect((await api.get(path)).body).toEqual({ data: [], total: 0 });
  });
});

describe('a queue', () => {
  beforeEach(async () => {
    await api.post('/_sim/records/users').send(least.users ?? {});
    await api.post('/_sim/records/ddis').send(least.ddis ?? {});
  });

  it('is written in either form, with its numbers and agents', async () => {
    const written = { name: 'Support', ring_strategy: 'linear', moh_id: 0, language: 'de', final_dst_type: 'H' };
    const members = { ddis: ['442079460191'], users: [{ id: 10_000_001, status: true }] };
    const { body } = await api
      .post('/_sim/records/queues')
      .send({ ...written, ...members })
      .expect(201);
    expect(body).toMatchObject({
      name: 'Support',
      number: 600,
      ring_strategy: 5,
      moh: 0,
      language: 2,
      final_dst_type: 7,
      ddis: ['+442079460191'],
      users: [{ id: 10_000_001, status: true }],
    });
    expect((await api.get('/_sim/records/ddis')).body.data).toMatchObject([{ target_type: 5, target_id: body.id }]);
    await api.patch(`/_sim/records/queues/${body.id}`).send({ ring_strategy: 6 }).expect(200);
    expect(stage.store.queues.get(body.id)).toMatchObject({ ring_strategy: 6 });
  });

  it('refuses what is not there, and changes nothing then', async () => {
    const { body } = await api
      .post('/_sim/records/queues')
      .send({ name: 'Support', moh: 7, ddis: ['+442079460199'], users: [{ id: 5, status: true }], number: 101 })
      .expect(400);
    expect(body.errors).toEqual([
      'moh: there is no music on hold 7 in this account',
      'ddis[0]: there is no number "+442079460199" in this account',
      'number: the extension 101 is taken',
      'users[0]: there is no user 5 in this account',
    ]);
    expect(stage.store.queues.size).toBe(0);
  });

  it('frees its numbers and those who ended there when it goes', async () => {
    const { body } = await api.post('/_sim/records/queues').send({ name: 'Support', ddis: ['+442079460191'] });
    const user = '/_sim/records/users/10000001';
    await api.patch(user).send({ final_dst_type: 'Q', final_dst_id: body.id }).expect(200);
    await api.delete(`/_sim/records/queues/${body.id}`).expect(204);
    expect((await api.get(user)).body).toMatchObject({ final_dst_type: 'H', final_dst_id: 0 });
    expect((await api.get('/_sim/records/ddis')).body.data).toMatchObject([{ target_type: 0, target_id: 0 }]);
  });
});
