// The operations of the Calls module. Knows no request handler.

import { collection, empty, rowsOf, single, subCollection } from '../operation.ts';
import {
  CreateCallBody,
  CreateCallLabelBody,
  CreateLeadCallBody,
  CreateWebcallBody,
  UpdateCallBody,
  UpdateCallLabelBody,
} from '../resources/calls.ts';

const row = rowsOf('calls', 'Endpoints, Calls module');

export const callsOperations = [
  row('listCalls', 'GET /calls', 'List the live calls.', { listed: [401], response: collection('calls') }),
  row('createCall', 'POST /calls', 'Ring a user and, when the user answers, the destination.', {
    body: CreateCallBody,
    listed: [400, 401],
    response: single('calls'),
  }),
  row('getCall', 'GET /calls/{id}', 'Read one live call.', { listed: [401, 403, 404], response: single('calls') }),
  row('updateCall', 'PATCH /calls/{id}', 'Answer, hold, transfer or end a live call, or label it.', {
    body: UpdateCallBody,
    success: [301],
    listed: [400, 401, 403, 404],
    response: single('calls'),
  }),
  row('deleteCall', 'DELETE /calls/{id}', 'Hang up a live call.', { listed: [401, 403, 404], response: empty }),
  row('getCallTrace', 'GET /calls/{id}/trace', 'Read the SIP messages of a live call so far.', {
    listed: [401],
    response: subCollection('calls', 'calltraces'),
  }),
  row('listCallMonitors', 'GET /calls/{id}/monitors', 'List the recordings of a live call.', {
    listed: [401],
    response: subCollection('calls', 'monitors'),
  }),
  row('listWebcalls', 'GET /webcalls', 'List the web calls.', { listed: [401], response: collection('webcalls') }),
  row('createWebcall', 'POST /webcalls', 'Call a number and, when it answers, another one.', {
    body: CreateWebcallBody,
    listed: [400, 401],
    response: single('webcalls'),
  }),
  row('createLeadCall', 'POST /leadcalls', 'Call an agent and, when the agent answers, the lead.', {
    body: CreateLeadCallBody,
    listed: [400, 401],
    response: single('calls'),
  }),
  row('listMediaSessions', 'GET /mediasessions', 'List the media sessions.', {
    listed: [401],
    response: collection('mediasessions'),
  }),
  row('getMediaSession', 'GET /mediasessions/{id}', 'Read one media session.', {
    listed: [401, 403, 404],
    response: single('mediasessions'),
  }),
  row('listCallLabels', 'GET /calllabels', 'List the call labels.', {
    listed: [401],
    response: collection('calllabels'),
  }),
  row('createCallLabel', 'POST /calllabels', 'Make a call label.', {
    body: CreateCallLabelBody,
    listed: [400],
    response: single('calllabels'),
  }),
  row('getCallLabel', 'GET /calllabels/{id}', 'Read one call label.', {
    listed: [401, 403, 404],
    response: single('calllabels'),
  }),
  row('updateCallLabel', 'PATCH /calllabels/{id}', 'Change a call label.', {
    body: UpdateCallLabelBody,
    listed: [400, 404],
    response: single('calllabels'),
  }),
  row('deleteCallLabel', 'DELETE /calllabels/{id}', 'Remove a call label.', {
    listed: [401, 403, 404],
    response: empty,
  }),
];
