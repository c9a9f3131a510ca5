// Faults over HTTP: set, listed, removed, and refused with the member that is wrong.
import request from 'supertest';
import { beforeEach, expect, it } from 'vitest';
import { createStage, START } from './control.rig.ts';
import { createControl } from './control.ts';

let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;
const rule = {
  match: { at: 'api', operation: 'listCalls' },
  action: { do: 'status', status: 503 },
  times: 2,
  ttl: '15m',
} as const;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

it('are none at first', async () => {
  expect((await api.get('/_sim/faults').expect(200)).body).toEqual({ data: [], total: 0 });
});

it('are set, listed with what they did, and removed', async () => {
  const { body } = await api.post('/_sim/faults').send(rule).expect(201);
  const asSet = { id: 1, ...rule, matched: 0, acted: 0, active: true, expires_at: '2026-01-01T00:15:00.000Z' };
  expect(body).toEqual(asSet);
  const sip = { match: { at: 'sip', method: 'BYE', direction: 'out' }, action: { do: 'drop' }, probability: 0.5 };
  expect((await api.post('/_sim/faults').send(sip).expect(201)).body).toMatchObject({
    id: 2,
    ...sip,
    expires_at: null,
  });
  for (let count = 0; count < 3; count += 1)
    stage.deps.faults.strike({ at: 'api', operation: 'listCalls', method: 'GET' });
  expect((await api.get('/_sim/faults')).body).toEqual({
    data: [
      { ...asSet, matched: 3, acted: 2, active: false },
      { id: 2, ...sip, matched: 0, acted: 0, active: true, expires_at: null },
    ],
    total: 2,
  });
  await api.delete('/_sim/faults/1').expect(204);
  await api.delete('/_sim/faults/1').expect(404);
  await api.delete('/_sim/faults/x').expect(404, { message: 'There is no fault x.', errors: ['There is no fault x.'] });
  expect((await api.get('/_sim/faults')).body.total).toBe(1);
  await api.delete('/_sim/faults').expect(204);
  await api.delete('/_sim/faults').expect(204);
  expect((await api.get('/_sim/faults')).body.total).toBe(0);
});

it('are gone when their time is over', async () => {
  await api.post('/_sim/faults').send(rule).expect(201);
  stage.clock.advanceTo(START + 900_000);
  expect((await api.get('/_sim/faults')).body).toEqual({ data: [], total: 0 });
});

it.each([
  [{ ...rule, match: { at: 'rtp' } }, 'match.at: expected one of api, webhook, sip'],
  [
    { ...rule, match: { at: 'api', operation: 'listCals' } },
    'match.operation: expected an operation id of the specification',
  ],
  [{ ...rule, action: { do: 'explode' } }, 'action.do: expected one of status, delay, reset, truncate, field at api'],
  [{ ...rule, action: { do: 'reset', status: 500 } }, 'action.status: does not go with do reset'],
  [{ ...rule, id: 7 }, 'id: unknown, expected one of match, action, times, after, probability, ttl'],
  [
    { match: { at: 'webhook', event: 'webhook.test' }, action: { do: 'drop' } },
    'match.event: expected one of call.initial, call.ringing, call.missed, call.connected, call.failed, call.hangup, call.hold, call.unhold, sms.received, call.dtmf',
  ],
])('%j is 400', async (body, problem) => {
  const answer = await api.post('/_sim/faults').send(body).expect(400);
  expect(answer.body).toEqual({ message: 'The fault is not valid.', errors: [problem] });
  expect((await api.get('/_sim/faults')).body.total).toBe(0);
});

it('need a body', async () => {
  await api.post('/_sim/faults').expect(400);
  await api.post('/_sim/faults').send([rule]).expect(400);
});

it('are not more than a hundred', async () => {
  for (let count = 0; count < 100; count += 1) stage.deps.faults.set(rule);
  const { body } = await api.post('/_sim/faults').send(rule).expect(409);
  expect(body.message).toBe('There are 100 faults, and no more may be set.');
});
