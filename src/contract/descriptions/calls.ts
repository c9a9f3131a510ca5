// What the fields of live calls, web calls, media sessions and call labels mean. Knows no signalling.

import type { CallLabel, CallTrace, LiveCall, MediaSession, Webcall } from '../resources/calls.ts';
import type { Words } from './words.ts';

const liveCall: Words<LiveCall> = {
  id: 'identifies the call from its first event to its records',
  parent_id: 'the call that led to this one, as when a queue or a transfer goes on to somebody else',
  state: 'how far the call has come',
  destination: 'direction of the call',
  monitor_state: 'whether the call is being recorded',
  queue_state: 'what the queue does with the caller; empty outside of queues',
  context: 'where in the exchange the caller is',
  clid: 'caller ID as the called party sees it, name and number',
  start_time: 'when the first INVITE left',
  connected_at: 'when it was answered',
  duration: 'how long it has lasted',
  src: 'number of the caller',
  src_id: 'who calls: a user id, or contact:<id>; empty for a stranger',
  src_name: 'name of the caller',
  src_ua: "User-Agent of the caller's phone",
  src_codec: 'audio codec of the caller',
  src_contact: "SIP contact of the caller's phone",
  src_call_id: "Call-ID of the caller's SIP dialog",
  src_rate: "price per minute of the caller's leg",
  dst: 'number that is called',
  dst_id: 'who is called: a user id, contact:<id>, or the id of an IVR or a queue; empty for a stranger',
  dst_name: 'name of the called party',
  dst_ua: "User-Agent of the called party's phone",
  dst_codec: 'audio codec of the called party',
  dst_contact: "SIP contact of the called party's phone",
  dst_call_id: "Call-ID of the called party's SIP dialog",
  dst_rate: "price per minute of the called party's leg",
  dst_connection: 'price of being connected at all, once for the call',
  min_charge: 'least that the call costs',
  referred_by: 'who sent the caller here by a transfer or a redirection',
};

const callTrace: Words<CallTrace> = {
  id: 'place of the message in the trace',
  call_id: 'id of the live call',
  created_at: 'when the message passed',
  direction: 'towards the exchange (in) or from it (out)',
  transport: 'what carried it: UDP, TCP, WS or memory for simulated phones',
  from: 'sender',
  to: 'receiver',
  message: 'start line, headers and body',
};

const webcall: Words<Webcall> = {
  id: 'identifies the web call',
  calldate: 'when it was asked for',
  from: 'number that is called first',
  to: 'number or extension that is called when the first has answered',
  charge: 'cost of both legs',
  from_charge: 'cost of the first leg',
  from_rate: 'price per minute of the first leg',
  to_charge: 'cost of the second leg',
  to_rate: 'price per minute of the second leg',
  from_duration: 'seconds that the first leg was connected',
  to_duration: 'seconds that the second leg was connected',
};

const mediaSession: Words<MediaSession> = {
  id: 'identifies the media session; media_session_id of its record',
  call_id: 'Call-ID of the SIP dialog that it belongs to',
  src_id: 'id of the caller',
  src_ua: "User-Agent of the caller's phone",
  dst_id: 'id of the called party',
  dst_ua: "User-Agent of the called party's phone",
  status: 'active while media may flow, then ended',
  type: 'kind of media: audio',
  created_at: 'when the leg was answered',
  updated_at: 'when the session last changed',
  duration: 'seconds since the answer',
  user: 'id of the user whose leg it is',
};

const callLabel: Words<CallLabel> = {
  id: 'identifies the label',
  name: 'what the label says',
  color: 'colour it is shown in, as a word or in CSS form',
  created_at: 'when it was made',
};

export const callsWords = {
  calls: liveCall,
  calltraces: callTrace,
  webcalls: webcall,
  mediasessions: mediaSession,
  calllabels: callLabel,
} as const;
