// How checks read the events of a story: each once, those of its call, the first of a name. Knows no clause.
import { type CallEventName, type EventName, terminalEvents } from '../../../contract/events.ts';
import { parseUtc } from '../../../kernel/time.ts';
import type { Delivery } from '../../run/inbox.ts';
import { blocked, CheckEnd } from '../finding.ts';
import { type CallFacts, CHANGES } from './call-story.ts';

export type EventBody = Readonly<Record<string, unknown>>;

/** Deliveries of one webhook that are events of calls, repetitions included, in order of arrival. */
export function deliveriesTo({ deliveries }: Pick<CallFacts, 'deliveries'>, webhook: string = CHANGES): Delivery[] {
  return deliveries.filter((one) => one.webhook === webhook);
}

/** What webhooks got of calls: each event once, by arrival. */
export function eventsOf(facts: Pick<CallFacts, 'deliveries'>, webhook: string = CHANGES): EventBody[] {
  const byId = new Map<string, EventBody>();
  for (const { id, body, event } of deliveriesTo(facts, webhook))
    if (body !== undefined && event.startsWith('call.')) byId.set(id, byId.get(id) ?? body);
  return [...byId.values()];
}

/**
 * Those of the story's call alone. Where nobody knows which call that is, all events may be its own, but not those of several calls: others
 * of the account may call meanwhile, and are not judged in its stead. Ends the check as blocked then.
 */
export function eventsOfCall({ deliveries, id }: Pick<CallFacts, 'deliveries' | 'id'>): EventBody[] {
  return eventsOfCalls({ deliveries, ids: id === undefined ? [] : [id] });
}

/** The same of a story that may be several calls at the target: a queue's caller, and the agent that it rings. */
export function eventsOfCalls({
  deliveries,
  ids,
}: Pick<CallFacts, 'deliveries'> & { readonly ids: readonly unknown[] }): EventBody[] {
  const events = eventsOf({ deliveries });
  const own = new Set(ids.map(String));
  if (own.size > 0) return events.filter(({ call_id: id }) => own.has(String(id)));
  if (new Set(events.map(({ call_id: id }) => String(id))).size > 1)
    throw new CheckEnd(
      blocked(
        'There are events of several calls, and neither GET /calls nor they tell which is the one that was made.',
      ),
    );
  return events;
}

export function named(events: readonly EventBody[], ...names: readonly EventName[]): EventBody[] {
  return events.filter(({ event_name: name }) => (names as readonly unknown[]).includes(name));
}

/** The first event of that name; ends the check as blocked when there is none, which is the business of another check. */
export function anEvent(facts: CallFacts, ...names: readonly CallEventName[]): EventBody {
  const [event] = named(eventsOfCall(facts), ...names);
  if (event !== undefined) return event;
  throw new CheckEnd(blocked(`The call has no event ${names.join(' or ')}.`));
}

/** The events of the call; ends the check as blocked when there are none. */
export function someEvents(facts: CallFacts): EventBody[] {
  const events = eventsOfCall(facts);
  if (events.length > 0) return events;
  throw new CheckEnd(blocked('The call has no events.'));
}

export function lastEvent(facts: CallFacts): EventBody {
  const last = named(someEvents(facts), ...terminalEvents).at(-1);
  if (last !== undefined) return last;
  throw new CheckEnd(blocked('The call has no last event.'));
}

export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseUtc(value) : undefined;
}

/** The names of events in a few words. */
export function namesIn(events: readonly EventBody[]): string {
  return events.length === 0 ? 'no events' : events.map(({ event_name: name }) => String(name)).join(', ');
}
