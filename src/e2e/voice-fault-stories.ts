// How the scenarios of voicemail, its mailbox, the echo test and menus fail with a deliberate fault.
import { api, field, type Story, sip, webhook } from './fault-story.ts';

export const voiceStories: readonly Story[] = [
  [
    'voicemail-message',
    api('listVoiceMessages', field('/data/0/is_new', false)),
    '12',
    'listVoiceMessages with true',
    'false',
  ],
  ['voicemail-hash', sip('INFO', 'in'), '7', 'customer is idle', 'connected'],
  ['voicemail-too-short', api('listVoiceMessages', field('/total', 1)), '7', 'listVoiceMessages with 0', '1'],
  ['mailbox', api('getVoiceMessage', field('/data/folder', 1)), '16', 'getVoiceMessage with 2', '1'],
  ['mailbox-wrong-pin', sip('BYE', 'out'), '7', 'owner is idle', 'connected'],
  ['message-waiting', api('getUser', field('/data/vm_new', 1)), '9', 'getUser with 0', '1'],
  [
    'echo-test',
    webhook('call.connected', { do: 'drop' }),
    '4',
    'connected: 1 call.connected',
    '0; arrived: call.initial, call.hangup',
  ],
  [
    'ivr-key',
    api('listCdrs', field('/data/0/context', 'USER_LOCAL')),
    '16',
    'record of the call with "IVR"',
    '"USER_LOCAL"',
  ],
  ['ivr-extension', webhook('call.missed', { do: 'drop' }), '19', 'rang: 1 call.missed', '0; arrived: call.initial'],
  [
    'ivr-nothing-chosen',
    webhook('call.hangup', field('/terminated_by', 'callee')),
    '11',
    'talked, call.hangup with "caller"',
    '"callee"',
  ],
  ['ivr-invalid-key', sip('INFO', 'in'), '7', 'caller is idle', 'connected'],
  ['ivr-menus', api('listCdrs', field('/data/0/parent_live_id', 7)), '13', 'record of the call with 0', '7'],
];
