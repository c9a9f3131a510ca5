// The operations of the Call Me Back module. Knows no request handler.

import { collection, empty, rowsOf, single } from '../operation.ts';
import {
  CreateCallMeBackButtonBody,
  CreateCallMeBackSettingBody,
  UpdateCallMeBackButtonBody,
  UpdateCallMeBackSettingBody,
} from '../resources/callmeback.ts';

const row = rowsOf('callmeback', 'Endpoints, Call Me Back module');

export const callMeBackOperations = [
  row('listCallMeBackWebsites', 'GET /callmeback/websites', 'List the websites that carry a call-me-back widget.', {
    listed: [401],
    response: collection('callmebackwebsites'),
  }),
  row('listCallMeBackSettings', 'GET /callmeback/settings', 'List the widget settings.', {
    listed: [401],
    response: collection('callmebacksettings'),
  }),
  row('createCallMeBackSetting', 'POST /callmeback/settings', 'Make a widget setting.', {
    body: CreateCallMeBackSettingBody,
    listed: [400, 401],
    response: single('callmebacksettings'),
  }),
  row('getCallMeBackSetting', 'GET /callmeback/settings/{id}', 'Read one widget setting.', {
    listed: [401, 403, 404],
    response: single('callmebacksettings'),
  }),
  row('updateCallMeBackSetting', 'PATCH /callmeback/settings/{id}', 'Change a widget setting.', {
    body: UpdateCallMeBackSettingBody,
    listed: [400, 401, 403, 404],
    response: single('callmebacksettings'),
  }),
  row('deleteCallMeBackSetting', 'DELETE /callmeback/settings/{id}', 'Remove a widget setting.', {
    listed: [401, 403],
    response: empty,
  }),
  row('listCallMeBackCdrs', 'GET /callmeback/cdrs', 'List the calls that widgets made.', {
    listed: [401],
    response: collection('callmebackcdrs'),
  }),
  row('listCallMeBackVisitors', 'GET /callmeback/visitors', 'List the visitors who saw a widget.', {
    listed: [401],
    response: collection('callmebackvisitors'),
  }),
  row('getCallMeBackButton', 'GET /callmeback/buttons/{id}', 'Read one widget button.', {
    listed: [401, 403, 404],
    response: single('callmebackbuttons'),
  }),
  row('updateCallMeBackButton', 'PATCH /callmeback/buttons/{id}', 'Change a widget button.', {
    body: UpdateCallMeBackButtonBody,
    listed: [400, 401],
    response: single('callmebackbuttons'),
  }),
  row('deleteCallMeBackButton', 'DELETE /callmeback/buttons/{id}', 'Remove a widget button.', {
    listed: [401, 403],
    response: empty,
  }),
  row('createCallMeBackButton', 'POST /callmeback/buttons', 'Make a widget button.', {
    body: CreateCallMeBackButtonBody,
    listed: [400, 401],
    response: single('callmebackbuttons'),
  }),
];
