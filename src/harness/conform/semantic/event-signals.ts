// Checks that what happens on the line is told: by the right event, with the right state. Knows no webhook's settings.
import type { Check } from '../check.ts';
import { blocked, demand, type Finding, met } from '../finding.ts';
import { answered, busy, failedOutside, unanswered } from './call-stories.ts';
import type { CallFacts } from './call-story.ts';
import { type anEvent, eventsOfCall, named, namesIn } from './event-facts.ts';
import { OUTSIDE_NEEDS, ofStory } from './story-check.ts';

const of: typeof ofStory = (story, id, ...rest) => ofStory(story, `events/${id}`, ...rest);

/** The event came, with that state. */
function told(facts: CallFacts, name: Parameters<typeof anEvent>[1], state: string, what: string): Finding {
  const events = eventsOfCall(facts);
  const [event] = named(events, name);
  demand(event !== undefined, `${what} is not told by ${name}.`, name, namesIn(events));
  demand(event?.state === state, `${name} carries another state.`, state, event?.state);
  return met();
}

function signalled(facts: CallFacts, phone: string, is: (message: CallFacts['messages'][string][number]) => boolean) {
  return facts.messages[phone]?.some(is) === true;
}

export const signalChecks: readonly Check[] = [
  of(answered, 'initial', 'EVT-INITIAL', (facts) => {
    const isInvited = signalled(
      facts,
      'callee',
      ({ method, direction, status }) => method === 'INVITE' && direction === 'received' && status === undefined,
    );
    return isInvited ? told(facts, 'call.initial', 'INITIAL', 'The INVITE to the phone') : blocked('No INVITE came.');
  }),
  of(answered, 'ringing', 'EVT-RINGING', (facts) => told(facts, 'call.ringing', 'RINGING', 'The ringing phone')),
  of(answered, 'connected', 'EVT-CONNECTED', (facts) => told(facts, 'call.connected', 'CONNECTED', 'The answer')),
  of(answered, 'hold', 'EVT-HOLD', (facts) => {
    const isHeld = signalled(
      facts,
      'caller',
      ({ method, sdp, status }) => method === 'INVITE' && status === undefined && sdp === 'sendonly',
    );
    if (!isHeld) return blocked('The phone sent no INVITE with a=sendonly.');
    return told(facts, 'call.hold', 'ON_HOLD', 'An INVITE with a=sendonly');
  }),
  of(answered, 'unhold', 'EVT-UNHOLD', (facts) => {
    const events = eventsOfCall(facts);
    demand(named(events, 'call.unhold').length > 0, 'The end of the hold is not told.', 'call.unhold', namesIn(events));
    return met();
  }),
  of(answered, 'hangup', 'EVT-HANGUP', (facts) => {
    const isEnded = signalled(facts, 'caller', ({ method, status }) => method === 'BYE' && status === undefined);
    return isEnded ? told(facts, 'call.hangup', 'HANGUP', 'A BYE') : blocked('The phone sent no BYE.');
  }),
  of(unanswered, 'missed', 'EVT-MISSED', (facts) => {
    const events = eventsOfCall(facts);
    demand(
      named(events, 'call.missed').length > 0,
      'An unanswered call is not told as missed.',
      'call.missed',
      namesIn(events),
    );
    return met();
  }),
  of(busy, 'busy', 'EVT-BUSY', (facts) => {
    const events = eventsOfCall(facts);
    demand(
      named(events, 'call.missed', 'call.failed').length > 0,
      'A call to a busy phone is not told as one that was not connected.',
      'call.missed or call.failed',
      namesIn(events),
    );
    return met();
  }),
  of(
    failedOutside,
    'failed',
    'EVT-FAILED',
    (facts) => {
      const events = eventsOfCall(facts);
      demand(
        named(events, 'call.failed').length > 0,
        'An outbound call that failed is not told.',
        'call.failed',
        namesIn(events),
      );
      return met();
    },
    OUTSIDE_NEEDS,
  ),
];
