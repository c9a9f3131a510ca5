// Mutants of what events say: states, times, parties, ends. Each is one lie, told in every delivery. Knows no check.
import { terminalEvents } from '../../../contract/events.ts';
import { type Change, localTime, ofDeliveries, ofEvents } from '../couriers.ts';
import type { Json, Mutant } from '../mutant.ts';

const isEnd = ({ event_name: name }: Json): boolean => (terminalEvents as readonly unknown[]).includes(name);
const isOfCall = ({ event_name: name }: Json): boolean => String(name).startsWith('call.');

/** Events of that name say something else. */
function lying(names: string | readonly string[], lie: (event: Json) => Json): Change {
  return (event) => ([names].flat().includes(String(event.event_name)) ? { ...event, ...lie(event) } : undefined);
}

/** All call events say something else. */
function allLying(lie: (event: Json) => Json): Change {
  return (event) => (isOfCall(event) ? { ...event, ...lie(event) } : undefined);
}

const states: readonly Mutant[] = [
  ['call.initial', 'EVT-INITIAL', 'RINGING'],
  ['call.ringing', 'EVT-RINGING', 'INITIAL'],
  ['call.connected', 'EVT-CONNECTED', 'RINGING'],
  ['call.hangup', 'EVT-HANGUP', 'CONNECTED'],
  ['call.hold', 'EVT-HOLD', 'CONNECTED'],
].map(([name = '', clause = '', state]) =>
  ofEvents(
    `events: ${name} carries the state ${state}`,
    clause,
    lying(name, () => ({ state })),
  ),
);

const contents: readonly Mutant[] = [
  ofEvents(
    'events: an outbound call that failed is told as missed',
    'EVT-FAILED',
    lying('call.failed', () => ({ event_name: 'call.missed' })),
  ),
  ofEvents(
    'events: an outbound call that failed ends as HANGUP',
    'STATE-OUTBOUND-FAILED',
    lying('call.failed', () => ({ state: 'HANGUP' })),
  ),
  ofEvents(
    'events: a missed call is told as failed',
    ['EVT-FAILED-IS-OUTBOUND', 'EVT-MISSED'],
    lying('call.missed', () => ({ event_name: 'call.failed' })),
  ),
  ofEvents('events: an answered call is told as missed, too', 'EVT-MISSED-IS-UNANSWERED', (event) =>
    event.event_name === 'call.hangup'
      ? [event, { ...event, id: `${event.id}m`, event_name: 'call.missed', state: 'FAILED' }]
      : undefined,
  ),
  ofEvents('events: all of a call have one id', 'EVT-ID-UNIQUE', (event) =>
    isOfCall(event) ? { ...event, id: String(event.call_id) } : undefined,
  ),
  ofEvents(
    'events: on users have the context of queues',
    'EVT-CONTEXT-USER',
    allLying(({ context }) => ({ context: context === 'LOCAL_USER' ? 'QUEUE' : context })),
  ),
  ofEvents(
    'events: on queues have the context of users',
    ['EVT-QUEUE-CONTEXT', 'EVT-QUEUE-MISSED'],
    allLying(({ context }) => ({ context: context === 'QUEUE' ? 'LOCAL_USER' : context })),
  ),
  ofEvents(
    'events: the other party has always hung up',
    ['EVT-TERMINATED-BY-CALLER', 'EVT-TERMINATED-BY-CALLEE'],
    lying('call.hangup', ({ terminated_by: by }) => ({ terminated_by: by === 'caller' ? 'callee' : 'caller' })),
  ),
  ofEvents('events: nobody has hung up', ['EVT-TERMINATED-BY-CALLER', 'EVT-TERMINATED-BY-CALLEE'], (event) =>
    isEnd(event) ? { ...event, terminated_by: '' } : undefined,
  ),
  ofEvents('events: the end has no cause', ['EVT-CAUSE', 'CDR-EVENT-CAUSE'], (event) =>
    isEnd(event) ? { ...event, t_cause: '' } : undefined,
  ),
  ofEvents(
    'events: src_hash is new in each',
    'EVT-HASH-SAME',
    allLying(({ id }) => ({ src_hash: String(id) })),
  ),
  ofEvents(
    'events: src_hash is that of the caller',
    'EVT-HASH-UNIQUE',
    allLying(({ src }) => ({ src_hash: String(src) })),
  ),
  ofEvents(
    'events: src and dst are the other way round',
    ['EVT-PARTIES', 'CDR-EVENT-PARTIES', 'CALL-PARTIES'],
    allLying(({ src, dst }) => ({ src: dst, dst: src })),
  ),
  ofEvents(
    'events: the end has src and dst the other way round',
    'EVT-PARTIES',
    lying('call.hangup', ({ src, dst }) => ({ src: dst, dst: src })),
  ),
  ofEvents(
    'events: src_id and dst_id are the other way round',
    'EVT-PARTY-IDS',
    allLying(({ src_id: src, dst_id: dst }) => ({ src_id: dst, dst_id: src })),
  ),
  ofEvents(
    'events: calls out come in',
    'EVT-DIRECTION-OUT',
    allLying(({ destination }) => ({ destination: destination === 'out' ? 'in' : destination })),
  ),
  ofEvents(
    'events: calls in go out',
    'EVT-DIRECTION-IN',
    allLying(() => ({ destination: 'out' })),
  ),
  ofEvents(
    'events: call_id is that of another call',
    ['CALL-EVENT-ID', 'CALL-PLACED-EVENTS'],
    allLying(({ call_id: id }) => ({ call_id: Number(id) + 5_000_000 })),
  ),
  ofDeliveries('events: one is no JSON', 'EVT-JSON', () => (post, handOn) => {
    handOn(post.text.includes('"call.hold"') ? { ...post, text: post.text.slice(0, -1) } : post);
  }),
  ofDeliveries('events: they are called text', 'EVT-JSON-TYPE', () => (post, handOn) => {
    handOn({ ...post, headers: { ...post.headers, 'content-type': 'text/plain' } });
  }),
];

const times: readonly Mutant[] = [
  ofEvents(
    'events: event_time is in local time',
    'EVT-TIME-UTC',
    allLying(({ event_time: at }) => ({ event_time: localTime(at) })),
  ),
  ofEvents(
    'events: start_time is that of the event',
    'EVT-START-TIME',
    allLying(({ event_time: at }) => ({ start_time: at })),
  ),
  ofEvents(
    'events: start_time is in local time',
    ['EVT-START-TIME', 'CALL-TIMES'],
    allLying(({ start_time: at }) => ({ start_time: localTime(at) })),
  ),
  ofEvents(
    'events: connected_at is never null',
    'EVT-CONNECTED-NULL',
    allLying(({ connected_at: at, start_time: start }) => ({ connected_at: at ?? start })),
  ),
  ofEvents(
    'events: connected_at is when the call began',
    ['EVT-CONNECTED-AT', 'CALL-TIMES'],
    allLying(({ connected_at: at, start_time: start }) => ({ connected_at: at === null ? null : start })),
  ),
  ofEvents('events: connected_at is null in the end', 'EVT-CONNECTED-AT', (event) =>
    isEnd(event) ? { ...event, connected_at: null } : undefined,
  ),
  ofEvents(
    'events: duration is in milliseconds',
    ['EVT-DURATION', 'CDR-EVENT-DURATION'],
    allLying(({ duration }) => ({ duration: Number(duration) * 1000 })),
  ),
];

const texts: readonly Mutant[] = [
  ofEvents(
    'events: a text loses what is not ASCII',
    'EVT-SMS-CONTENT',
    lying('sms.received', ({ text }) => ({ text: String(text).replace(/[^\x20-\x7e]/g, '?') })),
  ),
  ofEvents(
    'events: sender and receiver of a text are the other way round',
    'EVT-SMS-CONTENT',
    lying('sms.received', ({ from_no: from, to_no: to }) => ({ from_no: to, to_no: from })),
  ),
  ofEvents(
    'events: a text is for another customer',
    'EVT-SMS-CUSTOMER',
    lying('sms.received', ({ customer_id: id }) => ({ customer_id: Number(id) + 1 })),
  ),
  ofEvents(
    'events: a text is for another user',
    'EVT-SMS-CUSTOMER',
    lying('sms.received', ({ user_id: id }) => ({ user_id: Number(id) + 1 })),
  ),
  ofEvents(
    'events: event_time of a text is in local time',
    'EVT-SMS-TIME-UTC',
    lying('sms.received', ({ event_time: at }) => ({ event_time: localTime(at) })),
  ),
];

export const eventMutants: readonly Mutant[] = [...states, ...contents, ...times, ...texts];
