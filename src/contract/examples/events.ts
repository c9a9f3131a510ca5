// One plausible delivery of every event: the example call from its first ring to its end, an SMS, a key. Knows no delivery.

import type {
  CallEventName,
  CallEventPayload,
  DtmfEventPayload,
  EventName,
  SmsEventPayload,
  TestEventPayload,
} from '../events.ts';
import { ada, answered, bo, callId, carla, customerId, ended, moment } from './people.ts';

const ringing: CallEventPayload = {
  id: 'evt-10000212',
  event_time: moment,
  event_name: 'call.ringing',
  call_id: callId,
  state: 'RINGING',
  connected_at: null,
  start_time: moment,
  context: 'LOCAL_USER',
  destination: 'in',
  duration: 0,
  t_cause: '',
  clid: `"${carla.name}" <${carla.number}>`,
  src: carla.number,
  src_id: carla.id,
  src_name: carla.name,
  src_hash: '5d41402abc4b2a76',
  dst: ada.ext,
  dst_id: ada.id,
  dst_name: `${ada.first} ${ada.last}`,
  info: '',
  terminated_by: '',
};

const connected: CallEventPayload = {
  ...ringing,
  id: 'evt-10000213',
  event_time: answered,
  event_name: 'call.connected',
  state: 'CONNECTED',
  connected_at: answered,
  duration: 5,
};

const failed: CallEventPayload = {
  ...ringing,
  id: 'evt-10000230',
  event_time: ended,
  event_name: 'call.failed',
  call_id: callId + 1,
  state: 'FAILED',
  destination: 'out',
  duration: 3,
  t_cause: 'User busy',
  clid: ada.number,
  src: ada.ext,
  src_id: ada.id,
  src_name: `${ada.first} ${ada.last}`,
  dst: carla.number,
  dst_id: carla.id,
  dst_name: carla.name,
};

const callEvents: Readonly<Record<CallEventName, CallEventPayload>> = {
  'call.initial': { ...ringing, id: 'evt-10000211', event_name: 'call.initial', state: 'INITIAL' },
  'call.ringing': ringing,
  'call.missed': {
    ...ringing,
    id: 'evt-10000220',
    event_time: ended,
    event_name: 'call.missed',
    state: 'FAILED',
    duration: 20,
    t_cause: 'No answer',
  },
  'call.connected': connected,
  'call.failed': failed,
  'call.hangup': {
    ...connected,
    id: 'evt-10000216',
    event_time: ended,
    event_name: 'call.hangup',
    state: 'HANGUP',
    duration: 162,
    t_cause: 'Normal clearing',
    terminated_by: 'caller',
  },
  'call.hold': { ...connected, id: 'evt-10000214', event_name: 'call.hold', state: 'ON_HOLD', duration: 30 },
  'call.unhold': { ...connected, id: 'evt-10000215', event_name: 'call.unhold', duration: 55 },
};

const sms: SmsEventPayload = {
  id: 'evt-10000240',
  event_time: moment,
  event_name: 'sms.received',
  customer_id: customerId,
  user_id: bo.id,
  from_no: carla.number,
  to_no: bo.number,
  text: 'Running ten minutes late.',
};

const dtmf: DtmfEventPayload = {
  ...connected,
  id: 'evt-10000217',
  event_name: 'call.dtmf',
  digit: '5',
  pressed_by: 'caller',
};

const test: TestEventPayload = {
  id: 'evt-10000201',
  event_time: moment,
  event_name: 'webhook.test',
  webhook_name: 'CRM',
  customer_id: customerId,
};

export const eventExamples: Readonly<Record<EventName, object>> = {
  ...callEvents,
  'sms.received': sms,
  'call.dtmf': dtmf,
  'webhook.test': test,
};
