// How the scenarios of what users have set up (follow-me, offline number, call waiting, pickup, recording) fail with a deliberate fault.
import { api, field, type Story, sip, webhook } from './fault-story.ts';

export const userStories: readonly Story[] = [
  ['follow-me[strategy=A]', sip('CANCEL', 'out'), '6', 'callee is idle', 'ringing, with 101'],
  [
    'follow-me[strategy=H]',
    webhook('call.missed', { do: 'drop' }),
    '14',
    'missed: 1 call.missed',
    '0; arrived: call.initial, call.ringing, call.initial',
  ],
  [
    'follow-me[strategy=M]',
    api('listCdrs', field('/data/0/context', 'USER_LOCAL')),
    '16',
    'record of the call with "FOLLOW_ME"',
    '"USER_LOCAL"',
  ],
  ['follow-me-confirm', sip('INFO', 'in'), '7', 'mobile is idle', 'connected, with +442079460101'],
  [
    'offline-number',
    api('listCdrs', field('/data/0/parent_live_id', 7)),
    '11',
    'record of the call with 10000401',
    '7',
  ],
  [
    'call-waiting',
    webhook('call.missed', { do: 'drop' }),
    '16',
    'busy: 2 call.missed',
    '0; arrived: call.initial, call.ringing, call.connected, call.initial, call.ringing, call.hangup',
  ],
  ['pickup[code=*8]', webhook('call.connected', field('/dst', '102')), '16', 'up, call.connected with "103"', '"102"'],
  [`pickup[code=**\${callee.ext}]`, sip('CANCEL', 'out'), '10', 'callee is idle', 'ringing, with +442079460911'],
  // The customer's 200 and the agent's BYE leave; what would tell the supervisor that it is over does not.
  ['barge', { ...sip('BYE', 'out'), after: 2 }, '14', 'supervisor is idle', 'connected, with *33102'],
  [
    'recording-on-demand',
    api('listMonitors', field('/data/0/duration', 10)),
    '18',
    'recording of the call with at least 4 and at most 6',
    '10',
  ],
];
