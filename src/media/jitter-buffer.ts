// What a party says, put in order: packets come early, late, twice or never; frames come out evenly. Knows no packet's header but its time.

/** Samples that a packet may be late without a gap: 60 ms. */
const DELAY = 480;
/** Samples that are kept, a power of two: half a second. What is further ahead begins a new time. */
const ROOM = 4096;
/** Waiting samples beyond which the sender's clock runs ahead of ours: the oldest are left out. */
const MOST_WAITING = 2560;
/** So many packets in a row that are all too late: the time has changed, not the way. */
const MOST_LATE = 5;

export class JitterBuffer {
  readonly #ring = new Int16Array(ROOM);
  /** The timestamp of the next sample that comes out; undefined while nobody speaks. */
  #next: number | undefined;
  /** After the last sample that came in. */
  #end = 0;
  #ssrc = 0;
  #late = 0;
  /** Samples of silence that were given while the next ones were waited for. */
  #held = 0;

  /** `timestamp`: of its first sample, 32 bits, in samples. */
  push(ssrc: number, timestamp: number, samples: Int16Array): void {
    if (samples.length === 0 || samples.length > ROOM / 2) return;
    if (this.#next === undefined || ssrc !== this.#ssrc) this.#start(ssrc, timestamp);
    let offset = this.#offset(timestamp);
    if (offset + samples.length <= 0) {
      this.#late += 1;
      if (this.#late < MOST_LATE) return;
    }
    if (offset + samples.length <= 0 || offset + samples.length > ROOM) {
      this.#start(ssrc, timestamp);
      offset = DELAY;
    }
    this.#late = 0;
    for (let at = Math.max(0, -offset); at < samples.length; at += 1)
      this.#ring[(timestamp + at) & (ROOM - 1)] = samples[at] ?? 0;
    const end = (timestamp + samples.length) | 0;
    if (((end - this.#end) | 0) > 0) this.#end = end;
  }

  /** The next samples, with silence where something is missing or late. Undefined while nobody speaks. */
  pull(length: number): Int16Array | undefined {
    if (this.#next === undefined) return undefined;
    const waiting = (this.#end - this.#next) | 0;
    if (waiting < length) return this.#hold(waiting, length);
    this.#held = 0;
    if (waiting > MOST_WAITING) this.#skip(waiting - DELAY);
    return this.#take(length);
  }

  /** Not all is there yet: what comes late is heard late, rather than not at all, unless it comes too late. */
  #hold(waiting: number, length: number): Int16Array | undefined {
    this.#held += length;
    if (this.#held <= DELAY) return new Int16Array(length);
    const rest = waiting > 0 ? this.#take(length) : undefined;
    this.#next = undefined;
    return rest;
  }

  #take(length: number): Int16Array {
    const frame = new Int16Array(length);
    const start = this.#next ?? 0;
    for (let at = 0; at < length; at += 1) {
      const place = (start + at) & (ROOM - 1);
      frame[at] = this.#ring[place] ?? 0;
      this.#ring[place] = 0;
    }
    this.#next = (start + length) | 0;
    return frame;
  }

  #start(ssrc: number, timestamp: number): void {
    this.#ring.fill(0);
    this.#ssrc = ssrc;
    this.#next = (timestamp - DELAY) | 0;
    this.#end = timestamp | 0;
    this.#late = 0;
    this.#held = 0;
  }

  #skip(samples: number): void {
    const start = this.#next ?? 0;
    for (let at = 0; at < samples; at += 1) this.#ring[(start + at) & (ROOM - 1)] = 0;
    this.#next = (start + samples) | 0;
  }

  #offset(timestamp: number): number {
    return (timestamp - (this.#next ?? timestamp)) | 0;
  }
}
