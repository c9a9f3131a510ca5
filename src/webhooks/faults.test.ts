// What a receiver sees of faults on the way to it: loss, copies, lateness, overtaking, wrong members. And what it never sees.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { FaultRegistry } from '../faults/registry.ts';
import type { FaultAction, FaultDraft } from '../faults/rule.ts';
import { OVERTAKEN_WITHIN_MS, WebhookFaults } from '../faults/webhook-faults.ts';
import { dataOf, Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { DeliveryQueue } from './delivery.ts';
import { FakeReceiver } from './receiver.rig.ts';

const start = Date.UTC(2026, 0, 1);
const webhook = {
  id: 10000001,
  name: 'mine',
  url: 'https://receiver.example',
  events: ['call_state_change' as const],
  active: true,
  customer_id: 1,
};

class Stage {
  readonly clock = new Timeline({ mode: 'manual', startMs: start });
  readonly journal = new Journal(this.clock);
  readonly receiver = new FakeReceiver();
  readonly registry: FaultRegistry;
  readonly queue: DeliveryQueue;

  constructor(seed = 1, withFaults = true) {
    const { clock, journal, receiver } = this;
    this.registry = new FaultRegistry({ clock, journal, random: new Random(seed) });
    const faults = withFaults ? { faults: new WebhookFaults(this.registry) } : {};
    this.queue = new DeliveryQueue({ clock, journal, sender: receiver, ...faults }, webhook);
  }

  set(action: FaultAction, more: Partial<FaultDraft> = {}): void {
    expect(this.registry.set({ match: { at: 'webhook' }, action, ...more }).ok).toBe(true);
  }

  /** Events of a call by their ids, each queued in a step of its own. */
  raise(ids: string, callId = 1, event = 'call.ringing'): void {
    for (const id of ids) {
      const payload = { id, event_time: '', event_name: 'webhook.test' as const, webhook_name: 'x', customer_id: 1 };
      const cause = this.journal.append('event', { callId });
      this.queue.add(`call ${callId}`, { event, payload, body: JSON.stringify(payload), cause, customerId: 1, callId });
      this.clock.settle();
    }
  }

  pass(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms);
  }

  get arrivals(): string {
    return this.receiver.received.map(({ body }) => body.id).join('');
  }

  get states(): string[] {
    return this.queue.list().map(({ state }) => state);
  }
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

describe('drop', () => {
  it('loses what the sender takes for delivered: it is never tried again', () => {
    stage.set({ do: 'drop' }, { times: 1 });
    stage.raise('ab');
    stage.pass(86_400_000);
    expect([stage.arrivals, stage.states]).toEqual(['b', ['delivered', 'delivered']]);
    expect(stage.queue.list()[0]?.attempts).toEqual([{ at: start, status: 200, ms: 0 }]);
  });

  it('is journalled under the event that was lost', () => {
    stage.set({ do: 'drop' }, { times: 1, match: { at: 'webhook', event: 'call.ringing' } });
    stage.raise('a', 7);
    const [event] = stage.journal.query({ kind: 'event' });
    const [fault, more] = stage.journal.query({ kind: 'fault' });
    expect([fault?.cause, fault?.callId, fault?.customerId, more]).toEqual([event?.seq, 7, 1, undefined]);
    expect(fault && dataOf(fault)).toEqual({ rule: 1, at: 'webhook', event: 'call.ringing', action: { do: 'drop' } });
  });

  it('strikes only the event that it names', () => {
    stage.set({ do: 'drop' }, { match: { at: 'webhook', event: 'call.hangup' } });
    stage.raise('a', 1, 'call.ringing');
    stage.raise('b', 1, 'call.hangup');
    stage.raise('c', 2, 'call.hangup');
    stage.raise('d', 2, 'call.missed');
    expect(stage.arrivals).toBe('ad');
  });
});

describe('duplicate', () => {
  it('sends the same bytes twice, the copy before anything else of the call', () => {
    stage.set({ do: 'duplicate' }, { times: 1 });
    stage.raise('abc');
    expect(stage.arrivals).toBe('aabc');
    const [first, second] = stage.receiver.received;
    expect(second?.raw).toBe(first?.raw);
    expect(stage.queue.list()[0]?.attempts).toHaveLength(1);
  });

  it('waits with the copy for the first answer, and with the next event for the second', () => {
    stage.receiver.reply = undefined;
    stage.set({ do: 'duplicate' }, { times: 1 });
    stage.raise('ab');
    expect(stage.arrivals).toBe('a');
    stage.receiver.received[0]?.answer(200);
    expect(stage.arrivals).toBe('aa');
    stage.receiver.received[1]?.answer(500);
    expect([stage.arrivals, stage.states]).toEqual(['aab', ['delivered', 'pending']]);
  });
});

describe('delay', () => {
  it('is on the clock, holds up its call and no other', () => {
    stage.set({ do: 'delay', ms: 5000 }, { times: 1 });
    stage.raise('abc', 1);
    stage.raise('x', 2);
    expect([stage.arrivals, stage.clock.next?.name]).toEqual(['x', 'webhook 10000001 holds back 1']);
    stage.pass(4999);
    expect(stage.arrivals).toBe('x');
    stage.pass(1);
    expect([stage.arrivals, stage.clock.next]).toEqual(['xabc', null]);
  });

  it('keeps the order of each call, whatever is delayed, dropped or answered', () => {
    const steps = fc.array(fc.record({ call: fc.nat(3), pauseMs: fc.constantFrom(0, 10, 4000) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.nat(1000), fc.integer({ min: 1, max: 9000 }), (events, seed, ms) => {
        const own = new Stage(seed);
        own.set({ do: 'delay', ms }, { probability: 0.5 });
        own.set({ do: 'drop' }, { probability: 0.2 });
        own.receiver.reply = (request) => (request.body.length % 3 === 0 ? 500 : 200);
        for (const [index, { call, pauseMs }] of events.entries()) {
          own.raise(String.fromCharCode(0x4e00 + index), call);
          own.pass(pauseMs);
        }
        own.registry.clear();
        own.receiver.reply = () => 200;
        own.pass(86_400_000);
        for (const call of [0, 1, 2, 3]) {
          const mine = new Set(own.queue.list().flatMap((one) => (one.callId === call ? [one.payload.id] : [])));
          const seen = [...new Set([...own.arrivals].filter((id) => mine.has(id)))];
          expect(seen).toEqual(seen.toSorted());
        }
        expect(own.states).toEqual(own.states.map(() => 'delivered'));
        expect(own.clock.next).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

describe('reorder', () => {
  it('lets the next of its own call overtake', () => {
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a');
    expect(stage.arrivals).toBe('');
    stage.raise('bcd');
    expect([stage.arrivals, stage.clock.next]).toEqual(['bacd', null]);
    expect(stage.states).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  });

  it('lets the next of another call overtake', () => {
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a', 1);
    stage.raise('x', 2);
    expect(stage.arrivals).toBe('xa');
  });

  it('swaps pairs when it always strikes', () => {
    stage.set({ do: 'reorder' });
    stage.raise('abcd');
    expect(stage.arrivals).toBe('badc');
  });

  it('waits for what is sent after it, not for what is under way', () => {
    stage.receiver.reply = undefined;
    stage.raise('x', 2);
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a', 1);
    stage.receiver.received[0]?.answer(200);
    expect(stage.arrivals).toBe('x');
    stage.raise('y', 3);
    expect(stage.arrivals).toBe('xy');
    stage.receiver.received[1]?.answer(500);
    expect(stage.arrivals).toBe('xya');
  });

  it('goes by itself when nothing comes', () => {
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a');
    stage.pass(OVERTAKEN_WITHIN_MS - 1);
    expect(stage.arrivals).toBe('');
    stage.pass(1);
    expect([stage.arrivals, stage.states]).toEqual(['a', ['delivered']]);
    stage.set({ do: 'reorder', ms: 250 }, { times: 1 });
    stage.raise('b');
    stage.pass(250);
    expect(stage.arrivals).toBe('ab');
  });

  it('is not sent twice when a pause or a replay wakes it first', () => {
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a', 1);
    stage.receiver.reply = undefined;
    stage.raise('x', 2);
    stage.queue.configure({ ...webhook, active: false });
    stage.receiver.received[0]?.answer(200);
    stage.queue.configure(webhook);
    stage.clock.settle();
    stage.receiver.received[1]?.answer(200);
    stage.pass(86_400_000);
    expect([stage.arrivals, stage.states]).toEqual(['xa', ['delivered', 'delivered']]);
  });

  it('leaves no timer behind when the webhook goes', () => {
    stage.set({ do: 'reorder' }, { times: 1 });
    stage.raise('a');
    stage.queue.close();
    expect(stage.clock.next).toBeNull();
  });
});

describe('field', () => {
  it('changes one member of what is sent, in that attempt', () => {
    stage.receiver.reply = () => (stage.receiver.received.length < 2 ? 500 : 200);
    stage.set({ do: 'field', pointer: '/webhook_name', value: { not: 'a string' } }, { times: 1 });
    stage.raise('a');
    stage.pass(5000);
    expect(stage.receiver.received.map(({ body }) => body.webhook_name)).toEqual([{ not: 'a string' }, 'x']);
    expect(stage.queue.list()[0]?.payload).toMatchObject({ webhook_name: 'x' });
  });

  it('removes a member, and leaves alone what lacks it', () => {
    stage.set({ do: 'field', pointer: '/digit' }, { times: 1 });
    stage.set({ do: 'field', pointer: '/event_time' }, { times: 1 });
    stage.raise('ab');
    expect(stage.receiver.received.map(({ raw }) => raw)).toEqual([
      '{"id":"a","event_name":"webhook.test","webhook_name":"x","customer_id":1}',
      '{"id":"b","event_time":"","event_name":"webhook.test","webhook_name":"x","customer_id":1}',
    ]);
    expect(stage.registry.list().map(({ matched, acted }) => [matched, acted])).toEqual([
      [0, 0],
      [2, 1],
    ]);
  });
});

describe('what is counted', () => {
  it('is each attempt of the schedule', () => {
    stage.receiver.reply = () => 500;
    stage.set({ do: 'drop' }, { after: 2 });
    stage.raise('a');
    stage.pass(86_400_000);
    expect([stage.arrivals, stage.states]).toEqual(['aa', ['delivered']]);
    expect(stage.registry.list()[0]).toMatchObject({ matched: 3, acted: 1 });
  });

  it('is not a replay, nor the attempt that was held back', () => {
    stage.set({ do: 'delay', ms: 10 });
    stage.raise('a');
    stage.pass(10);
    stage.queue.replay(1, () => {});
    stage.clock.settle();
    expect([stage.arrivals, stage.registry.list()[0]?.matched]).toEqual(['aa', 1]);
  });

  it('is nothing without rules: journal and requests are the same, byte for byte', () => {
    const run = (own: Stage): string => {
      own.receiver.reply = () => (own.receiver.received.length % 2 === 0 ? 200 : 500);
      own.raise('abc', 1);
      own.raise('de', 2);
      own.pass(86_400_000);
      return JSON.stringify([own.journal.query(), own.receiver.received.map(({ raw, url }) => [raw, url])]);
    };
    expect(run(stage)).toBe(run(new Stage(1, false)));
  });
});
