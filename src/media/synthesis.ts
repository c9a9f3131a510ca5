// Notes to samples: each party a soft tone in the rhythm of syllables, music, sounds by their names, and the dual tones of keys. Knows no call.
import { recordingFormat } from '../contract/recording-format.ts';
import type { Heard, Note, Voice } from './score.ts';
import type { Sound } from './sound.ts';
import { STAND_IN_HERTZ } from './stand-ins.ts';
import { keyTones, voiceAt } from './tones.ts';
import { STANDARD, tuneAt } from './tunes.ts';

const { sampleRate } = recordingFormat;
/** One second: what is made at a time. */
const PIECE = sampleRate;
/** Every note swells and fades, so that none begins with a click. */
const EDGE = sampleRate * 0.01;
const LOUD = 0.3;

/** What a name stands for. */
export type Named = (name: string, durationMs: number) => Sound;

/** The samples, between -1 and 1, in pieces of a second at most, each written over the one before. Notes have no gaps between them. */
export function* samplesOf(notes: readonly Note[], named: Named): Generator<Float32Array> {
  const total = sampleAt(notes.at(-1)?.toMs ?? 0);
  const whole = new Float32Array(PIECE);
  let playing = 0;
  for (let start = 0; start < total; start += PIECE) {
    const piece = whole.subarray(0, Math.min(PIECE, total - start)).fill(0);
    let note = notes[playing];
    while (note !== undefined && sampleAt(note.fromMs) < start + piece.length) {
      play(note, start, piece, named);
      if (sampleAt(note.toMs) > start + piece.length) break;
      playing += 1;
      note = notes[playing];
    }
    yield piece;
  }
}

/** Writes the note's part of the piece that begins at sample `start`. */
function play({ fromMs, toMs, sound }: Note, start: number, piece: Float32Array, named: Named): void {
  if (sound === 'pause') return;
  const [from, to] = [sampleAt(fromMs), sampleAt(toMs)];
  if (typeof sound === 'object') return copy(named(sound.name, sound.ms).samples(), from, to, start, piece);
  const wave = waveOf(sound);
  for (let at = Math.max(from, start); at < Math.min(to, start + piece.length); at += 1) {
    const edge = Math.min(1, (at - from) / EDGE, (to - at) / EDGE);
    piece[at - start] = LOUD * edge * wave((at - from) / sampleRate);
  }
}

/** A sound from its beginning, again and again until its note ends. */
function copy(samples: Int16Array, from: number, to: number, start: number, piece: Float32Array): void {
  if (samples.length === 0) return;
  for (let at = Math.max(from, start); at < Math.min(to, start + piece.length); at += 1)
    piece[at - start] = (samples[(at - from) % samples.length] ?? 0) / 32_768;
}

/** Between -1 and 1, by the time in seconds since the note began. */
type Wave = (seconds: number) => number;

/** Hz. */
function hertzOf(voice: Voice): number {
  const at = voice === 'caller' ? 0 : voice === 'callee' ? 1 : 1 + Number(voice.slice('other-'.length));
  return STAND_IN_HERTZ[at % STAND_IN_HERTZ.length] ?? 0;
}

function waveOf(sound: Exclude<Heard, 'pause' | object>): Wave {
  if (sound === 'music') return (seconds) => tuneAt(STANDARD, seconds);
  if (isVoice(sound)) return (seconds) => voiceAt(hertzOf(sound), seconds);
  const [low, high] = keyTones(sound);
  return (seconds) => (sine(low, seconds) + sine(high, seconds)) / 2;
}

function isVoice(sound: string): sound is Voice {
  return sound === 'caller' || sound === 'callee' || sound.startsWith('other-');
}

function sine(hertz: number, seconds: number): number {
  return Math.sin(2 * Math.PI * hertz * seconds);
}

function sampleAt(ms: number): number {
  return Math.round((ms * sampleRate) / 1000);
}
