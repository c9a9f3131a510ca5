// Checks of what is left of a call: its record and its recording, and that they agree with each other and with its events.

import { valueAt } from '../../matching.ts';
import type { Bench, Check, Members } from '../check.ts';
import { blocked, CheckEnd, demand, met, observed } from '../finding.ts';
import { answered, answeredOutside, calledFromOutside, unanswered } from './call-stories.ts';
import { type CallFacts, digits, SECOND_MS } from './call-story.ts';
import { lastEvent, someEvents, timeOf } from './event-facts.ts';
import { OUTSIDE_NEEDS, ofStory } from './story-check.ts';

const of: typeof ofStory = (story, id, clause, judge, more) =>
  ofStory(story, `call-records/${id}`, clause, judge, {
    needs: ['second user', 'phones'],
    operation: 'listCdrs',
    ...more,
  });

/** Compared with events. */
const TOLD: Partial<Check> = { needs: ['second user', 'phones', 'webhooks'] };

function theRecord({ cdrs }: CallFacts): Members {
  const [record] = cdrs;
  if (record !== undefined) return record;
  throw new CheckEnd(blocked('GET /cdrs has no record with the live_id of the call.'));
}

function theRecording({ monitors }: CallFacts): Members {
  const [recording] = monitors;
  if (recording !== undefined) return recording;
  throw new CheckEnd(blocked('GET /monitors has no recording with the live_id of the call.'));
}

/** In real time phones need some for what they do. */
function isNear(seconds: unknown, ms: number, { target }: Bench): boolean {
  const slack = target.time === 'manual' ? 1 : 2;
  return typeof seconds === 'number' && Math.abs(seconds - ms / SECOND_MS) <= slack;
}

function isParty(value: unknown, user: CallFacts['caller']): boolean {
  return [user?.ext, user?.number].some((one) => one !== undefined && digits(one) === digits(value));
}

const cdrChecks: readonly Check[] = [
  of(answered, 'cdr', 'CDR-FOUND', ({ id, cdrs }) => {
    if (id === undefined) return blocked('GET /calls never listed the call.');
    demand(cdrs.length > 0, 'No record has the live_id of the call.', `live_id ${String(id)}`, 'none');
    const other = cdrs.find(({ live_id: live }) => String(live) !== String(id));
    demand(other === undefined, 'The filter finds the record of another call.', id, other?.live_id);
    return met();
  }),
  of(unanswered, 'cdr-missed', 'CDR-FOUND', ({ id, cdrs }) => {
    if (id === undefined) return blocked('GET /calls never listed the call.');
    demand(cdrs.length > 0, 'No record has the live_id of the missed call.', `live_id ${String(id)}`, 'none');
    return met();
  }),
  of(answered, 'one', 'CDR-ONE', (facts) => {
    theRecord(facts);
    demand(facts.cdrs.length === 1, 'The call has not one record.', 1, facts.cdrs.length);
    return met();
  }),
  of(answered, 'duration', 'CDR-DURATION', (facts, bench) => {
    const { duration } = theRecord(facts);
    const ms = facts.times.ended - facts.times.begun;
    demand(
      isNear(duration, ms, bench),
      'duration is not that of the call.',
      `${Math.round(ms / SECOND_MS)} s`,
      duration,
    );
    return met();
  }),
  of(answered, 'billsec', 'CDR-BILLSEC', (facts, bench) => {
    const { billsec } = theRecord(facts);
    const ms = facts.times.ended - (facts.times.answered ?? facts.times.begun);
    demand(
      isNear(billsec, ms, bench),
      'billsec is not the connected time.',
      `${Math.round(ms / SECOND_MS)} s`,
      billsec,
    );
    return met();
  }),
  of(unanswered, 'billsec-zero', 'CDR-BILLSEC-ZERO', (facts) => {
    const { billsec } = theRecord(facts);
    demand(billsec === 0, 'A call that nobody answered has a connected time.', 0, billsec);
    return met();
  }),
  of(answered, 'calldate', 'CDR-CALLDATE', (facts, { target }) => {
    const { calldate } = theRecord(facts);
    const slack = target.time === 'manual' ? SECOND_MS : 300_000;
    const isRight = Math.abs((timeOf(calldate) ?? 0) - facts.times.begun) <= slack;
    demand(isRight, 'calldate is not when the call began.', new Date(facts.times.begun).toISOString(), calldate);
    return met();
  }),
  of(answered, 'parties', 'CDR-PARTIES', (facts) => {
    const { src, dst } = theRecord(facts);
    demand(isParty(src, facts.caller), "src is not the caller's number.", facts.caller?.ext, src);
    demand(isParty(dst, facts.callee), "dst is not the callee's number.", facts.callee?.ext, dst);
    return met();
  }),
  of(unanswered, 'type-missed', 'CDR-TYPE-MISSED', (facts) => {
    const { type } = theRecord(facts);
    if (typeof type !== 'string') return observed('type is a number.', type);
    demand(type === 'M', 'type of a missed call is another one.', 'M', type);
    return met();
  }),
  of(answered, 'codes', 'CDR-CODES', (facts) => {
    const { type, destination, disposition } = theRecord(facts);
    return observed('type, destination and disposition.', [type, destination, disposition].map(String).join(', '));
  }),
  of(answered, 'cause', 'CDR-CAUSE', (facts) => {
    const { t_cause: cause } = theRecord(facts);
    demand(typeof cause === 'string' && cause !== '', 't_cause is empty.', 'a reason', cause);
    return met(String(cause));
  }),
  {
    ...of(answered, 'read', 'CDR-READ', () => met(), { operation: 'getCdr' }),
    run: async (bench) => {
      const listed = theRecord(await answered(bench));
      const { status, body } = await bench.ask('getCdr', { path: { id: listed.id } });
      demand(status === 200, 'A record that is listed is not found.', 200, status);
      const read = (valueAt(body, '/data') ?? {}) as Members;
      const names = ['id', 'live_id', 'duration', 'billsec', 'src', 'dst'];
      const other = names.find((name) => read[name] !== listed[name]);
      demand(other === undefined, `${other} is another one than in the list.`, listed[other ?? ''], read[other ?? '']);
      return met();
    },
  },
  {
    ...of(answered, 'of-user', 'CDR-USER-FILTER', () => met(), { operation: 'listUserCdrs' }),
    run: async (bench) => {
      const facts = await answered(bench);
      const { id } = theRecord(facts);
      const { status, body } = await bench.ask('listUserCdrs', {
        path: { id: facts.caller?.id },
        query: { limit: 5000 },
      });
      const data = valueAt(body, '/data');
      if (status !== 200) return blocked(`GET /users/{id}/cdrs answers ${status}.`);
      if (!Array.isArray(data)) return observed('It shows an object, not a list.');
      const total = Number(valueAt(body, '/total'));
      const isThere = data.some((one: Members) => one.id === id);
      if (!isThere && total > data.length) return observed('There are more records than one page holds.', total);
      demand(isThere, 'The records of the user do not hold the call.', `record ${String(id)}`, `${data.length} others`);
      return met();
    },
  },
];

const agreementChecks: readonly Check[] = [
  of(
    answered,
    'event-duration',
    'CDR-EVENT-DURATION',
    (facts) => {
      const { duration } = theRecord(facts);
      const told = lastEvent(facts).duration;
      const isSame = Math.abs(Number(duration) - Number(told)) <= 1;
      demand(isSame, 'The record and the last event tell two durations.', told, duration);
      return met();
    },
    TOLD,
  ),
  ...[
    { story: answered, id: 'event-cause' },
    { story: unanswered, id: 'event-cause-missed' },
  ].map(({ story, id }) =>
    of(
      story,
      id,
      'CDR-EVENT-CAUSE',
      (facts) => {
        const { t_cause: cause } = theRecord(facts);
        const told = lastEvent(facts).t_cause;
        demand(cause === told, 'The record and the last event tell two causes.', told, cause);
        return met();
      },
      TOLD,
    ),
  ),
  of(
    answered,
    'event-parties',
    'CDR-EVENT-PARTIES',
    (facts) => {
      const { src, dst } = theRecord(facts);
      const [event] = someEvents(facts);
      demand(digits(src) === digits(event?.src), 'src is not that of the events.', event?.src, src);
      demand(digits(dst) === digits(event?.dst), 'dst is not that of the events.', event?.dst, dst);
      return met();
    },
    TOLD,
  ),
];

function directed(facts: CallFacts, type: string, destination: string) {
  const record = theRecord(facts);
  const words: string[] = [];
  for (const [name, expected] of [
    ['type', type],
    ['destination', destination],
  ] as const) {
    const value = record[name];
    if (typeof value !== 'string') words.push(`${name} is the number ${String(value)}`);
    else demand(value === expected, `${name} is another one.`, expected, value);
  }
  return words.length === 0 ? met() : observed(words.join(', '));
}

const outsideChecks: readonly Check[] = [
  of(answeredOutside, 'outbound', 'CDR-OUTBOUND', (facts) => directed(facts, 'O', 'out'), OUTSIDE_NEEDS),
  of(calledFromOutside, 'inbound', 'CDR-INBOUND', (facts) => directed(facts, 'I', 'in'), OUTSIDE_NEEDS),
];

const RECORDING: Partial<Check> = { operation: 'listMonitors' };

const recordingChecks: readonly Check[] = [
  of(
    answered,
    'monitor',
    'MONITOR-FOUND',
    ({ id, monitors }) => {
      if (id === undefined) return blocked('GET /calls never listed the call.');
      demand(monitors.length > 0, 'No recording has the live_id of the call.', `live_id ${String(id)}`, 'none');
      const other = monitors.find(({ live_id: live }) => String(live) !== String(id));
      demand(other === undefined, 'The filter finds the recording of another call.', id, other?.live_id);
      return met();
    },
    RECORDING,
  ),
  of(
    answered,
    'monitor-state',
    'MONITOR-STATE',
    (facts) => {
      theRecording(facts);
      const [before, since] = [
        facts.live.connected?.monitor_state,
        facts.live.held?.monitor_state ?? facts.live.resumed?.monitor_state,
      ];
      demand(
        before !== since,
        'monitor_state does not tell that the call is recorded.',
        `not ${String(before)}`,
        since,
      );
      return met();
    },
    RECORDING,
  ),
  of(
    answered,
    'monitor-duration',
    'MONITOR-DURATION',
    (facts) => {
      const [{ duration }, { duration: whole }] = [theRecording(facts), theRecord(facts)];
      const isRight = typeof duration === 'number' && duration > 0 && duration <= Number(whole);
      demand(isRight, 'The recording is longer than the call, or of no length.', `1 to ${String(whole)} s`, duration);
      return met();
    },
    RECORDING,
  ),
  of(
    answered,
    'monitor-parties',
    'MONITOR-PARTIES',
    (facts) => {
      const { caller, called } = theRecording(facts);
      demand(isParty(caller, facts.caller), 'caller is not the caller.', facts.caller?.ext, caller);
      demand(isParty(called, facts.callee), 'called is not the callee.', facts.callee?.ext, called);
      return met();
    },
    RECORDING,
  ),
];

export const callRecordChecks: readonly Check[] = [
  ...cdrChecks,
  ...agreementChecks,
  ...outsideChecks,
  ...recordingChecks,
];
