// What was really heard in calls: sound of a recording while it is made, and kept until somebody wants the file. Encodes nothing.
import { linearToMuLaw, muLawToLinear } from './g711.ts';
import { SOUND_RATE } from './sound.ts';

/** The longest sound of one recording: an hour, 29 MB. What comes later is not kept. */
export const LONGEST_TAKE_S = 3600;
/** Of all recordings whose sound is kept: beyond it the oldest have a synthesised one, like calls in memory. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** One recording, as mu-law: 8 bits a sample. */
export class Take {
  /** Of a second each. */
  readonly #seconds: Uint8Array[] = [];
  #length = 0;
  #paused = false;

  /** Samples that were heard. */
  get length(): number {
    return this.#length;
  }

  /** What it holds in memory. */
  get bytes(): number {
    return this.#seconds.length * SOUND_RATE;
  }

  /** Until `resume` nothing is added: what is said meanwhile is left out, and no silence stands for it. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  add(samples: Int16Array): void {
    if (this.#paused) return;
    for (const sample of samples) {
      const second = Math.floor(this.#length / SOUND_RATE);
      if (second >= LONGEST_TAKE_S) return;
      let codes = this.#seconds[second];
      if (codes === undefined) {
        codes = new Uint8Array(SOUND_RATE);
        this.#seconds.push(codes);
      }
      codes[this.#length % SOUND_RATE] = linearToMuLaw(sample);
      this.#length += 1;
    }
  }

  /** `count` samples between -1 and 1 in pieces of a second; silence where nothing was heard any more. */
  *samples(count: number): Generator<Float32Array> {
    for (let start = 0; start < count; start += SOUND_RATE) {
      const piece = new Float32Array(Math.min(SOUND_RATE, count - start));
      const codes = this.#seconds[start / SOUND_RATE];
      const heard = Math.min(piece.length, this.#length - start);
      for (let at = 0; codes !== undefined && at < heard; at += 1) piece[at] = muLawToLinear(codes[at] ?? 0) / 32_768;
      yield piece;
    }
  }
}

/** Whose sound a take is: the record that is played back. */
export type TakeOf = `monitor/${number}` | `voicemessage/${number}`;

export class Takes {
  readonly #keptBytes: number;
  readonly #kept = new Map<TakeOf, Take>();
  #bytes = 0;

  constructor(keptBytes = KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /** The sound of that record from now on. One in which nothing was heard (no party sends packets) is not kept. */
  keep(of: TakeOf, take: Take): void {
    this.forget(of);
    if (take.length === 0) return;
    this.#kept.set(of, take);
    this.#bytes += take.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#keptBytes) return;
      this.forget(oldest);
    }
  }

  get(of: TakeOf): Take | undefined {
    return this.#kept.get(of);
  }

  forget(of: TakeOf): void {
    const take = this.#kept.get(of);
    if (take === undefined) return;
    this.#kept.delete(of);
    this.#bytes -= take.bytes;
  }
}
