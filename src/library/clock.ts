// The simulator's time as a test moves it. Knows no timer.
import type { ClockMoves, Move } from '../control/clock-moves.ts';
import type { ClockMode } from '../kernel/clock.ts';
import { isoText } from '../kernel/time.ts';
import type { Timeline } from '../kernel/timeline.ts';
import { granted } from './refusal.ts';

/**
 * The one clock of a simulator: ring times, token expiry, webhook retries, SIP timers. Every move ends when all is quiet:
 * due timers have fired, messages have arrived, webhooks under way have been answered. Moves throw `Refused` (`conflict`)
 * on a real clock.
 */
export class SimulatorClock {
  readonly #timeline: Timeline;
  readonly #moves: ClockMoves;

  /** @internal */
  constructor(timeline: Timeline, moves: ClockMoves) {
    this.#timeline = timeline;
    this.#moves = moves;
  }

  get mode(): ClockMode {
    return this.#timeline.mode;
  }

  /** Milliseconds since 1970: `new Date(simulator.clock.now)`. */
  get now(): number {
    return this.#timeline.now();
  }

  /** The timer that fires next; null when there is none. */
  get nextTimer(): { readonly at: number; readonly name: string } | null {
    return this.#timeline.next;
  }

  /** Moves on by `'15m'`, `'90s'`, `'250ms'` or a number of ms. Resolves with the names of the timers that fired. */
  advance(by: string | number): Promise<string[]> {
    return this.#move({ advance: typeof by === 'number' ? `${by}ms` : by });
  }

  /** Moves on to a time: a Date, ms since 1970, or ISO 8601 in UTC. Time never goes back but by `restore`. */
  advanceTo(time: Date | number | string): Promise<string[]> {
    return this.#move({ to: typeof time === 'string' ? time : isoText(Number(time)) });
  }

  /** Moves on to the next timer, whatever it is. */
  next(): Promise<string[]> {
    return this.#move({ to: 'next' });
  }

  /** Moves on until nothing is going on: calls that end by themselves have ended. At most a day. */
  idle(): Promise<string[]> {
    return this.#move({ to: 'idle' });
  }

  /** Moves nothing; resolves when messages and webhooks that are under way have arrived. */
  settled(): Promise<void> {
    return this.#moves.untilQuiet();
  }

  async #move(wish: Move): Promise<string[]> {
    return granted(await this.#moves.move(wish));
  }
}
