// Live calls, web calls, media sessions and call labels, and the bodies of the Calls module. Knows no signalling.

import type { Static } from 'typebox';
import { callStateCodes, directionCodes, monitorActs, monitorStateCodes } from '../codes.ts';
import { coded, dialled, e164, name, text, timestamp } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { anything, array, body, code, either, integer, number, record, string, word } from '../schema.ts';

export const LiveCallSchema = record({
  id: integer({ description: 'equals live_id of the CDR and of the recording, and call_id of events' }),
  parent_id: integer({ description: 'the live call the caller came from, 0 for none' }),
  state: coded(callStateCodes),
  destination: coded(directionCodes),
  monitor_state: coded(monitorStateCodes),
  queue_state: string(),
  context: string(),
  clid: string(),
  start_time: integer({ description: 'seconds since 1970' }),
  connected_at: integer({ description: 'seconds since 1970, 0 until it is answered' }),
  duration: integer({ description: 'seconds since the INVITE' }),
  src: string(),
  src_id: string(),
  src_name: string(),
  src_ua: string(),
  src_codec: string(),
  src_contact: string(),
  src_call_id: string(),
  src_rate: number(),
  dst: string(),
  dst_id: string(),
  dst_name: string(),
  dst_ua: string(),
  dst_codec: string(),
  dst_contact: string(),
  dst_call_id: string(),
  dst_rate: number(),
  dst_connection: number(),
  min_charge: number(),
  referred_by: string(),
});
export type LiveCall = Static<typeof LiveCallSchema>;

/** One SIP message of a live call. */
export const CallTraceSchema = record({
  id: integer(),
  call_id: integer(),
  created_at: timestamp,
  direction: word(['in', 'out']),
  transport: string(),
  from: string({ description: 'address it came from' }),
  to: string({ description: 'address it went to' }),
  message: string({ description: 'the whole SIP message' }),
});
export type CallTrace = Static<typeof CallTraceSchema>;

/** The states that a client may ask for: answer (or resume), hold, end. */
export const writtenStates = ['CONNECTED', 'ON_HOLD', 'HANGUP'] as const;
const writtenStateCodes = writtenStates.map((state) => callStateCodes.codes[state]);

/** The recording states that the acts lead to. */
const monitorActCodes = [...new Set(Object.values(monitorActs).map((state) => monitorStateCodes.codes[state]))];

export const CreateCallBody = body(
  {
    to: dialled,
    from: either(string({ pattern: '^[0-9]{1,15}$', description: 'user id' }), integer({ minimum: 1 })),
    caller_id: string({ pattern: '^(anonymous|\\+?[1-9][0-9]{4,14})$', description: 'E.164 number or anonymous' }),
  },
  ['to'],
);
export type CreateCallBody = Static<typeof CreateCallBody>;

export const UpdateCallBody = body(
  {
    dst: dialled,
    state: either(word(writtenStates), code(writtenStateCodes)),
    labels: array(anything(), { maxItems: 100 }),
    action_url: string({ maxLength: 2048 }),
    action_text: string({ maxLength: 255 }),
    monitor_state: either(word(Object.keys(monitorActs)), code(monitorActCodes)),
  },
  [],
);
export type UpdateCallBody = Static<typeof UpdateCallBody>;

export const WebcallSchema = record({
  id: integer(),
  calldate: timestamp,
  from: string(),
  to: string(),
  charge: number(),
  from_charge: number(),
  from_rate: number(),
  to_charge: number(),
  to_rate: number(),
  from_duration: integer(),
  to_duration: integer(),
});
export type Webcall = Static<typeof WebcallSchema>;

export const CreateWebcallBody = body({ from: e164, to: dialled }, ['from', 'to']);
export type CreateWebcallBody = Static<typeof CreateWebcallBody>;

export const CreateLeadCallBody = body({ caller_id: e164, to: dialled, tts: text }, ['caller_id', 'to']);
export type CreateLeadCallBody = Static<typeof CreateLeadCallBody>;

export const MediaSessionSchema = record({
  id: integer(),
  call_id: string(),
  dst_id: string(),
  dst_ua: string(),
  src_id: string(),
  src_ua: string(),
  status: string(),
  type: string(),
  created_at: timestamp,
  updated_at: timestamp,
  duration: integer(),
  user: integer(),
});
export type MediaSession = Static<typeof MediaSessionSchema>;

export const CallLabelSchema = record({ id: integer(), name: string(), color: string(), created_at: timestamp });
export type CallLabel = Static<typeof CallLabelSchema>;

const labelMembers = { name, color: string({ maxLength: 64 }) };
export const CreateCallLabelBody = body(labelMembers, ['name']);
export type CreateCallLabelBody = Static<typeof CreateCallLabelBody>;
export const UpdateCallLabelBody = body(labelMembers, []);
export type UpdateCallLabelBody = Static<typeof UpdateCallLabelBody>;

export const callsResources = {
  calls: {
    name: 'live call',
    schema: LiveCallSchema,
    writable: UpdateCallBody,
    published: true,
    spec: 'Live Call',
  },
  calltraces: {
    name: 'SIP message of a call',
    schema: CallTraceSchema,
    published: false,
    spec: 'Call trace and call monitor items',
  },
  webcalls: { name: 'web call', schema: WebcallSchema, writable: CreateWebcallBody, published: true, spec: 'Webcall' },
  mediasessions: { name: 'media session', schema: MediaSessionSchema, published: true, spec: 'Media Session' },
  calllabels: {
    name: 'call label',
    schema: CallLabelSchema,
    writable: UpdateCallLabelBody,
    published: false,
    spec: 'Call label',
  },
} as const satisfies Record<string, ResourceRow>;
