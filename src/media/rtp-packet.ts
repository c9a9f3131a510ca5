// RTP packets, read and written (RFC 3550, 5.1). Trusts no byte of a packet; knows no socket.

export interface RtpPacket {
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** A view of the packet's bytes. */
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 12;
const VERSION_2 = 0x80;
const MARKER = 0x80;

/** The payload number of a packet of RTP; undefined for RTCP, which comes on the same port where both sides agree (RFC 5761, 4). */
export function payloadTypeOf(bytes: Uint8Array): number | undefined {
  const second = bytes[1] ?? 0;
  return second >= 192 && second <= 223 ? undefined : second & 0x7f;
}

/** The same packet under another payload number. */
export function renumbered(bytes: Uint8Array, payloadType: number): Uint8Array {
  const second = bytes[1] ?? 0;
  if ((second & 0x7f) === payloadType) return bytes;
  const copy = bytes.slice();
  copy[1] = (second & MARKER) | payloadType;
  return copy;
}

/** Undefined for what is no whole packet of version 2. */
export function readRtp(bytes: Uint8Array): RtpPacket | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint8(0);
  if ((first & 0xc0) !== VERSION_2) return undefined;
  let from = HEADER_BYTES + 4 * (first & 0x0f);
  let to = bytes.length;
  if ((first & 0x10) !== 0) {
    // The extension tells its length in words, after four bytes of its own.
    if (from + 4 > to) return undefined;
    from += 4 + 4 * view.getUint16(from + 2);
  }
  if ((first & 0x20) !== 0) to -= view.getUint8(to - 1);
  if (from > to) return undefined;
  const second = view.getUint8(1);
  return {
    marker: (second & MARKER) !== 0,
    payloadType: second & 0x7f,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: bytes.subarray(from, to),
  };
}

export function writeRtp({ marker, payloadType, sequence, timestamp, ssrc, payload }: RtpPacket): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION_2);
  view.setUint8(1, (marker ? MARKER : 0) | payloadType);
  view.setUint16(2, sequence);
  view.setUint32(4, timestamp);
  view.setUint32(8, ssrc);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}
