// The delivery log of one webhook: what was sent, how each attempt went. Knows no schedule and no network.

import { Fifo } from './fifo.ts';
import type { Payload } from './payload.ts';

/** Finished deliveries kept per webhook, the oldest leave first. */
export const FINISHED_KEPT = 5000;

/**
 * Pending deliveries are never dropped, whatever their number: each leaves when it has arrived or its schedule is over.
 * One measures 1.3 KB, so a heap of 4 GB holds some three million; the journal says each time that so many more have
 * gathered at one webhook.
 */
export const BACKLOG_NOTICE_EVERY = 100_000;

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
}

/** A delivery as the log may change it. */
export interface LoggedDelivery extends Delivery {
  state: DeliveryState;
  attempts: Attempt[];
}

export type DeliveryFacts = Omit<Delivery, 'id' | 'state' | 'attempts'>;

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

  add(facts: DeliveryFacts): LoggedDelivery {
    this.#lastId += 1;
    const delivery: LoggedDelivery = { id: this.#lastId, ...facts, state: 'pending', attempts: [] };
    this.#deliveries.set(delivery.id, delivery);
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
    this.#finished.push(delivery.id);
    if (this.#finished.size <= FINISHED_KEPT) return undefined;
    const oldest = this.#finished.shift();
    if (oldest !== undefined) this.#deliveries.delete(oldest);
    return oldest;
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
    for (const one of deliveries) this.#deliveries.set(one.id, { ...one, attempts: [...one.attempts] });
    for (const id of finished) this.#finished.push(id);
    this.#lastId = lastId;
  }

  get pending(): number {
    return this.#deliveries.size - this.#finished.size;
  }
}
