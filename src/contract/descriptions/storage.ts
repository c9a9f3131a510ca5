// What the fields of SMS, canned responses, faxes and voicemail announcements mean. Knows no message flow.

import type { CannedResponse, Fax, Sms, VmAnnouncement } from '../resources/storage.ts';
import type { Words } from './words.ts';

const sms: Words<Sms> = {
  id: 'identifies the SMS',
  created_at: 'when it was sent or received',
  from: 'number of the sender',
  to: 'number of the receiver',
  message: 'the text',
  result: 'what became of it: queued, sent, delivered, received or failed',
  type: 'in for received, out for sent',
  user_id: 'user who sent or received it, 0 for none',
};

const cannedResponse: Words<CannedResponse> = {
  id: 'identifies the canned response',
  created_at: 'when it was made',
  from: 'its name; written as name',
  to: 'always empty',
  message: 'the text to answer with; written as text',
  result: 'always empty',
  type: 'always canned',
  user_id: 'user who made it',
};

const fax: Words<Fax> = {
  id: 'identifies the fax',
  created_at: 'when it was sent or received',
  from: 'number of the sender',
  to: 'number of the receiver',
  pages: 'how many pages it has',
  filename: 'name of the document',
  charge: 'what it cost',
  status: 'how far it has come',
  type: 'direction',
};

const vmAnnouncement: Words<VmAnnouncement> = {
  id: 'identifies the announcement',
  created_at: 'when it was uploaded',
  description: 'what is said in it',
  extension: 'id of the user whose voicemail plays it; written as extension_id or extension',
};

export const storageWords = {
  sms,
  cannedresponses: cannedResponse,
  faxes: fax,
  vmannouncements: vmAnnouncement,
} as const;
