// The REST API through supertest: no socket is opened, and nothing takes longer than it computes.
import { simulatorTest } from 'pbxsim/vitest';
import request from 'supertest';
import { expect } from 'vitest';

/** The code of a live call's state, as the API gives it. */
const CONNECTED = 4;

const test = simulatorTest.extend({ simulatorOptions: { seed: 7, http: false } });

test('a call is placed, held, resumed and ended; its record stays', async ({ simulator }) => {
  const events = simulator.webhooks.capture({ events: ['call_state_change'] });
  const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
    request(simulator.app)[method](`/v1.1/pbx${path}`).set('authorization', simulator.authorization());

  await send('post', '/calls').send({ to: '102' });
  await simulator.clock.advance('5s');
  const { body } = await send('get', '/calls').expect(200);
  expect(body.data).toMatchObject([{ state: CONNECTED, dst: '102' }]);
  const { id } = body.data[0];

  await send('patch', `/calls/${id}`).send({ state: 'ON_HOLD' });
  await send('patch', `/calls/${id}`).send({ state: 'CONNECTED' });
  await simulator.clock.advance('55s');
  await send('delete', `/calls/${id}`);

  expect(events.ofCall(id).map(({ name }) => name)).toEqual([
    'call.initial',
    'call.ringing',
    'call.connected',
    'call.hold',
    'call.unhold',
    'call.hangup',
  ]);
  const filter = JSON.stringify([{ property: 'live_id', operator: 'eq', value: id }]);
  const { body: records } = await send('get', '/cdrs').query({ filter }).expect(200);
  expect(records.total).toBe(1);
});

test('a token expires after fifteen minutes, which take no time', async ({ simulator }) => {
  const { email, password, user_id } = simulator.user('agent');
  const login = await request(simulator.app).post('/v1.1/pbx/login').send({ email, password }).expect(200);
  const me = () => request(simulator.app).get('/v1.1/pbx/me').auth(String(user_id), login.body.user_token);
  await me().expect(200);
  await simulator.clock.advance('15m');
  await me().expect(401);
});

test('phones do what people do', async ({ simulator }) => {
  simulator.phones.behaviour('102', 'busy');
  const { callId } = simulator.phones.act('101', { act: 'call', to: '102' });
  const missed = await simulator.waitFor({ event: 'call.missed', callId });
  expect(missed.callId).toBe(callId);
});
