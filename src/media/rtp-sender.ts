// The stream of packets that we send one party: one source, its numbers and its time (RFC 3550, 5.1; keys: RFC 4733). Knows no socket.
import { encode, type Law } from './g711.ts';
import { writeRtp } from './rtp-packet.ts';
import { type KeyPacket, keyPackets } from './telephone-events.ts';

/** 20 ms: what a packet of ours holds, and what is mixed at a time. */
export const FRAME_SAMPLES = 160;

/** How long a key sounds that we send, and the frames of silence after it. */
const KEY_MS = 160;
const KEY_GAP_FRAMES = 3;
/** Frames with keys that wait to be sent: some six seconds. What is more is refused. */
const MOST_WAITING = 300;

export class RtpSender {
  readonly #ssrc: number;
  readonly #send: (packet: Uint8Array) => void;
  readonly #keys: Array<KeyPacket | undefined> = [];
  #sequence: number;
  /** Our time at frame 0. */
  readonly #origin: number;
  #lastFrame: number | undefined;
  #keyTimestamp = 0;

  /** `chance`: 32 random bits each time; nobody should guess first numbers. */
  constructor(send: (packet: Uint8Array) => void, chance: () => number) {
    this.#send = send;
    this.#ssrc = chance();
    this.#sequence = chance() & 0xffff;
    this.#origin = chance();
  }

  /** Keys wait to be sent: sound waits for them. */
  get hasKeys(): boolean {
    return this.#keys.length > 0;
  }

  /** One frame of sound. `frame` counts all frames, sent or not: the time goes on while nothing is sent. */
  sound(law: Law, payloadType: number, samples: Int16Array, frame: number): void {
    // RFC 3551, 4.1: the first packet after a silence has the marker.
    const marker = this.#lastFrame !== frame - 1;
    this.#lastFrame = frame;
    this.#write(payloadType, marker, this.#timeAt(frame), encode(law, samples));
  }

  /** Queues a key. False when it is none, or too many wait. */
  press(key: string): boolean {
    const packets = keyPackets(key, KEY_MS, FRAME_SAMPLES);
    if (packets === undefined || this.#keys.length > MOST_WAITING) return false;
    this.#keys.push(...packets, ...Array.from({ length: KEY_GAP_FRAMES }, () => undefined));
    return true;
  }

  /** One frame of the keys that wait. */
  keyFrame(payloadType: number, frame: number): void {
    const packet = this.#keys.shift();
    if (packet === undefined) return;
    // All packets of a press carry the time of its beginning.
    if (packet.marker) this.#keyTimestamp = this.#timeAt(frame);
    this.#write(payloadType, packet.marker, this.#keyTimestamp, packet.payload);
  }

  forgetKeys(): void {
    this.#keys.length = 0;
  }

  #timeAt(frame: number): number {
    return (this.#origin + frame * FRAME_SAMPLES) >>> 0;
  }

  #write(payloadType: number, marker: boolean, timestamp: number, payload: Uint8Array): void {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    this.#send(writeRtp({ marker, payloadType, sequence, timestamp, ssrc: this.#ssrc, payload }));
  }
}
