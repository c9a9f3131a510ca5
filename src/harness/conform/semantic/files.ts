// Checks of what files of a call hold: traces, packets, sound, tables. Knows a call only by its records.
import type { OperationId } from '../../../contract/operations.ts';
import { mp3Seconds } from '../../reading/mp3-frames.ts';
import type { Answer, Bench, Check, Members } from '../check.ts';
import { blocked, CheckEnd, demand, type Finding, met } from '../finding.ts';
import { answered } from './call-stories.ts';
import type { CallFacts } from './call-story.ts';

type Judge = (answer: Answer, facts: CallFacts, record: Members) => Finding;

/** The record whose file it is; ends the check as blocked when there is none. */
type Pick = (facts: CallFacts, bench: Bench) => Promise<Members>;

const cdrOf: Pick = ({ cdrs: [cdr] }) => found(cdr, 'record of the call');
const monitorOf: Pick = ({ monitors: [monitor] }) => found(monitor, 'recording of the call');
const callerOf: Pick = ({ caller }) => found(caller === undefined ? undefined : { id: caller.id }, 'caller');

/** The newest media session of the caller: the call that just ended. */
const msdrOf: Pick = async ({ caller }, bench) => {
  const filter = [{ property: 'user_id', operator: 'eq', value: caller?.id }];
  const list = await bench.list('/msdrs', { filter, limit: 1000 });
  return found(list.toSorted((a, b) => Number(b.id) - Number(a.id))[0], 'media session of the caller');
};

function found(record: Members | undefined, what: string): Promise<Members> {
  if (record === undefined) throw new CheckEnd(blocked(`There is no ${what}.`));
  return Promise.resolve(record);
}

function of(id: string, clause: string, operation: OperationId, pick: Pick, judge: Judge): Check {
  return {
    ...{ id: `files/${id}`, clause, operation, effects: ['dial'], needs: ['second user', 'phones'], lane: 'alone' },
    run: async (bench) => {
      const facts = await answered(bench);
      const record = await pick(facts, bench);
      const answer = await bench.ask(operation, { path: { id: record.id } });
      if (answer.status !== 200) return blocked(`The file is not there: ${answer.status}.`);
      return judge(answer, facts, record);
    },
  };
}

function typeOf({ headers }: Answer): string {
  return String(headers['content-type'] ?? 'none');
}

const PCAP_HEADER_BYTES = 24;
const PACKET_HEADER_BYTES = 16;
/** Of pcap in both byte orders, in microseconds and nanoseconds, and of pcapng. */
const MAGIC = new Set(['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1', '0a0d0d0a']);

function pcap(answer: Answer): Finding {
  const magic = answer.bytes.subarray(0, 4).toString('hex');
  demand(MAGIC.has(magic), 'The file is no capture.', [...MAGIC].join(', '), magic);
  const hasPacket = answer.bytes.length > PCAP_HEADER_BYTES + PACKET_HEADER_BYTES;
  demand(hasPacket, 'The capture has no packet.', 'at least one', `${answer.bytes.length} bytes`);
  return met();
}

/** The columns of a line of CSV (RFC 4180), commas in quotes being none. */
function columns(line: string): number {
  return line.replace(/"(?:[^"]|"")*"/g, '').split(/[,;\t]/).length;
}

function csv({ text }: Answer): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

export const fileChecks: readonly Check[] = [
  of('cdr-trace', 'FILE-CDR-TRACE', 'getCdrTrace', cdrOf, ({ text }) => {
    for (const method of ['INVITE', 'BYE'])
      demand(text.includes(method), `The trace shows no ${method}.`, method, text.slice(0, 200));
    return met();
  }),
  of('cdr-pcap', 'FILE-CDR-PCAP', 'getCdrPcap', cdrOf, pcap),
  of('msdr-trace', 'FILE-MSDR-TRACE', 'getMsdrTrace', msdrOf, ({ text, body }) => {
    demand(text !== '' && body === undefined, 'The trace is empty, or JSON.', 'a text', text.slice(0, 200));
    return met();
  }),
  of('msdr-pcap', 'FILE-MSDR-PCAP', 'getMsdrPcap', msdrOf, pcap),
  of('mp3', 'FILE-MP3', 'getMonitorAudio', monitorOf, ({ bytes }) => {
    const head = bytes.subarray(0, 4).toString('hex');
    demand(
      mp3Seconds(bytes) !== undefined,
      'The file has no frames of MP3.',
      'frames',
      `${bytes.length} bytes: ${head}`,
    );
    return met();
  }),
  of('mp3-type', 'FILE-MP3-TYPE', 'getMonitorAudio', monitorOf, (answer) => {
    const type = typeOf(answer);
    demand(
      /^audio\/(mpeg|mp3|x-mp3|x-mpeg)\b/i.test(type),
      'Sound comes under another media type.',
      'audio/mpeg',
      type,
    );
    return met();
  }),
  of('mp3-length', 'FILE-MP3-LENGTH', 'getMonitorAudio', monitorOf, ({ bytes }, _facts, { duration }) => {
    const seconds = mp3Seconds(bytes);
    if (seconds === undefined) return blocked('The file has no frames of MP3.');
    const isRight = Math.abs(seconds - Number(duration)) <= 1.5;
    demand(
      isRight,
      'The sound is not as long as the recording says.',
      `${String(duration)} s`,
      `${seconds.toFixed(1)} s`,
    );
    return met();
  }),
  of('csv', 'FILE-CSV', 'exportUserCdrs', callerOf, (answer) => {
    const [head = '', ...lines] = csv(answer);
    demand(
      answer.body === undefined && head !== '',
      'The export is empty, or JSON.',
      'a header line',
      head.slice(0, 200),
    );
    demand(columns(head) > 1, 'The header has one column.', 'several', head.slice(0, 200));
    // A line that ends within quotes goes on in the next.
    const other = lines.find((line) => (line.match(/"/g)?.length ?? 0) % 2 === 0 && columns(line) !== columns(head));
    demand(other === undefined, 'A line has other columns than the header.', columns(head), other?.slice(0, 200));
    return met();
  }),
  of('csv-call', 'FILE-CSV-CALL', 'exportUserCdrs', callerOf, (answer, { cdrs: [cdr] }) => {
    if (cdr === undefined) return blocked('There is no record of the call.');
    const isThere = csv(answer).some((line) => line.split(/[,;\t]/).some((cell) => cell === String(cdr.id)));
    demand(isThere, 'The export does not hold the call.', `record ${String(cdr.id)}`, `${csv(answer).length} lines`);
    return met();
  }),
];
