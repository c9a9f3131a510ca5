// Checks of live calls at the API: while they last, when they are over, and when the API itself moves them.
import type { Bench, Check, Members } from '../check.ts';
import { blocked, demand, type Finding, met, observed } from '../finding.ts';
import { answered } from './call-stories.ts';
import { type CallFacts, digits, SECOND_MS } from './call-story.ts';
import { anEvent, eventsOf, eventsOfCall, someEvents, timeOf } from './event-facts.ts';
import { answeredByRest, type PlacedFacts, placed, type TransferFacts, transferred } from './rest-call-stories.ts';
import { ofStory } from './story-check.ts';

/** Phones alone: the API is asked, no webhook. */
const QUIET: Partial<Check> = { needs: ['second user', 'phones'], operation: 'getCall' };

const of: typeof ofStory = (story, id, clause, judge, more) =>
  ofStory(story, `calls/${id}`, clause, judge, { ...QUIET, ...more });

/** The call as it was shown then; ends the check as blocked when it was not. */
function shown(facts: CallFacts, time: keyof CallFacts['live']): Members | Finding {
  return facts.live[time] ?? blocked(`GET /calls/{id} did not show the call when it was ${time}.`);
}

function isFinding(value: Members | Finding): value is Finding {
  return 'found' in value;
}

/** Seconds or milliseconds since 1970, whichever it must be. */
function epochMs(value: unknown): number {
  const number = Number(value);
  return number > 100_000_000_000 ? number : number * SECOND_MS;
}

const lifeChecks: readonly Check[] = [
  of(answered, 'active', 'CALL-ACTIVE', ({ id, live }) => {
    demand(id !== undefined, 'GET /calls does not list a call that is under way.', 'the call', 'not listed');
    demand(live.ringing !== undefined, 'A call that rings is not found at GET /calls/{id}.', 200, 404);
    demand(live.connected !== undefined, 'A connected call is not found at GET /calls/{id}.', 200, 404);
    demand(String(live.connected?.id) === String(id), 'GET /calls/{id} shows another call.', id, live.connected?.id);
    return met();
  }),
  of(answered, 'gone', 'CALL-GONE', ({ id, after }) => {
    if (id === undefined) return blocked('GET /calls never listed the call.');
    demand(after.status === 404, 'A call that has ended is still found.', 404, after.status);
    return met();
  }),
  of(
    answered,
    'gone-list',
    'CALL-GONE-LIST',
    ({ id, after }) => {
      if (id === undefined) return blocked('GET /calls never listed the call.');
      demand(!after.isListed, 'A call that has ended is still listed.', 'not listed', 'listed');
      return met();
    },
    { operation: 'listCalls' },
  ),
  of(
    answered,
    'event-id',
    'CALL-EVENT-ID',
    (facts) => {
      if (facts.id === undefined) return blocked('GET /calls never listed the call.');
      const isOne = (value: unknown, user: CallFacts['caller']): boolean =>
        [user?.ext, user?.number].some((one) => one !== undefined && digits(one) === digits(value));
      const calls = eventsOf(facts).filter(({ src, dst }) => isOne(src, facts.caller) && isOne(dst, facts.callee));
      if (calls.length === 0) return blocked('The call has no events.');
      const other = calls.find(({ call_id: id }) => String(id) !== String(facts.id));
      demand(other === undefined, 'call_id of an event is not the id of the call.', facts.id, other?.call_id);
      return met();
    },
    { needs: ['second user', 'phones', 'webhooks'] },
  ),
  of(answered, 'hold-goes-on', 'CALL-HOLD-SIGNALLED', (facts) => {
    const bye = facts.messages.callee?.findIndex(({ method, status }) => method === 'BYE' && status === undefined);
    const hold = facts.messages.caller?.findIndex(({ method, sdp }) => method === 'INVITE' && sdp === 'sendonly');
    if (hold === undefined || hold < 0) return blocked('The phone did not hold.');
    demand(facts.live.held !== undefined, 'A held call is not found at GET /calls/{id}.', 200, 404);
    demand(facts.live.resumed !== undefined, 'A call that was held is not found afterwards.', 200, 404);
    return met(bye === undefined || bye < 0 ? '' : 'The other party was told of the end when it came.');
  }),
];

const stateChecks: readonly Check[] = [
  of(answered, 'state', 'CALL-STATE-OF', (facts, { target }) => {
    const [ringing, connected] = [shown(facts, 'ringing'), shown(facts, 'connected')];
    if (isFinding(ringing)) return ringing;
    if (isFinding(connected)) return connected;
    demand(
      ringing.state !== connected.state,
      'state does not tell a ringing call from a connected one.',
      'two',
      ringing.state,
    );
    const { callStates: known } = target;
    if (known?.RINGING !== undefined)
      demand(ringing.state === known.RINGING, 'state of a ringing call is another one.', known.RINGING, ringing.state);
    if (known?.CONNECTED !== undefined)
      demand(
        connected.state === known.CONNECTED,
        'state of a connected call is another one.',
        known.CONNECTED,
        connected.state,
      );
    return met();
  }),
  of(answered, 'state-held', 'CALL-STATE-HELD', (facts) => {
    const [connected, held, resumed] = [shown(facts, 'connected'), shown(facts, 'held'), shown(facts, 'resumed')];
    if (isFinding(connected)) return connected;
    if (isFinding(held)) return held;
    if (isFinding(resumed)) return resumed;
    demand(
      held.state !== connected.state,
      'state does not tell a held call.',
      `not ${String(connected.state)}`,
      held.state,
    );
    demand(
      resumed.state === connected.state,
      'state of a call that was taken back is not that of a connected one.',
      connected.state,
      resumed.state,
    );
    return met();
  }),
  of(answered, 'state-numbers', 'CALL-STATE-NUMBERS', ({ live }) => {
    const told = Object.entries(live).map(([time, call]) => `${time} ${String(call?.state)}`);
    return observed('The numbers of states.', `${told.join(', ')}; start_time ${String(live.connected?.start_time)}`);
  }),
  of(answered, 'duration', 'CALL-DURATION', (facts) => {
    const [connected, held] = [shown(facts, 'connected'), facts.live.resumed ?? shown(facts, 'held')];
    if (isFinding(connected)) return connected;
    if (isFinding(held)) return held;
    const grows = Number(held.duration) > Number(connected.duration);
    demand(grows, 'duration does not grow.', `more than ${String(connected.duration)}`, held.duration);
    return met();
  }),
  of(
    answered,
    'parties',
    'CALL-PARTIES',
    (facts) => {
      const connected = shown(facts, 'connected');
      if (isFinding(connected)) return connected;
      const event = anEvent(facts, 'call.connected', 'call.ringing');
      demand(digits(connected.src) === digits(event.src), 'src is not that of the events.', event.src, connected.src);
      demand(digits(connected.dst) === digits(event.dst), 'dst is not that of the events.', event.dst, connected.dst);
      return met();
    },
    { needs: ['second user', 'phones', 'webhooks'] },
  ),
  of(
    answered,
    'times',
    'CALL-TIMES',
    (facts) => {
      const connected = shown(facts, 'connected');
      if (isFinding(connected)) return connected;
      const event = someEvents(facts).find(({ connected_at: at }) => typeof at === 'string');
      if (event === undefined) return blocked('No event tells when the call was connected.');
      for (const name of ['start_time', 'connected_at'] as const) {
        const [told, seen] = [timeOf(event[name]) ?? 0, epochMs(connected[name])];
        demand(Math.abs(told - seen) <= SECOND_MS, `${name} is not that of the events.`, event[name], connected[name]);
      }
      return met();
    },
    { needs: ['second user', 'phones', 'webhooks'] },
  ),
];

function ofPlaced(
  id: string,
  clause: string,
  judge: (facts: PlacedFacts) => Finding,
  more: Partial<Check> = {},
): Check {
  return {
    ...{ id: `calls/${id}`, clause, operation: 'createCall', effects: ['dial'], needs: ['second user', 'phones'] },
    ...{ lane: 'alone', ...more },
    run: async (bench) => judge(await placed(bench)),
  };
}

const placedChecks: readonly Check[] = [
  ofPlaced('placed', 'CALL-PLACED', ({ status, firstRang, secondRang, bothTalked }) => {
    demand(status === 201, 'The call is not placed.', 201, status);
    demand(firstRang, 'The phone of the user does not ring.', 'it rings', 'it does not');
    demand(secondRang, 'The destination does not ring when the user has answered.', 'it rings', 'it does not');
    demand(bothTalked, 'The two are not connected.', 'connected', 'not connected');
    return met();
  }),
  ofPlaced('placed-id', 'CALL-PLACED-ID', ({ status, created, ringing }) => {
    if (status !== 201) return blocked(`POST /calls answers ${status}.`);
    demand(ringing !== undefined, 'The call is not found under the id of the answer.', 200, 404);
    demand(String(ringing?.id) === String(created.id), 'Another call is found.', created.id, ringing?.id);
    return met();
  }),
  ofPlaced(
    'placed-events',
    'CALL-PLACED-EVENTS',
    (facts) => {
      const ids = new Set(eventsOf(facts).map(({ call_id: id }) => String(id)));
      if (ids.size === 0) return blocked('The call has no events.');
      demand(
        ids.has(String(facts.created.id)),
        'No event carries the id of the call.',
        facts.created.id,
        [...ids].join(', '),
      );
      return met();
    },
    { needs: ['second user', 'phones', 'webhooks'] },
  ),
  ofPlaced('accepted', 'STATE-ACCEPTED', ({ accepted, deliveries }) => {
    const names = deliveries.map(({ event }) => event).join(', ');
    return observed(
      'The state once the first party has accepted, and the events.',
      `${String(accepted?.state)}; ${names}`,
    );
  }),
  ofPlaced(
    'labelled',
    'CALL-LABELLED',
    ({ bothTalked, labelled }) => {
      if (!bothTalked) return blocked('The call was not connected.');
      const isTaken = labelled === 301 || labelled === 200;
      demand(isTaken, 'Labels and an action are refused.', 301, labelled);
      return met();
    },
    { operation: 'updateCall' },
  ),
  ofPlaced(
    'deleted',
    'CALL-DELETED',
    ({ bothTalked, deleted, bothFree }) => {
      if (!bothTalked) return blocked('The call was not connected.');
      demand(deleted === 204, 'The call is not terminated.', 204, deleted);
      demand(bothFree, 'The phones go on talking.', 'both are free', 'they are not');
      return met();
    },
    { operation: 'deleteCall' },
  ),
  ofPlaced(
    'deleted-gone',
    'CALL-DELETED-GONE',
    ({ deleted, after }) => {
      if (deleted !== 204) return blocked(`DELETE /calls/{id} answers ${deleted}.`);
      demand(after === 404, 'A call that was terminated is still found.', 404, after);
      return met();
    },
    { operation: 'deleteCall' },
  ),
  ofPlaced(
    'deleted-by',
    'CALL-DELETED-BY',
    (facts) => {
      const events = eventsOfCall({ deliveries: facts.deliveries, id: facts.created.id });
      const last = events.findLast(({ event_name: name }) => name === 'call.hangup');
      if (last === undefined) return blocked('No event tells the end.');
      return observed(
        'The end of a call that the API has ended.',
        `terminated_by ${String(last.terminated_by)}, ${String(last.t_cause)}`,
      );
    },
    { operation: 'deleteCall', needs: ['second user', 'phones', 'webhooks'] },
  ),
];

function ofTransfer(id: string, clause: string, judge: (facts: TransferFacts) => Finding): Check {
  return {
    ...{ id: `calls/${id}`, clause, operation: 'updateCall', effects: ['dial'], lane: 'alone' },
    needs: ['second user', 'third user', 'phones'],
    run: async (bench: Bench) => judge(await transferred(bench)),
  };
}

const changeChecks: readonly Check[] = [
  ofTransfer('transferred', 'CALL-TRANSFERRED', ({ status, thirdRang, thirdTalked }) => {
    demand(status === 301 || status === 200, 'The transfer is refused.', 301, status);
    demand(thirdRang, 'The new destination does not ring.', 'it rings', 'it does not');
    demand(thirdTalked, 'The new destination is not connected.', 'connected', 'not connected');
    return met();
  }),
  ofTransfer('transfer-id', 'CALL-TRANSFER-ID', ({ before, after, thirdTalked }) => {
    if (!thirdTalked) return blocked('The transfer was not made.');
    return observed(
      after === undefined ? 'The call has another id afterwards.' : 'The call keeps its id.',
      `dst ${String(before.dst)}, then ${String(after?.dst)}`,
    );
  }),
  {
    ...{ id: 'calls/answered', clause: 'CALL-ANSWERED', operation: 'updateCall', effects: ['dial'], lane: 'alone' },
    needs: ['second user', 'phones'],
    run: async (bench) => {
      const { status, isConnected } = await answeredByRest(bench);
      demand(status === 301 || status === 200, 'A ringing call is not answered.', 301, status);
      demand(isConnected, 'The phone is not connected.', 'connected', 'not connected');
      return met();
    },
  },
  of(
    answered,
    'recorded',
    'CALL-RECORDED',
    ({ monitors }) => {
      demand(monitors.length > 0, 'The call was recorded, and there is no recording.', 'a recording', 'none');
      return met();
    },
    { operation: 'updateCall' },
  ),
];

export const callChecks: readonly Check[] = [...lifeChecks, ...stateChecks, ...placedChecks, ...changeChecks];
