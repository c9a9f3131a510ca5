// The SIP messages of a call as a packet capture (classic pcap), each with its time on the clock. Knows no socket.
import { dataOf, type JournalData, type JournalEntry } from '../kernel/journal.ts';
import { type Endpoint, IpWriter, MAX_UDP_PAYLOAD } from './ip-packets.ts';
import { HostAddresses } from './ip-text.ts';

export interface PcapSource {
  /** Of one call, in the order of the journal. */
  readonly entries: readonly JournalEntry[];
}

/** Version 2.4 with times in microseconds; packets begin with their IP header (LINKTYPE_RAW). */
const MAGIC = 0xa1b2c3d4;
const SNAP_LENGTH = 262_144;
const LINKTYPE_RAW = 101;

/** Streams stay streams; what goes through memory is shown as datagrams. */
const STREAMS: ReadonlySet<unknown> = new Set(['TCP', 'TLS', 'WS', 'WSS']);

/**
 * Phones outside have their real addresses; who is only a name (in memory) has a documentation address, the exchange the
 * first. TLS and WebSocket are left out: the packets carry the SIP message itself. With `dialog` only the messages with
 * that Call-ID.
 */
export function pcapOf({ entries }: PcapSource, dialog?: string): Uint8Array {
  const capture = new Capture();
  for (const entry of entries) {
    if (entry.kind !== 'sip.in' && entry.kind !== 'sip.out') continue;
    const data = dataOf(entry);
    if (dialog === undefined || data.sip_call_id === dialog) capture.add(entry.at, entry.kind === 'sip.in', data);
  }
  return capture.bytes();
}

class Capture {
  readonly #parts: Uint8Array[] = [fileHeader()];
  readonly #writer = new IpWriter();
  readonly #hosts = new HostAddresses();

  add(at: number, isIn: boolean, data: JournalData): void {
    const [local, remote] = this.#hosts.pair(String(data.local), String(data.remote));
    const [from, to] = isIn ? [remote, local] : [local, remote];
    for (const packet of this.#packets(from, to, data)) this.#parts.push(recordHeader(at, packet.length), packet);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.#parts));
  }

  #packets(from: Endpoint, to: Endpoint, data: JournalData): Uint8Array[] {
    const payload = payloadOf(data);
    const isStream = STREAMS.has(data.transport) || payload.length > MAX_UDP_PAYLOAD;
    return isStream ? this.#writer.tcp(from, to, payload) : this.#writer.udp(from, to, payload);
  }
}

/** The bytes themselves where the message is no UTF-8. */
function payloadOf({ text, base64 }: JournalData): Uint8Array {
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.from(String(text), 'utf8');
}

function fileHeader(): Uint8Array {
  const header = new Uint8Array(24);
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC);
  view.setUint16(4, 2);
  view.setUint16(6, 4);
  view.setUint32(16, SNAP_LENGTH);
  view.setUint32(20, LINKTYPE_RAW);
  return header;
}

function recordHeader(at: number, length: number): Uint8Array {
  const header = new Uint8Array(16);
  const view = new DataView(header.buffer);
  view.setUint32(0, Math.floor(at / 1000));
  view.setUint32(4, Math.floor((at % 1000) * 1000));
  view.setUint32(8, length);
  view.setUint32(12, length);
  return header;
}
