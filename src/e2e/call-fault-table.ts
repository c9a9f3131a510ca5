// Faults of the simulator, and the checks with phones that have to find each. Data.

export interface Rule {
  readonly match: Readonly<Record<string, string>>;
  readonly action: Readonly<Record<string, unknown>>;
}

export interface CallFault {
  readonly name: string;
  readonly faults: readonly Rule[];
  /** Checks that have to fail, or to warn. */
  readonly found: readonly string[];
}

const event = (name: string, action: Rule['action']): Rule => ({ match: { at: 'webhook', event: name }, action });
const every = (action: Rule['action']): Rule => ({ match: { at: 'webhook' }, action });
const signal = (method: string, action: Rule['action']): Rule => ({
  match: { at: 'sip', method, direction: 'out' },
  action,
});
const answer = (operation: string, action: Rule['action']): Rule => ({ match: { at: 'api', operation }, action });
const field = (pointer: string, value?: unknown) => ({
  do: 'field',
  pointer,
  ...(value === undefined ? {} : { value }),
});

/** Members whose value every call event has as another type. */
const MISTYPED: Readonly<Record<string, unknown>> = {
  id: 7,
  event_time: '2026-01-01T00:00:00Z',
  call_id: '7',
  state: 'TALKING',
  connected_at: 0,
  start_time: 1_767_225_600,
  context: 'USER_LOCAL',
  destination: 'inbound',
  duration: '7',
  t_cause: 16,
  clid: null,
  src: 101,
  src_id: '101',
  src_name: null,
  src_hash: null,
  dst: 102,
  dst_id: '102',
  dst_name: null,
  info: null,
  terminated_by: 'nobody',
};
const SMS_MISTYPED: Readonly<Record<string, unknown>> = {
  id: 7,
  event_time: '1 January 2026',
  customer_id: '1',
  user_id: '1',
  from_no: 44,
  to_no: 44,
  text: null,
};
const dashed = (name: string): string => name.replaceAll('_', '-');

const fields: readonly CallFault[] = [
  ...Object.entries(MISTYPED).map(([name, value]) => ({
    name: `${name} of events is mistyped`,
    faults: [every(field(`/${name}`, value))],
    found: [`events/field-${dashed(name)}`],
  })),
  {
    name: 'an event of another name',
    faults: [event('call.ringing', field('/event_name', 'call.ring'))],
    found: ['events/field-event-name', 'events/ringing'],
  },
  ...Object.entries(SMS_MISTYPED).map(([name, value]) => ({
    name: `${name} of a text is mistyped`,
    faults: [event('sms.received', field(`/${name}`, value))],
    found: [`events/sms-field-${dashed(name)}`],
  })),
  {
    name: 'the event of a text has another name',
    faults: [event('sms.received', field('/event_name', 'sms.in'))],
    found: ['events/sms-field-event-name', 'events/sms'],
  },
];

const dropped: readonly CallFault[] = (
  [
    ['call.initial', ['events/initial', 'events/state-initial-ringing', 'events/state-initial-missed']],
    ['call.ringing', ['events/ringing', 'events/state-ringing-connected', 'events/category-ringing']],
    [
      'call.connected',
      ['events/connected', 'events/category-connected', 'events/order', 'events/category-state-change'],
    ],
    ['call.hold', ['events/hold', 'events/state-connected-on-hold', 'events/state-on-hold-hangup']],
    ['call.unhold', ['events/unhold', 'events/state-on-hold-connected']],
    ['call.hangup', ['events/hangup', 'events/category-ended', 'events/one-end', 'events/state-connected-hangup']],
    [
      'call.missed',
      [
        'events/missed',
        'events/busy',
        'events/category-missed',
        'events/queue-missed',
        'events/one-end-missed',
        'events/state-ringing-missed',
      ],
    ],
    ['call.failed', ['events/failed', 'events/state-outbound-failed']],
    ['call.dtmf', ['events/dtmf']],
    ['sms.received', ['events/sms']],
  ] as const
).map(([name, found]) => ({ name: `${name} is never sent`, faults: [event(name, { do: 'drop' })], found }));

const truths: readonly CallFault[] = [
  {
    name: 'events carry the state of another',
    faults: ['call.initial', 'call.ringing', 'call.connected', 'call.hold'].map((name) =>
      event(name, field('/state', 'HANGUP')),
    ),
    found: ['events/initial', 'events/ringing', 'events/connected', 'events/hold'],
  },
  {
    name: 'all events have one id',
    faults: [every(field('/id', 'the-same'))],
    found: ['events/id-unique'],
  },
  {
    name: 'times are local',
    faults: [every(field('/event_time', '2026-01-01 09:00:00')), every(field('/start_time', '2026-01-01 09:00:00'))],
    found: ['events/time-utc', 'events/sms-time-utc'],
  },
  {
    name: 'start_time changes',
    faults: [event('call.hangup', field('/start_time', '2026-01-01 00:00:05'))],
    found: ['events/start-time'],
  },
  {
    name: 'connected_at is set too early',
    faults: [every(field('/connected_at', '2026-01-01 00:00:00'))],
    found: ['events/connected-null', 'events/connected-never', 'calls/times'],
  },
  {
    name: 'connected_at is never set',
    faults: [every(field('/connected_at', null))],
    found: ['events/connected-at'],
  },
  {
    name: 'duration is that of another call',
    faults: [every(field('/duration', 500))],
    found: ['events/duration', 'call-records/event-duration'],
  },
  {
    name: 'the context of users is QUEUE',
    faults: [every(field('/context', 'QUEUE'))],
    found: ['events/context-user', 'events/queue-only-state-change'],
  },
  {
    name: 'the context of queues is LOCAL_USER',
    faults: [every(field('/context', 'LOCAL_USER'))],
    found: ['events/queue-missed', 'events/queue-context'],
  },
  {
    name: 'terminated_by is always the callee',
    faults: [every(field('/terminated_by', 'callee'))],
    found: ['events/terminated-by-caller'],
  },
  {
    name: 'terminated_by is always the caller',
    faults: [every(field('/terminated_by', 'caller'))],
    found: ['events/terminated-by-callee'],
  },
  {
    name: 't_cause is empty',
    faults: [every(field('/t_cause', ''))],
    found: ['events/cause', 'events/cause-missed', 'call-records/event-cause', 'call-records/event-cause-missed'],
  },
  { name: 'src_hash is one for all calls', faults: [every(field('/src_hash', 'h'))], found: ['events/hash-unique'] },
  { name: 'src_hash changes', faults: [event('call.hangup', field('/src_hash', 'h'))], found: ['events/hash-same'] },
  {
    name: 'src is somebody else',
    faults: [every(field('/src', '999'))],
    found: ['events/parties', 'calls/parties', 'call-records/event-parties'],
  },
  { name: 'src_id is somebody else', faults: [every(field('/src_id', 999))], found: ['events/party-ids'] },
  { name: 'every call goes out', faults: [every(field('/destination', 'out'))], found: ['events/direction-in'] },
  { name: 'every call comes in', faults: [every(field('/destination', 'in'))], found: ['events/direction-out'] },
  {
    name: 'a missed call is told as failed',
    faults: [event('call.missed', field('/event_name', 'call.failed'))],
    found: ['events/failed-is-outbound', 'events/missed'],
  },
  {
    name: 'an answered call is told as missed',
    faults: [event('call.ringing', field('/event_name', 'call.missed'))],
    found: ['events/missed-is-unanswered', 'events/one-end', 'events/nothing-after-end', 'events/one-end-missed'],
  },
  { name: 'events come twice', faults: [every({ do: 'duplicate' })], found: ['events/once'] },
  {
    name: 'the end comes before the hold',
    faults: [event('call.hold', { do: 'delay', ms: 500_000 })],
    found: ['events/hold'],
  },
  {
    name: 'events overtake each other',
    faults: [event('call.initial', { do: 'reorder' })],
    found: ['events/order', 'events/order-missed'],
  },
  {
    name: 'the last event is late',
    faults: [
      event('call.unhold', field('/event_time', '2025-12-31 23:00:00')),
      event('call.hangup', field('/event_time', '2025-12-31 23:00:00')),
    ],
    found: ['events/prompt', 'events/time-utc'],
  },
  {
    name: 'call_id is that of another call',
    faults: [every(field('/call_id', 7))],
    found: ['calls/event-id', 'calls/placed-events'],
  },
  {
    name: 'the text is another one',
    faults: [event('sms.received', field('/text', 'Hi'))],
    found: ['events/sms-content'],
  },
  {
    name: 'the text is for another customer',
    faults: [event('sms.received', field('/customer_id', 999_999))],
    found: ['events/sms-customer'],
  },
];

const live: readonly CallFault[] = [
  {
    name: 'live calls are others',
    faults: [answer('getCall', field('/data/id', 7))],
    found: ['calls/active', 'calls/placed-id'],
  },
  {
    name: 'state never changes',
    faults: [answer('getCall', field('/data/state', 4))],
    found: ['calls/state', 'calls/state-held'],
  },
  {
    name: 'src of live calls is somebody else',
    faults: [answer('getCall', field('/data/src', '999'))],
    found: ['calls/parties'],
  },
  {
    name: 'times of live calls are others',
    faults: [answer('getCall', field('/data/connected_at', 5))],
    found: ['calls/times'],
  },
  {
    name: 'duration of live calls stands still',
    faults: [answer('getCall', field('/data/duration', 1))],
    found: ['calls/duration'],
  },
  {
    name: 'calls are not placed',
    faults: [answer('createCall', { do: 'status', status: 500 })],
    found: ['calls/placed'],
  },
  {
    name: 'changes of calls are refused',
    faults: [answer('updateCall', { do: 'status', status: 400 })],
    found: ['calls/labelled', 'calls/transferred', 'calls/answered'],
  },
  {
    name: 'ends of calls are refused',
    faults: [answer('deleteCall', { do: 'status', status: 500 })],
    found: ['calls/deleted'],
  },
  {
    name: 'live calls are not found',
    faults: [answer('getCall', { do: 'status', status: 404 })],
    found: ['calls/active', 'calls/hold-goes-on', 'calls/placed-id'],
  },
  {
    name: 'ended calls are an error of the server',
    faults: [answer('getCall', { do: 'status', status: 500 })],
    found: ['calls/gone', 'calls/deleted-gone'],
  },
  { name: 'phones are never called', faults: [signal('INVITE', { do: 'drop' })], found: ['calls/placed'] },
];

const records: readonly CallFault[] = [
  {
    name: 'no record of a call',
    faults: [answer('listCdrs', field('/data', []))],
    found: ['call-records/cdr', 'call-records/cdr-missed'],
  },
  {
    name: 'records of another call',
    faults: [answer('listCdrs', field('/data/0/live_id', 7))],
    found: ['call-records/cdr'],
  },
  {
    name: 'duration of records is another',
    faults: [answer('listCdrs', field('/data/0/duration', 500))],
    found: ['call-records/duration', 'call-records/event-duration', 'call-records/read'],
  },
  {
    name: 'billsec of records is another',
    faults: [answer('listCdrs', field('/data/0/billsec', 500))],
    found: ['call-records/billsec', 'call-records/billsec-zero'],
  },
  {
    name: 'calldate is local',
    faults: [answer('listCdrs', field('/data/0/calldate', '2026-01-01 09:00:00'))],
    found: ['call-records/calldate'],
  },
  {
    name: 'parties of records are others',
    faults: [answer('listCdrs', field('/data/0/src', '999'))],
    found: ['call-records/parties', 'call-records/event-parties'],
  },
  {
    name: 'type is always I',
    faults: [answer('listCdrs', field('/data/0/type', 'I'))],
    found: ['call-records/type-missed', 'call-records/outbound'],
  },
  {
    name: 'destination is always out',
    faults: [answer('listCdrs', field('/data/0/destination', 'out'))],
    found: ['call-records/inbound'],
  },
  {
    name: 't_cause of records is empty',
    faults: [answer('listCdrs', field('/data/0/t_cause', ''))],
    found: ['call-records/cause', 'call-records/event-cause'],
  },
  {
    name: 'records of users are empty',
    faults: [answer('listUserCdrs', field('/data', [])), answer('listUserCdrs', field('/total', 0))],
    found: ['call-records/of-user'],
  },
  {
    name: 'no recording of a call',
    faults: [answer('listMonitors', field('/data', []))],
    found: ['call-records/monitor', 'calls/recorded'],
  },
  {
    name: 'recordings of another call',
    faults: [answer('listMonitors', field('/data/0/live_id', 7))],
    found: ['call-records/monitor'],
  },
  {
    name: 'recordings longer than their call',
    faults: [answer('listMonitors', field('/data/0/duration', 500))],
    found: ['call-records/monitor-duration', 'files/mp3-length'],
  },
  {
    name: 'parties of recordings are others',
    faults: [answer('listMonitors', field('/data/0/caller', '999'))],
    found: ['call-records/monitor-parties'],
  },
  {
    name: 'monitor_state stands still',
    faults: [answer('getCall', field('/data/monitor_state', 0))],
    found: ['call-records/monitor-state'],
  },
];

export const callFaults: readonly CallFault[] = [...fields, ...dropped, ...truths, ...live, ...records];

/**
 * Checks of what the registry has no fault for: a request that is answered and not done, a file that is another one, a delivery at another
 * webhook, what is saved. Mutants between judge and target make those.
 */
export const beyondFaults: readonly string[] = [
  'call-records/one',
  'calls/gone-list',
  'events/json',
  'events/json-type',
  'events/category-missed-only',
  'events/category-connected-only',
  'events/category-no-sms',
  'events/sms-category',
  'files/cdr-trace',
  'files/cdr-pcap',
  'files/msdr-trace',
  'files/msdr-pcap',
  'files/mp3',
  'files/mp3-type',
  'files/csv',
  'files/csv-call',
  'webhooks/https',
  'webhooks/test-event',
  'webhooks/no-answer',
  'webhooks/edit',
  'webhooks/edit-categories',
  'webhooks/deactivated',
  'webhooks/activated',
  'webhooks/several',
  'webhooks/same-id',
  'webhooks/retry-id',
];
