// Digits in a row that a caller is asked for: a PIN, a number. Knows not what they are for.
import type { Sound } from '../../media/sound.ts';
import type { Spoken } from './spoken.ts';

export interface Asked {
  /** What asks for them; the first key cuts it short. */
  readonly sounds: readonly Sound[];
  /** So many digits are enough; fewer of them end with the hash. */
  readonly most: number;
  /** How long the first key may take when all is said, and each further one after the one before. */
  readonly firstKeyMs: number;
  readonly nextKeyMs: number;
}

/** How long people take who look for a PIN, and between two keys of it. */
export const UNHURRIED = { firstKeyMs: 10_000, nextKeyMs: 5000 } as const;

/** Asks, and tells once what was keyed in: nothing when nobody pressed a key in time. A star takes back what was keyed. */
export function askForDigits(spoken: Spoken, asked: Asked, then: (digits: string) => void): void {
  let digits = '';
  const told = (): void => {
    spoken.rest();
    spoken.hush();
    spoken.listen(() => {});
    then(digits);
  };
  spoken.listen((key) => {
    spoken.hush();
    if (key === '#') return told();
    digits = key === '*' ? '' : `${digits}${/^\d$/.test(key) ? key : ''}`;
    if (digits.length >= asked.most) return told();
    spoken.wait(asked.nextKeyMs, 'the next key', told);
  });
  spoken.say(asked.sounds, () => spoken.wait(asked.firstKeyMs, 'the first key', told));
}
