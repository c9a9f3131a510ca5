// What faults hold back for a while: released at its time, at once, or never; never more than a limit. Knows not what it holds.
import type { Clock, Timer } from '../kernel/clock.ts';

/** Messages that one boundary holds back at a time: further ones pass undelayed. */
export const MAX_HELD = 10_000;

export interface Held {
  /** Lets it go before its time. */
  release(): void;
}

export class HeldBack {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #held = new Map<Timer, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#held.size;
  }

  get isFull(): boolean {
    return this.#held.size >= MAX_HELD;
  }

  /** Calls `go` after `ms` on the clock, or when it is released before. */
  hold(ms: number, name: string, go: () => void): Held {
    const timer = this.#clock.after(ms, name, () => {
      if (this.#held.delete(timer)) go();
    });
    this.#held.set(timer, go);
    return {
      release: () => {
        timer.cancel();
        if (this.#held.delete(timer)) go();
      },
    };
  }

  /** Lets all go now, in the order in which they were held. */
  releaseAll(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const [timer, go] of held) {
      timer.cancel();
      go();
    }
  }

  /** Nothing of it goes anywhere any more. */
  drop(): void {
    for (const timer of this.#held.keys()) timer.cancel();
    this.#held.clear();
  }
}
