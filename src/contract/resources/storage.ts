// SMS, canned responses, faxes and voicemail announcements. Knows no message flow.

import type { Static } from 'typebox';
import { faxStatusCodes, faxTypeCodes } from '../codes.ts';
import { coded, e164, name, text, timestamp, writtenId } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { body, having, integer, number, record, string } from '../schema.ts';

export const SmsSchema = record({
  id: integer(),
  created_at: timestamp,
  from: string(),
  to: string(),
  message: string(),
  result: string(),
  type: string(),
  user_id: integer(),
});
export type Sms = Static<typeof SmsSchema>;

const message = string({ minLength: 1, maxLength: 1600, description: 'at most ten parts of an SMS' });
export const CreateSmsBody = body({ to: e164, from: e164, message }, ['to', 'message']);
export type CreateSmsBody = Static<typeof CreateSmsBody>;

/** Published in the shape of an SMS: see the twins of `cannedresponses`. */
export const CannedResponseSchema = SmsSchema;
export type CannedResponse = Static<typeof CannedResponseSchema>;

/** The written names, and the read names as the other accepted ones. */
const cannedMembers = { name, from: name, text: message, message };
export const CreateCannedResponseBody = {
  ...body(cannedMembers, []),
  allOf: [
    { anyOf: [having('name'), having('from')], description: 'a name, written or read form: name or from' },
    { anyOf: [having('text'), having('message')], description: 'a text, written or read form: text or message' },
  ],
};
export type CreateCannedResponseBody = Static<typeof CreateCannedResponseBody>;
export const UpdateCannedResponseBody = body(cannedMembers, []);
export type UpdateCannedResponseBody = Static<typeof UpdateCannedResponseBody>;

export const FaxSchema = record({
  id: integer(),
  charge: number(),
  created_at: timestamp,
  filename: string(),
  from: string(),
  to: string(),
  pages: integer(),
  status: coded(faxStatusCodes),
  type: coded(faxTypeCodes),
});
export type Fax = Static<typeof FaxSchema>;

export const VmAnnouncementSchema = record({
  id: integer(),
  created_at: timestamp,
  description: string(),
  extension: integer(),
});
export type VmAnnouncement = Static<typeof VmAnnouncementSchema>;

/** The audio as it was uploaded, in Base64, and what was found in it. */
export const KeptOfVmAnnouncement = record({ data: string(), audio_type: string() });
export type KeptOfVmAnnouncement = Static<typeof KeptOfVmAnnouncement>;

const announcementMembers = {
  extension_id: writtenId,
  extension: writtenId,
  description: text,
  data: string({ pattern: '^[A-Za-z0-9+/\\r\\n]+={0,2}\\s*$', description: 'Base64 of an MP3, MP4, WAV or AAC file' }),
};
export const CreateVmAnnouncementBody = body(announcementMembers, ['data']);
export type CreateVmAnnouncementBody = Static<typeof CreateVmAnnouncementBody>;
export const UpdateVmAnnouncementBody = body(announcementMembers, []);
export type UpdateVmAnnouncementBody = Static<typeof UpdateVmAnnouncementBody>;

export const storageResources = {
  sms: { name: 'SMS', schema: SmsSchema, writable: CreateSmsBody, published: true, spec: 'SMS' },
  cannedresponses: {
    name: 'canned response',
    schema: CannedResponseSchema,
    writable: UpdateCannedResponseBody,
    published: true,
    spec: 'Canned response',
  },
  faxes: { name: 'fax', schema: FaxSchema, published: true, spec: 'Fax' },
  vmannouncements: {
    name: 'voicemail announcement',
    schema: VmAnnouncementSchema,
    writable: UpdateVmAnnouncementBody,
    kept: KeptOfVmAnnouncement,
    published: true,
    spec: 'Voicemail announcement',
  },
} as const satisfies Record<string, ResourceRow>;
