// The operations of the Customer module. Knows no request handler.

import { collection, empty, listSingle, rowsOf, single, subCollection } from '../operation.ts';
import {
  CreateQueueGroupBody,
  CreateUserGroupBody,
  UpdateQueueGroupBody,
  UpdateUserGroupBody,
  UpdateUsersBody,
} from '../resources/customer.ts';

const row = rowsOf('customer', 'Endpoints, Customer module');

export const customerOperations = [
  row('listContactCdrs', 'GET /contacts/{id}/cdrs', 'List the call records of a contact.', {
    listed: [401],
    response: subCollection('contacts', 'cdrs'),
  }),
  row('listQueueGroups', 'GET /queuegroups', 'List the queue groups.', {
    listed: [401],
    response: collection('queuegroups'),
  }),
  row('createQueueGroup', 'POST /queuegroups', 'Make a queue group.', {
    body: CreateQueueGroupBody,
    listed: [400],
    response: single('queuegroups'),
  }),
  row('getQueueGroup', 'GET /queuegroups/{id}', 'Read one queue group.', {
    listed: [401, 403, 404],
    response: single('queuegroups'),
  }),
  row('updateQueueGroup', 'PATCH /queuegroups/{id}', 'Change a queue group.', {
    body: UpdateQueueGroupBody,
    listed: [400, 404],
    response: single('queuegroups'),
  }),
  row('deleteQueueGroup', 'DELETE /queuegroups/{id}', 'Remove a queue group.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('deleteCustomer', 'DELETE /customers/{id}', 'Remove a customer account and all that it owns.', {
    listed: [401, 403],
    response: empty,
    effect: 'destroy',
  }),
  row('listUsers', 'GET /users', 'List the users.', { listed: [401], response: collection('users') }),
  row('updateUsers', 'PATCH /users', 'Change location and groups of several users.', {
    body: UpdateUsersBody,
    bulk: true,
    listed: [400, 401, 403, 404],
    response: collection('users'),
  }),
  row('getUser', 'GET /users/{id}', 'Read one user.', { listed: [401, 403, 404], response: single('users') }),
  row('deleteUser', 'DELETE /users/{id}', 'Remove a user.', {
    listed: [401, 403],
    response: empty,
    effect: 'destroy',
  }),
  row('getMe', 'GET /me', 'Read the metadata of the user who asks.', {
    listed: [401, 403],
    response: listSingle('me'),
  }),
  row('listUserContacts', 'GET /users/{id}/contacts', 'List the contacts of a user.', {
    listed: [401],
    response: subCollection('users', 'contacts'),
  }),
  row('listUserCdrs', 'GET /users/{id}/cdrs', 'List the call records of a user.', {
    listed: [401],
    response: subCollection('users', 'cdrs'),
  }),
  row('listUserChatMessages', 'GET /users/{id}/chatmsgs', 'List the chat messages of a user.', {
    listed: [401],
    response: subCollection('users', 'chatmsgs'),
  }),
  row('listUserCalls', 'GET /users/{id}/calls', 'List the live calls of a user.', {
    listed: [401],
    response: subCollection('users', 'calls'),
  }),
  row('listUserGroups', 'GET /usergroups', 'List the user groups.', {
    listed: [401],
    response: collection('usergroups'),
  }),
  row('createUserGroup', 'POST /usergroups', 'Make a user group.', {
    body: CreateUserGroupBody,
    listed: [400],
    response: single('usergroups'),
  }),
  row('getUserGroup', 'GET /usergroups/{id}', 'Read one user group.', {
    listed: [401, 403, 404],
    response: single('usergroups'),
  }),
  row('updateUserGroup', 'PATCH /usergroups/{id}', 'Change a user group.', {
    body: UpdateUserGroupBody,
    listed: [400, 404],
    response: single('usergroups'),
  }),
  row('deleteUserGroup', 'DELETE /usergroups/{id}', 'Remove a user group.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listUserGroupPolicies', 'GET /usergrouppolicies', 'List the user group policies.', {
    listed: [401],
    response: collection('usergrouppolicies'),
  }),
  row('createUserGroupPolicy', 'POST /usergrouppolicies', 'Make a user group policy.', {
    body: CreateUserGroupBody,
    listed: [400],
    response: single('usergrouppolicies'),
  }),
  row('getUserGroupPolicy', 'GET /usergrouppolicies/{id}', 'Read one user group policy.', {
    listed: [401, 403, 404],
    response: single('usergrouppolicies'),
  }),
  row('updateUserGroupPolicy', 'PATCH /usergrouppolicies/{id}', 'Change a user group policy.', {
    body: UpdateUserGroupBody,
    listed: [400, 404],
    response: single('usergrouppolicies'),
  }),
  row('deleteUserGroupPolicy', 'DELETE /usergrouppolicies/{id}', 'Remove a user group policy.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row('listUserAudio', 'GET /users/{id}/audio', 'List the audio announcements of a user.', {
    listed: [401, 403, 404],
    response: subCollection('users', 'vmannouncements'),
  }),
  row('resetUserAudio', 'DELETE /users/{id}/audio', 'Give a user the standard audio again.', {
    listed: [401, 403],
    response: empty,
    effect: 'destroy',
  }),
  row('listUserSmsThreads', 'GET /users/{id}/smsthreads/{from}/{to}', "List a user's SMS between two numbers.", {
    listed: [401],
    response: subCollection('users', 'sms'),
  }),
  row(
    'listUserSmsThreadsNested',
    'GET /users/{id}/sms/threads/{from}/{to}',
    "List a user's SMS between two numbers (second path).",
    { listed: [401], response: subCollection('users', 'sms') },
  ),
];
