// Voices in a room for parties within this process, which send no sound: one speaks at a time, in turn, and then nobody for a while, so
// that others are heard. Knows no room and no call.
import { SOUND_RATE } from './sound.ts';
import { LOUD, voiceAt } from './tones.ts';

const TURN_MS = 2_400;
/** Hz, of the first one and each further one; the seventh speaks like the first. */
export const STAND_IN_HERTZ = [220, 330, 277.18, 369.99, 246.94, 415.3] as const;

export class StandIns {
  readonly #parties = new Set<object>();
  /** Samples since the first one came. */
  #at = 0;

  get size(): number {
    return this.#parties.size;
  }

  add(party: object): void {
    if (this.#parties.size === 0) this.#at = 0;
    this.#parties.add(party);
  }

  remove(party: object): void {
    this.#parties.delete(party);
  }

  /** What whoever's turn it is says next; undefined when it is nobody's. */
  next(count: number): Int16Array | undefined {
    if (this.#parties.size === 0) return undefined;
    const from = this.#at;
    this.#at += count;
    const turn = Math.floor((from * 1000) / SOUND_RATE / TURN_MS) % (this.#parties.size + 1);
    if (turn === this.#parties.size) return undefined;
    const hertz = STAND_IN_HERTZ[turn % STAND_IN_HERTZ.length] ?? 0;
    return Int16Array.from({ length: count }, (_, at) =>
      Math.round(LOUD * 32_767 * voiceAt(hertz, (from + at) / SOUND_RATE)),
    );
  }
}
