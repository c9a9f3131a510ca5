// The operations of the Reports module. Knows no request handler.

import { collection, empty, rowsOf, single } from '../operation.ts';
import { CreateReportScheduleBody, UpdateReportScheduleBody } from '../resources/reports.ts';

const row = rowsOf('reports', 'Endpoints, Reports module');

export const reportsOperations = [
  row('listReportSchedules', 'GET /reportschedules', 'List the report schedules.', {
    listed: [401],
    response: collection('reportschedules'),
  }),
  row('createReportSchedule', 'POST /reportschedules', 'Make a report schedule.', {
    body: CreateReportScheduleBody,
    listed: [400, 401],
    response: single('reportschedules'),
  }),
  row('getReportSchedule', 'GET /reportschedules/{id}', 'Read one report schedule.', {
    listed: [401, 403, 404],
    response: single('reportschedules'),
  }),
  row('updateReportSchedule', 'PATCH /reportschedules/{id}', 'Change a report schedule.', {
    body: UpdateReportScheduleBody,
    listed: [400, 401, 403, 404],
    response: single('reportschedules'),
  }),
  row('deleteReportSchedule', 'DELETE /reportschedules/{id}', 'Remove a report schedule.', {
    listed: [401, 403, 404],
    response: empty,
  }),
  row(
    'listReportScheduleDictionaries',
    'GET /reportschedules/dictionaries',
    'List the values by which report schedules can be looked up.',
    { listed: [], response: collection('reportschedules') },
  ),
];
