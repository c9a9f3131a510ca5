// A receiver that is away for long: how many deliveries wait for it, and what becomes of the others.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../kernel/journal.ts';
import { Timeline } from '../kernel/timeline.ts';
import { DeliveryQueue } from './delivery.ts';
import { testPayload } from './payload.ts';
import { FakeReceiver } from './receiver.rig.ts';
import type { Webhook } from './subscriptions.ts';

const start = Date.UTC(2026, 0, 1);
const webhook: Webhook = {
  ...{ id: 10000001, name: 'mine', url: 'https://receiver.example', customer_id: 1 },
  ...{ events: ['call_state_change'], active: true },
};

let clock: Timeline;
let journal: Journal;
let receiver: FakeReceiver;
let queue: DeliveryQueue;

function begin(pendingMax?: number): void {
  clock = new Timeline({ mode: 'manual', startMs: start });
  journal = new Journal(clock);
  receiver = new FakeReceiver();
  const limit = pendingMax === undefined ? {} : { pendingMax };
  queue = new DeliveryQueue({ clock, journal, sender: receiver, ...limit }, webhook);
}

beforeEach(() => begin(3));

function add(eventId: string, callId: number): void {
  const payload = testPayload(eventId, clock.now(), 'mine', 1);
  const cause = journal.append('event', { callId, data: { id: eventId } });
  const facts = { event: 'call.ringing', payload, body: JSON.stringify(payload), cause, customerId: 1, callId };
  queue.add(`call ${callId}`, facts);
  clock.settle();
}

const arrivals = () => receiver.received.map(({ body }) => body.id);
const states = () => queue.list().map(({ id, state }) => `${id} ${state}`);
const givenUp = () =>
  journal.query({ kind: 'webhook.given_up' }).map(({ callId, cause, data }) => ({ callId, cause, data }));

describe('with one delivery more than may wait', () => {
  it('the oldest is given up: in the log, in the journal, and never tried again', () => {
    receiver.reply = () => 500;
    for (const call of [1, 2, 3, 4]) add(`e${call}`, call);
    expect(states()).toEqual(['1 failed', '2 pending', '3 pending', '4 pending']);
    expect(queue.list()[0]).toMatchObject({ givenUp: '3 later deliveries were waiting', attempts: [{ status: 500 }] });
    expect(queue.list()[1]).not.toHaveProperty('givenUp');
    const data = {
      webhook_id: 10000001,
      delivery_id: 1,
      event: 'call.ringing',
      why: '3 later deliveries were waiting',
      count: 1,
    };
    expect(givenUp()).toEqual([{ callId: 1, cause: 1, data }]);
    clock.advanceTo(start + 7_000_000);
    expect(arrivals().filter((id) => id === 'e1')).toHaveLength(1);
    expect(arrivals().filter((id) => id === 'e2')).toHaveLength(7);
    expect(clock.next).toBeNull();
  });

  it('the next one of its call has its turn', () => {
    receiver.reply = () => 500;
    add('e1', 1);
    add('e2', 1);
    add('e3', 2);
    receiver.reply = () => 200;
    add('e4', 3);
    expect(arrivals()).toEqual(['e1', 'e3', 'e4', 'e2']);
    expect(states()).toEqual(['1 failed', '2 delivered', '3 pending', '4 delivered']);
  });

  it('what is being sent is not given up, but what waits behind it', () => {
    receiver.reply = undefined;
    for (const event of ['e1', 'e2', 'e3']) add(event, 1);
    add('e4', 2);
    expect(states()).toEqual(['1 pending', '2 failed', '3 pending', '4 pending']);
    receiver.waiting[0]?.answer(200);
    clock.settle();
    expect(arrivals()).toEqual(['e1', 'e4', 'e3']);
  });

  it('whoever asked for another attempt of it is told', () => {
    receiver.reply = () => 500;
    for (const call of [1, 2, 3]) add(`e${call}`, call);
    let told: unknown;
    queue.replay(1, (result) => {
      told = result;
    });
    add('e4', 4);
    expect(told).toMatchObject({ ok: true, value: { id: 1, state: 'failed' } });
  });

  it('it can be sent again when the receiver is back', () => {
    receiver.reply = () => 500;
    for (const call of [1, 2, 3, 4]) add(`e${call}`, call);
    receiver.reply = () => 200;
    queue.replay(1, () => {});
    clock.settle();
    expect(arrivals().at(-1)).toBe('e1');
    expect(states()[0]).toBe('1 delivered');
  });

  it('it is given up in a snapshot, too', () => {
    receiver.reply = () => 500;
    for (const call of [1, 1, 2, 3]) add('e', call);
    const state = queue.state();
    expect(state.lanes.map(({ queue: ids }) => ids)).toEqual([[2], [3], [4]]);
    begin(3);
    queue.restore(state);
    add('e5', 5);
    expect(states()).toEqual(['1 failed', '2 failed', '3 pending', '4 pending', '5 delivered']);
  });
});

describe('the limit', () => {
  beforeEach(() => begin());

  it('is 100,000 for each webhook, and the journal says how many have gathered', () => {
    receiver.reply = undefined;
    for (let n = 1; n <= 100_000; n += 1) add(`e${n}`, n);
    expect(queue.pending).toBe(100_000);
    expect(givenUp()).toEqual([]);
    const notices = journal.query({ kind: 'webhook.backlog' });
    expect(notices.at(-1)).toMatchObject({ customerId: 1, data: { webhook_id: 10000001, pending: 100_000 } });
    for (let n = 1; n <= 20_000; n += 1) add('more', 100_000 + n);
    expect(queue.pending).toBe(100_000);
    expect(queue.list()).toHaveLength(105_000);
    // The 64 that are being sent are older than the first that was given up.
    expect(queue.list()[64]).toMatchObject({
      id: 15_065,
      state: 'failed',
      givenUp: '100000 later deliveries were waiting',
    });
    expect(queue.state().lanes).toHaveLength(100_000);
    expect(givenUp().at(-1)?.data).toMatchObject({ delivery_id: 20_064, count: 20_000 });
    expect(journal.query({ kind: 'webhook.backlog' })).toHaveLength(1);
  });
});

describe('whatever the receiver does', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('event' as const), call: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant('answer' as const), which: fc.nat(), status: fc.constantFrom(200, 500) }),
    fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 0, max: 700_000 }) }),
    fc.record({ do: fc.constant('switch' as const), active: fc.boolean() }),
    fc.record({ do: fc.constant('restart' as const) }),
  );

  it('no more wait than may, each event arrives or is said to be given up, and those of a call keep their order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (steps, pendingMax) => {
        begin(pendingMax);
        receiver.reply = undefined;
        const raised = new Map<number, string[]>();
        for (const [index, move] of steps.entries()) {
          const { waiting } = receiver;
          if (move.do === 'event') {
            raised.set(move.call, [...(raised.get(move.call) ?? []), `e${index}`]);
            add(`e${index}`, move.call);
          } else if (move.do === 'answer') waiting[move.which % Math.max(1, waiting.length)]?.answer(move.status);
          else if (move.do === 'time') clock.advanceTo(clock.now() + move.ms);
          else if (move.do === 'switch') queue.configure({ ...webhook, active: move.active });
          else {
            const state = queue.state();
            queue.close();
            for (const request of waiting) request.answer('the process has ended');
            queue = new DeliveryQueue({ clock, journal, sender: receiver, pendingMax }, webhook);
            queue.restore(state);
          }
          clock.settle();
          expect(queue.pending).toBeLessThanOrEqual(pendingMax);
        }
        queue.configure(webhook);
        receiver.reply = () => 200;
        clock.settle();
        for (const request of receiver.waiting) request.answer(200);
        clock.advanceTo(clock.now() + 86_400_000);
        const lost = queue.list().filter((delivery) => delivery.givenUp !== undefined);
        expect(givenUp()).toHaveLength(lost.length);
        for (const { state, givenUp: why } of queue.list()) expect(state === 'failed').toBe(why !== undefined);
        for (const events of raised.values()) {
          const own = arrivals().filter((id) => events.includes(String(id)));
          const order = own.filter((id, at) => id !== own[at - 1]).map((id) => events.indexOf(String(id)));
          expect(order).toEqual([...order].sort((one, other) => one - other));
        }
        expect(queue.pending).toBe(0);
        expect(queue.state().lanes).toEqual([]);
        expect(clock.next).toBeNull();
        expect(clock.busy).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
