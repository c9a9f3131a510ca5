// Waiting without sleeps: until something is so, on the target's clock when that can be told, else in real time. Knows nothing of what is waited for.
import type { TimeHost } from '../../kernel/clock.ts';
import type { ClockView } from './control-client.ts';

/** What one look has seen. `never`: waiting longer cannot help. `not`: it may yet come. */
export type Seen<T, D> =
  | { readonly is: 'so'; readonly value: T }
  | { readonly is: 'not'; readonly difference: D }
  | { readonly is: 'never'; readonly difference: D };

export interface Patience {
  readonly withinMs: number;
  /** It must stay so for this long. */
  readonly holdForMs?: number;
}

export interface ScenarioTime {
  /** ms since 1970 on the clock that counts. */
  now(): Promise<number>;
  /** The last thing seen: `so`, `never`, or `not` when patience is at its end. Rejects when the look does. */
  until<T, D>(look: () => Promise<Seen<T, D>>, patience: Patience): Promise<Seen<T, D>>;
  pass(ms: number): Promise<void>;
  /** Runs the branches at the same time and resolves when all have ended; rejects with the first rejection then. */
  together(branches: readonly (() => Promise<void>)[]): Promise<void>;
  /** Something may have changed: look again. */
  stir(): void;
}

/** Sees what is so at a time, ms. */
type Look<T, D> = (now: number) => Promise<Seen<T, D>>;

/** A look that is repeated until its end. */
class Waiter<T, D> {
  readonly #look: Look<T, D>;
  readonly #holdForMs: number;
  readonly #deadline: number;
  #since: number | undefined;
  #last: Seen<T, D> | undefined;

  constructor(look: Look<T, D>, { withinMs, holdForMs = 0 }: Patience, now: number) {
    this.#look = look;
    this.#holdForMs = holdForMs;
    this.#deadline = now + withinMs;
  }

  /** When to look again at the latest. */
  get wakeAt(): number {
    return this.#since === undefined ? this.#deadline : this.#since + this.#holdForMs;
  }

  /** Undefined: go on waiting. */
  async looked(now: number): Promise<Seen<T, D> | undefined> {
    const seen = await this.#look(now);
    this.#last = seen;
    if (seen.is === 'never') return seen;
    if (seen.is === 'so') {
      this.#since ??= now;
      return now >= this.#since + this.#holdForMs ? seen : undefined;
    }
    this.#since = undefined;
    return now >= this.#deadline ? this.#last : undefined;
  }
}

/** What manual time needs of the target. */
export interface TargetClock {
  clock(): Promise<ClockView>;
  moveTo(ms: number): Promise<ClockView>;
}

interface Waiting {
  readonly waiter: Waiter<unknown, unknown>;
  readonly resolve: (seen: Seen<unknown, unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** How often a busy target is looked after, in ms of real time. */
const LOOK_EVERY_MS = 1;

/**
 * Alternates: wait until the target and our receiver are quiet, look, then move the clock to whatever comes first, our
 * own next deadline or the target's next timer. Time moves only while every branch waits.
 */
export class ManualTime implements ScenarioTime {
  readonly #clock: TargetClock;
  readonly #receiver: { readonly handling: number };
  readonly #host: Pick<TimeHost, 'alarm'>;
  #waiting: Waiting[] = [];
  #branches = 1;
  #pumping = false;
  /** What the clock said last, while nothing can have happened since: saves asking again. */
  #quietView: ClockView | undefined;

  constructor(clock: TargetClock, receiver: { readonly handling: number }, host: Pick<TimeHost, 'alarm'>) {
    this.#clock = clock;
    this.#receiver = receiver;
    this.#host = host;
  }

  async now(): Promise<number> {
    return (await this.#clock.clock()).nowMs;
  }

  async until<T, D>(look: Look<T, D>, patience: Patience): Promise<Seen<T, D>> {
    const view = await this.#quiet();
    const waiter = new Waiter(look, patience, view.nowMs);
    return new Promise<Seen<T, D>>((resolve, reject) => {
      // The last branch to wait has seen what all the others did before they waited.
      this.#quietView = view;
      this.#waiting.push({ waiter, resolve, reject } as unknown as Waiting);
      void this.#pump();
    });
  }

  async pass(ms: number): Promise<void> {
    // The waiter looks once when it begins, and then its end is known.
    let end: number | undefined;
    const look: Look<true, true> = async (now) => {
      end ??= now + ms;
      return now >= end ? { is: 'so', value: true } : { is: 'not', difference: true };
    };
    await this.until(look, { withinMs: ms });
  }

  async together(branches: readonly (() => Promise<void>)[]): Promise<void> {
    this.#branches += branches.length - 1;
    let left = branches.length;
    const ended = (): void => {
      left -= 1;
      // The last one to end is, from here on, the branch that was there before.
      if (left === 0) return;
      this.#branches -= 1;
      // Whatever this branch did last, nobody has looked since.
      this.#quietView = undefined;
      void this.#pump();
    };
    const outcomes = await Promise.allSettled(branches.map((run) => run().finally(ended)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  stir(): void {}

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#waiting.length > 0 && this.#waiting.length >= this.#branches) {
        const view = this.#quietView ?? (await this.#quiet());
        this.#quietView = undefined;
        if (await this.#someoneIsDone(view.nowMs)) continue;
        const wakes = this.#waiting.map(({ waiter }) => waiter.wakeAt);
        const to = Math.max(view.nowMs, Math.min(...wakes, view.nextMs ?? Number.POSITIVE_INFINITY));
        // It answers when all that fell due is done, so that its answer is as good as a question.
        const moved = await this.#clock.moveTo(to);
        if (this.#isQuiet(moved)) this.#quietView = moved;
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#pumping = false;
    }
  }

  /** Lets go whoever is done; the clock stands still until those wait again. */
  async #someoneIsDone(now: number): Promise<boolean> {
    let done = false;
    for (const one of [...this.#waiting]) {
      const seen = await one.waiter.looked(now).catch((error: unknown) => {
        one.reject(error);
        return 'rejected' as const;
      });
      if (seen === undefined) continue;
      this.#waiting = this.#waiting.filter((other) => other !== one);
      if (seen !== 'rejected') one.resolve(seen);
      done = true;
    }
    return done;
  }

  #isQuiet({ busy }: ClockView): boolean {
    return busy === 0 && this.#receiver.handling === 0;
  }

  async #quiet(): Promise<ClockView> {
    for (;;) {
      const view = await this.#clock.clock();
      if (this.#isQuiet(view)) return view;
      await new Promise<void>((resolve) => void this.#host.alarm(LOOK_EVERY_MS, resolve));
    }
  }
}

/** Between looks, in ms: soon at first, then less often; a change that is told makes it at once. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/** Looks whenever something is told to have changed, and every now and then. */
export class RealTime implements ScenarioTime {
  readonly #host: TimeHost;
  readonly #stirred = new Set<() => void>();

  constructor(host: TimeHost) {
    this.#host = host;
  }

  now(): Promise<number> {
    return Promise.resolve(this.#host.now());
  }

  async until<T, D>(look: () => Promise<Seen<T, D>>, patience: Patience): Promise<Seen<T, D>> {
    const waiter = new Waiter(look, patience, this.#host.now());
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      const seen = await waiter.looked(this.#host.now());
      if (seen !== undefined) return seen;
      await this.#pause(Math.min(pauseMs, Math.max(1, waiter.wakeAt - this.#host.now())));
    }
  }

  pass(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#host.alarm(ms, resolve));
  }

  async together(branches: readonly (() => Promise<void>)[]): Promise<void> {
    const outcomes = await Promise.allSettled(branches.map((run) => run()));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  stir(): void {
    for (const wake of [...this.#stirred]) wake();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#stirred.delete(wake);
        cancel();
        resolve();
      };
      const cancel = this.#host.alarm(ms, wake);
      this.#stirred.add(wake);
    });
  }
}
