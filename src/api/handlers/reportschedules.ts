// Report schedules: which report is sent to whom, and when.
import { changing, listing, making, reading, removing } from '../records.ts';

export const reportScheduleHandlers = {
  listReportSchedules: listing('reportschedules'),
  listReportScheduleDictionaries: listing('reportschedules'),
  createReportSchedule: making('reportschedules'),
  getReportSchedule: reading('reportschedules'),
  updateReportSchedule: changing('reportschedules'),
  deleteReportSchedule: removing('reportschedules'),
};
