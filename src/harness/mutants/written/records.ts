// Mutants of what is left of a call: records and recordings that are missing, wrong or twice there, and files with something else in them.

import type { OperationId } from '../../../contract/operations.ts';
import type { Answered } from '../../../wires/http-client.ts';
import { localTime } from '../couriers.ts';
import {
  type Act,
  type Json,
  type Mutant,
  mutant,
  on,
  queryOf,
  recordsIn,
  withJson,
  withQuery,
  withText,
} from '../mutant.ts';

/** Changes the records of a list and of its single reader alike. */
function saying(operations: readonly OperationId[], lie: (record: Json) => Json): Act {
  return on(operations, async ({ asked, forward }) =>
    withJson(await forward(asked), (body) => {
      for (const record of recordsIn(body)) Object.assign(record, lie(record));
      return body;
    }),
  );
}

const cdrs = (lie: (record: Json) => Json): Act => saying(['listCdrs', 'getCdr'], lie);
const monitors = (lie: (record: Json) => Json): Act => saying(['listMonitors', 'getMonitor'], lie);

/** Lists that hold some of their records alone, or some twice. */
function listing(operation: OperationId, choose: (records: readonly Json[]) => readonly Json[]): Act {
  return on(operation, async ({ asked, forward }) =>
    withJson(await forward(asked), (body) => {
      const data = choose(recordsIn(body));
      return { ...body, data, total: data.length };
    }),
  );
}

/** The filter of related lookups finds nothing, or everything. */
function lookups(operation: OperationId, filter: string | undefined): Act {
  return on(operation, ({ asked, forward }) =>
    forward(queryOf(asked, 'filter')?.includes('live_id') ? withQuery(asked, { filter }) : asked),
  );
}

const NOTHING = JSON.stringify([{ property: 'id', operator: 'eq', value: -1 }]);

const ofCdrs: readonly Mutant[] = [
  mutant('records: a call leaves none', 'CDR-FOUND', lookups('listCdrs', NOTHING)),
  mutant('records: live_id finds every call', ['CDR-FOUND', 'CDR-ONE'], lookups('listCdrs', undefined)),
  mutant(
    'records: a missed call leaves none',
    'CDR-FOUND',
    on('listCdrs', async (passing) => {
      const { asked, forward } = passing;
      const answered = await forward(asked);
      if (!queryOf(asked, 'filter')?.includes('live_id')) return answered;
      return withJson(answered, (body) => {
        const data = recordsIn(body).filter(({ billsec }) => billsec !== 0);
        return { ...body, data, total: data.length };
      });
    }),
  ),
  mutant(
    'records: live_id is another number than the call had',
    'CDR-FOUND',
    cdrs(({ live_id: id }) => ({ live_id: Number(id) + 1 })),
  ),
  mutant(
    'records: a call leaves two',
    'CDR-ONE',
    listing('listCdrs', (all) => all.flatMap((one) => [one, { ...one, id: Number(one.id) + 5_000_000 }])),
  ),
  mutant(
    'records: one is read otherwise than it is listed',
    'CDR-READ',
    saying(['getCdr'], ({ duration }) => ({ duration: Number(duration) + 1 })),
  ),
  mutant(
    'records: duration is in milliseconds',
    ['CDR-DURATION', 'CDR-EVENT-DURATION'],
    cdrs(({ duration }) => ({ duration: Number(duration) * 1000 })),
  ),
  mutant(
    'records: duration is the connected time',
    ['CDR-DURATION', 'CDR-EVENT-DURATION'],
    cdrs(({ billsec }) => ({ duration: billsec })),
  ),
  mutant(
    'records: billsec counts from the first ring',
    ['CDR-BILLSEC', 'CDR-BILLSEC-ZERO'],
    cdrs(({ duration }) => ({ billsec: duration })),
  ),
  mutant(
    'records: calldate is in local time',
    'CDR-CALLDATE',
    cdrs(({ calldate }) => ({ calldate: localTime(calldate) })),
  ),
  mutant(
    'records: src and dst are the other way round',
    ['CDR-PARTIES', 'CDR-EVENT-PARTIES'],
    cdrs(({ src, dst }) => ({ src: dst, dst: src })),
  ),
  mutant(
    'records: every call came in',
    ['CDR-TYPE-MISSED', 'CDR-OUTBOUND'],
    cdrs(() => ({ type: 'I', destination: 'in' })),
  ),
  mutant(
    'records: every call went out',
    ['CDR-TYPE-MISSED', 'CDR-INBOUND'],
    cdrs(() => ({ type: 'O', destination: 'out' })),
  ),
  mutant(
    'records: those of a user lack the last call',
    'CDR-USER-FILTER',
    on('listUserCdrs', async ({ asked, forward }) =>
      withJson(await forward(asked), (body) => ({ ...body, data: [], total: 0 })),
    ),
  ),
  mutant(
    'records: t_cause is empty',
    ['CDR-CAUSE', 'CDR-EVENT-CAUSE'],
    cdrs(() => ({ t_cause: '' })),
  ),
];

const ofMonitors: readonly Mutant[] = [
  mutant('recordings: a call leaves none', ['MONITOR-FOUND', 'CALL-RECORDED'], lookups('listMonitors', NOTHING)),
  mutant('recordings: live_id finds every recording', 'MONITOR-FOUND', lookups('listMonitors', undefined)),
  mutant(
    'recordings: live_id is another number than the call had',
    'MONITOR-FOUND',
    monitors(({ live_id: id }) => ({ live_id: Number(id) + 1 })),
  ),
  mutant(
    'recordings: duration is in milliseconds',
    ['MONITOR-DURATION', 'FILE-MP3-LENGTH'],
    monitors(({ duration }) => ({ duration: Number(duration) * 1000 })),
  ),
  mutant(
    'recordings: caller and called are the other way round',
    'MONITOR-PARTIES',
    monitors(({ caller, called }) => ({ caller: called, called: caller })),
  ),
];

/** The file of an answer with other bytes. */
function file(operation: OperationId, change: (bytes: Buffer) => Buffer): Act {
  return on(operation, async ({ asked, forward }) => {
    const answered = await forward(asked);
    return isFile(answered) ? withBytes(answered, change(answered.bytes)) : answered;
  });
}

type Done = Extract<Answered, { readonly ok: true }>;

function isFile(answered: Answered): answered is Done {
  return answered.ok && answered.status === 200;
}

function withBytes(answered: Done, bytes: Buffer): Answered {
  return { ...answered, bytes, text: bytes.toString() };
}

const lines = (change: (all: readonly string[]) => readonly string[]) => (bytes: Buffer) =>
  Buffer.from(change(bytes.toString().split('\n')).join('\n'));

const PCAP_HEADER_BYTES = 24;

const ofFiles: readonly Mutant[] = [
  mutant(
    'files: the trace of a record has no BYE',
    'FILE-CDR-TRACE',
    file('getCdrTrace', (bytes) => Buffer.from(bytes.toString().replaceAll('BYE', 'INFO'))),
  ),
  mutant(
    'files: the capture of a record has no packet',
    'FILE-CDR-PCAP',
    file('getCdrPcap', (bytes) => bytes.subarray(0, PCAP_HEADER_BYTES)),
  ),
  mutant(
    'files: the trace of a media session is JSON',
    'FILE-MSDR-TRACE',
    on('getMsdrTrace', async ({ asked, forward }) => {
      const answered = await forward(asked);
      return isFile(answered) ? withText(answered, '{"data":[]}') : answered;
    }),
  ),
  mutant(
    'files: the capture of a media session has no packet',
    'FILE-MSDR-PCAP',
    file('getMsdrPcap', (bytes) => bytes.subarray(0, PCAP_HEADER_BYTES)),
  ),
  mutant(
    'files: a recording begins as MP3 and is none',
    'FILE-MP3',
    file('getMonitorAudio', (bytes) => Buffer.concat([Buffer.from('ID3'), Buffer.alloc(bytes.length)])),
  ),
  mutant(
    'files: a recording is called a stream of bytes',
    'FILE-MP3-TYPE',
    on('getMonitorAudio', async ({ asked, forward }) => {
      const answered = await forward(asked);
      if (!isFile(answered)) return answered;
      return { ...answered, headers: { ...answered.headers, 'content-type': 'application/octet-stream' } };
    }),
  ),
  mutant(
    'files: a recording is cut off in the middle',
    'FILE-MP3-LENGTH',
    file('getMonitorAudio', (bytes) => bytes.subarray(0, bytes.length / 2)),
  ),
  mutant(
    'files: a line of the export has one column more',
    'FILE-CSV',
    file(
      'exportUserCdrs',
      lines((all) => all.map((line, at) => (at === 1 ? `1,${line}` : line))),
    ),
  ),
  mutant(
    'files: the export has a header alone',
    'FILE-CSV-CALL',
    file(
      'exportUserCdrs',
      lines((all) => all.slice(0, 1)),
    ),
  ),
];

export const recordMutants: readonly Mutant[] = [...ofCdrs, ...ofMonitors, ...ofFiles];
