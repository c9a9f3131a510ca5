// Checks of the order and number of events, as it follows from the states. Knows no webhook's settings.
import { transitionClauseId } from '../../../contract/clauses/events.ts';
import { terminalEvents } from '../../../contract/events.ts';
import { allEvents } from '../../events/all-events.ts';
import { CallSequence, isCallEvent } from '../../events/call-sequence.ts';
import type { Check } from '../check.ts';
import { demand, met } from '../finding.ts';
import { answered, busy, endedByCallee, failedOutside, unanswered } from './call-stories.ts';
import { deliveriesTo, named, namesIn, someEvents } from './event-facts.ts';
import { OUTSIDE_NEEDS, ofStory, type Story } from './story-check.ts';

const of: typeof ofStory = (story, id, ...rest) => ofStory(story, `events/${id}`, ...rest);

export const eventOrderChecks: readonly Check[] = [
  ...[
    { story: answered, id: 'order' },
    { story: unanswered, id: 'order-missed' },
  ].map(({ story, id }) =>
    of(story, id, 'EVT-ORDER', (facts) => {
      const events = someEvents(facts);
      const sequence = new CallSequence(allEvents, true);
      for (const { event_name: name, connected_at: at } of events) {
        if (typeof name !== 'string' || !isCallEvent(name)) continue;
        const wrong = sequence.take(name, { unanswered: at === null });
        demand(
          wrong === undefined || wrong.includes('which ends the call'),
          `Events come out of order: ${wrong}.`,
          'in the order of the states',
          namesIn(events),
        );
      }
      return met();
    }),
  ),
  of(answered, 'once', 'EVT-ONCE', (facts) => {
    const twice = deliveriesTo(facts).find((one, at, all) => all.findIndex(({ id }) => id === one.id) < at);
    demand(twice === undefined, 'An event that was taken came again.', 'once', twice?.event);
    return met();
  }),
  ...[
    { story: answered, id: 'one-end' },
    { story: unanswered, id: 'one-end-missed' },
  ].map(({ story, id }) =>
    of(story, id, 'EVT-ONE-END', (facts) => {
      const ends = named(someEvents(facts), ...terminalEvents);
      demand(ends.length === 1, 'The call has not one last event.', 1, ends.length === 0 ? 'none' : namesIn(ends));
      return met();
    }),
  ),
  of(answered, 'nothing-after-end', 'EVT-NOTHING-AFTER-END', (facts) => {
    const events = someEvents(facts);
    const end = events.findIndex(({ event_name: name }) => (terminalEvents as readonly unknown[]).includes(name));
    const after = end < 0 ? [] : events.slice(end + 1);
    demand(after.length === 0, 'Events come after the last one.', 'none', namesIn(after));
    return met();
  }),
];

/** The state that each event leads to, as transitions are called. */
const STATE_OF: Readonly<Record<string, string>> = {
  'call.initial': 'INITIAL',
  'call.ringing': 'RINGING',
  'call.connected': 'CONNECTED',
  'call.hold': 'ON-HOLD',
  'call.unhold': 'CONNECTED',
  'call.hangup': 'HANGUP',
  'call.missed': 'MISSED',
  'call.failed': 'MISSED',
};

const transitions: ReadonlyArray<readonly [story: Story, from: string, to: string]> = [
  [answered, 'INITIAL', 'RINGING'],
  [answered, 'RINGING', 'CONNECTED'],
  [answered, 'CONNECTED', 'ON-HOLD'],
  [answered, 'ON-HOLD', 'CONNECTED'],
  [answered, 'CONNECTED', 'HANGUP'],
  [endedByCallee, 'ON-HOLD', 'HANGUP'],
  [unanswered, 'RINGING', 'MISSED'],
  [busy, 'INITIAL', 'MISSED'],
];

export const transitionChecks: readonly Check[] = [
  ...transitions.map(([story, from, to]) =>
    of(story, `state-${from}-${to}`.toLowerCase(), transitionClauseId(from, to), (facts) => {
      const events = someEvents(facts);
      const states = events.map(({ event_name: name }) => STATE_OF[String(name)]);
      const isThere = states.some((state, at) => state === to && states[at - 1] === from);
      demand(isThere, `No event of ${to} comes directly after one of ${from}.`, `${from}, ${to}`, namesIn(events));
      return met();
    }),
  ),
  of(
    failedOutside,
    'state-outbound-failed',
    'STATE-OUTBOUND-FAILED',
    (facts) => {
      const states = someEvents(facts).map(({ state }) => state);
      const isRight = states.at(-1) === 'FAILED' && !states.includes('CONNECTED');
      demand(isRight, 'A failed outbound call goes another way.', 'INITIAL ... FAILED', states.join(', '));
      return met();
    },
    OUTSIDE_NEEDS,
  ),
];
