// Moving a manual or fast clock so that all is quiet afterwards: no task, request or due timer left. Knows no HTTP.
import type { TimeHost } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { isoText, parseDuration, parseUtc } from '../kernel/time.ts';
import type { MovableClock } from './deps.ts';

/** The longest single move. */
export const MAX_MOVE_MS = 366 * 86_400_000;

/** `idle` gives up after this much time on the clock: a call that nobody ends is never idle. */
export const MAX_IDLE_MS = 86_400_000;

/** Names of fired timers that one answer lists; the earliest stay. */
export const MAX_FIRED_LISTED = 10_000;

/** How often requests in flight are looked after, in ms of real time. */
const LOOK_EVERY_MS = 1;

/** Timers after which other requests get their turn. */
const TURN_EVERY = 500;

export type Move = { readonly advance: string } | { readonly to: string };

/** Where a move ends; `idle` and `next` depend on the timers that are there then. */
type Goal =
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'next' }
  | { readonly kind: 'idle'; readonly until: number };

const movesOf = new WeakMap<object, ClockMoves>();

/** The one that moves this clock: whoever asks, moves come one after the other. */
export function clockMovesOf(clock: MovableClock, host: Pick<TimeHost, 'alarm' | 'defer'>): ClockMoves {
  const moves = movesOf.get(clock) ?? new ClockMoves(clock, host);
  movesOf.set(clock, moves);
  return moves;
}

export class ClockMoves {
  readonly #clock: MovableClock;
  readonly #host: Pick<TimeHost, 'alarm' | 'defer'>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: MovableClock, host: Pick<TimeHost, 'alarm' | 'defer'>) {
    this.#clock = clock;
    this.#host = host;
  }

  /** Moves one after the other, in the order of the requests. Gives the names of the timers that fired. */
  move(wish: Move): Promise<Result<string[]>> {
    const moved = this.#last.then(() => this.#run(wish));
    this.#last = moved.catch(() => undefined);
    return moved;
  }

  /** Resolves when no follow-up task and no outbound request is left. */
  async untilQuiet(): Promise<void> {
    this.#clock.settle();
    while (this.#clock.busy > 0) {
      await new Promise<void>((resolve) => this.#host.alarm(LOOK_EVERY_MS, resolve));
      this.#clock.settle();
    }
  }

  async #run(wish: Move): Promise<Result<string[]>> {
    if (this.#clock.mode === 'real') return failure('conflict', 'The clock follows real time and cannot be moved.');
    const goal = this.#goalOf(wish);
    if (!goal.ok) return goal;
    const fired: string[] = [];
    await this.untilQuiet();
    for (let steps = 1; ; steps += 1) {
      const at = this.#stepTo(goal.value);
      if (at === undefined) break;
      for (const name of this.#clock.advanceTo(at)) if (fired.length < MAX_FIRED_LISTED) fired.push(name);
      await this.untilQuiet();
      if (goal.value.kind === 'next') break;
      if (steps % TURN_EVERY === 0) await new Promise<void>((resolve) => this.#host.defer(resolve));
    }
    if (goal.value.kind === 'time') this.#clock.advanceTo(goal.value.at);
    return success(fired);
  }

  /** The time of the next timer that the goal includes. */
  #stepTo(goal: Goal): number | undefined {
    const at = this.#clock.next?.at;
    if (at === undefined || goal.kind === 'next') return at;
    if (goal.kind === 'time') return at <= goal.at ? at : undefined;
    return this.#clock.hasForeground && at <= goal.until ? at : undefined;
  }

  #goalOf(wish: Move): Result<Goal> {
    const now = this.#clock.now();
    if ('advance' in wish) {
      const stepMs = parseDuration(wish.advance);
      if (stepMs === undefined) return invalid('advance', 'expected a duration such as 250ms, 5s, 15m, 2h or 1d');
      if (stepMs < 0) return invalid('advance', 'expected a duration that is not negative: time never goes back');
      if (stepMs > MAX_MOVE_MS) return invalid('advance', 'expected at most 366d');
      return success({ kind: 'time', at: now + stepMs });
    }
    if (wish.to === 'next') return success({ kind: 'next' });
    if (wish.to === 'idle') return success({ kind: 'idle', until: now + MAX_IDLE_MS });
    const at = parseUtc(wish.to);
    if (at === undefined) return invalid('to', 'expected next, idle or a time such as 2026-01-01T08:00:00Z');
    if (at < now) return invalid('to', `expected a time that is not before now, ${isoText(now)}`);
    if (at > now + MAX_MOVE_MS) return invalid('to', 'expected a time at most 366d from now');
    return success({ kind: 'time', at });
  }
}

function invalid(member: string, expected: string): Result<never> {
  return failure('invalid', 'The clock was not moved.', [`${member}: ${expected}`]);
}
