// How the scenarios of messages and widgets fail with a deliberate fault.
import { api, field, type Story, sip, webhook } from './fault-story.ts';

export const messageStories: readonly Story[] = [
  ['sms-delivered', api('getSms', field('/data/result', 'queued')), '2', 'getSms with not "queued"', '"queued"'],
  [
    'sms-received',
    webhook('sms.received', field('/user_id', null)),
    '2',
    'received, sms.received with 10000002',
    'null',
  ],
  ['fax-received', api('listFaxes', field('/data/0/pages', 1)), '9', 'listFaxes with 2', '1'],
  ['web-call', api('listCdrs', field('/data/0/destination', 'in')), '11', 'record of the call with "webcall"', '"in"'],
  ['lead-call', sip('BYE', 'out'), '9', 'agent is idle', 'connected'],
  [
    'call-me-back-setting',
    api('updateCallMeBackSetting', field('/data/floating_icon', true)),
    '3',
    'updateCallMeBackSetting with false',
    'true',
  ],
];
