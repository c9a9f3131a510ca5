// Notes to samples: each party a soft tone in the rhythm of syllables, music, and the dual tones of keys. Knows no call.
import { recordingFormat } from '../contract/recording-format.ts';
import { KEYS, type Key, type Note, type Sound, type Voice } from './score.ts';

const { sampleRate } = recordingFormat;
/** One second: what is made at a time. */
const PIECE = sampleRate;
/** Every note swells and fades, so that none begins with a click. */
const EDGE = sampleRate * 0.01;
const LOUD = 0.3;

/** The samples, between -1 and 1, in pieces of a second at most, each written over the one before. Notes have no gaps between them. */
export function* samplesOf(notes: readonly Note[]): Generator<Float32Array> {
  const total = sampleAt(notes.at(-1)?.toMs ?? 0);
  const whole = new Float32Array(PIECE);
  let playing = 0;
  for (let start = 0; start < total; start += PIECE) {
    const piece = whole.subarray(0, Math.min(PIECE, total - start)).fill(0);
    let note = notes[playing];
    while (note !== undefined && sampleAt(note.fromMs) < start + piece.length) {
      play(note, start, piece);
      if (sampleAt(note.toMs) > start + piece.length) break;
      playing += 1;
      note = notes[playing];
    }
    yield piece;
  }
}

/** Writes the note's part of the piece that begins at sample `start`. */
function play({ fromMs, toMs, sound }: Note, start: number, piece: Float32Array): void {
  if (sound === 'pause') return;
  const [from, to] = [sampleAt(fromMs), sampleAt(toMs)];
  const wave = waveOf(sound);
  for (let at = Math.max(from, start); at < Math.min(to, start + piece.length); at += 1) {
    const edge = Math.min(1, (at - from) / EDGE, (to - at) / EDGE);
    piece[at - start] = LOUD * edge * wave((at - from) / sampleRate);
  }
}

/** Between -1 and 1, by the time in seconds since the note began. */
type Wave = (seconds: number) => number;

function waveOf(sound: Exclude<Sound, 'pause'>): Wave {
  if (sound === 'music') return music;
  if (sound === 'caller' || sound === 'callee') return (seconds) => voice(VOICES[sound], seconds);
  const [low, high] = keyTones(sound);
  return (seconds) => (sine(low, seconds) + sine(high, seconds)) / 2;
}

/** Hz. */
const VOICES: Readonly<Record<Voice, number>> = { caller: 220, callee: 330 };
const SYLLABLES_PER_SECOND = 4;

function voice(hertz: number, seconds: number): number {
  const syllable = Math.abs(sine(SYLLABLES_PER_SECOND / 2, seconds));
  return syllable * (0.7 * sine(hertz, seconds) + 0.2 * sine(2 * hertz, seconds) + 0.1 * sine(3 * hertz, seconds));
}

/** A broken chord, each of its notes dying away. Hz: c, e, g, c, g, e. */
const CHORD = [261.63, 329.63, 392, 523.25, 392, 329.63];
const BEAT_S = 0.5;

function music(seconds: number): number {
  const hertz = CHORD[Math.floor(seconds / BEAT_S) % CHORD.length] ?? 0;
  const since = seconds % BEAT_S;
  return Math.min(1, since / 0.01) * Math.exp(-4 * since) * sine(hertz, since);
}

// ITU-T Q.23: a key is the tone of its row and the tone of its column.
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];

function keyTones(key: Key): [low: number, high: number] {
  const at = KEYS.indexOf(key);
  return [ROWS[Math.floor(at / COLUMNS.length)] ?? 0, COLUMNS[at % COLUMNS.length] ?? 0];
}

function sine(hertz: number, seconds: number): number {
  return Math.sin(2 * Math.PI * hertz * seconds);
}

function sampleAt(ms: number): number {
  return Math.round((ms * sampleRate) / 1000);
}
