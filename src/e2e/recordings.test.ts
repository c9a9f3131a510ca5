// Recordings and mails through the whole simulator: what REST orders, what it shows while the call lives and afterwards, and the outbox.
import request from 'supertest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSimulator, type PbxSimulator } from '../index.ts';

let simulator: PbxSimulator;
beforeEach(async () => {
  simulator = await createSimulator({ http: false });
});
afterEach(() => simulator.close());

const BASE = '/v1.1/pbx';

async function get(path: string) {
  return request(simulator.app)
    .get(`${BASE}${path}`)
    .set('authorization', simulator.authorization('root'))
    .buffer(true);
}

async function patch(id: number, body: object): Promise<number> {
  const answer = request(simulator.app)
    .patch(`${BASE}/calls/${id}`)
    .set('authorization', simulator.authorization('root'))
    .redirects(0)
    .send(body)
    .then(({ status }) => status);
  return answer;
}

it('a recording that a transfer has ended is listed in its call while that goes on, and both can be heard afterwards', async () => {
  for (const ext of ['101', '102', '103']) simulator.phones.behaviour(ext, 'answer');
  const placed = await request(simulator.app)
    .post(`${BASE}/calls`)
    .set('authorization', simulator.authorization('root'))
    .send({ to: '102' })
    .expect(201);
  const { id } = placed.body.data;
  await simulator.clock.advance('10s');
  expect(await patch(id, { monitor_state: 'start' })).toBe(301);
  await simulator.clock.advance('5s');
  expect((await get(`/calls/${id}/monitors`)).body.data).toMatchObject({ id, monitor_state: 1, total: 0 });
  expect(await patch(id, { dst: '103' })).toBe(301);
  await simulator.clock.advance('10s');
  const during = (await get(`/calls/${id}/monitors`)).body.data;
  expect(during).toMatchObject({ id, dst: '103', total: 1, items: [{ live_id: id, called: '102' }] });
  // Whose order it was has left the call: those who talk now are recorded when somebody orders it again.
  expect(during.monitor_state).toBe(0);
  expect(await patch(id, { monitor_state: 'start' })).toBe(301);
  await simulator.clock.advance('5s');
  await request(simulator.app)
    .delete(`${BASE}/calls/${id}`)
    .set('authorization', simulator.authorization('root'))
    .expect(204);
  await simulator.clock.advance('1s');
  const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: id }]));
  const { body } = await get(`/monitors?filter=${filter}`);
  expect(body.data.map(({ called }: { called: string }) => called)).toEqual(['102', '103']);
  for (const { id: monitor, size } of body.data) {
    const sound = await get(`/monitors/${monitor}.mp3`);
    expect([sound.status, sound.type, sound.headers['content-length']]).toEqual([200, 'audio/mpeg', String(size)]);
  }
});

it('a missed call and a voice message of a user who wants to hear of them are in the outbox', async () => {
  const user = simulator.user('admin');
  await request(simulator.app)
    .patch(`/_sim/records/users/${user.user_id}`)
    .send({ email_missed: 'Y', vm_to_email: true, vm_emails: ['box@company.example'], final_dst_type: 'V', dnd: true })
    .expect(200);
  const { callId } = simulator.phones.act('101', { act: 'call', to: user.ext });
  await simulator.clock.advance('20s');
  simulator.phones.act('101', 'hangup');
  await simulator.clock.advance('1s');
  expect(simulator.outbox).toMatchObject([
    { kind: 'missed_call', to: user.email, from: '101', call_id: expect.any(Number) },
    { kind: 'voicemail', to: 'box@company.example', from: '101', call_id: callId, voicemessage_id: expect.any(Number) },
  ]);
  const { body } = await request(simulator.app).get('/_sim/outbox').expect(200);
  expect(body.data).toMatchObject([
    { kind: 'missed_call' },
    { kind: 'voicemail', subject: expect.stringMatching(/^Voice message from /) },
  ]);
});
