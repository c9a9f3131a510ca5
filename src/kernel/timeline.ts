// The clock's engine: a heap of timers, a queue of follow-up tasks, and the three ways in which time moves.
import type { Clock, ClockMode, TimeHost, Timer, TimerOptions } from './clock.ts';
import { BrokenInvariant } from './errors.ts';
import { TimerHeap } from './timer-heap.ts';

export interface TimelineOptions {
  readonly mode: ClockMode;
  /** Where a manual or fast clock starts, ms since 1970. A real clock starts at the host's time. */
  readonly startMs: number;
  /** Without a host nothing moves by itself: whoever made the clock calls `settle` and `advanceTo`. */
  readonly host?: TimeHost;
}

/** What was going on when a timer or task was set is the cause of what it does. A journal is one. */
export interface Causes {
  readonly cause: number | null;
  within(cause: number, fn: () => void): void;
}

interface Task {
  readonly fn: () => void;
  readonly cause: number | null;
}

/** More follow-up tasks than this without time moving means two parts answer each other for ever. */
const MAX_TASKS_IN_ONE_INSTANT = 10_000_000;

export interface NextTimer {
  readonly at: number;
  readonly name: string;
}

export class Timeline implements Clock {
  readonly mode: ClockMode;
  readonly #host: TimeHost | undefined;
  readonly #heap = new TimerHeap();
  #causes: Causes | undefined;
  #tasks: Task[] = [];
  #taskHead = 0;
  #nowMs: number;
  #io = 0;
  #external = 0;
  /** How far a fast clock is ahead of the host since it last began to keep its pace. */
  #aheadMs = 0;
  #running = false;
  #wakeAsked = false;
  #disarm: (() => void) | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: TimelineOptions) {
    this.mode = options.mode;
    this.#host = options.host;
    this.#nowMs = options.startMs;
    if (this.mode === 'real' && options.host === undefined) {
      throw new BrokenInvariant(
        'a real clock has no host',
        'Timeline was made in mode real without one',
        'pass a host',
      );
    }
  }

  /** From now on timers and tasks run with the cause of when they were set. */
  carry(causes: Causes): void {
    this.#causes = causes;
  }

  now(): number {
    if (this.#host === undefined || !this.#followsHost) return this.#nowMs;
    // The host's clock may be set back; ours never goes back.
    this.#nowMs = Math.max(this.#nowMs, this.#host.now() + this.#aheadMs);
    return this.#nowMs;
  }

  /** A fast clock keeps the host's pace while a peer that lives in real time is engaged. */
  get #followsHost(): boolean {
    return this.mode === 'real' || (this.mode === 'fast' && this.#external > 0);
  }

  after(delayMs: number, name: string, fn: () => void, options?: TimerOptions): Timer {
    const background = options?.background === true;
    const at = this.now() + Math.max(0, delayMs);
    const timer = this.#heap.add({ at, name, fn, cause: this.#causes?.cause ?? null, background });
    this.#rearm();
    return timer;
  }

  soon(fn: () => void): void {
    this.#tasks.push({ fn, cause: this.#causes?.cause ?? null });
    this.#askToWake();
  }

  hold(kind: 'io' | 'external' = 'io'): () => void {
    let held = true;
    if (kind === 'io') this.#io += 1;
    else this.#engage();
    return () => {
      if (!held) return;
      held = false;
      if (kind === 'io') this.#io -= 1;
      else this.#disengage();
      this.#askToWake();
    };
  }

  #engage(): void {
    if (this.#external === 0 && this.mode === 'fast') this.#aheadMs = this.#nowMs - (this.#host?.now() ?? 0);
    this.#external += 1;
    if (this.#external === 1) this.#rearm();
  }

  #disengage(): void {
    // Time stays where it has come to; from here it jumps again.
    this.now();
    this.#external -= 1;
  }

  /** Work that must be over before time may move: follow-up tasks and real I/O in flight. */
  get busy(): number {
    return this.#tasks.length - this.#taskHead + this.#io;
  }

  get next(): NextTimer | null {
    const timer = this.#heap.peek();
    return timer === undefined ? null : { at: timer.at, name: timer.name };
  }

  /** True while a timer is pending that is not a background one. */
  get hasForeground(): boolean {
    return this.#heap.foreground > 0;
  }

  /** Every pending timer in firing order. For reports and tests: not cheap. */
  pending(): NextTimer[] {
    return this.#heap.list().map(({ at, name }) => ({ at, name }));
  }

  /** Runs all follow-up tasks, and those that they add. */
  settle(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      this.#drain();
    } finally {
      this.#running = false;
    }
  }

  /** Moves a manual or fast clock on to `timeMs`, firing what falls due. Returns the names of the timers that fired. */
  advanceTo(timeMs: number): string[] {
    const fired: string[] = [];
    if (this.#running) return fired;
    this.#running = true;
    try {
      this.#drain();
      for (let timer = this.#heap.peek(); timer !== undefined && timer.at <= timeMs; timer = this.#heap.peek()) {
        fired.push(timer.name);
        this.#fire();
      }
      if (timeMs > this.#nowMs) this.#nowMs = timeMs;
    } finally {
      this.#running = false;
    }
    return fired;
  }

  /**
   * Sets a manual clock to `timeMs`, which may lie before now: for a world that goes back to what it was. Whoever still
   * waits for a timer waits as long as before.
   */
  restart(timeMs: number): void {
    if (this.mode !== 'manual') {
      throw new BrokenInvariant('the clock cannot be set', `it is in mode ${this.mode}`, 'restart manual clocks only');
    }
    this.#heap.shift(timeMs - this.#nowMs);
    this.#nowMs = timeMs;
  }

  /** Nothing fires any more. */
  close(): void {
    this.#closed = true;
    this.#disarm?.();
    this.#disarm = undefined;
    this.#tasks = [];
    this.#taskHead = 0;
  }

  #fire(): void {
    const timer = this.#heap.pop();
    if (timer === undefined) return;
    if (timer.at > this.#nowMs) this.#nowMs = timer.at;
    this.#run(timer);
    this.#drain();
  }

  #run({ fn, cause }: Task): void {
    if (cause === null || this.#causes === undefined) fn();
    else this.#causes.within(cause, fn);
  }

  #drain(): void {
    let done = 0;
    while (this.#taskHead < this.#tasks.length) {
      const task = this.#tasks[this.#taskHead];
      this.#taskHead += 1;
      if (this.#taskHead > 1024 && this.#taskHead * 2 > this.#tasks.length) {
        this.#tasks = this.#tasks.slice(this.#taskHead);
        this.#taskHead = 0;
      }
      if (task !== undefined) this.#run(task);
      done += 1;
      if (done > MAX_TASKS_IN_ONE_INSTANT) {
        throw new BrokenInvariant(
          'time stands still',
          `${done} tasks ran in one instant`,
          'look for two parts that answer each other',
        );
      }
    }
    this.#tasks.length = 0;
    this.#taskHead = 0;
  }

  #askToWake(): void {
    if (this.#host === undefined || this.#wakeAsked || this.#closed) return;
    this.#wakeAsked = true;
    this.#host.defer(() => this.#wake());
  }

  #wake(): void {
    this.#wakeAsked = false;
    if (this.#closed) return;
    if (this.#followsHost) this.advanceTo(this.now());
    else this.settle();
    if (this.mode === 'fast' && this.#mayJump()) {
      this.advanceTo(this.#heap.peek()?.at ?? this.#nowMs);
      this.#askToWake();
    }
    this.#rearm();
  }

  #mayJump(): boolean {
    return this.#heap.foreground > 0 && this.busy === 0 && this.#external === 0;
  }

  #rearm(): void {
    if (this.#host === undefined || this.#closed) return;
    if (this.mode === 'fast' && this.#mayJump()) this.#askToWake();
    if (!this.#followsHost) return;
    const due = this.#heap.peek()?.at ?? Number.POSITIVE_INFINITY;
    if (due === this.#armedFor) return;
    // An alarm set too early only looks and goes back to sleep: cheaper than setting it anew for each cancelled timer.
    if (due > this.#armedFor && this.#disarm !== undefined) return;
    this.#disarm?.();
    this.#disarm = undefined;
    this.#armedFor = due;
    if (due === Number.POSITIVE_INFINITY) return;
    this.#disarm = this.#host.alarm(Math.max(0, due - this.now()), () => {
      this.#disarm = undefined;
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.#wake();
    });
  }
}
