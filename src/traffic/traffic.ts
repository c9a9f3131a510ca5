// A living company: things happen by themselves at a rate, drawn from the seed, on the clock. Knows no SIP and no HTTP.
import type { Timer } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import { DAYTIME } from './mix.ts';
import type { TrafficDial, TrafficPorts, TrafficState } from './ports.ts';
import { OFF, type Rate, readRate } from './rate.ts';
import { type SceneName, scenes } from './scenes.ts';
import type { Parties, Stage } from './stage.ts';
import { Town } from './town.ts';

/** Traffic adds no call to so many that are live, whoever made them. */
export const MAX_LIVE_CALLS = 2_000;
/** How long people talk on average when there are phones enough, and never less than. */
const MEAN_TALK_MS = 90_000;
const LEAST_MEAN_TALK_MS = 3_000;
const SHORTEST_TALK_MS = 1_000;
/** No talk is longer than so many times the mean. */
const LONGEST_TALK = 6;
/** Talk fills this share of all phones' time: the rest is ringing, and rest. */
const USE_OF_PHONES = 0.4;
/** Kinds that are tried before one happening is left out. */
const TRIES = 6;
const HOUR_MS = 3_600_000;

const KINDS = Object.entries(DAYTIME) as Array<readonly [SceneName, number]>;
const ALL_WEIGHTS = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

export interface TrafficOptions {
  /** Default: off. */
  readonly rate?: Rate;
  /** How busy the hour is, 1 for the rate as it is. */
  readonly swing?: (nowMs: number) => number;
  /** Told of each thing that has begun. */
  readonly onBegun?: (kind: SceneName) => void;
}

export class Traffic implements TrafficDial {
  readonly #ports: TrafficPorts;
  readonly #options: TrafficOptions;
  readonly #draws: Random;
  readonly #stage: Stage | undefined;
  readonly #timers = new Set<Timer>();
  #next: Timer | undefined;
  #rate: Rate = OFF;
  /** What is beginning, or has begun last. */
  #kind: SceneName = 'inbound';
  #begun = 0;
  #skipped = 0;

  /** Moves the first account; the others are the tests' own. */
  constructor(ports: TrafficPorts, options: TrafficOptions = {}) {
    this.#ports = ports;
    this.#options = options;
    this.#draws = ports.random.split('traffic');
    const first = ports.store.customers.entries().next().value;
    this.#stage = first === undefined ? undefined : this.#makeStage(first[0]);
    if (options.rate !== undefined) this.#goAt(options.rate);
  }

  get state(): TrafficState {
    return { rate: this.#rate.text, begun: this.#begun, skipped: this.#skipped };
  }

  /** The rate, for another world to go on with. */
  get rate(): Rate {
    return this.#rate;
  }

  setRate(text: string): Result<TrafficState> {
    const rate = readRate(text);
    if (!rate.ok) return rate;
    const refused = refusedOn(this.#ports.clock.mode, rate.value);
    if (refused !== undefined) return failure('conflict', refused);
    this.#goAt(rate.value);
    return success(this.state);
  }

  /** Nothing begins any more, and nobody who is on the phone does anything. */
  close(): void {
    this.#rate = OFF;
    this.#next?.cancel();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #goAt(rate: Rate): void {
    this.#rate = rate;
    this.#next?.cancel();
    this.#await();
  }

  /** Arrivals know nothing of one another: the time between two is exponentially distributed. In the background, so that a clock can be idle. */
  #await(): void {
    const { perHour, text } = this.#rate;
    if (perHour === 0) return;
    const { clock } = this.#ports;
    const swing = this.#options.swing?.(clock.now()) ?? 1;
    const meanMs = HOUR_MS / (perHour * Math.max(swing, 1e-3));
    const gapMs = Math.max(1, Math.round(meanMs * this.#exponential()));
    this.#next = clock.after(gapMs, `traffic at ${text}`, () => this.#happen(), { background: true });
  }

  #happen(): void {
    this.#begin();
    this.#await();
  }

  #begin(): void {
    const stage = this.#stage;
    if (stage === undefined || this.#ports.liveCalls() >= MAX_LIVE_CALLS) return this.#skip();
    for (let tries = 0; tries < TRIES; tries += 1) {
      this.#kind = this.#drawKind();
      if (scenes[this.#kind](stage) === undefined) continue;
      this.#begun += 1;
      this.#options.onBegun?.(this.#kind);
      return;
    }
    this.#skip();
  }

  #skip(): void {
    this.#skipped += 1;
  }

  #drawKind(): SceneName {
    let left = this.#draws.float() * ALL_WEIGHTS;
    for (const [kind, weight] of KINDS) {
      left -= weight;
      if (left < 0) return kind;
    }
    return 'inbound';
  }

  #makeStage(customerId: number): Stage {
    const town = new Town(this.#ports, this.#draws, customerId);
    return {
      ports: this.#ports,
      town,
      random: this.#draws,
      talkMs: () => this.#talkMs(town.desks.length),
      later: (delayMs, what, fn) => this.#later(delayMs, what, fn),
      begin: (who, happen) => this.#note(town, who, happen),
    };
  }

  /** What happens names the entry as its cause. */
  #note<T>({ customerId }: Town, { from, to }: Parties, happen: () => Result<T>): T | undefined {
    const { journal } = this.#ports;
    const seq = journal.append('traffic', { customerId, cause: null, data: { kind: this.#kind, from, to } });
    const happened = journal.within(seq, happen);
    return happened.ok ? happened.value : undefined;
  }

  /** The fewer phones there are for the rate, the shorter people talk: otherwise all would be busy. */
  #talkMs(phones: number): number {
    const affordable = (phones * USE_OF_PHONES * HOUR_MS) / Math.max(1, this.#rate.perHour);
    const meanMs = Math.min(MEAN_TALK_MS, Math.max(LEAST_MEAN_TALK_MS, affordable));
    return Math.round(Math.max(SHORTEST_TALK_MS, Math.min(LONGEST_TALK, this.#exponential()) * meanMs));
  }

  #exponential(): number {
    return -Math.log(1 - this.#draws.float());
  }

  /** What begins then is part of what begins now. */
  #later(delayMs: number, what: string, fn: () => void): void {
    const kind = this.#kind;
    const timer = this.#ports.clock.after(delayMs, `traffic: ${what}`, () => {
      this.#timers.delete(timer);
      this.#kind = kind;
      fn();
    });
    this.#timers.add(timer);
  }
}

/** Why there can be no such traffic; undefined when there can. */
export function refusedOn(mode: TrafficPorts['clock']['mode'], { perHour }: Rate): string | undefined {
  return mode === 'fast' && perHour > 0
    ? 'Traffic needs a real or a manual clock: a fast one would race from call to call for ever.'
    : undefined;
}
