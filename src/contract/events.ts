// What webhooks carry: event names, categories and payloads. Knows no call and no delivery.

import type { Static } from 'typebox';
import { callStateCodes } from './codes.ts';
import { timestamp } from './fields.ts';
import { integer, nullable, record, string, word } from './schema.ts';

/** Published names of call events, in the order of the specification. */
export const callEventNames = [
  'call.initial',
  'call.ringing',
  'call.missed',
  'call.connected',
  'call.failed',
  'call.hangup',
  'call.hold',
  'call.unhold',
] as const;
export type CallEventName = (typeof callEventNames)[number];

/** The published names. */
export const publishedEventNames = [...callEventNames, 'sms.received'] as const;

/** The published names, and the two that a choice names: CHOICE-DTMF-EVENT, CHOICE-TEST-EVENT. */
export const eventNames = [...publishedEventNames, 'call.dtmf', 'webhook.test'] as const;
export type EventName = (typeof eventNames)[number];

export type WebhookCategory =
  | 'missed'
  | 'ringing'
  | 'connected'
  | 'ended'
  | 'call_state_change'
  | 'sms_received'
  | 'dtmf';

export interface CategoryRow {
  readonly id: WebhookCategory;
  readonly title: string;
  /** What a webhook of the category gets: CHOICE-CATEGORIES. */
  readonly events: readonly EventName[];
  /** Whether events with context QUEUE come too (Events, categories). */
  readonly queues: boolean;
}

export const categories: readonly CategoryRow[] = [
  { id: 'missed', title: 'Missed call', events: ['call.missed'], queues: false },
  { id: 'ringing', title: 'Ringing call', events: ['call.ringing'], queues: false },
  { id: 'connected', title: 'Connected call', events: ['call.connected'], queues: false },
  { id: 'ended', title: 'Ended call', events: ['call.hangup', 'call.failed'], queues: false },
  { id: 'call_state_change', title: 'Call state change', events: callEventNames, queues: true },
  { id: 'sms_received', title: 'SMS received', events: ['sms.received'], queues: false },
  { id: 'dtmf', title: 'DTMF key press', events: ['call.dtmf'], queues: true },
];

/** Whether a webhook with these categories gets the event. */
export function wantsEvent(chosen: readonly WebhookCategory[], event: EventName, context: string): boolean {
  return categories.some(
    (row) => chosen.includes(row.id) && row.events.includes(event) && (row.queues || context !== 'QUEUE'),
  );
}

/** The states that each event may carry: CHOICE-EVENT-STATES. */
export const eventStates: Readonly<Record<CallEventName, readonly string[]>> = {
  'call.initial': ['INITIAL'],
  'call.ringing': ['RINGING'],
  'call.missed': ['FAILED'],
  'call.connected': ['CONNECTED'],
  'call.failed': ['FAILED'],
  'call.hangup': ['HANGUP'],
  'call.hold': ['ON_HOLD'],
  'call.unhold': ['CONNECTED'],
};

/** Events after which a call has no other. */
export const terminalEvents = ['call.missed', 'call.failed', 'call.hangup'] as const;

const callMembers = {
  id: string({ minLength: 1, description: 'unique per event, the same in every attempt and at every webhook' }),
  event_time: timestamp,
  event_name: word(callEventNames),
  call_id: integer({ description: 'live_id of the CDR and of the recording' }),
  state: word(callStateCodes.words),
  connected_at: nullable(timestamp),
  start_time: timestamp,
  context: word(['LOCAL_USER', 'QUEUE']),
  destination: word(['in', 'out']),
  duration: integer({ description: 'seconds' }),
  t_cause: string({ description: 'empty until the call ends' }),
  clid: string(),
  src: string(),
  src_id: integer({ description: '0 when the caller is no record of the account' }),
  src_name: string(),
  src_hash: string({ minLength: 1, description: "one value for the whole chain of a caller's attempt" }),
  dst: string(),
  dst_id: integer({ description: '0 when the destination is no record of the account' }),
  dst_name: string(),
  info: string(),
  terminated_by: word(['', 'caller', 'callee'], { description: 'empty until the call ends, or when neither ended it' }),
};

export const CallEventSchema = record(callMembers);
export type CallEventPayload = Static<typeof CallEventSchema>;

export const SmsEventSchema = record({
  id: string({ minLength: 1 }),
  event_time: timestamp,
  event_name: word(['sms.received']),
  customer_id: integer(),
  user_id: nullable(integer()),
  from_no: string(),
  to_no: string(),
  text: string(),
});
export type SmsEventPayload = Static<typeof SmsEventSchema>;

/** CHOICE-DTMF-EVENT. */
export const DtmfEventSchema = record({
  ...callMembers,
  event_name: word(['call.dtmf']),
  digit: string({ pattern: '^[0-9A-D*#]$' }),
  pressed_by: word(['caller', 'callee']),
});
export type DtmfEventPayload = Static<typeof DtmfEventSchema>;

/** CHOICE-TEST-EVENT. */
export const TestEventSchema = record({
  id: string({ minLength: 1 }),
  event_time: timestamp,
  event_name: word(['webhook.test']),
  webhook_name: string(),
  customer_id: integer(),
});
export type TestEventPayload = Static<typeof TestEventSchema>;

/** Every payload by the event names it goes with. */
export const payloads = {
  call: { name: 'CallEvent', events: callEventNames, schema: CallEventSchema },
  sms: { name: 'SmsEvent', events: ['sms.received'], schema: SmsEventSchema },
  dtmf: { name: 'DtmfEvent', events: ['call.dtmf'], schema: DtmfEventSchema },
  test: { name: 'TestEvent', events: ['webhook.test'], schema: TestEventSchema },
} as const;
