// The sound of recordings and voice messages, made when somebody asks: what was heard, or a tone pattern that follows the call's timeline. Knows no HTTP.
import { mp3Bytes } from '../contract/recording-format.ts';
import type { Monitor, VoiceMessage } from '../contract/resources/history.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { parseUtc } from '../kernel/time.ts';
import { loadMp3Encoder, type Mp3Encoder } from './mp3.ts';
import { notesOf, type ScoreFacts, timelineOf } from './score.ts';
import { SOUND_RATE, type Sound } from './sound.ts';
import { SoundBook } from './sound-book.ts';
import { samplesOf } from './synthesis.ts';
import type { TakeOf, Takes } from './takes.ts';

/** Longer ones have a record and no sound: a file is made in memory. */
export const LONGEST_RECORDING_S = 3 * 3600;
/** Of files that were made and may be asked for again. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Seconds of sound that are made before others get their turn: some ten milliseconds of work. */
const SECONDS_AT_A_TIME = 8;

export interface RecordingsDeps {
  /** Calls on a later turn of the event loop: the host's. */
  readonly defer: (fn: () => void) => void;
  /** What was really heard, of calls with parties outside. */
  readonly takes?: Pick<Takes, 'get'>;
  /** What the names of played sounds stand for. */
  readonly sounds?: Pick<SoundBook, 'named'>;
  readonly keptBytes?: number;
}

type Samples = () => Iterable<Float32Array>;

/** One file is made at a time: whoever asks meanwhile waits, so that calls never wait for long. */
export class Recordings {
  readonly #deps: RecordingsDeps;
  readonly #sounds: Pick<SoundBook, 'named'>;
  /** By the facts that they are made of; the one last asked for comes last. */
  readonly #kept = new Map<string, Uint8Array>();
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  #keptBytes = 0;
  #encoder: Promise<Mp3Encoder> | undefined;
  #idle: Promise<unknown> = Promise.resolve();

  constructor(deps: RecordingsDeps) {
    this.#deps = deps;
    this.#sounds = deps.sounds ?? new SoundBook();
  }

  /** The recording as MP3, `size` bytes long. `entries`: the call's journal entries, where there are any. */
  recording(
    { id, live_id, duration, timestamp }: Pick<Monitor, 'id' | 'live_id' | 'duration' | 'timestamp'>,
    entries: readonly JournalEntry[] = [],
  ): Promise<Result<Uint8Array>> {
    const heard = this.#heard(`monitor/${id}`, duration);
    if (heard !== undefined) return heard;
    const timeline = timelineOf(entries, parseUtc(timestamp) ?? 0);
    const seed = `monitor/${id}/${live_id}`;
    return this.#synthesised({ seed, seconds: duration, voices: ['caller', 'callee'], ...timeline });
  }

  /** The message as MP3, as long as `mp3Bytes` says of its duration. */
  voiceMessage({
    id,
    live_id,
    duration,
  }: Pick<VoiceMessage, 'id' | 'live_id' | 'duration'>): Promise<Result<Uint8Array>> {
    const heard = this.#heard(`voicemessage/${id}`, duration);
    const seed = `voicemessage/${id}/${live_id}`;
    return heard ?? this.#synthesised({ seed, seconds: duration, voices: ['caller'], held: [], keys: [] });
  }

  /** What was heard, as long as the record says: cut there, or with silence after its end. Undefined when nothing of it is kept. */
  #heard(of: TakeOf, seconds: number): Promise<Result<Uint8Array>> | undefined {
    const take = this.#deps.takes?.get(of);
    return take && this.#file(`heard/${of}/${seconds}`, seconds, () => take.samples(Math.round(seconds * SOUND_RATE)));
  }

  #synthesised(facts: ScoreFacts): Promise<Result<Uint8Array>> {
    const sounds = this.#sounds;
    const named = (name: string, durationMs: number): Sound => sounds.named(name, durationMs);
    return this.#file(JSON.stringify(facts), facts.seconds, () => samplesOf(notesOf(facts), named));
  }

  async #file(key: string, seconds: number, samples: Samples): Promise<Result<Uint8Array>> {
    if (!(seconds >= 0 && seconds <= LONGEST_RECORDING_S)) {
      return failure(
        'not_found',
        `This recording has no sound: of ${LONGEST_RECORDING_S} seconds at most sound is made.`,
      );
    }
    const kept = this.#kept.get(key);
    if (kept === undefined) return success(await (this.#underWay.get(key) ?? this.#queued(key, seconds, samples)));
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return success(kept);
  }

  #queued(key: string, seconds: number, samples: Samples): Promise<Uint8Array> {
    const file = this.#idle.then(() => this.#encode(seconds, samples));
    this.#underWay.set(key, file);
    this.#idle = file
      .then(
        (bytes) => this.#keep(key, bytes),
        () => {},
      )
      .finally(() => this.#underWay.delete(key));
    return file;
  }

  async #encode(seconds: number, samples: Samples): Promise<Uint8Array> {
    this.#encoder ??= loadMp3Encoder();
    const encoder = await this.#encoder;
    const file = new Uint8Array(mp3Bytes(seconds));
    let length = 0;
    let pieces = 0;
    for (const piece of encoder.encode(samples())) {
      file.set(piece, length);
      length += piece.length;
      pieces += 1;
      if (pieces % SECONDS_AT_A_TIME === 0) await new Promise<void>((resolve) => this.#deps.defer(resolve));
    }
    return file;
  }

  #keep(key: string, bytes: Uint8Array): void {
    this.#kept.set(key, bytes);
    this.#keptBytes += bytes.length;
    for (const [oldest, file] of this.#kept) {
      if (this.#keptBytes <= (this.#deps.keptBytes ?? KEPT_BYTES)) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= file.length;
    }
  }
}
