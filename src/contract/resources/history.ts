// Chats, call detail records, recordings, media session records and voice messages. Knows no live call.

import type { Static } from 'typebox';
import { cdrTypeCodes, chatStateCodes, directionCodes, dispositionCodes, folderCodes } from '../codes.ts';
import { coded, text, timestamp, wordOrCode, writtenId } from '../fields.ts';
import { bulkLimit } from '../limits.ts';
import type { ResourceRow } from '../resource.ts';
import { anything, array, body, boolean, integer, number, record, string, word } from '../schema.ts';

export const ChatSchema = record({
  id: integer(),
  created_at: timestamp,
  customer_id: integer(),
  duration: integer(),
  operator_id: integer(),
  state: coded(chatStateCodes),
  website_id: integer(),
  operator_ua: string(),
  visitor_city: string(),
  visitor_country: string(),
  visitor_email: string(),
  visitor_geo: string(),
  visitor_id: string(),
  visitor_ip: string(),
  visitor_name: string(),
  visitor_referer: string(),
  visitor_ua: string(),
});
export type Chat = Static<typeof ChatSchema>;

export const ChatMessageSchema = record({
  id: integer(),
  chat_id: integer(),
  user_id: integer(),
  created_at: timestamp,
  from: string(),
  to: string(),
  message: string(),
});
export type ChatMessage = Static<typeof ChatMessageSchema>;

/** The model's types: letters and words, where the sample shows numbers (see twins.ts). */
export const CdrSchema = record({
  id: integer(),
  duration: integer({ description: 'seconds from the INVITE to the end' }),
  live_id: integer({ description: 'id of the live call, call_id of its events' }),
  parent_live_id: integer({ description: '0 for none' }),
  user_id: integer({ description: '0 when no user made the call' }),
  sip_endpoint_id: integer({ description: '0 when no SIP endpoint took part' }),
  server_id: integer(),
  type: word(cdrTypeCodes.words),
  calldate: timestamp,
  clid: string(),
  src_id: string(),
  src_name: string(),
  src: string(),
  src_ua: string(),
  src_codec: string(),
  dst_id: string(),
  dst: string(),
  dst_name: string(),
  dst_ua: string(),
  dst_codec: string(),
  billsec: integer({ description: 'seconds from the 200 to the BYE' }),
  disposition: word(dispositionCodes.words),
  destination: word(directionCodes.words),
  context: string(),
  rate: number({ description: 'per minute' }),
  charge: number(),
  t_cause: string(),
  info: string(),
  call_id: integer({ description: 'deprecated, equals live_id' }),
});
export type Cdr = Static<typeof CdrSchema>;

const CdrChange = body({ id: writtenId, info: text, notes: text, labels: array(anything(), { maxItems: 100 }) }, [
  'id',
]);
export const UpdateCdrsBody = array(CdrChange, { minItems: 1, maxItems: bulkLimit });
export type UpdateCdrsBody = Static<typeof UpdateCdrsBody>;

export const CdrNoteSchema = record({
  id: integer(),
  cdr_id: integer(),
  user_id: integer(),
  created_at: timestamp,
  text: string(),
});
export type CdrNote = Static<typeof CdrNoteSchema>;

export const MonitorSchema = record({
  id: integer(),
  duration: integer(),
  live_id: integer(),
  size: integer({ description: 'bytes' }),
  sip_endpoint_id: integer(),
  user_id: integer(),
  called: string(),
  caller: string(),
  context: string(),
  dst_id: string(),
  dst_name: string(),
  sentiment: string(),
  src_id: string(),
  summary: string(),
  transcript: string(),
  type: string(),
  timestamp,
});
export type Monitor = Static<typeof MonitorSchema>;

export const MsdrSchema = record({
  id: integer(),
  duration: integer(),
  media_session_id: integer(),
  user_id: integer(),
  call_id: string(),
  dst: string(),
  dst_id: string(),
  dst_ua: string(),
  src: string(),
  src_id: string(),
  src_ua: string(),
  t_cause: string(),
  type: string(),
  created_at: timestamp,
});
export type Msdr = Static<typeof MsdrSchema>;

export const VoiceMessageSchema = record({
  id: integer(),
  duration: integer(),
  extension_id: integer(),
  live_id: integer(),
  parent_live_id: integer(),
  caller: string(),
  callerid: string(),
  dialled: string(),
  transcript: string(),
  folder: coded(folderCodes),
  is_new: boolean(),
  origtime: timestamp,
});
export type VoiceMessage = Static<typeof VoiceMessageSchema>;

const VoiceMessageChange = body({ id: writtenId, folder: wordOrCode(folderCodes) }, ['id', 'folder']);
export const UpdateVoiceMessagesBody = array(VoiceMessageChange, { minItems: 1, maxItems: bulkLimit });
export type UpdateVoiceMessagesBody = Static<typeof UpdateVoiceMessagesBody>;

export const historyResources = {
  chats: { name: 'chat', schema: ChatSchema, published: true, spec: 'Chat' },
  chatmsgs: { name: 'chat message', schema: ChatMessageSchema, published: false, spec: 'Customer module' },
  cdrs: { name: 'call detail record', schema: CdrSchema, writable: CdrChange, published: true, spec: 'CDR' },
  cdrnotes: { name: 'CDR note', schema: CdrNoteSchema, published: false, spec: 'History module' },
  monitors: { name: 'recording', schema: MonitorSchema, published: true, spec: 'Monitor' },
  msdrs: { name: 'media session detail record', schema: MsdrSchema, published: true, spec: 'MSDR' },
  voicemessages: {
    name: 'voice message',
    schema: VoiceMessageSchema,
    writable: VoiceMessageChange,
    published: true,
    spec: 'Voice message',
  },
} as const satisfies Record<string, ResourceRow>;
