// The operations of the Storage module. Knows no request handler.

import { collection, empty, message, rowsOf, single } from '../operation.ts';
import { MessageAnswer } from '../resources/auth.ts';
import {
  CreateCannedResponseBody,
  CreateSmsBody,
  CreateVmAnnouncementBody,
  UpdateCannedResponseBody,
  UpdateVmAnnouncementBody,
} from '../resources/storage.ts';

const row = rowsOf('storage', 'Endpoints, Storage module');

export const storageOperations = [
  row('listSms', 'GET /sms', 'List the SMS sent and received.', { listed: [401], response: collection('sms') }),
  row('createSms', 'POST /sms', 'Send an SMS.', { body: CreateSmsBody, listed: [400, 401], response: single('sms') }),
  row('deleteAllSms', 'DELETE /sms', 'Remove every SMS.', {
    success: [202],
    listed: [401],
    response: message(MessageAnswer),
    effect: 'destroy',
  }),
  row('getSms', 'GET /sms/{id}', 'Read one SMS.', { listed: [401, 403, 404], response: single('sms') }),
  row('listFaxes', 'GET /faxes', 'List the faxes sent and received.', {
    listed: [401],
    response: collection('faxes'),
  }),
  row('listVmAnnouncements', 'GET /vmannouncements', 'List the voicemail announcements.', {
    listed: [401],
    response: collection('vmannouncements'),
  }),
  row('createVmAnnouncement', 'POST /vmannouncements', 'Upload a voicemail announcement.', {
    body: CreateVmAnnouncementBody,
    listed: [400, 401],
    response: single('vmannouncements'),
  }),
  row('getVmAnnouncement', 'GET /vmannouncements/{id}', 'Read one voicemail announcement.', {
    listed: [401, 403, 404],
    response: single('vmannouncements'),
  }),
  row('updateVmAnnouncement', 'PATCH /vmannouncements/{id}', 'Change a voicemail announcement or its audio.', {
    body: UpdateVmAnnouncementBody,
    listed: [400, 401, 403, 404],
    response: single('vmannouncements'),
  }),
  row('deleteVmAnnouncement', 'DELETE /vmannouncements/{id}', 'Remove a voicemail announcement.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listCannedResponses', 'GET /sms/cannedresponses', 'List the texts kept for answering SMS.', {
    listed: [401],
    response: collection('cannedresponses'),
  }),
  row('createCannedResponse', 'POST /sms/cannedresponses', 'Keep a text for answering SMS.', {
    body: CreateCannedResponseBody,
    listed: [400, 401],
    response: single('cannedresponses'),
  }),
  row('getCannedResponse', 'GET /sms/cannedresponses/{id}', 'Read one kept text.', {
    listed: [401, 403, 404],
    response: single('cannedresponses'),
  }),
  row('updateCannedResponse', 'PATCH /sms/cannedresponses/{id}', 'Change a kept text.', {
    body: UpdateCannedResponseBody,
    listed: [400, 401, 403, 404],
    response: single('cannedresponses'),
  }),
  row('deleteCannedResponse', 'DELETE /sms/cannedresponses/{id}', 'Remove a kept text.', {
    listed: [401, 403],
    response: empty,
  }),
];
