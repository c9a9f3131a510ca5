// The one clock: named timers and follow-up tasks. Knows nothing of telephony and never reads the system's time itself.

/** Whether time follows the host, moves only when told, or jumps to the next timer when nothing is going on. */
export type ClockMode = 'real' | 'manual' | 'fast';

export interface Timer {
  readonly name: string;
  /** When it fires, in ms since 1970 on this clock. */
  readonly at: number;
  /** Harmless when the timer has fired or was cancelled already. */
  cancel(): void;
}

export interface TimerOptions {
  /**
   * A background timer (registration refresh, pruning) fires when its time comes but is no reason for a fast clock to
   * jump, nor for `idle` to go on waiting: otherwise time would race through the years while nothing happens.
   */
  readonly background?: boolean;
}

/** What the rest of the system sees of time. All durations are milliseconds. */
export interface Clock {
  readonly mode: ClockMode;
  /** Milliseconds since 1970 on this clock. */
  now(): number;
  /** Runs `fn` once, `delayMs` from now. Equal times fire in the order in which they were set. */
  after(delayMs: number, name: string, fn: () => void, options?: TimerOptions): Timer;
  /** Runs `fn` when the current step is over, in order, before time moves on. */
  soon(fn: () => void): void;
  /**
   * Marks real I/O in flight (an outbound request, say) until the returned function is called: the clock counts as
   * busy. With `external` the work belongs to a peer that lives in real time: not busy, but a fast clock may not jump.
   */
  hold(kind?: 'io' | 'external'): () => void;
}

/** What the clock needs of the host. wires/ has the real one; tests drive the clock without any. */
export interface TimeHost {
  now(): number;
  /** Calls `fn` after `delayMs` of real time; the result cancels. */
  alarm(delayMs: number, fn: () => void): () => void;
  /** Calls `fn` on a later turn of the event loop, after I/O that is ready. */
  defer(fn: () => void): void;
}
