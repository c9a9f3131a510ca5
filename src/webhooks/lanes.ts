// Which deliveries of a webhook must arrive in order, and which of them is next. Sends nothing.
import type { Timer } from '../kernel/clock.ts';
import type { Result } from '../kernel/errors.ts';
import { Fifo } from './fifo.ts';
import type { Delivery, LoggedDelivery } from './log.ts';

export type ReplayDone = (result: Result<Delivery>) => void;

/** What must arrive in order: the events of one call. Its head is being sent, or waits for a slot or for its next attempt. */
export interface Lane {
  readonly key: string;
  readonly queue: Fifo<LoggedDelivery>;
  retry: Timer | undefined;
  /** The head, while it is being sent. */
  underWay: LoggedDelivery | undefined;
  readonly onAttempt: ReplayDone[];
  /** A fault has held the head back already: its next attempt is not struck. */
  spared: boolean;
}

export interface LaneState {
  readonly key: string;
  /** Ids of deliveries, the head first. */
  readonly queue: readonly number[];
  /** When the head is due, ms since 1970 on the clock; undefined: now. What is under way has not arrived yet. */
  readonly retryAt: number | undefined;
  readonly spared: boolean;
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** The lane of each pending delivery, by its id. */
  readonly #laneOf = new Map<number, Lane>();

  get size(): number {
    return this.#lanes.size;
  }

  get(key: string): Lane | undefined {
    return this.#lanes.get(key);
  }

  /** Where a pending delivery stands. */
  of(delivery: LoggedDelivery): Lane | undefined {
    return this.#laneOf.get(delivery.id);
  }

  all(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  open(key: string, ...deliveries: readonly LoggedDelivery[]): Lane {
    const lane: Lane = {
      ...{ key, queue: new Fifo<LoggedDelivery>(), retry: undefined, underWay: undefined },
      ...{ onAttempt: [], spared: false },
    };
    for (const delivery of deliveries) this.append(lane, delivery);
    this.#lanes.set(key, lane);
    return lane;
  }

  append(lane: Lane, delivery: LoggedDelivery): void {
    lane.queue.push(delivery);
    this.#laneOf.set(delivery.id, lane);
  }

  /** It is pending no more; it leaves the lane when it comes to its head. */
  finished(delivery: LoggedDelivery): void {
    this.#laneOf.delete(delivery.id);
  }

  /** Brings the next pending delivery to the head; a lane that has none is closed. False then. */
  advance(lane: Lane): boolean {
    while (lane.queue.size > 0 && lane.queue.peek()?.state !== 'pending') lane.queue.shift();
    if (lane.queue.size > 0) return true;
    this.#lanes.delete(lane.key);
    return false;
  }

  clear(): void {
    this.#lanes.clear();
    this.#laneOf.clear();
  }

  state(): LaneState[] {
    return [...this.#lanes.values()].map(({ key, queue, retry, spared }) => ({
      key,
      queue: queue.list().flatMap(({ id, state }) => (state === 'pending' ? [id] : [])),
      retryAt: retry?.at,
      spared,
    }));
  }
}
