// Clauses about the events of calls and texts: what they say, which come, and what of order and number follows from their meaning.
import type { Clause } from '../clause.ts';
import { type EventName, publishedEventNames } from '../events.ts';

/** What a member of an event holds. `times or null` and words in small letters are those of the specification. */
export type MemberType =
  | 'integer'
  | 'string'
  | 'time'
  | 'date and time'
  | 'time or null'
  | 'integer or null'
  | 'call state'
  | 'event name'
  | 'context'
  | 'direction'
  | 'party';

export interface EventMember {
  readonly name: string;
  readonly type: MemberType;
  /** Where there is no value, null, or that it is left out, is accepted: CHOICE-EVENT-IDS. */
  readonly lenient?: true;
}

/** The published members of a call event. */
export const callEventMembers: readonly EventMember[] = [
  { name: 'id', type: 'string' },
  { name: 'event_time', type: 'time' },
  { name: 'event_name', type: 'event name' },
  { name: 'call_id', type: 'integer' },
  { name: 'state', type: 'call state' },
  { name: 'connected_at', type: 'time or null' },
  { name: 'start_time', type: 'time' },
  { name: 'context', type: 'context' },
  { name: 'destination', type: 'direction' },
  { name: 'duration', type: 'integer' },
  { name: 't_cause', type: 'string', lenient: true },
  { name: 'clid', type: 'string' },
  { name: 'src', type: 'string' },
  { name: 'src_id', type: 'integer', lenient: true },
  { name: 'src_name', type: 'string' },
  { name: 'src_hash', type: 'string' },
  { name: 'dst', type: 'string' },
  { name: 'dst_id', type: 'integer', lenient: true },
  { name: 'dst_name', type: 'string' },
  { name: 'info', type: 'string' },
  { name: 'terminated_by', type: 'party', lenient: true },
];

/** The published members of the event of a received text. */
export const smsEventMembers: readonly EventMember[] = [
  { name: 'id', type: 'string' },
  { name: 'event_time', type: 'date and time' },
  { name: 'event_name', type: 'event name' },
  { name: 'customer_id', type: 'integer' },
  { name: 'user_id', type: 'integer or null' },
  { name: 'from_no', type: 'string' },
  { name: 'to_no', type: 'string' },
  { name: 'text', type: 'string' },
];

/** `EVT-FIELD-CALL-ID`, `EVT-SMS-FIELD-FROM-NO`. */
export function eventFieldClauseId(of: 'call' | 'sms', name: string): string {
  return `EVT-${of === 'sms' ? 'SMS-' : ''}FIELD-${name.replaceAll('_', '-')}`.toUpperCase();
}

const callEvents = publishedEventNames.filter((name) => name !== 'sms.received');

function fields(of: 'call' | 'sms', members: readonly EventMember[]): Clause[] {
  const [spec, events, noun] =
    of === 'sms'
      ? ['Events, SMS received payload', ['sms.received'] as const, 'the event of a received text']
      : ['Events, Call event payload', callEvents, 'each call event'];
  return members.map(({ name, type, lenient }) => ({
    id: eventFieldClauseId(of, name),
    level: 'MUST',
    requirement: `${noun} has ${name}: ${type}${lenient === true ? ', or nothing where there is no value' : ''}`,
    spec,
    ...{ operations: [], events, capability: of === 'sms' ? 'texts' : 'webhooks' },
  }));
}

type Row = readonly [
  id: string,
  level: Clause['level'],
  requirement: string,
  spec: string,
  events?: readonly EventName[],
];

/** A clause about call events, of the capability webhooks unless said otherwise. */
function rows(list: readonly Row[], more: Partial<Clause> = {}): Clause[] {
  return list.map(([id, level, requirement, spec, events]) => ({
    ...{
      id: `EVT-${id}`,
      level,
      requirement,
      spec: `Events, ${spec}`,
      operations: [],
      capability: 'webhooks' as const,
    },
    ...(events === undefined ? {} : { events }),
    ...more,
  }));
}

const SIGNALS = 'State meaning by signalling';
const PAYLOAD = 'Call event payload';
const NAMES = 'Event names';

const signals: readonly Row[] = [
  ['INITIAL', 'MUST', 'an INVITE to a phone is told by call.initial, state INITIAL', SIGNALS, ['call.initial']],
  ['RINGING', 'MUST', 'a phone that rings is told by call.ringing, state RINGING', SIGNALS, ['call.ringing']],
  ['CONNECTED', 'MUST', 'a phone that answers is told by call.connected, state CONNECTED', SIGNALS, ['call.connected']],
  ['HANGUP', 'MUST', 'a BYE is told by call.hangup, state HANGUP', SIGNALS, ['call.hangup']],
  ['MISSED', 'MUST', 'a call that nobody answers is told by call.missed', NAMES, ['call.missed']],
  [
    'BUSY',
    'MUST',
    'a call to a phone that is busy is told as one that was not connected',
    SIGNALS,
    ['call.missed', 'call.failed'],
  ],
];

const truths: readonly Row[] = [
  ['JSON', 'MUST', 'events are POSTed as JSON objects', 'Delivery'],
  ['JSON-TYPE', 'SHOULD', 'their Content-Type is application/json', 'Delivery'],
  ['ID-UNIQUE', 'MUST', 'each event has an id that no other event has', PAYLOAD],
  ['TIME-UTC', 'MUST', 'event_time is the time of the event, in UTC', PAYLOAD],
  ['START-TIME', 'SHOULD', 'start_time is the same in all events of a call, and not after event_time', PAYLOAD],
  ['CONNECTED-NULL', 'MUST', 'connected_at is null until the call is connected', PAYLOAD],
  ['CONNECTED-AT', 'MUST', 'connected_at is the time of the connection from then on', PAYLOAD],
  [
    'STATE-OF-UNHOLD',
    'UNSPECIFIED',
    'which states call.unhold, call.missed and call.failed carry',
    'Event names (not shown)',
  ],
  ['CONTEXT-USER', 'MUST', 'events on a user have the context LOCAL_USER', PAYLOAD],
  ['TERMINATED-BY-CALLER', 'MUST', 'a call that the caller ends is terminated_by caller', PAYLOAD, ['call.hangup']],
  ['TERMINATED-BY-CALLEE', 'MUST', 'a call that the callee ends is terminated_by callee', PAYLOAD, ['call.hangup']],
  ['CAUSE', 'SHOULD', 't_cause is not empty when the call has ended', PAYLOAD, ['call.hangup', 'call.missed']],
  ['HASH-SAME', 'MUST', 'src_hash is the same in all events of a call', PAYLOAD],
  ['HASH-UNIQUE', 'MUST', 'src_hash differs between two calls', PAYLOAD],
  ['DURATION', 'SHOULD', 'duration counts the seconds of the call', PAYLOAD, ['call.hangup']],
  ['PARTIES', 'MUST', 'src and dst are the numbers of the two parties', PAYLOAD],
  ['PARTY-IDS', 'SHOULD', 'src_id and dst_id are the ids of the users', PAYLOAD],
  ['FAILED-IS-OUTBOUND', 'MUST', 'a call that did not go out is never told as call.failed', NAMES, ['call.failed']],
  ['MISSED-IS-UNANSWERED', 'MUST', 'a call that was answered is never told as missed', NAMES, ['call.missed']],
  ['ORDER', 'SHOULD', 'events of a call come in the order in which its states follow each other', NAMES],
  ['ONCE', 'SHOULD', 'each event is delivered once when the receiver has taken it', 'Delivery'],
  ['ONE-END', 'SHOULD', 'a call has one last event', NAMES],
  ['NOTHING-AFTER-END', 'SHOULD', 'no event of a call comes after its last one', NAMES],
  ['PROMPT', 'SHOULD', 'an event is delivered soon after its event_time', 'Delivery'],
];

const outside: readonly Row[] = [
  ['FAILED', 'MUST', 'an outbound call that is not connected is told by call.failed', NAMES, ['call.failed']],
  ['DIRECTION-OUT', 'SHOULD', 'a call to the public network has the destination out', PAYLOAD],
  ['DIRECTION-IN', 'SHOULD', 'a call from the public network has the destination in', PAYLOAD],
];

const hold: readonly Row[] = [
  ['HOLD', 'MUST', 'an INVITE with a=sendonly is told by call.hold, state ON_HOLD', SIGNALS, ['call.hold']],
  ['UNHOLD', 'MUST', 'a call that is taken back is told by call.unhold', NAMES, ['call.unhold']],
];

const queues: readonly Row[] = [
  ['QUEUE-MISSED', 'MUST', 'an unanswered call of a queue is told by call.missed with the context QUEUE', 'Queue rule'],
  ['QUEUE-CONTEXT', 'MUST', 'events on a queue have the context QUEUE', PAYLOAD],
  [
    'QUEUE-ONLY-STATE-CHANGE',
    'MUST',
    'call events of queues come to a webhook of the category of state changes alone',
    'Event categories to select',
  ],
];

const CATEGORIES = 'Event categories to select';
const selections: readonly Row[] = [
  ['CATEGORY-MISSED', 'MUST', 'the category of missed calls brings those and nothing else', CATEGORIES],
  ['CATEGORY-RINGING', 'MUST', 'the category of ringing calls brings those and nothing else', CATEGORIES],
  ['CATEGORY-CONNECTED', 'MUST', 'the category of connected calls brings those and nothing else', CATEGORIES],
  ['CATEGORY-ENDED', 'MUST', 'the category of ended calls brings those and nothing else', CATEGORIES],
  ['CATEGORY-STATE-CHANGE', 'MUST', 'the category of state changes brings what the others do, and holds', CATEGORIES],
  ['CATEGORY-NO-SMS', 'MUST', 'the category of texts brings no call', CATEGORIES],
];

const texts: readonly Row[] = [
  ['SMS', 'MUST', 'a text that is received is told by sms.received', NAMES, ['sms.received']],
  ['SMS-CATEGORY', 'MUST', 'a received text comes to webhooks of its category alone', CATEGORIES, ['sms.received']],
  ['SMS-CONTENT', 'MUST', 'text, from_no and to_no are those of the message', 'SMS received payload', ['sms.received']],
  [
    'SMS-CUSTOMER',
    'MUST',
    'customer_id and user_id are those of the receivers',
    'SMS received payload',
    ['sms.received'],
  ],
  ['SMS-TIME-UTC', 'MUST', 'event_time of a text is its time, in UTC', 'SMS received payload', ['sms.received']],
];

const keys: readonly Row[] = [
  ['DTMF', 'MUST', 'a pressed key is told to a webhook of its category', CATEGORIES],
  ['DTMF-PAYLOAD', 'UNSPECIFIED', 'name and members of the event of a pressed key', 'DTMF event (not shown)'],
];

/** What follows what is not shown: it follows from the meaning of the states. */
const transitions: ReadonlyArray<readonly [from: string, to: string, words: string]> = [
  ['INITIAL', 'RINGING', 'a call that began rings'],
  ['RINGING', 'CONNECTED', 'a call that rings is answered'],
  ['CONNECTED', 'ON-HOLD', 'a connected call is held'],
  ['ON-HOLD', 'CONNECTED', 'a held call is taken back'],
  ['CONNECTED', 'HANGUP', 'a connected call ends'],
  ['ON-HOLD', 'HANGUP', 'a held call ends without being taken back'],
  ['RINGING', 'MISSED', 'a call that rings is given up'],
  ['INITIAL', 'MISSED', 'a call to a busy phone ends before it rings'],
];

/** `STATE-RINGING-CONNECTED`. */
export function transitionClauseId(from: string, to: string): string {
  return `STATE-${from}-${to}`;
}

export const eventClauses: readonly Clause[] = [
  ...fields('call', callEventMembers),
  ...fields('sms', smsEventMembers),
  ...rows([...signals, ...truths, ...queues, ...selections]),
  ...rows(hold, { capability: 'hold' }),
  ...rows(outside, { capability: 'outside' }),
  ...rows(texts, { capability: 'texts' }),
  ...rows(keys, { capability: 'digits' }),
  ...transitions.map(
    ([from, to, words]): Clause => ({
      id: transitionClauseId(from, to),
      level: 'SHOULD',
      requirement: `${words}: its events say so, one directly after the other`,
      spec: 'States and transitions, Call state (transitions not shown); Events, State meaning by signalling',
      ...{ operations: [], capability: from === 'ON-HOLD' || to === 'ON-HOLD' ? 'hold' : 'webhooks' },
    }),
  ),
  {
    id: 'STATE-ACCEPTED',
    level: 'UNSPECIFIED',
    requirement: 'what the state of a click-to-call is once its first party has accepted, and which events tell of it',
    spec: 'States and transitions, Call state',
    operations: ['createCall'],
  },
  {
    id: 'STATE-OUTBOUND-FAILED',
    level: 'SHOULD',
    requirement: 'an outbound call that is not connected goes from its beginning to FAILED, never through CONNECTED',
    spec: 'States and transitions, Call state',
    ...{ operations: [], capability: 'outside' },
  },
];
