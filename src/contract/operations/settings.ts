// The operations of the Settings module. Knows no request handler.

import { collection, empty, listSingle, type QueryParameter, rowsOf, single } from '../operation.ts';
import { CreateQueueBody } from '../resources/queues.ts';
import {
  CreateCampaignBody,
  CreateConferenceBody,
  CreateContactBody,
  CreateIvrBody,
  CreateRingGroupBody,
  CreateRoutingRuleBody,
  UpdateConferenceBody,
  UpdateContactBody,
  UpdateContactsBody,
  UpdateIvrBody,
  UpdateRingGroupBody,
  UpdateRoutingRuleBody,
  UpdateTrackedDdisBody,
} from '../resources/settings.ts';
import { string } from '../schema.ts';

const row = rowsOf('settings', 'Endpoints, Settings module');

const include: QueryParameter = {
  name: 'include',
  summary: 'What each record carries besides its fields: ddis, users, or both with a comma.',
  schema: string({ pattern: '^(ddis|users)(,(ddis|users))*$', description: 'ddis, users or both with a comma' }),
};

export const settingsOperations = [
  row('listTrackedDdis', 'GET /calltracking/ddis', 'List the numbers that call tracking uses.', {
    listed: [401],
    response: collection('ddis'),
  }),
  row('updateTrackedDdis', 'PATCH /calltracking/ddis', 'Put numbers into call-tracking campaigns.', {
    body: UpdateTrackedDdisBody,
    bulk: true,
    listed: [400, 401, 403, 404],
    response: collection('ddis'),
  }),
  row('listCampaigns', 'GET /calltracking/campaigns', 'List the call-tracking campaigns.', {
    listed: [401],
    response: collection('campaigns'),
  }),
  row('createCampaign', 'POST /calltracking/campaigns', 'Make a call-tracking campaign.', {
    body: CreateCampaignBody,
    listed: [400, 401],
    response: single('campaigns'),
  }),
  row('listContacts', 'GET /contacts', 'List the contacts.', { listed: [401], response: collection('contacts') }),
  row('createContact', 'POST /contacts', 'Make a contact.', {
    body: CreateContactBody,
    listed: [400],
    response: single('contacts'),
  }),
  row('updateContacts', 'PATCH /contacts', 'Change group and labels of several contacts.', {
    body: UpdateContactsBody,
    bulk: true,
    listed: [400, 401, 403, 404],
    response: collection('contacts'),
  }),
  row('getContact', 'GET /contacts/{id}', 'Read one contact.', {
    listed: [401, 403, 404],
    response: single('contacts'),
  }),
  row('updateContact', 'PATCH /contacts/{id}', 'Change a contact.', {
    body: UpdateContactBody,
    listed: [400, 404],
    response: single('contacts'),
  }),
  row('deleteContacts', 'DELETE /contacts/{ids}', 'Remove one or several contacts.', {
    success: [204, 202],
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listConferences', 'GET /conferences', 'List the conference rooms.', {
    listed: [401],
    response: collection('conferences'),
  }),
  row('createConference', 'POST /conferences', 'Make a conference room.', {
    body: CreateConferenceBody,
    listed: [400, 401],
    response: single('conferences'),
  }),
  row('getConference', 'GET /conferences/{id}', 'Read one conference room.', {
    listed: [401, 403, 404],
    response: single('conferences'),
  }),
  row('updateConference', 'PATCH /conferences/{id}', 'Change a conference room.', {
    body: UpdateConferenceBody,
    listed: [400, 401, 403, 404],
    response: single('conferences'),
  }),
  row('deleteConference', 'DELETE /conferences/{id}', 'Remove a conference room.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listDdis', 'GET /ddis', 'List the numbers.', { listed: [401], response: collection('ddis') }),
  row('listCallTrackingDdis', 'GET /ddis/calltracking', 'List the numbers set aside for call tracking.', {
    listed: [401],
    response: collection('ddis'),
  }),
  row('listDdiDictionaries', 'GET /ddis/dictionaries', 'List the values by which numbers can be looked up.', {
    listed: [],
    response: collection('ddis'),
  }),
  row('getDdi', 'GET /ddis/{e164}', 'Read one number.', { listed: [401, 403, 404], response: listSingle('ddis') }),
  row('listQueues', 'GET /queues', 'List the queues.', { listed: [401], response: collection('queues') }),
  row('createQueue', 'POST /queues', 'Make a queue.', {
    body: CreateQueueBody,
    listed: [400, 401],
    response: single('queues'),
  }),
  row('getQueue', 'GET /queues/{id}', 'Read one queue.', { listed: [401, 403, 404], response: single('queues') }),
  row('listRingGroups', 'GET /ringgroups', 'List the ring groups.', {
    named: [include],
    listed: [401],
    response: collection('ringgroups'),
  }),
  row('createRingGroup', 'POST /ringgroups', 'Make a ring group.', {
    body: CreateRingGroupBody,
    listed: [400, 401],
    response: single('ringgroups'),
  }),
  row(
    'listRingGroupDictionaries',
    'GET /ringgroups/dictionaries',
    'List the values by which ring groups can be looked up.',
    { listed: [], response: collection('ringgroups') },
  ),
  row('getRingGroup', 'GET /ringgroups/{id}', 'Read one ring group.', {
    listed: [401, 403, 404],
    response: single('ringgroups'),
  }),
  row('updateRingGroup', 'PATCH /ringgroups/{id}', 'Change a ring group.', {
    body: UpdateRingGroupBody,
    listed: [400, 401, 403, 404],
    response: single('ringgroups'),
  }),
  row('deleteRingGroup', 'DELETE /ringgroups/{id}', 'Remove a ring group.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listPickupGroups', 'GET /pickupgroups', 'List the pickup groups.', {
    listed: [401],
    response: collection('pickupgroups'),
  }),
  row('getPickupGroup', 'GET /pickupgroups/{id}', 'Read one pickup group.', {
    listed: [401, 403, 404],
    response: single('pickupgroups'),
  }),
  row('listRoutingRules', 'GET /routingrules', 'List the routing rules.', {
    listed: [401],
    response: collection('routingrules'),
  }),
  row('createRoutingRule', 'POST /routingrules', 'Make a routing rule.', {
    body: CreateRoutingRuleBody,
    listed: [400],
    response: single('routingrules'),
  }),
  row('getRoutingRule', 'GET /routingrules/{id}', 'Read one routing rule.', {
    listed: [401, 403, 404],
    response: single('routingrules'),
  }),
  row('updateRoutingRule', 'PATCH /routingrules/{id}', 'Change a routing rule, but not its direction.', {
    body: UpdateRoutingRuleBody,
    listed: [400, 404],
    response: single('routingrules'),
  }),
  row('listIvrs', 'GET /ivrs', 'List the IVRs.', { listed: [401], response: collection('ivrs') }),
  row('createIvr', 'POST /ivrs', 'Make an IVR.', { body: CreateIvrBody, listed: [400, 401], response: single('ivrs') }),
  row('getIvr', 'GET /ivrs/{id}', 'Read one IVR.', { listed: [401, 403, 404], response: single('ivrs') }),
  row('updateIvr', 'PATCH /ivrs/{id}', 'Change an IVR.', {
    body: UpdateIvrBody,
    listed: [400, 401, 403, 404],
    response: single('ivrs'),
  }),
  row('deleteIvr', 'DELETE /ivrs/{id}', 'Remove an IVR.', { listed: [401, 403, 404], response: empty }),
  row('getMoh', 'GET /mohs/{id}', 'Read one music on hold.', { listed: [401, 403, 404], response: single('mohs') }),
];
