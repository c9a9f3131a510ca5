// What leaves for a webhook's receiver, as nock sees it in this process: the test event, the event, its retry. No network.
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Simulator } from '../simulator.ts';
import { until } from './sockets-stage.ts';

const HOST = 'https://receiver.example';

describe('outbound delivery', () => {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => nock.cleanAll());
  afterAll(() => nock.restore());

  it('posts JSON over HTTPS, and the same event again when the receiver fails', async () => {
    await using simulator = new Simulator({ clock: 'manual' });
    const { webhooks, exchange, customers } = simulator.world;
    const bodies: Array<Record<string, unknown>> = [];
    const heard = (body: Record<string, unknown>): boolean => bodies.push(body) > 0;
    nock(HOST, { reqheaders: { 'content-type': 'application/json', 'user-agent': /^pbxsim/ } })
      .post('/hook', heard)
      .reply(200)
      .post('/hook', heard)
      .reply(503)
      .post('/hook', heard)
      .reply(204);
    const saved = await new Promise<boolean>((resolve) => {
      const draft = {
        name: 'nock',
        url: `${HOST}/hook`,
        events: ['sms_received' as const],
        active: true,
        customer_id: 1,
      };
      webhooks.create(draft, (result) => resolve(result.ok));
    });
    expect(saved).toBe(true);
    exchange.receiveSms('+442079469999', customers[0]?.numbers[0] ?? '', 'hello');
    const attempts = (count: number): Promise<number> =>
      until(
        () => (simulator.journal.query({ kind: 'webhook.attempt' }).length >= count ? count : undefined),
        (changed) => simulator.journal.subscribe(changed),
        `${count} attempts`,
      );
    await attempts(1);
    expect(webhooks.pending).toBe(1);
    // The first retry is due five seconds later, on the clock.
    simulator.clock.advanceTo(simulator.clock.now() + 5000);
    await attempts(2);
    expect(webhooks.pending).toBe(0);
    expect(bodies.map((body) => body.event_name)).toEqual(['webhook.test', 'sms.received', 'sms.received']);
    expect(bodies[1]).toEqual(bodies[2]);
    expect(bodies[1]).toMatchObject({ from_no: '+442079469999', text: 'hello', customer_id: 1 });
    expect(nock.isDone()).toBe(true);
  });
});
