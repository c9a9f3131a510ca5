// One plausible record of each resource of the History module. Knows no operation.

import type { Cdr, CdrNote, Chat, ChatMessage, Monitor, Msdr, VoiceMessage } from '../resources/history.ts';
import { ada, answered, callId, carla, customerId, ended, moment, outside, phone } from './people.ts';

const clid = `"${carla.name}" <${carla.number}>`;

const chat: Chat = {
  id: 10_000_001,
  created_at: moment,
  customer_id: customerId,
  duration: 240,
  operator_id: ada.id,
  state: 2,
  website_id: 10_000_001,
  operator_ua: 'ExampleBrowser/1.0',
  visitor_city: 'Bath',
  visitor_country: 'GB',
  visitor_email: carla.email,
  visitor_geo: '51.38,-2.36',
  visitor_id: 'v-4f1d',
  visitor_ip: '192.0.2.44',
  visitor_name: carla.name,
  visitor_referer: 'https://harbour.example/prices',
  visitor_ua: 'ExampleBrowser/1.0',
};

const chatMessage: ChatMessage = {
  id: 10_000_001,
  chat_id: 10_000_001,
  user_id: ada.id,
  created_at: moment,
  from: carla.name,
  to: `${ada.first} ${ada.last}`,
  message: 'Do you deliver on Saturdays?',
};

const cdr: Cdr = {
  id: 10_000_031,
  duration: 162,
  live_id: callId,
  parent_live_id: 0,
  call_id: callId,
  user_id: ada.id,
  sip_endpoint_id: ada.id,
  server_id: 1,
  type: 'I',
  destination: 'in',
  disposition: 'CONNECTED',
  context: 'PSTN_CALL',
  calldate: moment,
  billsec: 157,
  rate: 0,
  charge: 0,
  t_cause: 'Normal clearing',
  info: '',
  clid,
  src: carla.number,
  src_id: `contact:${carla.id}`,
  src_name: carla.name,
  src_ua: outside,
  src_codec: 'PCMU',
  dst: ada.ext,
  dst_id: String(ada.id),
  dst_name: `${ada.first} ${ada.last}`,
  dst_ua: phone,
  dst_codec: 'PCMU',
};

const cdrNote: CdrNote = {
  id: 10_000_001,
  cdr_id: cdr.id,
  user_id: ada.id,
  created_at: ended,
  text: 'Asked for a second invoice.',
};

const monitor: Monitor = {
  id: 10_000_008,
  duration: 157,
  live_id: callId,
  size: 628_632,
  sip_endpoint_id: ada.id,
  user_id: ada.id,
  called: ada.ext,
  caller: carla.number,
  context: 'PSTN_CALL',
  dst_id: String(ada.id),
  dst_name: `${ada.first} ${ada.last}`,
  sentiment: '',
  src_id: `contact:${carla.id}`,
  summary: '',
  transcript: '',
  type: 'I',
  timestamp: answered,
};

const msdr: Msdr = {
  id: 10_000_044,
  duration: 157,
  media_session_id: 10_000_044,
  user_id: ada.id,
  call_id: 'c0ffee42@127.0.0.1',
  dst: ada.ext,
  dst_id: String(ada.id),
  dst_ua: phone,
  src: carla.number,
  src_id: `contact:${carla.id}`,
  src_ua: outside,
  t_cause: 'Normal clearing',
  type: 'audio',
  created_at: answered,
};

const voiceMessage: VoiceMessage = {
  id: 10_000_001,
  duration: 14,
  extension_id: ada.id,
  live_id: 10_000_030,
  parent_live_id: 0,
  caller: carla.number,
  callerid: clid,
  dialled: ada.number,
  transcript: '',
  folder: 0,
  is_new: true,
  origtime: moment,
};

export const historyExamples = {
  chats: chat,
  chatmsgs: chatMessage,
  cdrs: cdr,
  cdrnotes: cdrNote,
  monitors: monitor,
  msdrs: msdr,
  voicemessages: voiceMessage,
} as const;
