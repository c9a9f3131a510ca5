// How the scenarios of registration and of what can go wrong between phones fail with a deliberate fault.
import { api, field, type Story, sip, webhook } from './fault-story.ts';

export const flowStories: readonly Story[] = [
  ['registration', api('getUser', field('/data/nb_sip_locations', 2), 2), '12', 'getUser with 1', '2'],
  ['several-phones', sip('CANCEL', 'out'), '7', 'desk is idle', 'ringing, with 101'],
  ['early-media', webhook('call.ringing', { do: 'drop' }), '6', 'ringing: 1 call.ringing', '0; arrived: call.initial'],
  ['late-offer', sip('ACK', 'out'), '8', 'caller is idle', 'connected'],
  ['redirect', webhook('call.connected', field('/dst', '102')), '10', 'connected, call.connected with "103"', '"102"'],
  [
    'lost-ack',
    webhook('call.hangup', field('/terminated_by', 'caller')),
    '10',
    'hangup, call.hangup with one of ["",null]',
    '"caller"',
  ],
  [
    'crossing-cancel',
    webhook('call.missed', field('/event_name', 'call.hangup')),
    '10',
    'no other events than call.initial, call.ringing, call.missed',
    'call.hangup',
  ],
  [
    'crossing-bye',
    webhook('call.hangup', field('/terminated_by', 'caller')),
    '8',
    'hangup, call.hangup with "callee"',
    '"caller"',
  ],
  ['hold-refused', api('updateCall', { do: 'status', status: 403 }), '3', 'updateCall answers 400', '403 {'],
  ['hold-by-update', sip('UPDATE', 'in'), '3', 'callee is holding', 'connected'],
  ['glare', webhook('call.unhold', { do: 'drop' }), '15', 'unhold: 1 call.unhold', '0; arrived'],
  [
    'click-to-call-unanswered',
    webhook('call.failed', field('/event_name', 'call.missed')),
    '7',
    'no call.missed',
    'call.missed',
  ],
  [
    'do-not-disturb',
    api('listCdrs', field('/data/0/t_cause', 'No answer')),
    '8',
    'record of the call with "Do not disturb"',
    'No answer',
  ],
  ['forwarding-loop', webhook('call.missed', { do: 'drop' }), '8', 'first: 1 call.missed', '0; arrived'],
  ['ring-group-caller-gives-up', sip('CANCEL', 'out'), '6', 'callee is idle', 'ringing'],
  [
    'ring-group-nobody-takes',
    webhook('call.missed', field('/event_name', 'call.hangup')),
    '7',
    'no call.hangup',
    'call.hangup',
  ],
  ['park', api('getCall', field('/data/dst', '103')), '6', 'a live call with matches "^\\\\*68102$"', '103'],
  ['transfer-to-nobody', sip('NOTIFY', 'out'), '4', 'caller is connected', 'transferring'],
];
