// Checks of the times that events tell. Knows no webhook's settings.
import type { Bench, Check } from '../check.ts';
import { demand, met, observed } from '../finding.ts';
import { answered, unanswered } from './call-stories.ts';
import { SECOND_MS } from './call-story.ts';
import { anEvent, eventsOfCall, named, someEvents, timeOf } from './event-facts.ts';
import { ofStory } from './story-check.ts';

const of: typeof ofStory = (story, id, ...rest) => ofStory(story, `events/${id}`, ...rest);

/** In real time two clocks may differ so far. */
const SKEW_MS = 300_000;

function isWithin(value: unknown, from: number, to: number, { target }: Bench): boolean {
  const at = timeOf(value);
  const slack = target.time === 'manual' ? SECOND_MS : SKEW_MS;
  return at !== undefined && at >= from - slack && at <= to + slack;
}

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export const eventTimeChecks: readonly Check[] = [
  of(answered, 'time-utc', 'EVT-TIME-UTC', (facts, bench) => {
    const { begun, over } = facts.times;
    for (const { event_time: at, event_name: name } of someEvents(facts))
      demand(
        isWithin(at, begun, over, bench),
        `event_time of ${String(name)} is not when it happened, in UTC.`,
        `${timeText(begun)} to ${timeText(over)}`,
        at,
      );
    return met();
  }),
  of(answered, 'start-time', 'EVT-START-TIME', (facts, bench) => {
    const events = someEvents(facts);
    const start = events[0]?.start_time;
    demand(
      isWithin(start, facts.times.begun, facts.times.begun, bench),
      'start_time is not when the call began.',
      timeText(facts.times.begun),
      start,
    );
    const other = events.find((one) => one.start_time !== start);
    demand(other === undefined, 'start_time changes while the call goes on.', start, other?.start_time);
    return met();
  }),
  of(answered, 'connected-null', 'EVT-CONNECTED-NULL', (facts) => {
    for (const { connected_at: at, event_name: name } of named(someEvents(facts), 'call.initial', 'call.ringing'))
      demand(at === null, `connected_at of ${String(name)} is not null.`, null, at);
    return met();
  }),
  of(unanswered, 'connected-never', 'EVT-CONNECTED-NULL', (facts) => {
    const event = anEvent(facts, 'call.missed');
    demand(event.connected_at === null, 'connected_at of a missed call is not null.', null, event.connected_at);
    return met();
  }),
  of(answered, 'connected-at', 'EVT-CONNECTED-AT', (facts, bench) => {
    const at = facts.times.answered ?? facts.times.begun;
    for (const event of named(someEvents(facts), 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'))
      demand(
        isWithin(event.connected_at, at, at, bench),
        `connected_at of ${String(event.event_name)} is not when the call was connected.`,
        timeText(at),
        event.connected_at,
      );
    return met();
  }),
  of(answered, 'duration', 'EVT-DURATION', (facts) => {
    const { begun, ended } = facts.times;
    const { duration } = anEvent(facts, 'call.hangup');
    const s = (ended - begun) / SECOND_MS;
    demand(Math.abs(Number(duration) - s) <= 2, 'duration is not that of the call.', `${Math.round(s)} s`, duration);
    return met();
  }),
  of(answered, 'prompt', 'EVT-PROMPT', (facts, bench) => {
    if (bench.target.time !== 'manual') return observed('Only a clock that can be told shows how late an event is.');
    const last = eventsOfCall(facts).at(-1);
    const behind = facts.times.over - (timeOf(last?.event_time) ?? 0);
    demand(behind <= 3 * SECOND_MS, 'The last event was not sent in time.', 'within 3 s', `${behind} ms`);
    return met();
  }),
];
