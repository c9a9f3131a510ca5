// The timers of RFC 3261, 17 (table 4) and RFC 6026: how long each runs, and those of one transaction. Knows nothing of messages.
import type { Clock, Timer, TimerOptions } from '../kernel/clock.ts';

/** Estimate of the round trip (RFC 3261, 17.1.1.1). */
export const T1_MS = 500;
/** Longest pause between two retransmissions of a non-INVITE request or an INVITE response. */
export const T2_MS = 4000;
/** How long a message may stay in the network. */
export const T4_MS = 5000;
/** 64*T1: silence for that long ends a transaction. */
export const SILENCE_MS = 64 * T1_MS;

/** Timers that resend: only unreliable flows have them. */
export type ResendTimer = 'A' | 'E' | 'G';
/** Timers that give up. */
export type SilenceTimer = 'B' | 'F' | 'H';
/** Timers of a finished transaction that stays to absorb late copies. */
export type LingerTimer = 'D' | 'I' | 'J' | 'K' | 'L' | 'M';
export type TimerLetter = ResendTimer | SilenceTimer | LingerTimer;

/** The pause before the next copy. `previousMs` is 0 at first; A doubles without end, E and G up to T2. */
export function resendMs(letter: ResendTimer, previousMs: number): number {
  if (previousMs === 0) return T1_MS;
  return letter === 'A' ? previousMs * 2 : Math.min(previousMs * 2, T2_MS);
}

/** How long a finished transaction stays. On a reliable flow nothing arrives twice: D, I, J and K are 0 there; L and M are not (RFC 6026, 8). */
export function lingerMs(letter: LingerTimer, reliable: boolean): number {
  if (letter === 'L' || letter === 'M') return SILENCE_MS;
  if (reliable) return 0;
  return letter === 'I' || letter === 'K' ? T4_MS : SILENCE_MS;
}

export type TimerInput = `timer ${TimerLetter}`;
export type TimerEffect = `start ${TimerLetter}` | 'start E at T2' | 'stop timers';

/** The timers of one transaction: at most one that resends and one that gives up or lingers, named by letter and branch. */
export class TransactionTimers {
  /** A linger timer of no length ran out as it was started. */
  expired: TimerInput | undefined;
  readonly #clock: Clock;
  readonly #branch: string;
  readonly #reliable: boolean;
  readonly #fire: (input: TimerInput) => void;
  #pauseMs = 0;
  #resend: Timer | undefined;
  #ending: Timer | undefined;

  constructor(clock: Clock, branch: string, reliable: boolean, fire: (input: TimerInput) => void) {
    this.#clock = clock;
    this.#branch = branch;
    this.#reliable = reliable;
    this.#fire = fire;
  }

  apply(effect: TimerEffect): void {
    if (effect === 'stop timers') {
      this.#resend?.cancel();
      this.#ending?.cancel();
      this.#resend = undefined;
      this.#ending = undefined;
      return;
    }
    const { letter, input, kind } = TIMERS[effect];
    if (kind === 'resend') this.#startResending(letter, input, effect === 'start E at T2');
    else if (kind === 'silence') this.#startEnding(letter, input, SILENCE_MS);
    else this.#startLingering(letter, input);
  }

  #startResending(letter: ResendTimer, input: TimerInput, atT2: boolean): void {
    if (this.#reliable) return;
    this.#pauseMs = atT2 ? T2_MS : resendMs(letter, this.#pauseMs);
    this.#resend = this.#clock.after(this.#pauseMs, `${letter} ${this.#branch}`, () => this.#fire(input));
  }

  /** A finished transaction only waits for late copies: that is no reason for a fast clock to jump. */
  #startLingering(letter: LingerTimer, input: TimerInput): void {
    const ms = lingerMs(letter, this.#reliable);
    if (ms === 0) this.expired = input;
    else this.#startEnding(letter, input, ms, BACKGROUND);
  }

  #startEnding(letter: TimerLetter, input: TimerInput, ms: number, options?: TimerOptions): void {
    const fire = (): void => {
      this.#ending = undefined;
      this.#fire(input);
    };
    this.#ending = this.#clock.after(ms, `${letter} ${this.#branch}`, fire, options);
  }
}

const BACKGROUND = { background: true };

type StartedTimer =
  | { readonly kind: 'resend'; readonly letter: ResendTimer; readonly input: TimerInput }
  | { readonly kind: 'silence'; readonly letter: SilenceTimer; readonly input: TimerInput }
  | { readonly kind: 'linger'; readonly letter: LingerTimer; readonly input: TimerInput };

const TIMERS: Readonly<Record<Exclude<TimerEffect, 'stop timers'>, StartedTimer>> = {
  'start A': { kind: 'resend', letter: 'A', input: 'timer A' },
  'start E': { kind: 'resend', letter: 'E', input: 'timer E' },
  'start E at T2': { kind: 'resend', letter: 'E', input: 'timer E' },
  'start G': { kind: 'resend', letter: 'G', input: 'timer G' },
  'start B': { kind: 'silence', letter: 'B', input: 'timer B' },
  'start F': { kind: 'silence', letter: 'F', input: 'timer F' },
  'start H': { kind: 'silence', letter: 'H', input: 'timer H' },
  'start D': { kind: 'linger', letter: 'D', input: 'timer D' },
  'start I': { kind: 'linger', letter: 'I', input: 'timer I' },
  'start J': { kind: 'linger', letter: 'J', input: 'timer J' },
  'start K': { kind: 'linger', letter: 'K', input: 'timer K' },
  'start L': { kind: 'linger', letter: 'L', input: 'timer L' },
  'start M': { kind: 'linger', letter: 'M', input: 'timer M' },
};
