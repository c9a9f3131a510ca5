// Tones as telephones make them: call progress, keys, a beep, and a melody for each name. Knows no call.
import { Random } from '../kernel/random.ts';
import { SOUND_RATE, type Sound, samplesIn, soundOf } from './sound.ts';

/** One stretch of a pattern: these frequencies together (none: silence) for so long. */
interface Beat {
  readonly hertz: readonly number[];
  readonly ms: number;
}

/** Of full scale: what a tone of a telephone has, so that nobody has to take the receiver from the ear. */
export const LOUD = 0.25;
/** Every stretch swells and fades, so that none begins with a click. */
const EDGE_MS = 5;

// ITU-T E.180 and its supplement 2: one frequency of 425 Hz is the tone of most of Europe. Each is one turn of what is repeated.
const PROGRESS = {
  dial: [{ hertz: [425], ms: 1000 }],
  ringback: [
    { hertz: [425], ms: 1000 },
    { hertz: [], ms: 4000 },
  ],
  busy: [
    { hertz: [425], ms: 480 },
    { hertz: [], ms: 480 },
  ],
  congestion: [
    { hertz: [425], ms: 240 },
    { hertz: [], ms: 240 },
  ],
  /** A fax machine answers (ITU-T T.30, CED). */
  fax: [{ hertz: [2100], ms: 3000 }],
  /** After it a caller speaks to the machine. */
  beep: [{ hertz: [1000], ms: 400 }],
} as const satisfies Readonly<Record<string, readonly Beat[]>>;

export type ToneName = keyof typeof PROGRESS;

export function isTone(name: string): name is ToneName {
  return Object.hasOwn(PROGRESS, name);
}

/** One turn of a tone of call progress; whoever plays it repeats it. */
export function tone(name: ToneName): Sound {
  return patternOf(`tone/${name}`, PROGRESS[name]);
}

export const KEYS = ['1', '2', '3', 'A', '4', '5', '6', 'B', '7', '8', '9', 'C', '*', '0', '#', 'D'] as const;
export type Key = (typeof KEYS)[number];

// ITU-T Q.23: a key is the tone of its row and the tone of its column.
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];

/** Hz. */
export function keyTones(key: Key): [low: number, high: number] {
  const at = KEYS.indexOf(key);
  return [ROWS[Math.floor(at / COLUMNS.length)] ?? 0, COLUMNS[at % COLUMNS.length] ?? 0];
}

export function keySound(key: Key, durationMs: number): Sound {
  return patternOf(`key/${key}`, [{ hertz: keyTones(key), ms: durationMs }]);
}

/** Hz: five notes of which any two go together (c d e g a, and the octave above). */
const SCALE = [523.25, 587.33, 659.25, 783.99, 880, 1046.5];
const NOTE_MS = { shortest: 120, longest: 260 };
const REST_MS = 40;

/** Of a language: how long its melodies begin with a tone that tells it (CHOICE-LANGUAGE). */
export const MARKER_MS = 300;

/**
 * A melody that is this name's own, to its length: what stands for spoken words where nobody speaks. `markerHertz`: the tone with
 * which it begins.
 */
export function melody(name: string, durationMs: number, markerHertz?: number): Int16Array {
  const random = new Random(name).split('melody');
  const beats: Beat[] =
    markerHertz === undefined ? [] : [{ hertz: [markerHertz], ms: Math.min(MARKER_MS, durationMs) }];
  let left = durationMs - (beats[0]?.ms ?? 0);
  while (left > 0) {
    const ms = NOTE_MS.shortest + random.int(NOTE_MS.longest - NOTE_MS.shortest);
    beats.push({ hertz: [SCALE[random.int(SCALE.length)] ?? 0], ms: Math.min(ms, left) }, { hertz: [], ms: REST_MS });
    left -= ms + REST_MS;
  }
  return samplesOfBeats(beats);
}

function patternOf(name: string, beats: readonly Beat[]): Sound {
  const durationMs = beats.reduce((sum, { ms }) => sum + ms, 0);
  return soundOf(name, durationMs, () => samplesOfBeats(beats));
}

function samplesOfBeats(beats: readonly Beat[]): Int16Array {
  const whole = new Int16Array(samplesIn(beats.reduce((sum, { ms }) => sum + ms, 0)));
  let fromMs = 0;
  for (const { hertz, ms } of beats) {
    if (hertz.length > 0) write(whole.subarray(samplesIn(fromMs), samplesIn(fromMs + ms)), hertz);
    fromMs += ms;
  }
  return whole;
}

function write(samples: Int16Array, hertz: readonly number[]): void {
  const edge = samplesIn(EDGE_MS);
  for (let at = 0; at < samples.length; at += 1) {
    const level = LOUD * Math.min(1, at / edge, (samples.length - at) / edge);
    let sum = 0;
    for (const each of hertz) sum += Math.sin((2 * Math.PI * each * at) / SOUND_RATE);
    samples[at] = Math.round((level * 32_767 * sum) / hertz.length);
  }
}

/** Hz, and how it comes and goes: what stands for somebody who speaks. */
const SPEAKER_HERTZ = 330;
const SYLLABLES_PER_SECOND = 4;
const TALK_MS = { speaks: 3000, listens: 2000 };

/** Between -1 and 1: a soft voice without words. */
export function voiceAt(hertz: number, seconds: number): number {
  const sine = (of: number): number => Math.sin(2 * Math.PI * of * seconds);
  return Math.abs(sine(SYLLABLES_PER_SECOND / 2)) * (0.7 * sine(hertz) + 0.2 * sine(2 * hertz) + 0.1 * sine(3 * hertz));
}

/** One turn of what a party outside hears of one within this process, which sends no sound; whoever plays it repeats it. */
export function talk(): Sound {
  const { speaks, listens } = TALK_MS;
  return soundOf('talk', speaks + listens, () =>
    Int16Array.from({ length: samplesIn(speaks) }, (_, at) =>
      Math.round(LOUD * 32_767 * voiceAt(SPEAKER_HERTZ, at / SOUND_RATE)),
    ),
  );
}
