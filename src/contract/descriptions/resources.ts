// What every field of every resource means, all modules together. Knows no operation.

import type { AclRole } from '../resources/auth.ts';
import type { CallMeBack } from '../resources/callmeback.ts';
import type { ReportSchedule } from '../resources/reports.ts';
import type { ResourceId } from '../resources.ts';
import { callsWords } from './calls.ts';
import { customerWords } from './customer.ts';
import { historyWords } from './history.ts';
import { queueWords } from './queues.ts';
import { settingsWords } from './settings.ts';
import { storageWords } from './storage.ts';
import type { Words } from './words.ts';

const aclRole: Words<AclRole> = {
  id: 'identifies the role',
  _name: 'name that programs know it by; what roles of users hold',
  name: 'name that people see',
  product_code: 'product that it belongs to',
};

const callMeBack: Words<CallMeBack> = {
  id: 'identifies the record',
  created_at: 'when it was made',
  name: 'what people call it',
  title: 'heading of the widget',
  culture: 'language and forms of dates and numbers',
  position: 'corner of the page that the widget sits in',
  floating_icon: 'the icon stays in sight while the page scrolls',
  welcome_screen_msg: 'text that visitors see first',
  privacy_policy_url: 'page that tells visitors what becomes of their number',
  call_me_back_button: 'button that opens the widget; written as button_id',
  ddi: 'number that calls back; written as ddi_e164',
  allowed_countries: 'countries whose numbers are called back, empty for all',
  show_to_allowed_countries_only: 'visitors from elsewhere do not see the widget',
  max_call_rate: 'dearest price per minute that a call back may cost, 0 for any',
};

const reportSchedule: Words<ReportSchedule> = {
  id: 'identifies the schedule',
  report_id: 'report that is made',
  name: 'what people call it',
  description: 'what it is for',
  emails: 'who gets it',
  format: 'form of the file',
  culture: 'language and forms of dates and numbers',
  start_at: 'when it begins',
  end_at: 'when it ends, null for never',
  last_run_at: 'when it last ran',
  next_run_at: 'when it runs next',
  created_at: 'when it was made',
  status: 'whether it runs',
  frequency: 'when it runs: type, time_of_day, day_of_week, day_of_month',
  timezone: 'time zone of the frequency, such as Europe/London',
};

export const resourceWords: Readonly<Record<ResourceId, Readonly<Record<string, string>>>> = {
  ...callsWords,
  ...storageWords,
  ...settingsWords,
  ...queueWords,
  ...customerWords,
  ...historyWords,
  aclroles: aclRole,
  callmebackwebsites: callMeBack,
  callmebacksettings: callMeBack,
  callmebackbuttons: callMeBack,
  callmebackcdrs: callMeBack,
  callmebackvisitors: callMeBack,
  reportschedules: reportSchedule,
};
