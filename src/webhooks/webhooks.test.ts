// Webhooks as their owner sees them: saving, choosing events, order, retries, the log, replay.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../kernel/errors.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import type { CallEvent, CallEventName, DomainEvent } from '../pbx/events.ts';
import type { Delivery } from './log.ts';
import { FakeReceiver } from './receiver.rig.ts';
import type { Webhook, WebhookDraft } from './subscriptions.ts';
import { Webhooks } from './webhooks.ts';

const start = Date.UTC(2026, 0, 1);
const url = 'https://receiver.example/hook';

let clock: Timeline;
let journal: Journal;
let receiver: FakeReceiver;
let webhooks: Webhooks;
let raised: number;

beforeEach(() => {
  clock = new Timeline({ mode: 'manual', startMs: start });
  journal = new Journal(clock);
  receiver = new FakeReceiver();
  webhooks = new Webhooks({ clock, journal, random: new Random(1), sender: receiver });
  raised = 0;
});

function save(changes: Partial<WebhookDraft> = {}): Result<Webhook> {
  let result: Result<Webhook> | undefined;
  const draft = { name: 'mine', url, events: ['call_state_change'] as const, active: true, customer_id: 1 };
  webhooks.create({ ...draft, ...changes }, (outcome) => {
    result = outcome;
  });
  if (result === undefined) throw new Error('the test event has not been answered');
  return result;
}

function saved(changes: Partial<WebhookDraft> = {}): Webhook {
  const result = save(changes);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function change(id: number, changes: Parameters<Webhooks['change']>[1]): Result<Webhook> | undefined {
  let result: Result<Webhook> | undefined;
  webhooks.change(id, changes, (outcome) => {
    result = outcome;
  });
  return result;
}

function raise(name: CallEventName, callId = 1, changes: Partial<CallEvent> = {}): DomainEvent {
  raised += 1;
  const end = { number: '101', name: 'Ada', id: 7 };
  const event: CallEvent = {
    kind: 'call',
    id: `e${raised}`,
    name,
    seq: journal.append('event', { callId }),
    at: clock.now(),
    customerId: 1,
    callId,
    state: 'RINGING',
    startedAt: clock.now(),
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
    ...changes,
  };
  webhooks.receive(event);
  clock.settle();
  return event;
}

function log(id: number): Delivery[] {
  const result = webhooks.deliveries(id);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function advance(ms: number): void {
  clock.advanceTo(clock.now() + ms);
}

describe('saving a webhook', () => {
  it('sends a test event to the URL first', () => {
    expect(save({ name: 'CRM' })).toEqual({
      ok: true,
      value: { id: 10000001, name: 'CRM', url, events: ['call_state_change'], active: true, customer_id: 1 },
    });
    expect(receiver.received.map(({ url: to, body }) => ({ to, body }))).toEqual([
      {
        to: url,
        body: {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          event_time: '2026-01-01 00:00:00',
          event_name: 'webhook.test',
          webhook_name: 'CRM',
          customer_id: 1,
        },
      },
    ]);
  });

  it.each([200, 301, 404, 500])('takes a %i as an answer: any HTTP answer counts', (status) => {
    receiver.reply = () => status;
    expect(save().ok).toBe(true);
  });

  it('is refused, and nothing stored, when the URL does not answer', () => {
    receiver.reply = () => 'no answer within 5000 ms';
    expect(save()).toEqual({
      ok: false,
      failure: {
        kind: 'invalid',
        message: 'The webhook was not saved.',
        details: ['url: the test event failed: no answer within 5000 ms'],
      },
    });
    expect(webhooks.list()).toEqual([]);
  });

  it('is refused without a request when the URL may not be used at all', () => {
    receiver.refusals.set('http://receiver.example', 'must use https');
    expect(save({ url: 'http://receiver.example' })).toMatchObject({ failure: { details: ['url: must use https'] } });
    expect(receiver.received).toEqual([]);
  });

  it('keeps the clock busy until the URL has answered', () => {
    receiver.reply = undefined;
    expect(() => save()).toThrow();
    expect(clock.busy).toBe(1);
    receiver.received[0]?.answer(200);
    expect(clock.busy).toBe(0);
    expect(webhooks.list()).toHaveLength(1);
  });

  it('is limited to 100 webhooks for each customer', () => {
    for (let i = 0; i < 100; i += 1) saved();
    expect(save()).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
    expect(save({ customer_id: 2 }).ok).toBe(true);
  });
});

describe('changing a webhook', () => {
  it('tests a new URL again and keeps the old one when it does not answer', () => {
    const { id } = saved();
    receiver.reply = (request) => (request.url === url ? 200 : 'connection refused');
    expect(change(id, { url: 'https://other.example' })).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
    expect(webhooks.get(id)?.url).toBe(url);
    expect(receiver.received).toHaveLength(2);
  });

  it('does not test when the URL stays', () => {
    const { id } = saved();
    expect(change(id, { name: 'renamed', url })).toMatchObject({ ok: true, value: { name: 'renamed' } });
    expect(receiver.received).toHaveLength(1);
  });

  it('deactivated, it gets nothing', () => {
    const { id } = saved();
    change(id, { active: false });
    raise('call.initial');
    expect(receiver.events).toEqual([]);
    expect(log(id)).toEqual([]);
  });

  it('deactivated while an event waits for its next attempt, it gets that event when active again', () => {
    const { id } = saved();
    receiver.reply = () => 503;
    raise('call.initial');
    change(id, { active: false });
    advance(86_400_000);
    expect(receiver.events).toHaveLength(1);
    receiver.reply = () => 200;
    change(id, { active: true });
    clock.settle();
    expect(receiver.events).toHaveLength(2);
    expect(log(id)).toMatchObject([{ state: 'delivered' }]);
  });

  it('removed, it takes its pending deliveries and their timers with it', () => {
    const { id } = saved();
    receiver.reply = () => 500;
    raise('call.initial');
    expect(clock.next).toEqual({ at: start + 5000, name: `webhook ${id} retry 1` });
    expect(webhooks.remove(id)).toBe(true);
    expect(clock.next).toBeNull();
    expect(webhooks.pending).toBe(0);
    expect(webhooks.deliveries(id)).toMatchObject({ failure: { kind: 'not_found' } });
    expect(webhooks.remove(id)).toBe(false);
  });
});

describe('what a webhook gets', () => {
  const names: CallEventName[] = [
    'call.initial',
    'call.ringing',
    'call.connected',
    'call.hold',
    'call.unhold',
    'call.hangup',
    'call.missed',
    'call.failed',
  ];

  it.each([
    ['call_state_change', names],
    ['ringing', ['call.ringing']],
    ['connected', ['call.connected']],
    ['ended', ['call.hangup', 'call.failed']],
    ['missed', ['call.missed']],
    ['sms_received', []],
  ] as const)('%s', (category, expected) => {
    saved({ events: [category] });
    for (const name of names) raise(name);
    expect(receiver.names).toEqual(expected);
  });

  it('the events of queues only through call state change', () => {
    saved({ events: ['missed', 'ended', 'ringing', 'connected'], url: 'https://narrow.example' });
    saved({ events: ['call_state_change'], url: 'https://wide.example' });
    raise('call.missed', 1, { context: 'QUEUE' });
    expect(receiver.events.map((event) => event.url)).toEqual(['https://wide.example']);
  });

  it('each event once, though two of its categories match', () => {
    saved({ events: ['ringing', 'call_state_change'] });
    raise('call.ringing');
    expect(receiver.names).toEqual(['call.ringing']);
  });

  it('nothing of another customer', () => {
    saved({ customer_id: 2 });
    raise('call.initial');
    expect(receiver.events).toEqual([]);
  });

  it('the same bytes at every webhook, with one event id', () => {
    saved({ url: 'https://one.example' });
    saved({ url: 'https://two.example' });
    raise('call.initial');
    const [one, two] = receiver.events;
    expect(one?.raw).toBe(two?.raw);
    expect(one?.body.id).toBe('e1');
  });
});

describe('order', () => {
  it('an event waits until the one before it in its call has arrived; other calls go on', () => {
    saved();
    receiver.reply = undefined;
    raise('call.initial', 1);
    raise('call.ringing', 1);
    raise('call.initial', 2);
    expect(receiver.events.map(({ body }) => [body.call_id, body.event_name])).toEqual([
      [1, 'call.initial'],
      [2, 'call.initial'],
    ]);
    receiver.events[0]?.answer(200);
    expect(receiver.events.map(({ body }) => [body.call_id, body.event_name])).toEqual([
      [1, 'call.initial'],
      [2, 'call.initial'],
      [1, 'call.ringing'],
    ]);
  });

  it('at most 64 requests of a webhook are under way, and the clock is busy with them', () => {
    saved();
    receiver.reply = undefined;
    for (let call = 1; call <= 100; call += 1) raise('call.initial', call);
    expect(receiver.events).toHaveLength(64);
    expect(clock.busy).toBe(64);
    receiver.events[10]?.answer(204);
    expect(receiver.events).toHaveLength(65);
  });

  it('nothing leaves before the step that raised the event is over', () => {
    saved();
    clock.soon(() => {
      raise('call.initial');
      expect(receiver.events).toEqual([]);
    });
    clock.settle();
    expect(receiver.names).toEqual(['call.initial']);
  });
});
