// Checks of what events say of their call: who, where, whose, how it ended. Knows no webhook's settings.
import type { Check } from '../check.ts';
import { blocked, demand, met, observed, violated } from '../finding.ts';
import { answered, answeredOutside, calledFromOutside, endedByCallee, unanswered } from './call-stories.ts';
import { type CallFacts, digits } from './call-story.ts';
import {
  anEvent,
  deliveriesTo,
  type EventBody,
  eventsOfCall,
  lastEvent,
  named,
  namesIn,
  someEvents,
} from './event-facts.ts';
import { OUTSIDE_NEEDS, ofStory } from './story-check.ts';

const of: typeof ofStory = (story, id, ...rest) => ofStory(story, `events/${id}`, ...rest);

function sameParty(value: unknown, user: CallFacts['caller']): boolean {
  return [user?.ext, user?.number].some((one) => one !== undefined && digits(one) === digits(value));
}

export const eventContentChecks: readonly Check[] = [
  of(answered, 'json', 'EVT-JSON', (facts) => {
    const all = deliveriesTo(facts);
    if (all.length === 0) return blocked('No event came.');
    const broken = all.find(({ body }) => body === undefined);
    demand(broken === undefined, 'A delivery is no JSON object.', 'a JSON object', broken?.flaws[0]);
    return met();
  }),
  of(answered, 'json-type', 'EVT-JSON-TYPE', (facts) => {
    const all = deliveriesTo(facts);
    if (all.length === 0) return blocked('No event came.');
    const flaw = all.flatMap(({ flaws }) => flaws).find((one) => one.includes('Content-Type'));
    return flaw === undefined ? met() : violated('JSON comes under another media type.', 'application/json', flaw);
  }),
  of(answered, 'id-unique', 'EVT-ID-UNIQUE', (facts) => {
    const byId = new Map<unknown, EventBody>();
    for (const { body } of deliveriesTo(facts)) {
      if (body?.id === undefined) continue;
      const before = byId.get(body.id);
      const same = before === undefined || before.event_name === body.event_name;
      demand(
        same,
        'Two events have one id.',
        `an id of its own for ${String(body.event_name)}`,
        `${String(body.id)}, that of ${String(before?.event_name)}`,
      );
      byId.set(body.id, body);
    }
    demand(
      someEvents(facts).every(({ id }) => id !== undefined),
      'An event has no id.',
    );
    return met(`${byId.size} events`);
  }),
  of(answered, 'context-user', 'EVT-CONTEXT-USER', (facts) => {
    const other = someEvents(facts).find(({ context }) => context !== 'LOCAL_USER');
    demand(other === undefined, 'An event on a user has another context.', 'LOCAL_USER', other?.context);
    return met();
  }),
  of(answered, 'terminated-by-caller', 'EVT-TERMINATED-BY-CALLER', (facts) => {
    const { terminated_by: by } = anEvent(facts, 'call.hangup');
    demand(by === 'caller', 'The caller has hung up, and the event says something else.', 'caller', by ?? null);
    return met();
  }),
  of(endedByCallee, 'terminated-by-callee', 'EVT-TERMINATED-BY-CALLEE', (facts) => {
    const { terminated_by: by } = anEvent(facts, 'call.hangup');
    demand(by === 'callee', 'The callee has hung up, and the event says something else.', 'callee', by ?? null);
    return met();
  }),
  ...[
    { story: answered, id: 'cause' },
    { story: unanswered, id: 'cause-missed' },
  ].map(({ story, id }) =>
    of(story, id, 'EVT-CAUSE', (facts) => {
      const { t_cause: cause } = lastEvent(facts);
      demand(
        typeof cause === 'string' && cause !== '',
        't_cause of the last event is empty.',
        'a reason',
        cause ?? null,
      );
      return met(String(cause));
    }),
  ),
  of(answered, 'hash-same', 'EVT-HASH-SAME', (facts) => {
    const hashes = [...new Set(someEvents(facts).map(({ src_hash: hash }) => hash))];
    demand(hashes.length === 1, 'src_hash changes within a call.', hashes[0], hashes[1]);
    return met();
  }),
  {
    ...of(answered, 'hash-unique', 'EVT-HASH-UNIQUE', () => met()),
    run: async (bench) => {
      const [one] = someEvents(await answered(bench));
      const [other] = someEvents(await unanswered(bench));
      demand(one?.src_hash !== other?.src_hash, 'Two calls have one src_hash.', 'two values', one?.src_hash);
      return met();
    },
  },
  of(answered, 'parties', 'EVT-PARTIES', (facts) => {
    for (const { src, dst, event_name: name } of someEvents(facts)) {
      demand(
        sameParty(src, facts.caller),
        `src of ${String(name)} is not the caller's number.`,
        facts.caller?.ext,
        src,
      );
      demand(
        sameParty(dst, facts.callee),
        `dst of ${String(name)} is not the callee's number.`,
        facts.callee?.ext,
        dst,
      );
    }
    return met();
  }),
  of(answered, 'party-ids', 'EVT-PARTY-IDS', (facts) => {
    for (const { src_id: src, dst_id: dst, event_name: name } of someEvents(facts)) {
      demand(
        src === facts.caller?.id,
        `src_id of ${String(name)} is not the caller's id.`,
        facts.caller?.id,
        src ?? null,
      );
      demand(
        dst === facts.callee?.id,
        `dst_id of ${String(name)} is not the callee's id.`,
        facts.callee?.id,
        dst ?? null,
      );
    }
    return met();
  }),
  of(answered, 'states-open', 'EVT-STATE-OF-UNHOLD', (facts) => {
    const [unhold] = named(eventsOfCall(facts), 'call.unhold');
    return observed('The state that call.unhold carries.', unhold?.state ?? 'none');
  }),
  of(unanswered, 'failed-is-outbound', 'EVT-FAILED-IS-OUTBOUND', (facts) => {
    const wrong = named(someEvents(facts), 'call.failed').find(({ destination }) => destination !== 'out');
    demand(wrong === undefined, 'A call that came in is told as call.failed.', 'call.missed', 'call.failed');
    return met();
  }),
  of(answered, 'missed-is-unanswered', 'EVT-MISSED-IS-UNANSWERED', (facts) => {
    const events = someEvents(facts);
    demand(
      named(events, 'call.missed').length === 0,
      'An answered call is told as missed.',
      'no call.missed',
      namesIn(events),
    );
    return met();
  }),
  of(
    answeredOutside,
    'direction-out',
    'EVT-DIRECTION-OUT',
    (facts) => {
      const other = someEvents(facts).find(({ destination }) => destination !== 'out');
      demand(other === undefined, 'A call to the public network is said not to go out.', 'out', other?.destination);
      return met();
    },
    OUTSIDE_NEEDS,
  ),
  of(
    calledFromOutside,
    'direction-in',
    'EVT-DIRECTION-IN',
    (facts) => {
      const other = someEvents(facts).find(({ destination }) => destination !== 'in');
      demand(other === undefined, 'A call from the public network is said not to come in.', 'in', other?.destination);
      return met();
    },
    OUTSIDE_NEEDS,
  ),
];
