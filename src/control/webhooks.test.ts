// Webhooks over HTTP: saving, editing, the log, replay.
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallEvent } from '../pbx/events.ts';
import { createStage, START } from './control.rig.ts';
import { createControl } from './control.ts';

let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;
const hook = { name: 'CRM', url: 'https://crm.example/hook', events: ['call_state_change'], active: true };

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

function raise(id: string): void {
  const end = { number: '101', name: 'Ada', id: 7 };
  const event: CallEvent = {
    kind: 'call',
    id,
    name: 'call.ringing',
    seq: stage.journal.append('event'),
    at: stage.clock.now(),
    customerId: 1,
    callId: 10000007,
    state: 'RINGING',
    startedAt: START,
    connectedAt: null,
    context: 'LOCAL_USER',
    direction: 'in',
    durationS: 0,
    cause: '',
    clid: '101',
    src: end,
    dst: end,
    srcHash: 'h',
    info: '',
    terminatedBy: null,
  };
  stage.webhooks.receive(event);
  stage.clock.settle();
}

it('are saved when the URL answers, listed, read, edited and removed', async () => {
  const { body } = await api.post('/_sim/webhooks').send(hook).expect(201);
  expect(body).toEqual({ id: 10000001, customer_id: 1, ...hook });
  await api
    .post('/_sim/webhooks')
    .send({ ...hook, customer_id: 2 })
    .expect(201);
  expect((await api.get('/_sim/webhooks')).body.total).toBe(2);
  expect((await api.get('/_sim/webhooks?customer_id=1')).body).toEqual({ data: [body], total: 1 });
  expect((await api.get('/_sim/webhooks/10000001').expect(200)).body).toEqual(body);
  const edited = await api
    .patch('/_sim/webhooks/10000001')
    .send({ active: false, events: ['missed', 'dtmf'] })
    .expect(200);
  expect(edited.body).toEqual({ ...body, active: false, events: ['missed', 'dtmf'] });
  await api.delete('/_sim/webhooks/10000001').expect(204);
  await api.get('/_sim/webhooks/10000001').expect(404);
  await api.patch('/_sim/webhooks/10000001').send({ name: 'x' }).expect(404);
  await api.delete('/_sim/webhooks/10000001').expect(404);
});

it('are refused with the reason, and not stored, when the URL does not answer', async () => {
  stage.receiver.reply = () => 'connect ECONNREFUSED';
  const { body } = await api.post('/_sim/webhooks').send(hook).expect(400);
  expect(body).toEqual({
    message: 'The webhook was not saved.',
    errors: ['url: the test event failed: connect ECONNREFUSED'],
  });
  expect((await api.get('/_sim/webhooks')).body).toEqual({ data: [], total: 0 });
});

it('need a name, a URL and categories that there are', async () => {
  const { body } = await api.post('/_sim/webhooks').send({ name: 7, events: [] }).expect(400);
  expect(body.errors).toEqual([
    'url: missing, expected text (1 to 2048 characters)',
    'name: expected text (1 to 255 characters)',
    'events: expected an array (1 to 20 items)',
  ]);
  await api.patch('/_sim/webhooks/10000001').send({}).expect(400);
  const nobody = await api
    .post('/_sim/webhooks')
    .send({ ...hook, customer_id: 9 })
    .expect(400);
  expect(nobody.body.errors).toEqual(['customer_id: no customer 9']);
});

describe('deliveries', () => {
  it('are listed with their attempts', async () => {
    await api.post('/_sim/webhooks').send(hook);
    const answers = ['no answer within 5000 ms', 200];
    stage.receiver.reply = () => answers.shift();
    raise('e1');
    const pending = await api.get('/_sim/webhooks/10000001/deliveries').expect(200);
    expect(pending.body.data[0]).toMatchObject({ state: 'pending', attempts: [{ error: 'no answer within 5000 ms' }] });
    await api.post('/_sim/clock').send({ advance: '5s' }).expect(200);
    const { body } = await api.get('/_sim/webhooks/10000001/deliveries').expect(200);
    expect(body).toEqual({
      data: [
        {
          id: 1,
          event: 'call.ringing',
          body: stage.receiver.events[0]?.body,
          state: 'delivered',
          attempts: [
            { at: '2026-01-01T00:00:00.000Z', error: 'no answer within 5000 ms', ms: 5000 },
            { at: '2026-01-01T00:00:05.000Z', status: 200, ms: 3 },
          ],
        },
      ],
      total: 1,
    });
    await api.get('/_sim/webhooks/99/deliveries').expect(404);
  });

  it('can be replayed: same body, same event id, one attempt more', async () => {
    await api.post('/_sim/webhooks').send(hook);
    raise('e1');
    const { body } = await api.post('/_sim/webhooks/10000001/deliveries/1/replay').expect(200);
    expect(body).toMatchObject({ id: 1, state: 'delivered', attempts: [{ status: 200 }, { status: 200 }] });
    expect(stage.receiver.events.map(({ raw }) => raw)).toEqual(Array(2).fill(stage.receiver.events[0]?.raw));
    await api.post('/_sim/webhooks/10000001/deliveries/2/replay').expect(404);
    await api.post('/_sim/webhooks/10000001/deliveries/x/replay').expect(404);
    await api.patch('/_sim/webhooks/10000001').send({ active: false });
    await api.post('/_sim/webhooks/10000001/deliveries/1/replay').expect(409);
  });
});
