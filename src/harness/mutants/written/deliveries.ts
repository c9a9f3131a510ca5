// Mutants of what is delivered, where, when and how often: dropped, twice, out of order, late, after the end, to the wrong webhook.
import { transitionClauseId } from '../../../contract/clauses/events.ts';
import { terminalEvents, type WebhookCategory } from '../../../contract/events.ts';
import type { Courier, Post } from '../../run/inbox.ts';
import { type Change, eventIn, forWebhook, ofDeliveries, ofEvents, webhookOf } from '../couriers.ts';
import type { Json, Mutant } from '../mutant.ts';

const isEnd = ({ event_name: name }: Json): boolean => (terminalEvents as readonly unknown[]).includes(name);
const isOfCall = ({ event_name: name }: Json): boolean => String(name).startsWith('call.');

const dropping =
  (name: string): Change =>
  (event) =>
    event.event_name === name ? [] : undefined;

const dropped: readonly Mutant[] = [
  ['call.initial', ['EVT-INITIAL']],
  ['call.ringing', ['EVT-RINGING', transitionClauseId('INITIAL', 'RINGING')]],
  ['call.connected', ['EVT-CONNECTED', transitionClauseId('RINGING', 'CONNECTED')]],
  ['call.hold', ['EVT-HOLD', transitionClauseId('CONNECTED', 'ON-HOLD'), transitionClauseId('ON-HOLD', 'HANGUP')]],
  ['call.unhold', ['EVT-UNHOLD', transitionClauseId('ON-HOLD', 'CONNECTED')]],
  ['call.hangup', ['EVT-HANGUP', 'EVT-ONE-END', transitionClauseId('CONNECTED', 'HANGUP')]],
  [
    'call.missed',
    ['EVT-MISSED', 'EVT-BUSY', transitionClauseId('RINGING', 'MISSED'), transitionClauseId('INITIAL', 'MISSED')],
  ],
  ['call.failed', ['EVT-FAILED']],
  ['sms.received', ['EVT-SMS']],
  ['call.dtmf', ['EVT-DTMF']],
].map(([name, clauses]) => ofEvents(`events: ${String(name)} is dropped`, clauses ?? [], dropping(String(name))));

/** Holds back those that are meant until the next one at the same webhook has been handed on. */
function swapping(isMeant: (event: Json) => boolean): () => Courier {
  return () => {
    const kept = new Map<string, Post>();
    return (post, handOn) => {
      const event = eventIn(post);
      if (event !== undefined && isMeant(event)) {
        kept.set(post.path, post);
        return;
      }
      handOn(post);
      const late = kept.get(post.path);
      kept.delete(post.path);
      if (late !== undefined) handOn(late);
    };
  };
}

/** Everything after the answer comes when the next call begins. */
function tardy(): Courier {
  const kept: Post[] = [];
  const answered = new Set<unknown>();
  return (post, handOn) => {
    const event = eventIn(post);
    if (event?.event_name === 'call.initial') for (const late of kept.splice(0)) handOn(late);
    if (event !== undefined && answered.has(event.call_id) && event.event_name !== 'call.connected') kept.push(post);
    else handOn(post);
    if (event?.event_name === 'call.connected') answered.add(event.call_id);
  };
}

const disorder: readonly Mutant[] = [
  ofDeliveries(
    'events: ringing comes after the answer',
    'EVT-ORDER',
    swapping(({ event_name: name }) => name === 'call.ringing'),
  ),
  ofDeliveries(
    'events: the beginning comes after the ringing',
    'EVT-ORDER',
    swapping(({ event_name: name }) => name === 'call.initial'),
  ),
  ofEvents('events: the answer is told as soon as it rings', 'EVT-ORDER', (event) =>
    event.event_name === 'call.ringing'
      ? [{ ...event, id: `${event.id}e`, event_name: 'call.connected', state: 'CONNECTED' }, event]
      : undefined,
  ),
  ofDeliveries('events: each is delivered twice', 'EVT-ONCE', () => (post, handOn) => {
    handOn(post);
    if (eventIn(post) !== undefined) handOn(post);
  }),
  ofEvents('events: a call ends twice', 'EVT-ONE-END', (event) =>
    isOfCall(event) && isEnd(event) ? [event, { ...event, id: `${event.id}e` }] : undefined,
  ),
  ofEvents('events: it rings after the end', 'EVT-NOTHING-AFTER-END', (event) =>
    isEnd(event) ? [event, { ...event, id: `${event.id}a`, event_name: 'call.ringing', state: 'RINGING' }] : undefined,
  ),
  ofDeliveries('events: they come when the next call begins', 'EVT-PROMPT', tardy),
  ofEvents('events: a held call is taken back before it ends', transitionClauseId('ON-HOLD', 'HANGUP'), (event) =>
    event.event_name === 'call.hangup'
      ? [{ ...event, id: `${event.id}u`, event_name: 'call.unhold', state: 'CONNECTED' }, event]
      : undefined,
  ),
];

/** Events that are meant come to another webhook, too. */
function leak(isMeant: (event: Json) => boolean, webhook: WebhookCategory): () => Courier {
  return () => (post, handOn) => {
    handOn(post);
    const event = eventIn(post);
    const isFrom = webhookOf(post) === 'call_state_change' || webhookOf(post) === 'sms_received';
    if (event !== undefined && isFrom && webhookOf(post) !== webhook && isMeant(event))
      handOn(forWebhook(post, webhook));
  };
}

const CATEGORIES: ReadonlyArray<readonly [WebhookCategory, string]> = [
  ['missed', 'EVT-CATEGORY-MISSED'],
  ['ringing', 'EVT-CATEGORY-RINGING'],
  ['connected', 'EVT-CATEGORY-CONNECTED'],
  ['ended', 'EVT-CATEGORY-ENDED'],
];

const selections: readonly Mutant[] = [
  ...CATEGORIES.flatMap(([category, clause]) => [
    ofDeliveries(`events: the category ${category} gets every call event`, clause, leak(isOfCall, category)),
    ofEvents(`events: the category ${category} gets nothing`, clause, (_event, webhook) =>
      webhook === category ? [] : undefined,
    ),
    ofDeliveries(
      `events: the category ${category} gets events of queues`,
      'EVT-QUEUE-ONLY-STATE-CHANGE',
      leak(({ context }) => context === 'QUEUE', category),
    ),
  ]),
  ofEvents('events: the category of state changes gets no hold', 'EVT-CATEGORY-STATE-CHANGE', (event, webhook) =>
    webhook === 'call_state_change' && event.event_name === 'call.hold' ? [] : undefined,
  ),
  ofDeliveries('events: the category of texts gets calls', 'EVT-CATEGORY-NO-SMS', leak(isOfCall, 'sms_received')),
  ofDeliveries(
    'events: the category of state changes gets texts',
    'EVT-SMS-CATEGORY',
    leak(({ event_name: name }) => name === 'sms.received', 'call_state_change'),
  ),
  ofEvents('events: a missed call of a queue is dropped', 'EVT-QUEUE-MISSED', ({ event_name: name, context }) =>
    name === 'call.missed' && context === 'QUEUE' ? [] : undefined,
  ),
];

export const deliveryMutants: readonly Mutant[] = [...dropped, ...disorder, ...selections];
