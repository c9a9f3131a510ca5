// The operations of the History module. Knows no request handler.

import { collection, empty, file, message, rowsOf, single } from '../operation.ts';
import { MessageAnswer } from '../resources/auth.ts';
import { UpdateCdrsBody, UpdateVoiceMessagesBody } from '../resources/history.ts';

const row = rowsOf('history', 'Endpoints, History module');

const trace = file('text/plain');
const pcap = file('application/vnd.tcpdump.pcap');
const mp3 = file('audio/mpeg');

export const historyOperations = [
  row('listChats', 'GET /chats', 'List the chats.', { listed: [401], response: collection('chats') }),
  row('getChat', 'GET /chats/{id}', 'Read one chat.', { listed: [401, 403, 404], response: single('chats') }),
  row('deleteChatMessages', 'DELETE /chatmsgs/{ids}', 'Remove one or several chat messages.', {
    listed: [401, 403, 404],
    response: empty,
    effect: 'destroy',
  }),
  row('deleteAllChatMessages', 'DELETE /chatmsgs', 'Remove every chat message.', {
    listed: [401],
    response: empty,
    effect: 'destroy',
  }),
  row('listCdrs', 'GET /cdrs', 'List the call detail records.', { listed: [401], response: collection('cdrs') }),
  row('updateCdrs', 'PATCH /cdrs', 'Annotate several call detail records.', {
    body: UpdateCdrsBody,
    bulk: true,
    listed: [400, 401, 403, 404],
    response: collection('cdrs'),
  }),
  row('deleteAllCdrs', 'DELETE /cdrs', 'Remove every call detail record.', {
    listed: [401],
    response: empty,
    effect: 'destroy',
  }),
  row('getCdrTrace', 'GET /cdrs/{id}.trace', 'Read the SIP messages of a finished call.', {
    listed: [401, 403, 404],
    response: trace,
  }),
  row('getCdrPcap', 'GET /cdrs/{id}.pcap', 'Read the packets of a finished call.', {
    listed: [401, 403, 404],
    response: pcap,
  }),
  row('listCallTrackingCdrs', 'GET /cdrs/calltracking', 'List the call detail records of tracked numbers.', {
    listed: [401],
    response: collection('cdrs'),
  }),
  row('getCdr', 'GET /cdrs/{id}', 'Read one call detail record.', {
    listed: [401, 403, 404],
    response: single('cdrs'),
  }),
  row('listCdrDictionaries', 'GET /cdrs/dictionaries', 'List the values by which call records can be looked up.', {
    listed: [],
    response: collection('cdrs'),
  }),
  row('listCdrNotes', 'GET /cdrs/{id}/notes', 'List the notes on a call detail record.', {
    listed: [401, 403, 404],
    response: collection('cdrnotes'),
  }),
  row('getMonitorAudio', 'GET /monitors/{id}.mp3', 'Listen to a recording.', {
    listed: [401, 403, 404],
    response: mp3,
  }),
  row('listMonitors', 'GET /monitors', 'List the recordings.', { listed: [401], response: collection('monitors') }),
  row('deleteAllMonitors', 'DELETE /monitors', 'Remove every recording of the customer.', {
    success: [202],
    listed: [401],
    response: message(MessageAnswer),
    effect: 'destroy',
  }),
  row('getMonitor', 'GET /monitors/{id}', 'Read one recording.', {
    listed: [401, 403, 404],
    response: single('monitors'),
  }),
  row('deleteMonitors', 'DELETE /monitors/{ids}', 'Remove one or several recordings.', {
    listed: [401, 403, 404],
    response: empty,
    effect: 'destroy',
  }),
  row('getMsdrTrace', 'GET /msdrs/{id}.trace', 'Read the SIP messages of a media session.', {
    listed: [401, 403, 404],
    response: trace,
  }),
  row('getMsdrPcap', 'GET /msdrs/{id}.pcap', 'Read the packets of a media session.', {
    listed: [401, 403, 404],
    response: pcap,
  }),
  row('listMsdrs', 'GET /msdrs', 'List the media session detail records.', {
    listed: [401],
    response: collection('msdrs'),
  }),
  row('getMsdr', 'GET /msdrs/{id}', 'Read one media session detail record.', {
    listed: [401, 403, 404],
    response: single('msdrs'),
  }),
  row('listMsdrDictionaries', 'GET /msdrs/dictionaries', 'List the values by which media sessions can be looked up.', {
    listed: [],
    response: collection('msdrs'),
  }),
  row('deleteAllStatements', 'DELETE /statements', 'Remove every statement.', {
    listed: [401],
    response: empty,
    effect: 'destroy',
  }),
  row('getVoiceMessageAudio', 'GET /voicemessages/{id}.mp3', 'Listen to a voice message.', {
    listed: [401, 403, 404],
    response: mp3,
  }),
  row('listVoiceMessages', 'GET /voicemessages', 'List the voice messages.', {
    listed: [401],
    response: collection('voicemessages'),
  }),
  row('updateVoiceMessages', 'PATCH /voicemessages', 'Move several voice messages to another folder.', {
    body: UpdateVoiceMessagesBody,
    bulk: true,
    listed: [400, 401, 403, 404],
    response: collection('voicemessages'),
  }),
  row('deleteAllVoiceMessages', 'DELETE /voicemessages', 'Remove every voice message.', {
    success: [202],
    listed: [401],
    response: message(MessageAnswer),
    effect: 'destroy',
  }),
  row('getVoiceMessage', 'GET /voicemessages/{id}', 'Read one voice message.', {
    listed: [401, 403, 404],
    response: single('voicemessages'),
  }),
  row('deleteVoiceMessages', 'DELETE /voicemessages/{ids}', 'Remove one or several voice messages.', {
    listed: [401, 403, 404],
    response: empty,
    effect: 'destroy',
  }),
  row('listSmsDictionaries', 'GET /sms/dictionaries', 'List the values by which SMS can be looked up.', {
    listed: [],
    response: collection('sms'),
  }),
  row('listTrackedCalls', 'GET /calltracking/cdrs', 'List the calls that call tracking followed.', {
    listed: [401],
    response: collection('trackedcalls'),
  }),
  row('exportUserCdrs', 'GET /users/{id}/cdrs.csv', "Export a user's call detail records as CSV.", {
    listed: [401],
    response: file('text/csv'),
  }),
  row(
    'listMediaSessionDictionaries',
    'GET /mediasessions/dictionaries',
    'List the values by which live media sessions can be looked up.',
    { listed: [], response: collection('mediasessions') },
  ),
];
