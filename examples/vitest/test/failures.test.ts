// What goes wrong on purpose, and going back: one preparation, many ways on.
import { createSimulator, type PbxSimulator, Refused, type Snapshot } from 'pbxsim';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let simulator: PbxSimulator;
let connected: Snapshot;
beforeAll(async () => {
  simulator = await createSimulator({ http: false });
  simulator.trunk.script('+442079460123', { on_call: 'answer', talk_ms: 30_000 });
  await simulator.clock.advance('1h');
  connected = await simulator.snapshot();
});
beforeEach(() => simulator.restore(connected));
afterAll(() => simulator.close());

test('a receiver that fails twice gets the event a third time', async () => {
  const events = simulator.webhooks.capture({ events: ['ringing'], answer: 503 });
  simulator.phones.act('101', { act: 'call', to: '102' });
  await simulator.clock.settled();
  events.answer = () => (events.events.length < 3 ? 503 : 200);
  await simulator.clock.advance('1d');
  expect(simulator.webhooks.deliveries(events.id)[0]?.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
});

test('the other side hangs up after half a minute', async () => {
  const { callId } = simulator.phones.act('101', { act: 'call', to: '+442079460123' });
  await simulator.clock.idle();
  const hangup = await simulator.waitFor({ event: 'call.hangup', callId });
  expect(hangup.at - connected.at).toBe(32_000);
});

test('what is impossible is refused with its reason', () => {
  expect(() => simulator.phones.act('103', 'answer')).toThrow(Refused);
});
