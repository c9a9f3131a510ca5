// Clauses about what files hold, beyond that they come: traces, packets, sound, tables.
import type { Clause } from '../clause.ts';

const KINDS = 'What the service does, 2';
const HISTORY = 'Endpoints, History module';

export const fileClauses: readonly Clause[] = [
  {
    id: 'FILE-CDR-TRACE',
    level: 'MUST',
    requirement: 'the trace of a record is the SIP of its call: its INVITE and its BYE',
    spec: HISTORY,
    operations: ['getCdrTrace'],
  },
  {
    id: 'FILE-CDR-PCAP',
    level: 'MUST',
    requirement: 'the PCAP of a record is a capture file with at least one packet',
    spec: HISTORY,
    operations: ['getCdrPcap'],
  },
  {
    id: 'FILE-MSDR-TRACE',
    level: 'SHOULD',
    requirement: 'the trace of a media session is not empty, and no JSON',
    spec: KINDS,
    operations: ['getMsdrTrace'],
  },
  {
    id: 'FILE-MSDR-PCAP',
    level: 'MUST',
    requirement: 'the PCAP of a media session is a capture file',
    spec: KINDS,
    operations: ['getMsdrPcap'],
  },
  {
    id: 'FILE-MP3',
    level: 'MUST',
    requirement: 'a recording is an MP3 file: its frames can be told',
    spec: HISTORY,
    operations: ['getMonitorAudio'],
    capability: 'recordings',
  },
  {
    id: 'FILE-MP3-TYPE',
    level: 'SHOULD',
    requirement: 'it comes as audio/mpeg',
    spec: HISTORY,
    operations: ['getMonitorAudio'],
    capability: 'recordings',
  },
  {
    id: 'FILE-MP3-LENGTH',
    level: 'SHOULD',
    requirement: 'it plays about as long as duration of the recording says',
    spec: 'Monitor (call recording)',
    operations: ['getMonitorAudio'],
    capability: 'recordings',
  },
  {
    id: 'FILE-CSV',
    level: 'MUST',
    requirement: 'the export of a user’s records is CSV: a header line, and lines with as many columns',
    spec: 'Endpoints, History module',
    operations: ['exportUserCdrs'],
  },
  {
    id: 'FILE-CSV-CALL',
    level: 'SHOULD',
    requirement: 'the export has a line for a call that the user made',
    spec: 'Endpoints, History module',
    operations: ['exportUserCdrs'],
  },
];
