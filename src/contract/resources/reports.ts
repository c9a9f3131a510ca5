// Report schedules. Knows no report.

import type { Static } from 'typebox';
import { cultureCodes, reportFormatCodes, scheduleStatusCodes } from '../codes.ts';
import { coded, email, maybeTimestamp, name, text, timestamp, wordOrCode, writtenId } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { array, body, either, integer, nullable, number, record, string } from '../schema.ts';

export const ReportScheduleSchema = record({
  id: integer(),
  culture: coded(cultureCodes),
  format: coded(reportFormatCodes),
  report_id: integer(),
  status: coded(scheduleStatusCodes),
  created_at: timestamp,
  start_at: timestamp,
  end_at: maybeTimestamp,
  last_run_at: maybeTimestamp,
  next_run_at: maybeTimestamp,
  description: string(),
  emails: string({ description: 'addresses with commas' }),
  frequency: string({ description: 'the written object as JSON text' }),
  name: string(),
  timezone: string(),
});
export type ReportSchedule = Static<typeof ReportScheduleSchema>;

/** A date, with or without a time. */
const date = string({
  pattern: '^\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?)?$',
  description: 'YYYY-MM-DD, with a time or without',
});

const frequency = body(
  {
    type: string({ minLength: 1, maxLength: 64 }),
    time_of_day: array(number(), { maxItems: 1440 }),
    day_of_week: array(number(), { maxItems: 7 }),
    day_of_month: array(number(), { maxItems: 31 }),
  },
  ['type'],
);

const scheduleMembers = {
  report_id: writtenId,
  name,
  description: text,
  emails: either(array(email, { maxItems: 100 }), text),
  format: wordOrCode(reportFormatCodes),
  culture: wordOrCode(cultureCodes),
  start_at: date,
  end_at: nullable(date),
  status: wordOrCode(scheduleStatusCodes),
  frequency: either(frequency, text),
  timezone: string({ maxLength: 64 }),
};
export const CreateReportScheduleBody = body(scheduleMembers, ['report_id', 'name']);
export type CreateReportScheduleBody = Static<typeof CreateReportScheduleBody>;
export const UpdateReportScheduleBody = body(scheduleMembers, []);
export type UpdateReportScheduleBody = Static<typeof UpdateReportScheduleBody>;

export const reportsResources = {
  reportschedules: {
    name: 'report schedule',
    schema: ReportScheduleSchema,
    writable: UpdateReportScheduleBody,
    published: true,
    spec: 'Report schedule',
  },
} as const satisfies Record<string, ResourceRow>;
