// What the fields of chats, call records, recordings, media session records and voice messages mean. Knows no live call.

import type { Cdr, CdrNote, Chat, ChatMessage, Monitor, Msdr, VoiceMessage } from '../resources/history.ts';
import type { Words } from './words.ts';

const chat: Words<Chat> = {
  id: 'identifies the chat',
  created_at: 'when the visitor began it',
  customer_id: 'account that it belongs to',
  duration: 'seconds from beginning to end',
  operator_id: 'user who answered, 0 for nobody yet',
  state: 'how far it has come',
  website_id: 'website that it came from',
  operator_ua: 'browser of the operator',
  visitor_city: 'city of the visitor, from the address',
  visitor_country: 'country of the visitor, two letters',
  visitor_email: 'email address that the visitor gave',
  visitor_geo: 'latitude and longitude of the visitor, with a comma',
  visitor_id: 'mark by which a visitor is known again',
  visitor_ip: 'address of the visitor',
  visitor_name: 'name that the visitor gave',
  visitor_referer: 'page that the visitor came from',
  visitor_ua: 'browser of the visitor',
};

const chatMessage: Words<ChatMessage> = {
  id: 'identifies the message',
  chat_id: 'chat that it belongs to',
  user_id: 'user who took part',
  created_at: 'when it was written',
  from: 'who wrote it',
  to: 'who read it',
  message: 'the text',
};

const cdr: Words<Cdr> = {
  id: 'identifies the record',
  live_id: 'joins the record with its events and its recordings',
  parent_live_id: 'live call that led to this one',
  call_id: 'another name of live_id',
  user_id: 'user who made or took the call',
  sip_endpoint_id: 'SIP endpoint that made or took the call',
  server_id: 'media server that carried it',
  type: 'O outbound, I inbound, M missed',
  destination: 'direction: in, out, or what made it: webcall, callmeback',
  disposition: 'how far the call came; VM when voicemail took it',
  context: 'where in the exchange the caller was last',
  calldate: 'when the call began',
  duration: 'how long it lasted',
  billsec: 'how long it was connected',
  rate: 'price',
  charge: 'cost of the call',
  t_cause: 'why it ended, in words: Normal clearing, User busy, ...',
  info: 'remarks; can be written',
  clid: 'caller ID, name and number',
  src: 'number of the caller',
  src_id: 'who called: a user id, or contact:<id>; empty for a stranger',
  src_name: 'name of the caller',
  src_ua: "User-Agent of the caller's phone",
  src_codec: 'audio codec of the caller',
  dst: 'number that was called',
  dst_id: 'who was called: a user id, contact:<id>, or the id of an IVR or a queue; empty for a stranger',
  dst_name: 'name of the called party',
  dst_ua: "User-Agent of the called party's phone",
  dst_codec: 'audio codec of the called party',
};

const cdrNote: Words<CdrNote> = {
  id: 'identifies the note',
  cdr_id: 'record that it is on',
  user_id: 'user who wrote it',
  created_at: 'when it was written',
  text: 'the note',
};

const monitor: Words<Monitor> = {
  id: 'identifies the recording; its audio is at /monitors/{id}.mp3',
  live_id: 'live call that was recorded; live_id of its record',
  user_id: 'user whose call was recorded',
  sip_endpoint_id: "SIP endpoint of the user's phone",
  timestamp: 'when the recording began',
  duration: 'seconds of audio',
  size: 'length of the audio file',
  caller: 'number of the caller',
  called: 'number that was called',
  src_id: 'who called: a user id, or contact:<id>; empty for a stranger',
  dst_id: 'who was called',
  dst_name: 'name of the called party',
  context: 'where in the exchange the caller was',
  type: 'direction of the call: I inbound, O outbound',
  transcript: 'what was said; empty without transcription',
  summary: 'the gist of it; empty without transcription',
  sentiment: 'mood of the call; empty without transcription',
};

const msdr: Words<Msdr> = {
  id: 'identifies the record',
  media_session_id: 'media session that it tells of',
  call_id: 'Call-ID of the SIP dialog',
  user_id: 'user whose leg it was',
  created_at: 'when the leg was answered',
  duration: 'seconds from the answer to the end',
  type: 'kind of media: audio',
  src: 'number of the caller',
  src_id: 'id of the caller',
  src_ua: "User-Agent of the caller's phone",
  dst: 'number that was called',
  dst_id: 'id of the called party',
  dst_ua: "User-Agent of the called party's phone",
  t_cause: 'why it ended, in words',
};

const voiceMessage: Words<VoiceMessage> = {
  id: 'identifies the message; its audio is at /voicemessages/{id}.mp3',
  extension_id: 'user whose mailbox it is in',
  live_id: 'live call that left it',
  parent_live_id: 'live call that led to that one, 0 for none',
  origtime: 'when it was left',
  duration: 'seconds of audio',
  caller: 'number of the caller',
  callerid: 'caller ID, name and number',
  dialled: 'number that the caller had dialled',
  folder: 'where in the mailbox it is',
  is_new: 'not heard yet',
  transcript: 'what was said; empty without transcription',
};

export const historyWords = {
  chats: chat,
  chatmsgs: chatMessage,
  cdrs: cdr,
  cdrnotes: cdrNote,
  monitors: monitor,
  msdrs: msdr,
  voicemessages: voiceMessage,
} as const;
