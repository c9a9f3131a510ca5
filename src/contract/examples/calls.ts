// One plausible record of each resource of the Calls module. Knows no operation.

import type { CallLabel, CallTrace, LiveCall, MediaSession, Webcall } from '../resources/calls.ts';
import { ada, answered, callId, carla, made, moment, momentSeconds, outside, phone, sipCallId } from './people.ts';

const liveCall: LiveCall = {
  id: callId,
  parent_id: 0,
  state: 4,
  destination: 0,
  monitor_state: 0,
  queue_state: '',
  context: 'PSTN_CALL',
  clid: `"${carla.name}" <${carla.number}>`,
  start_time: momentSeconds,
  connected_at: momentSeconds + 5,
  duration: 42,
  src: carla.number,
  src_id: `contact:${carla.id}`,
  src_name: carla.name,
  src_ua: outside,
  src_codec: 'PCMU',
  src_contact: 'sip:127.0.0.1:5090',
  src_call_id: sipCallId,
  src_rate: 0,
  dst: ada.ext,
  dst_id: String(ada.id),
  dst_name: `${ada.first} ${ada.last}`,
  dst_ua: phone,
  dst_codec: 'PCMU',
  dst_contact: 'sip:1-101@127.0.0.1:5091',
  dst_call_id: 'c0ffee42@127.0.0.1',
  dst_rate: 0,
  dst_connection: 0,
  min_charge: 0,
  referred_by: '',
};

const callTrace: CallTrace = {
  id: 1,
  call_id: callId,
  created_at: moment,
  direction: 'in',
  transport: 'UDP',
  from: '127.0.0.1:5090',
  to: '127.0.0.1:5060',
  message: [
    `INVITE sip:${ada.number}@pbxsim.test SIP/2.0`,
    'Via: SIP/2.0/UDP 127.0.0.1:5090;branch=z9hG4bK1f0a',
    `From: "${carla.name}" <sip:${carla.number}@pbxsim.test>;tag=a1`,
    `To: <sip:${ada.number}@pbxsim.test>`,
    `Call-ID: ${sipCallId}`,
    'CSeq: 1 INVITE',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n'),
};

const webcall: Webcall = {
  id: 10_000_001,
  calldate: moment,
  from: carla.number,
  to: ada.ext,
  charge: 0.05,
  from_charge: 0.05,
  from_rate: 0.02,
  to_charge: 0,
  to_rate: 0,
  from_duration: 151,
  to_duration: 143,
};

const mediaSession: MediaSession = {
  id: 10_000_044,
  call_id: 'c0ffee42@127.0.0.1',
  src_id: `contact:${carla.id}`,
  src_ua: outside,
  dst_id: String(ada.id),
  dst_ua: phone,
  status: 'active',
  type: 'audio',
  created_at: answered,
  updated_at: answered,
  duration: 37,
  user: ada.id,
};

const callLabel: CallLabel = { id: 10_000_001, name: 'Complaint', color: 'orange', created_at: made };

export const callsExamples = {
  calls: liveCall,
  calltraces: callTrace,
  webcalls: webcall,
  mediasessions: mediaSession,
  calllabels: callLabel,
} as const;
