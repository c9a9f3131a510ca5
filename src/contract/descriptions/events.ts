// What the members of event payloads mean, and what each event tells. Knows no delivery.

import type {
  CallEventPayload,
  DtmfEventPayload,
  EventName,
  payloads,
  SmsEventPayload,
  TestEventPayload,
} from '../events.ts';
import type { Words } from './words.ts';

const call: Words<CallEventPayload> = {
  id: 'identifies the event',
  event_time: 'when it happened',
  event_name: 'what happened',
  call_id: 'the live call',
  state: 'state of the call after the event',
  connected_at: 'when it was answered, null before',
  start_time: 'when the call began',
  context: 'QUEUE for what happens to a queue, else LOCAL_USER',
  destination: 'direction of the call',
  duration: 'how long it has lasted',
  t_cause: 'why it ended, in words',
  clid: 'caller ID, name and number',
  src: 'number of the caller',
  src_id: 'user or contact who calls',
  src_name: 'name of the caller',
  src_hash: 'joins the calls of one attempt',
  dst: 'number that is called',
  dst_id: 'user, contact, queue or IVR that is called',
  dst_name: 'name of the called party',
  info: 'remarks',
  terminated_by: 'who hung up',
};

const sms: Words<SmsEventPayload> = {
  id: 'identifies the event',
  event_time: 'when the SMS came',
  event_name: 'what happened',
  customer_id: 'account that received it',
  user_id: 'user who received it, null for none',
  from_no: 'number of the sender',
  to_no: 'number that received it',
  text: 'the text',
};

const dtmf: Words<DtmfEventPayload> = { ...call, digit: 'the key', pressed_by: 'who pressed it' };

const test: Words<TestEventPayload> = {
  id: 'identifies the event',
  event_time: 'when the webhook was saved',
  event_name: 'what happened',
  webhook_name: 'name of the webhook',
  customer_id: 'account that it belongs to',
};

/** The words of each payload. */
export const payloadWords: Readonly<Record<keyof typeof payloads, Readonly<Record<string, string>>>> = {
  call,
  sms,
  dtmf,
  test,
};

/** What each event tells. */
export const eventWords: Readonly<Record<EventName, string>> = {
  'call.initial': 'A call has begun: its INVITE has left for the phone.',
  'call.ringing': 'The phone rings.',
  'call.missed':
    'Nobody took a call that came in. With the context QUEUE: nobody of a queue did, or the caller gave up.',
  'call.connected': 'The called party has answered.',
  'call.failed': 'A call that went out was not connected.',
  'call.hangup': 'A call that was connected is over. Its record and its recordings carry the call_id as live_id.',
  'call.hold': 'A party holds the call.',
  'call.unhold': 'The last party that held the call has resumed it.',
  'sms.received': 'A number of the account has received an SMS.',
  'call.dtmf': 'A party has pressed a key during the call.',
  'webhook.test': 'A webhook is being saved: it is kept only if its address responds.',
};
