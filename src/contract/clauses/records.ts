// Clauses about what is left of a call: its record and its recording, found by its id, and in agreement with its events.
import type { Clause } from '../clause.ts';

const LOOKUPS = 'Endpoints, Related lookups';
const CDR = 'Call detail record, CDR';

type Row = readonly [id: string, level: Clause['level'], requirement: string, spec: string];

const cdrRows: readonly Row[] = [
  [
    'CDR-FOUND',
    'MUST',
    'the record of a call is found at GET /cdrs by live_id, which is the call_id of its events',
    `${LOOKUPS}, 1 to 3`,
  ],
  ['CDR-ONE', 'SHOULD', 'a call between two phones has one record', `${LOOKUPS}, 2`],
  ['CDR-READ', 'MUST', 'GET /cdrs/{id} shows what GET /cdrs lists', 'Endpoints, History module'],
  ['CDR-DURATION', 'MUST', 'duration is that of the call in seconds', CDR],
  ['CDR-BILLSEC', 'MUST', 'billsec is its connected time', CDR],
  ['CDR-BILLSEC-ZERO', 'MUST', 'billsec of a call that nobody answered is 0', CDR],
  ['CDR-CALLDATE', 'SHOULD', 'calldate is the time when the call began, in UTC', CDR],
  ['CDR-PARTIES', 'MUST', 'src is the number of the caller and dst that of the callee', CDR],
  ['CDR-TYPE-MISSED', 'SHOULD', 'type of a call that its user missed is M, where it is a letter', CDR],
  ['CDR-CODES', 'UNSPECIFIED', 'whether type, destination and disposition are words or numbers, and which', CDR],
  ['CDR-CAUSE', 'SHOULD', 't_cause is not empty', CDR],
  [
    'CDR-USER-FILTER',
    'SHOULD',
    'the record is among those of the users who took part: GET /users/{id}/cdrs',
    'Endpoints, Customer module',
  ],
];

const agreement: readonly Row[] = [
  ['CDR-EVENT-DURATION', 'SHOULD', 'duration of the record is that of the last event, give or take a second', CDR],
  ['CDR-EVENT-CAUSE', 'SHOULD', 't_cause of the record is that of the last event', CDR],
  ['CDR-EVENT-PARTIES', 'SHOULD', 'src and dst of the record are those of the events', CDR],
];

const outside: readonly Row[] = [
  ['CDR-OUTBOUND', 'SHOULD', 'a call to the public network is type O and destination out, where they are words', CDR],
  ['CDR-INBOUND', 'SHOULD', 'a call from the public network is type I and destination in, where they are words', CDR],
];

const recordings: readonly Row[] = [
  [
    'MONITOR-FOUND',
    'MUST',
    'the recording of a call is found at GET /monitors by live_id, which is the call_id of its events',
    `${LOOKUPS}, 1 to 3`,
  ],
  [
    'MONITOR-STATE',
    'SHOULD',
    'monitor_state of a live call changes when its recording begins',
    'Live Call; Endpoints, Calls module',
  ],
  ['MONITOR-DURATION', 'SHOULD', 'a recording is no longer than its call', 'Monitor (call recording)'],
  ['MONITOR-PARTIES', 'SHOULD', 'caller and called are the parties of the call', 'Monitor (call recording)'],
];

function rows(
  list: readonly Row[],
  operation: Clause['operations'][number],
  capability?: Clause['capability'],
): Clause[] {
  return list.map(([id, level, requirement, spec]) => ({
    ...{ id, level, requirement, spec, operations: [operation] },
    ...(capability === undefined ? {} : { capability }),
  }));
}

export const recordClauses: readonly Clause[] = [
  ...rows(cdrRows, 'listCdrs'),
  ...rows(agreement, 'listCdrs', 'webhooks'),
  ...rows(outside, 'listCdrs', 'outside'),
  ...rows(recordings, 'listMonitors', 'recordings'),
];
