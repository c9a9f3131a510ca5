// Deliveries under trouble: retries on the clock, the log, replay, and the promises that hold whatever a receiver does.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../kernel/errors.ts';
import { Journal } from '../kernel/journal.ts';
import { Timeline } from '../kernel/timeline.ts';
import { DeliveryQueue } from './delivery.ts';
import type { Delivery } from './log.ts';
import { testPayload } from './payload.ts';
import { FakeReceiver } from './receiver.rig.ts';
import type { Webhook } from './subscriptions.ts';

const start = Date.UTC(2026, 0, 1);
const webhook: Webhook = {
  id: 10000001,
  name: 'mine',
  url: 'https://receiver.example',
  events: ['call_state_change'],
  active: true,
  customer_id: 1,
};

let clock: Timeline;
let journal: Journal;
let receiver: FakeReceiver;
let queue: DeliveryQueue;

beforeEach(() => {
  clock = new Timeline({ mode: 'manual', startMs: start });
  journal = new Journal(clock);
  receiver = new FakeReceiver();
  queue = new DeliveryQueue({ clock, journal, sender: receiver }, webhook);
});

function add(eventId: string, callId = 1): void {
  const payload = testPayload(eventId, clock.now(), 'mine', 1);
  queue.add(`call ${callId}`, {
    event: 'call.ringing',
    payload,
    body: JSON.stringify(payload),
    cause: journal.append('event', { callId, data: { id: eventId } }),
    customerId: 1,
    callId,
  });
  clock.settle();
}

function replay(deliveryId: number): { result: Result<Delivery> | undefined } {
  const seen: { result: Result<Delivery> | undefined } = { result: undefined };
  queue.replay(deliveryId, (result) => {
    seen.result = result;
  });
  clock.settle();
  return seen;
}

const arrivals = () => receiver.received.map(({ body }) => body.id);
const states = () => queue.list().map(({ state }) => state);

describe('a receiver in trouble', () => {
  it('is tried again after 5 s, 30 s, 2 min, 10 min, 30 min and 1 h, then the delivery has failed', () => {
    const times: number[] = [];
    receiver.reply = () => {
      times.push((clock.now() - start) / 1000);
      return 500;
    };
    add('e1');
    clock.advanceTo(start + 7 * 86_400_000);
    expect(times).toEqual([0, 5, 35, 155, 755, 2555, 6155]);
    expect(states()).toEqual(['failed']);
    expect(queue.pending).toBe(0);
    expect(clock.next).toBeNull();
  });

  it('gets the same bytes in every attempt', () => {
    receiver.reply = () => (receiver.received.length < 3 ? 'connection reset' : 202);
    add('e1');
    clock.advanceTo(start + 60_000);
    expect(arrivals()).toEqual(['e1', 'e1', 'e1']);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(states()).toEqual(['delivered']);
  });

  it('holds up its call but no other, and the next event follows the one that failed for good', () => {
    receiver.reply = (request) => (request.body.includes('"e1"') ? 500 : 200);
    add('e1', 1);
    add('e2', 1);
    add('e3', 2);
    expect(arrivals()).toEqual(['e1', 'e3']);
    clock.advanceTo(start + 6_155_000);
    expect(arrivals().slice(-2)).toEqual(['e1', 'e2']);
    expect(states()).toEqual(['failed', 'delivered', 'delivered']);
  });

  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [199, 'pending'],
    [302, 'pending'],
    [410, 'pending'],
  ])('answer %i leaves the delivery %s', (status, state) => {
    receiver.reply = () => status;
    add('e1');
    expect(states()).toEqual([state]);
  });

  it('may answer a request once only', () => {
    receiver.reply = undefined;
    add('e1');
    add('e2');
    receiver.received[0]?.answer(200);
    receiver.received[0]?.answer(500);
    expect(states()).toEqual(['delivered', 'pending']);
    expect(clock.busy).toBe(1);
  });
});

describe('the log', () => {
  it('shows each attempt with its time on the clock, its answer and how long it took', () => {
    const answers = ['no answer within 5000 ms', 503, 200];
    receiver.reply = () => answers.shift();
    add('e1');
    clock.advanceTo(start + 35_000);
    expect(queue.list()).toMatchObject([
      {
        id: 1,
        event: 'call.ringing',
        state: 'delivered',
        attempts: [
          { at: start, error: 'no answer within 5000 ms', ms: 5000 },
          { at: start + 5000, status: 503, ms: 3 },
          { at: start + 35_000, status: 200, ms: 3 },
        ],
      },
    ]);
  });

  it('keeps 5000 finished deliveries and every pending one', () => {
    receiver.reply = (request) => (request.body.includes('"stuck"') ? 500 : 200);
    add('stuck', 1);
    for (let n = 2; n <= 5003; n += 1) add(`e${n}`, n);
    const ids = queue.list().map(({ id }) => id);
    expect(ids).toHaveLength(5001);
    expect(ids.slice(0, 3)).toEqual([1, 4, 5]);
    expect(queue.pending).toBe(1);
  });

  it('is in the journal too: each attempt caused by its event, in its call, without real time', () => {
    receiver.reply = () => (receiver.received.length < 2 ? 500 : 200);
    add('e1', 42);
    clock.advanceTo(start + 5000);
    const [event, ...attempts] = journal.query();
    expect(event).toMatchObject({ seq: 1, kind: 'event' });
    const shared = { webhook_id: 10000001, delivery_id: 1, event: 'call.ringing', url: 'https://receiver.example' };
    const body = {
      id: 'e1',
      event_time: '2026-01-01 00:00:00',
      event_name: 'webhook.test',
      webhook_name: 'mine',
      customer_id: 1,
    };
    expect(attempts).toEqual([
      {
        seq: 2,
        at: start,
        kind: 'webhook.attempt',
        callId: 42,
        customerId: 1,
        cause: 1,
        data: { ...shared, attempt: 1, status: 500, state: 'pending', retry_in_ms: 5000, body },
      },
      {
        seq: 3,
        at: start + 5000,
        kind: 'webhook.attempt',
        callId: 42,
        customerId: 1,
        cause: 1,
        data: { ...shared, attempt: 2, status: 200, state: 'delivered', body },
      },
    ]);
  });
});

describe('replay', () => {
  it('sends a delivered event again, with the same body', () => {
    add('e1');
    expect(replay(1).result).toMatchObject({ ok: true, value: { state: 'delivered', attempts: [{}, {}] } });
    expect(arrivals()).toEqual(['e1', 'e1']);
  });

  it('delivers what had failed, but a failed replay leaves what was delivered delivered', () => {
    receiver.reply = () => 500;
    add('e1');
    clock.advanceTo(start + 7_000_000);
    receiver.reply = () => 200;
    replay(1);
    expect(states()).toEqual(['delivered']);
    receiver.reply = () => 500;
    replay(1);
    expect(states()).toEqual(['delivered']);
    expect(clock.next).toBeNull();
  });

  it('does not wait for the next attempt of a pending delivery', () => {
    receiver.reply = () => 500;
    add('e1');
    add('e2');
    receiver.reply = () => 200;
    expect(replay(1).result).toMatchObject({ ok: true, value: { state: 'delivered' } });
    expect(arrivals()).toEqual(['e1', 'e1', 'e2']);
    expect(clock.next).toBeNull();
  });

  it('is refused while the delivery is under way or behind another one of its call', () => {
    receiver.reply = undefined;
    add('e1');
    add('e2');
    expect(replay(1).result).toMatchObject({ failure: { kind: 'conflict' } });
    expect(replay(2).result).toMatchObject({ failure: { kind: 'conflict' } });
    expect(replay(3).result).toMatchObject({ failure: { kind: 'not_found' } });
  });

  it('is refused while the webhook is not active', () => {
    add('e1');
    queue.configure({ ...webhook, active: false });
    expect(replay(1).result).toMatchObject({ failure: { kind: 'conflict' } });
    expect(arrivals()).toEqual(['e1']);
  });

  it('tells whoever waits when the webhook is removed meanwhile', () => {
    add('e1');
    let result: Result<Delivery> | undefined;
    queue.replay(1, (outcome) => {
      result = outcome;
    });
    queue.close();
    expect(result).toMatchObject({ failure: { kind: 'not_found' } });
  });
});

describe('whatever the receiver does', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('event' as const), call: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(),
      status: fc.constantFrom(200, 200, 204, 500, 404),
    }),
    fc.record({ do: fc.constant('hang' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 0, max: 700_000 }) }),
    fc.record({ do: fc.constant('switch' as const), active: fc.boolean() }),
  );

  it('keeps the order of each call, loses nothing, and tries each event at most 7 times', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        clock = new Timeline({ mode: 'manual', startMs: start });
        journal = new Journal(clock);
        receiver = new FakeReceiver();
        receiver.reply = undefined;
        queue = new DeliveryQueue({ clock, journal, sender: receiver }, webhook);
        const raised = new Map<number, string[]>();
        const answer = (which: number, outcome: number | string) => {
          const { waiting } = receiver;
          waiting[which % Math.max(1, waiting.length)]?.answer(outcome);
        };
        for (const [index, move] of steps.entries()) {
          if (move.do === 'event') {
            raised.set(move.call, [...(raised.get(move.call) ?? []), `e${index}`]);
            add(`e${index}`, move.call);
          } else if (move.do === 'answer') answer(move.which, move.status);
          else if (move.do === 'hang') answer(move.which, 'no answer');
          else if (move.do === 'time') clock.advanceTo(clock.now() + move.ms);
          else queue.configure({ ...webhook, active: move.active });
          clock.settle();
        }
        // In the end the receiver recovers.
        queue.configure(webhook);
        receiver.reply = () => 200;
        clock.settle();
        for (const request of receiver.waiting) request.answer(200);
        clock.advanceTo(clock.now() + 86_400_000);

        const attempts = new Map<unknown, number>();
        for (const id of arrivals()) attempts.set(id, (attempts.get(id) ?? 0) + 1);
        for (const events of raised.values()) {
          const own = arrivals().filter((id) => events.includes(String(id)));
          expect(own.filter((id, i) => id !== own[i - 1])).toEqual(events);
          for (const id of events) expect(attempts.get(id)).toBeLessThanOrEqual(7);
        }
        expect(queue.pending).toBe(0);
        expect(clock.next).toBeNull();
        expect(clock.busy).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
