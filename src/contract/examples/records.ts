// One plausible record of every resource, all modules together. Knows no operation.

import type { CallMeBack } from '../resources/callmeback.ts';
import type { ReportSchedule } from '../resources/reports.ts';
import type { ResourceId } from '../resources.ts';
import { callsExamples } from './calls.ts';
import { customerExamples } from './customer.ts';
import { historyExamples } from './history.ts';
import { ada, made } from './people.ts';
import { settingsExamples } from './settings.ts';
import { storageExamples } from './storage.ts';

const callMeBack: CallMeBack = {
  id: 10_000_001,
  allowed_countries: 'GB,IE',
  call_me_back_button: 10_000_001,
  created_at: made,
  culture: 1,
  ddi: 442_079_460_101,
  floating_icon: true,
  show_to_allowed_countries_only: false,
  max_call_rate: 0.1,
  name: 'Shop',
  privacy_policy_url: 'https://harbour.example/privacy',
  title: 'Shall we call you?',
  welcome_screen_msg: 'Leave your number and we ring at once.',
  position: 1,
};

const reportSchedule: ReportSchedule = {
  id: 10_000_001,
  culture: 1,
  format: 2,
  report_id: 3,
  status: 1,
  created_at: made,
  start_at: '2026-02-01 00:00:00',
  end_at: null,
  last_run_at: '2026-03-02 07:00:00',
  next_run_at: '2026-03-09 07:00:00',
  description: 'Calls of the week by user',
  emails: ada.email,
  frequency: '{"type":"weekly","time_of_day":[7],"day_of_week":[1]}',
  name: 'Monday report',
  timezone: 'Europe/London',
};

export const recordExamples: Readonly<Record<ResourceId, object>> = {
  ...callsExamples,
  ...storageExamples,
  ...settingsExamples,
  ...customerExamples,
  ...historyExamples,
  callmebackwebsites: callMeBack,
  callmebacksettings: callMeBack,
  callmebackbuttons: callMeBack,
  callmebackcdrs: callMeBack,
  callmebackvisitors: callMeBack,
  reportschedules: reportSchedule,
};
