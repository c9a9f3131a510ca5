// Checks of what comes to which webhook: categories, queues, texts, pressed keys. Knows no webhook's settings beyond its category.
import { categories, type EventName, type WebhookCategory } from '../../../contract/events.ts';
import type { Delivery } from '../../run/inbox.ts';
import type { Bench, Check } from '../check.ts';
import { blocked, demand, type Finding, met, observed } from '../finding.ts';
import { answered, OUTSIDE, unanswered } from './call-stories.ts';
import { type CallFacts, CHANGES, digits, SECOND_MS } from './call-story.ts';
import { deliveriesTo, eventsOf, eventsOfCalls, named, namesIn, timeOf } from './event-facts.ts';
import { abandonedQueue, type QueueFacts, receivedText, type TextFacts } from './message-stories.ts';
import { ofStory } from './story-check.ts';

/** Each webhook has a category of its own, so they are set up by the control API. */
const NEEDS: Partial<Check> = { needs: ['second user', 'phones', 'webhooks', 'control'] };

/** The names that a webhook of the category got of the story's call; others of the account may call meanwhile. */
function namesAt(facts: CallFacts, category: WebhookCategory): string[] {
  const isOfCall = ({ body }: Delivery): boolean =>
    facts.id === undefined || body?.call_id === undefined || String(body.call_id) === String(facts.id);
  return deliveriesTo(facts, category)
    .filter(isOfCall)
    .map(({ event }) => event);
}

/** The one event of a category came, and nothing else. */
function selects(facts: CallFacts, category: WebhookCategory, event: EventName): Finding {
  const names = namesAt(facts, category);
  demand(
    names.includes(event),
    `A webhook of the category ${category} does not get its event.`,
    event,
    names.join(', '),
  );
  const allowed = categories.find(({ id }) => id === category)?.events ?? [];
  const other = names.find((name) => !(allowed as readonly string[]).includes(name));
  demand(other === undefined, `A webhook of the category ${category} gets something else.`, event, other);
  return met();
}

function none(facts: CallFacts, category: WebhookCategory, what: string): Finding {
  const names = namesAt(facts, category);
  demand(names.length === 0, `A webhook of the category ${category} gets ${what}.`, 'nothing', names.join(', '));
  return met();
}

const categoryChecks: readonly Check[] = [
  ofStory(
    unanswered,
    'events/category-missed',
    'EVT-CATEGORY-MISSED',
    (facts) => selects(facts, 'missed', 'call.missed'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-missed-only',
    'EVT-CATEGORY-MISSED',
    (facts) => none(facts, 'missed', 'an answered call'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-ringing',
    'EVT-CATEGORY-RINGING',
    (facts) => selects(facts, 'ringing', 'call.ringing'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-connected',
    'EVT-CATEGORY-CONNECTED',
    (facts) => selects(facts, 'connected', 'call.connected'),
    NEEDS,
  ),
  ofStory(
    unanswered,
    'events/category-connected-only',
    'EVT-CATEGORY-CONNECTED',
    (facts) => none(facts, 'connected', 'an unanswered call'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-ended',
    'EVT-CATEGORY-ENDED',
    (facts) => selects(facts, 'ended', 'call.hangup'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-no-sms',
    'EVT-CATEGORY-NO-SMS',
    (facts) => none(facts, 'sms_received', 'a call'),
    NEEDS,
  ),
  ofStory(
    answered,
    'events/category-state-change',
    'EVT-CATEGORY-STATE-CHANGE',
    (facts, { target }) => {
      const names = namesAt(facts, CHANGES);
      const held = target.lacks?.includes('hold') === true ? [] : ['call.hold'];
      const missing = ['call.ringing', 'call.connected', 'call.hangup', ...held].filter(
        (name) => !names.includes(name),
      );
      demand(
        missing.length === 0,
        'A webhook of the category of state changes does not get all.',
        missing.join(', '),
        names.join(', '),
      );
      const other = names.find((name) => name === 'sms.received');
      demand(other === undefined, 'A webhook of the category of state changes gets a text.', 'calls', other);
      return met();
    },
    NEEDS,
  ),
];

function ofQueue(
  id: string,
  clause: string,
  judge: (facts: QueueFacts) => Finding,
  needs: Check['needs'] = ['second user', 'phones', 'webhooks'],
): Check {
  return {
    ...{ id: `events/${id}`, clause, operation: 'createQueue', effects: ['write', 'dial'], needs, lane: 'alone' },
    run: async (bench) => judge(await abandonedQueue(bench)),
  };
}

const queueChecks: readonly Check[] = [
  ofQueue('queue-missed', 'EVT-QUEUE-MISSED', (facts) => {
    const events = eventsOfCalls(facts);
    const isThere = named(events, 'call.missed').some(({ context }) => context === 'QUEUE');
    const told = events.map(({ event_name: name, context }) => `${String(name)} (${String(context)})`).join(', ');
    demand(
      isThere,
      'The caller has left the queue, and no missed call of a queue is told.',
      'call.missed with context QUEUE',
      told,
    );
    return met();
  }),
  ofQueue('queue-context', 'EVT-QUEUE-CONTEXT', (facts) => {
    const isQueue = (id: unknown, number: unknown): boolean =>
      // Users and queues may have the same ids: where the queue has a number, that tells them apart.
      facts.queue.number === undefined ? id === facts.queue.id : digits(number) === digits(facts.queue.number);
    const events = eventsOfCalls(facts).filter(({ dst_id: id, dst }) => isQueue(id, dst));
    if (events.length === 0) return blocked('No event speaks of the queue.');
    const other = events.find(({ context }) => context !== 'QUEUE');
    demand(other === undefined, 'An event on a queue has another context.', 'QUEUE', other?.context);
    return met();
  }),
  ofQueue(
    'queue-only-state-change',
    'EVT-QUEUE-ONLY-STATE-CHANGE',
    ({ deliveries }) => {
      const wrong = deliveries.find(
        ({ webhook, body }) => webhook !== CHANGES && webhook !== 'dtmf' && body?.context === 'QUEUE',
      );
      demand(
        wrong === undefined,
        'An event of a queue comes to another category.',
        CHANGES,
        `${wrong?.webhook}: ${wrong?.event}`,
      );
      if (!deliveries.some(({ body }) => body?.context === 'QUEUE'))
        return blocked('No event of the queue came at all.');
      return met();
    },
    ['second user', 'phones', 'webhooks', 'control'],
  ),
];

function ofText(id: string, clause: string, judge: (facts: TextFacts, bench: Bench) => Finding): Check {
  return {
    ...{ id: `events/${id}`, clause, effects: ['spend'], needs: ['second user', 'phones', 'webhooks', 'control'] },
    lane: 'alone',
    run: async (bench) => judge(await receivedText(bench), bench),
  };
}

const textChecks: readonly Check[] = [
  ofText('sms', 'EVT-SMS', ({ events, deliveries }) => {
    const names = deliveries.map(({ event }) => event).join(', ') || 'nothing came';
    demand(named(events, 'sms.received').length > 0, 'A received text is not told.', 'sms.received', names);
    return met();
  }),
  ofText('sms-category', 'EVT-SMS-CATEGORY', ({ deliveries, events }) => {
    if (events.length === 0) return blocked('The text was not told at all.');
    const wrong = deliveries.find(({ webhook, event }) => webhook !== 'sms_received' && event === 'sms.received');
    demand(wrong === undefined, 'A text comes to another category.', 'sms_received', wrong?.webhook);
    return met();
  }),
  ofText('sms-content', 'EVT-SMS-CONTENT', ({ events: [event], message, to }) => {
    if (event === undefined) return blocked('The text was not told.');
    demand(event.text === message, 'The text is another one.', message, event.text);
    demand(digits(event.from_no) === digits(OUTSIDE), 'from_no is not the sender.', OUTSIDE, event.from_no);
    demand(digits(event.to_no) === digits(to), 'to_no is not the number that was written to.', to, event.to_no);
    return met();
  }),
  ofText('sms-customer', 'EVT-SMS-CUSTOMER', ({ events: [event], receiver }) => {
    if (event === undefined) return blocked('The text was not told.');
    const { customerId, id } = receiver;
    if (customerId !== undefined)
      demand(event.customer_id === customerId, 'customer_id is that of somebody else.', customerId, event.customer_id);
    demand(event.user_id === id || event.user_id === null, 'user_id is that of somebody else.', id, event.user_id);
    return met();
  }),
  ofText('sms-time-utc', 'EVT-SMS-TIME-UTC', ({ events: [event], times }, { target }) => {
    if (event === undefined) return blocked('The text was not told.');
    const at = timeOf(event.event_time);
    const slack = target.time === 'manual' ? SECOND_MS : 300_000;
    const isRight = at !== undefined && at >= times.begun - slack && at <= times.over + slack;
    demand(
      isRight,
      'event_time is not when the text came, in UTC.',
      new Date(times.begun).toISOString(),
      event.event_time,
    );
    return met();
  }),
];

const keyChecks: readonly Check[] = [
  ofStory(
    answered,
    'events/dtmf',
    'EVT-DTMF',
    (facts) => {
      const got = deliveriesTo(facts, 'dtmf');
      demand(
        got.length > 0,
        'A key was pressed, and a webhook of that category got nothing.',
        'an event',
        namesIn(eventsOf(facts)),
      );
      return met();
    },
    NEEDS,
  ),
  ofStory(
    answered,
    'events/dtmf-payload',
    'EVT-DTMF-PAYLOAD',
    (facts) => {
      const [got] = deliveriesTo(facts, 'dtmf');
      if (got === undefined) return blocked('No event of a pressed key came.');
      return observed('The event of a pressed key.', `${got.event}: ${Object.keys(got.body ?? {}).join(', ')}`);
    },
    NEEDS,
  ),
];

export const selectionChecks: readonly Check[] = [...categoryChecks, ...queueChecks, ...textChecks, ...keyChecks];
