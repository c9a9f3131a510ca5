// What a seeded company has put on its websites, and the reports that it is sent. Knows no call.
import { utcText } from '../../kernel/time.ts';
import { type Furnishing, make } from './furnish.ts';

const DAY_MS = 86_400_000;

/** Call-me-back buttons, settings, websites with visitors and calls; report schedules. */
export function seedWidgets(furnishing: Furnishing): void {
  const { ground } = furnishing;
  const [ddi] = ground.store.ddis.list(ground.customerId);
  const digits = Number(ddi?.e164.replace('+', '') ?? 0);
  const button = make(furnishing, 'callmebackbuttons', {
    name: 'Call us',
    data_online: 'We call you',
    data_offline: 'Leave your number',
  });
  const look = {
    name: 'Shop',
    title: 'May we call you?',
    welcome_screen_msg: 'We call back at once.',
    culture: 'en-GB',
  };
  const setting = make(furnishing, 'callmebacksettings', {
    ...{
      ...look,
      button_id: button.id,
      ddi: digits,
      allowed_countries: ['GB', 'IE'],
      show_to_allowed_countries_only: true,
    },
    ...{
      position: 'bottom_right',
      floating_icon: true,
      privacy_policy_url: 'https://shop.example/privacy',
      max_call_rate: 0.1,
    },
  });
  const shape = { ...look, culture: setting.culture, call_me_back_button: setting.call_me_back_button, ddi: digits };
  make(furnishing, 'callmebackwebsites', { ...shape, name: 'shop.example' });
  for (let index = 1; index <= 3; index += 1) {
    const created_at = utcText(ground.nowMs - index * 5 * DAY_MS);
    make(furnishing, 'callmebackvisitors', { ...shape, name: `Visitor ${index}`, created_at });
    make(furnishing, 'callmebackcdrs', { ...shape, name: `Call ${index}`, created_at });
  }
  const emails = [ground.store.users.get(furnishing.users[0]?.user_id ?? 0)?.email ?? ''];
  const frequency = { type: 'weekly', time_of_day: [7], day_of_week: [1], day_of_month: [] };
  const schedule = {
    emails,
    frequency,
    format: 'pdf',
    culture: 'en-GB',
    timezone: 'Europe/London',
    start_at: '2025-01-06',
  };
  make(furnishing, 'reportschedules', { ...schedule, report_id: 1, name: 'Calls of the week', status: 'active' });
  make(furnishing, 'reportschedules', {
    ...schedule,
    report_id: 2,
    name: 'Missed calls',
    status: 'inactive',
    format: 'csv',
  });
}
