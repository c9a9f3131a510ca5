// One plausible record of each resource of the Storage module. Knows no operation.

import type { CannedResponse, Fax, Sms, VmAnnouncement } from '../resources/storage.ts';
import { ada, carla, made, moment } from './people.ts';

const sms: Sms = {
  id: 10_000_001,
  created_at: moment,
  from: ada.number,
  to: carla.number,
  message: 'Your order is ready to be collected.',
  result: 'delivered',
  type: 'out',
  user_id: ada.id,
};

const cannedResponse: CannedResponse = {
  id: 10_000_001,
  created_at: made,
  from: 'Opening hours',
  to: '',
  message: 'We are open on weekdays from nine to five.',
  result: '',
  type: 'canned',
  user_id: ada.id,
};

const fax: Fax = {
  id: 10_000_001,
  charge: 0.08,
  created_at: moment,
  filename: 'order-4711.pdf',
  from: carla.number,
  to: ada.number,
  pages: 2,
  status: 3,
  type: 0,
};

const vmAnnouncement: VmAnnouncement = {
  id: 10_000_001,
  created_at: made,
  description: 'Away until Monday',
  extension: ada.id,
};

export const storageExamples = {
  sms,
  cannedresponses: cannedResponse,
  faxes: fax,
  vmannouncements: vmAnnouncement,
} as const;
