// The delivery log of one webhook: what was sent, how each attempt went. Knows no schedule and no network.

import { OldestFirst } from '../store/oldest-first.ts';
import { Fifo } from './fifo.ts';
import type { Payload } from './payload.ts';

/** Finished deliveries kept per webhook, the oldest leave first. */
export const FINISHED_KEPT = 5000;

/** The journal says each time that so many more pending deliveries have gathered at one webhook. */
export const BACKLOG_NOTICE_EVERY = 10_000;

/** Attempts kept per delivery: replays could add to them for ever. The oldest leave first. */
export const ATTEMPTS_KEPT = 100;

export interface Attempt {
  /** ms since 1970 on the clock, when the request left. */
  readonly at: number;
  readonly status?: number;
  readonly error?: string;
  /** Real time until the answer or the error. */
  readonly ms: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  /** From 1 within its webhook. */
  readonly id: number;
  readonly event: string;
  readonly payload: Payload;
  /** The payload as it is sent, the same bytes in every attempt. */
  readonly body: string;
  /** Journal sequence of the event. */
  readonly cause: number;
  readonly customerId: number;
  readonly callId: number | null;
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  /** Why it failed before its schedule was over. */
  readonly givenUp?: string;
}

/** A delivery as the log may change it. */
export interface LoggedDelivery extends Delivery {
  state: DeliveryState;
  attempts: Attempt[];
  givenUp?: string;
}

export type DeliveryFacts = Omit<Delivery, 'id' | 'state' | 'attempts' | 'givenUp'>;

export interface LogState {
  readonly deliveries: readonly Delivery[];
  readonly lastId: number;
  /** Ids, in the order in which they were over. */
  readonly finished: readonly number[];
}

export class DeliveryLog {
  readonly #deliveries = new Map<number, LoggedDelivery>();
  readonly #finished = new Fifo<number>();
  #lastId = 0;
  readonly #pending = new OldestFirst<LoggedDelivery>();

  add(facts: DeliveryFacts): LoggedDelivery {
    this.#lastId += 1;
    const delivery: LoggedDelivery = { id: this.#lastId, ...facts, state: 'pending', attempts: [] };
    this.#keep(delivery);
    return delivery;
  }

  attempted(delivery: LoggedDelivery, attempt: Attempt): void {
    delivery.attempts.push(attempt);
    if (delivery.attempts.length > ATTEMPTS_KEPT) delivery.attempts.shift();
  }

  /**
   * Ends a pending delivery; a finished one changes only from failed to delivered. The result is the id of the delivery
   * that left for it.
   */
  finish(delivery: LoggedDelivery, state: 'delivered' | 'failed'): number | undefined {
    const wasPending = delivery.state === 'pending';
    if (wasPending || state === 'delivered') delivery.state = state;
    if (!wasPending) return undefined;
    this.#pending.delete(delivery);
    this.#finished.push(delivery.id);
    if (this.#finished.size <= FINISHED_KEPT) return undefined;
    const oldest = this.#finished.shift();
    if (oldest !== undefined) this.#deliveries.delete(oldest);
    return oldest;
  }

  /** The first pending delivery that passes. */
  oldestPending(passes: (delivery: LoggedDelivery) => boolean): LoggedDelivery | undefined {
    for (const delivery of this.#pending) if (passes(delivery)) return delivery;
    return undefined;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get(id: number): LoggedDelivery | undefined {
    return this.#deliveries.get(id);
  }

  /** In the order in which their events were raised. */
  list(): LoggedDelivery[] {
    return [...this.#deliveries.values()];
  }

  state(): LogState {
    const deliveries = this.list().map((delivery) => ({ ...delivery, attempts: [...delivery.attempts] }));
    return { deliveries, lastId: this.#lastId, finished: this.#finished.list() };
  }

  /** Into a log that is empty. */
  restore({ deliveries, lastId, finished }: LogState): void {
    for (const one of deliveries) this.#keep({ ...one, attempts: [...one.attempts] });
    for (const id of finished) this.#finished.push(id);
    this.#lastId = lastId;
  }

  get pending(): number {
    return this.#pending.size;
  }

  #keep(delivery: LoggedDelivery): void {
    this.#deliveries.set(delivery.id, delivery);
    if (delivery.state === 'pending') this.#pending.add(delivery);
  }
}
