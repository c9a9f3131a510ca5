// Music for callers who wait: a broken chord for each class of music on hold, drawn from the name of the class. Knows no call.
import { Random } from '../kernel/random.ts';
import { SOUND_RATE, type Sound, samplesIn, soundOf } from './sound.ts';
import { LOUD } from './tones.ts';

/** Notes one after the other, each dying away; repeated from the last one on. */
export interface Tune {
  /** Hz. */
  readonly hertz: readonly number[];
  readonly beatMs: number;
}

/** c, e, g, c, g, e. */
export const STANDARD: Tune = { hertz: [261.63, 329.63, 392, 523.25, 392, 329.63], beatMs: 500 };

type Steps = readonly [readonly number[], ...(readonly number[])[]];

/** Half tones above the lowest note: major, minor, and two that are neither. */
const CHORDS: Steps = [
  [0, 4, 7, 12],
  [0, 3, 7, 12],
  [0, 5, 7, 12],
  [0, 2, 7, 9],
];
/** The way up and down a chord. */
const WAYS: Steps = [
  [0, 1, 2, 3, 2, 1],
  [0, 2, 1, 2, 3, 2],
  [3, 2, 1, 0, 1, 2],
  [0, 2, 3, 2, 0, 1, 3, 1],
];
const BEATS_MS: readonly [number, ...number[]] = [300, 400, 500, 600];
/** The lowest note that a tune begins with, in Hz (g), and how many half tones above it others begin. */
const LOWEST_HERTZ = 196;
const KEYS = 12;

/** The tune of a class of music: the same for the same name. */
export function tuneOf(className: string): Tune {
  const random = new Random(className).split('tune');
  const key = random.int(KEYS);
  const chord = random.pick(CHORDS);
  const hertz = random.pick(WAYS).map((step) => LOWEST_HERTZ * 2 ** ((key + (chord[step] ?? 0)) / 12));
  return { hertz, beatMs: random.pick(BEATS_MS) };
}

/** Between -1 and 1, by the seconds since the tune began. */
export function tuneAt({ hertz, beatMs }: Tune, seconds: number): number {
  const beat = beatMs / 1000;
  const note = hertz[Math.floor(seconds / beat) % hertz.length] ?? 0;
  const since = seconds % beat;
  return Math.min(1, since / 0.01) * Math.exp(-4 * since) * Math.sin(2 * Math.PI * note * since);
}

/** One turn of what callers hear who wait or are held; whoever plays it repeats it. Without a class it is the standard one. */
export function music(className?: string): Sound {
  const tune = className === undefined ? STANDARD : tuneOf(className);
  const durationMs = tune.hertz.length * tune.beatMs;
  const name = className === undefined ? 'music' : `music/${className}`;
  return soundOf(name, durationMs, () =>
    Int16Array.from({ length: samplesIn(durationMs) }, (_, at) =>
      Math.round(LOUD * 32_767 * tuneAt(tune, at / SOUND_RATE)),
    ),
  );
}
