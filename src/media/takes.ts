// What was really heard in calls: sound of a recording while it is made, and kept until somebody wants the file. Encodes nothing.
import { type Bulk, type Stow, stowNothing } from '../kernel/bulk.ts';
import { linearToMuLaw, muLawToLinear } from './g711.ts';
import { SOUND_RATE } from './sound.ts';

/** The longest sound of one recording: an hour, 29 MB. What comes later is not kept. */
export const LONGEST_TAKE_S = 3600;
/** Of all recordings whose sound is kept, nine hours: beyond it the oldest have a synthesised one, like calls in memory. */
export const KEPT_BYTES = 256 * 1024 * 1024;
/** Seconds in one part of what is kept beyond the process. */
const PART_S = 30;
const PART = PART_S * SOUND_RATE;

/** What was heard. */
export interface Heard {
  /** Samples. */
  readonly length: number;
  /** `count` samples between -1 and 1 in pieces of a second; silence where nothing was heard any more. */
  samples(count: number): Generator<Float32Array>;
}

/** One recording, as mu-law: 8 bits a sample. */
export class Take implements Heard, Bulk {
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

  *samples(count: number): Generator<Float32Array> {
    for (let second = 0; second * SOUND_RATE < count; second += 1)
      yield decoded(this.#seconds[second], this.#length - second * SOUND_RATE, count - second * SOUND_RATE);
  }

  get count(): number {
    return partsOf(this.#length);
  }

  part(at: number): Uint8Array | undefined {
    const length = Math.min(PART, this.#length - at * PART);
    if (length <= 0) return undefined;
    const codes = new Uint8Array(length);
    for (let second = 0; second * SOUND_RATE < length; second += 1) {
      const all = this.#seconds[at * PART_S + second] ?? codes;
      codes.set(all.subarray(0, length - second * SOUND_RATE), second * SOUND_RATE);
    }
    return codes;
  }
}

/** One that is kept elsewhere. */
class KeptTake implements Heard {
  readonly length: number;
  readonly bulk: Bulk;

  constructor(length: number, bulk: Bulk) {
    this.length = length;
    this.bulk = bulk;
  }

  *samples(count: number): Generator<Float32Array> {
    let part: Uint8Array | undefined;
    for (let start = 0; start < count; start += SOUND_RATE) {
      if (start % PART === 0) part = start < this.length ? this.bulk.part(start / PART) : undefined;
      yield decoded(part?.subarray(start % PART, (start % PART) + SOUND_RATE), this.length - start, count - start);
    }
  }
}

function partsOf(length: number): number {
  return Math.ceil(length / PART);
}

/** A second, or what is left of it when only so many samples are wanted; silence beyond those that were heard. */
function decoded(codes: Uint8Array | undefined, heard: number, wanted: number): Float32Array {
  const piece = new Float32Array(Math.min(SOUND_RATE, wanted));
  const known = codes === undefined ? 0 : Math.min(piece.length, heard, codes.length);
  for (let at = 0; at < known; at += 1) piece[at] = muLawToLinear(codes?.[at] ?? 0) / 32_768;
  return piece;
}

/** Whose sound a take is: the record that is played back. */
export type TakeOf = `monitor/${number}` | `voicemessage/${number}`;

/** Where they are kept beyond the process: by `TakeOf`, of nobody. */
export const TAKES = 'takes';

/** What is known of a take after every start. */
export interface TakeFacts {
  /** Samples. */
  readonly length: number;
  /** The later it was kept, the greater. */
  readonly turn: number;
}

/** The oldest first. */
export type TakesState = ReadonlyArray<TakeFacts & { readonly of: TakeOf; readonly bulk: Bulk }>;

interface Kept {
  heard: Heard;
  bulk: Bulk;
  readonly turn: number;
  readonly bytes: number;
}

/** With `stow` the sound is in the file and not in memory once it is written. */
export class Takes {
  readonly #keptBytes: number;
  readonly #stow: Stow;
  readonly #kept = new Map<TakeOf, Kept>();
  #bytes = 0;
  #turn = 0;

  constructor({ keptBytes = KEPT_BYTES, stow = stowNothing }: { keptBytes?: number; stow?: Stow } = {}) {
    this.#keptBytes = keptBytes;
    this.#stow = stow;
  }

  /** The sound of that record from now on. One in which nothing was heard (no party sends packets) is not kept. */
  keep(of: TakeOf, take: Take): void {
    this.forget(of);
    const { length } = take;
    if (length === 0) return;
    this.#turn += 1;
    const kept: Kept = { heard: take, bulk: take, turn: this.#turn, bytes: take.bytes };
    this.#add(of, kept);
    const facts: TakeFacts = { length, turn: kept.turn };
    const onKept = (bulk: Bulk): void => void Object.assign(kept, { heard: new KeptTake(length, bulk), bulk });
    this.#stow(TAKES, 0, of, { facts, bulk: take, onKept });
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#keptBytes) return;
      this.forget(oldest);
    }
  }

  get(of: TakeOf): Heard | undefined {
    const kept = this.#kept.get(of);
    return kept?.bulk.part(0) === undefined ? undefined : kept.heard;
  }

  forget(of: TakeOf): void {
    const kept = this.#kept.get(of);
    if (kept === undefined) return;
    this.#kept.delete(of);
    this.#bytes -= kept.bytes;
    this.#stow(TAKES, 0, of, undefined);
  }

  state(): TakesState {
    return [...this.#kept].map(
      ([
        of,
        {
          heard: { length },
          bulk,
          turn,
        },
      ]) => ({ of, length, bulk, turn }),
    );
  }

  /** Keeps what was kept then, and nothing else. */
  restore(takes: TakesState): void {
    this.#kept.clear();
    this.#bytes = 0;
    for (const { of, length, bulk, turn } of takes) {
      this.#add(of, { heard: new KeptTake(length, bulk), bulk, turn, bytes: length });
      this.#turn = Math.max(this.#turn, turn);
    }
  }

  #add(of: TakeOf, kept: Kept): void {
    this.#kept.set(of, kept);
    this.#bytes += kept.bytes;
  }
}
