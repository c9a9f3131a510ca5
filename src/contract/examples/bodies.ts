// Bodies that requests may carry, by operation: the usual one first. Knows no handler.

import type { OperationId } from '../operations.ts';
import { ada, bo, callId, carla } from './people.ts';

/** Named bodies of one operation: what each is for, and the body. */
export type BodyExamples = Readonly<Record<string, unknown>>;

/** A WAV file of eight silent samples. */
const silence = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA';

const auth = {
  login: { 'Email and password': { email: ada.email, password: 'correct horse' } },
  loginTwoFactor: { 'The code from the email': { code: '493817', nonce: 'n-5f21c0' } },
  resendConfirmation: { 'An email': { email: ada.email } },
  requestPasswordReset: { 'An email': { email: ada.email } },
  resetPassword: { 'The token from the email': { token: 'r-81b04e', password: 'battery staple' } },
};

const calls = {
  createCall: {
    'Call a colleague from my phone': { to: bo.ext },
    "Call out from a user's phone": { to: carla.number, from: String(ada.id), caller_id: ada.number },
  },
  updateCall: {
    Hold: { state: 'ON_HOLD' },
    'Answer or resume': { state: 'CONNECTED' },
    Transfer: { dst: bo.ext },
    'Hang up': { state: 'HANGUP' },
    Label: { labels: ['Complaint'], action_url: 'https://crm.example/4711', action_text: 'Open the order' },
  },
  createWebcall: { 'Two numbers': { from: carla.number, to: ada.ext } },
  createLeadCall: { 'An agent and a lead': { caller_id: carla.number, to: ada.ext } },
  createCallLabel: { 'A label': { name: 'Complaint', color: 'orange' } },
  updateCallLabel: { 'Another colour': { color: 'red' } },
};

const storage = {
  createSms: { 'An SMS': { to: carla.number, from: ada.number, message: 'Your order is ready to be collected.' } },
  createVmAnnouncement: {
    'A WAV file': { extension_id: ada.id, description: 'Away until Monday', data: silence },
  },
  updateVmAnnouncement: { 'Another description': { description: 'Away until Tuesday' } },
  createCannedResponse: {
    'A text': { name: 'Opening hours', text: 'We are open on weekdays from nine to five.' },
  },
  updateCannedResponse: { 'Another text': { text: 'We are open every day from nine to five.' } },
};

const settings = {
  updateTrackedDdis: { 'Into a campaign': [{ e164: ada.number, campaign_id: 10_000_001 }] },
  createCampaign: { 'A campaign': { name: 'Spring', url: 'https://harbour.example/', rules: [] } },
  createContact: {
    'A customer': {
      type: 'contact',
      first_name: 'Carla',
      last_name: 'Stone',
      company: 'Stone & Daughters',
      email: carla.email,
      tel: carla.number,
    },
  },
  updateContacts: {
    'Two contacts into a group': [10_000_004, 10_000_005].map((id) => ({ id, group_name: 'Customers' })),
  },
  updateContact: { 'A note': { notes: 'Prefers to be called in the morning.' } },
  createConference: { 'A room': { name: 'Monday round', pin: '4711', pin_pstn: '4711', ann_join_leave: true } },
  updateConference: { 'Record it': { monitor: true } },
  createQueue: {
    'A queue with two agents': {
      name: 'Support',
      number: 700,
      ring_strategy: 'longest_idle',
      ring_time: 15,
      max_wait_time: 300,
      final_dst_type: 'V',
      final_dst_id: ada.id,
      users: [ada.id, bo.id].map((id) => ({ id, status: true })),
    },
  },
  createRingGroup: {
    'Two phones and a number': {
      name: 'Sales',
      users: [ada.id, bo.id],
      ddis: [ada.number],
      strategy: 'ring_all',
      ring_time: 20,
      number: 500,
    },
  },
  updateRingGroup: { 'One after the other': { strategy: 'hunt' } },
  createRoutingRule: {
    'Block a caller': { pos: 1, direction: 'in', action: 'block', source: [carla.number] },
  },
  updateRoutingRule: { 'Send the caller to a user instead': { action: `redirect:U:${bo.id}` } },
  createIvr: {
    'A menu': {
      name: 'Main menu',
      number: 800,
      timeout: 8,
      repeats: 2,
      ext_dialing: true,
      language: 'en',
      final_dst_type: 'U',
      final_dst_id: ada.id,
    },
  },
  updateIvr: { 'More patience': { timeout: 12, repeats: 3 } },
};

const group = { 'A group': { name: 'Front desk', color: 'teal' } };
const customer = {
  createQueueGroup: { 'A group': { name: 'Support queues' } },
  updateQueueGroup: { 'Another name': { name: 'All queues' } },
  updateUsers: { 'Two users to a place': [ada.id, bo.id].map((id) => ({ id, location_id: 1, groups: [10_000_001] })) },
  createUserGroup: group,
  updateUserGroup: { 'Another colour': { color: 'navy' } },
  createUserGroupPolicy: { 'A policy': { name: 'No calls abroad', color: 'grey' } },
  updateUserGroupPolicy: { 'Another colour': { color: 'navy' } },
};

const rest = {
  updateCdrs: { 'A remark and a note': [{ id: callId, info: 'invoice', notes: 'Asked for a second invoice.' }] },
  updateVoiceMessages: { 'Keep a message': [{ id: 10_000_001, folder: 'saved' }] },
  createCallMeBackSetting: {
    'A widget': {
      name: 'Shop',
      button_id: 10_000_001,
      position: 'bottom_right',
      culture: 'en-GB',
      ddi_e164: ada.number,
    },
  },
  updateCallMeBackSetting: { 'Another corner': { position: 'top_left' } },
  createCallMeBackButton: {
    'A button': { name: 'Shop button', data_online: 'Call me', data_offline: 'Leave a number' },
  },
  updateCallMeBackButton: { 'Another text': { data_offline: 'We are closed' } },
  createReportSchedule: {
    'Every Monday at seven': {
      report_id: 3,
      name: 'Monday report',
      emails: [ada.email],
      format: 'csv',
      start_at: '2026-02-01',
      frequency: { type: 'weekly', time_of_day: [7], day_of_week: [1] },
      timezone: 'Europe/London',
    },
  },
  updateReportSchedule: { Pause: { status: 'inactive' } },
};

export const bodyExamples: Readonly<Partial<Record<OperationId, BodyExamples>>> = {
  ...auth,
  ...calls,
  ...storage,
  ...settings,
  ...customer,
  ...rest,
};
