// The voice of an attendant towards one party: sounds one after the other, and music until something else is said. Says when a
// sound is over, by the clock: what is heard and what happens next are the same for parties in memory and on the network.
import type { Timer } from '../kernel/clock.ts';
import type { Sound } from '../media/sound.ts';
import type { Call } from './call.ts';
import type { Leg } from './leg.ts';
import { play, stopPlaying } from './playing.ts';
import type { Switchboard } from './switchboard.ts';

export class Announcer {
  readonly #board: Switchboard;
  readonly #call: Call;
  readonly #leg: Leg;
  #timer: Timer | undefined;
  #isPlaying = false;

  constructor(board: Switchboard, call: Call, leg: Leg) {
    this.#board = board;
    this.#call = call;
    this.#leg = leg;
  }

  /** Whether the party hears anything of us now. */
  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** Cuts short what is played, says these in turn, and calls `then` when the last one is over (at once when there is none). */
  say(sounds: readonly Sound[], then: () => void = () => {}): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const [sound, ...rest] = sounds;
    if (sound === undefined) {
      this.#isPlaying = false;
      return then();
    }
    this.#isPlaying = true;
    play(this.#board, this.#call, this.#leg, sound);
    this.#timer = this.#board.clock.after(sound.durationMs, `end of ${sound.name} in call ${this.#call.id}`, () =>
      this.say(rest, then),
    );
  }

  /** Music: this sound over and over, until something else is said or it is stopped. */
  repeat(sound: Sound): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#isPlaying = true;
    play(this.#board, this.#call, this.#leg, sound, { loop: true });
  }

  /** Silence; what `say` was to call is not called. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    if (this.#leg.isUp) stopPlaying(this.#board, this.#call, this.#leg);
  }
}
