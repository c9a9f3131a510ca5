// Keys in the sound of a call (RFC 4733): read from packets, once for each press, and written as packets. Knows no port.
import type { RtpPacket } from './rtp-packet.ts';
import { SOUND_RATE } from './sound.ts';
import type { Key } from './tones.ts';

// RFC 4733, 3.2: events 0 to 15 are the keys in this order.
const EVENTS = [...'0123456789*#ABCD'] as readonly Key[];
const PAYLOAD_BYTES = 4;
const END = 0x80;
/** -10 dBm0, as phones write it. */
const VOLUME = 10;
/** A duration of so many samples is all that a packet can tell: a key held longer goes on in another event (2.5.1.3). */
const LONGEST_SEGMENT = 0xffff;
/** Nobody presses more keys in a second; what is more is an attack, and not told. */
const MOST_PER_SECOND = 20;

interface Heard {
  readonly event: number;
  readonly timestamp: number;
  readonly duration: number;
  readonly atMs: number;
}

/** Packets of one press follow each other in a moment: what comes so much later under the same time is a press of its own. */
const SAME_PRESS_MS = 1000;

/** All packets of one press carry the same timestamp: the first one that arrives tells the key, the others say nothing new. */
export class KeyReader {
  #ssrc: number | undefined;
  #last: Heard | undefined;
  /** When the latest keys were told, in seconds; as many as one second may have. */
  readonly #told: number[] = [];

  /** The key, if this packet is the first that is heard of a press. `atMs`: when it arrived. */
  read({ ssrc, timestamp, payload }: RtpPacket, atMs: number): Key | undefined {
    if (payload.length < PAYLOAD_BYTES) return undefined;
    const [event = 0, , high = 0, low = 0] = payload;
    const duration = high * 256 + low;
    if (ssrc !== this.#ssrc) this.#last = undefined;
    this.#ssrc = ssrc;
    const last = this.#last;
    const since = last === undefined ? 1 : (timestamp - last.timestamp) | 0;
    // Late packets of an earlier press.
    if (since < 0) return undefined;
    const goesOn = last !== undefined && event === last.event && atMs - last.atMs < SAME_PRESS_MS;
    const isNew = !goesOn || (since > 0 && !(last.duration === LONGEST_SEGMENT && since === LONGEST_SEGMENT));
    this.#last = { event, timestamp, atMs, duration: since === 0 ? Math.max(duration, last?.duration ?? 0) : duration };
    const key = EVENTS[event];
    return isNew && key !== undefined && this.#mayTell(atMs) ? key : undefined;
  }

  #mayTell(atMs: number): boolean {
    const oldest = this.#told[0];
    if (this.#told.length >= MOST_PER_SECOND) {
      if (oldest !== undefined && atMs - oldest < 1000) return false;
      this.#told.shift();
    }
    this.#told.push(atMs);
    return true;
  }
}

/** What one packet of a press says. */
export interface KeyPacket {
  readonly payload: Uint8Array;
  /** The first one of a press (RFC 4733, 2.5.1.1). */
  readonly marker: boolean;
}

/**
 * The payloads of one press, one for each 20 ms: the duration grows from packet to packet, and the last one goes out three times
 * with the end bit, so that a lost packet is no lost key (RFC 4733, 2.5.1.4). Undefined for what is no key.
 */
export function keyPackets(key: string, durationMs: number, frameSamples: number): KeyPacket[] | undefined {
  const event = EVENTS.indexOf(key as Key);
  if (event < 0) return undefined;
  const frames = Math.max(2, Math.round((durationMs * SOUND_RATE) / 1000 / frameSamples));
  const packets = Array.from({ length: frames - 1 }, (_, index) => ({
    payload: payloadOf(event, (index + 1) * frameSamples, false),
    marker: index === 0,
  }));
  const last = { payload: payloadOf(event, frames * frameSamples, true), marker: false };
  return [...packets, last, last, last];
}

function payloadOf(event: number, duration: number, isEnd: boolean): Uint8Array {
  const samples = Math.min(duration, LONGEST_SEGMENT);
  return Uint8Array.of(event, (isEnd ? END : 0) | VOLUME, samples >> 8, samples & 0xff);
}
