// Deliveries one by one, as they are kept, and the queue that they make together. Pure.
import type { QueueState } from './delivery.ts';
import type { LaneState } from './lanes.ts';
import type { Delivery } from './log.ts';
import type { Payload } from './payload.ts';

/** Section of the deliveries (owner: their webhook), and of the last ids of logs that do not show it themselves. */
export const DELIVERIES = 'deliveries';
export const LAST_DELIVERIES = 'last deliveries';

/** A delivery, and the place of a pending one. The payload is in the body. */
export interface KeptDelivery extends Omit<Delivery, 'payload'> {
  readonly lane: KeptLane | null;
}

interface KeptLane {
  readonly key: string;
  /** When the delivery is due, ms since 1970; null: when its turn comes. */
  readonly retryAt: number | null;
  readonly spared: boolean;
}

export function keptDelivery(delivery: Delivery, lane?: Omit<LaneState, 'queue'> & { head?: number }): KeptDelivery {
  const { payload: _, ...kept } = delivery;
  if (lane === undefined || delivery.state !== 'pending') return { ...kept, lane: null };
  const isHead = lane.head === delivery.id;
  const { key } = lane;
  return { ...kept, lane: { key, retryAt: (isHead ? lane.retryAt : null) ?? null, spared: isHead && lane.spared } };
}

/** Everything of a queue, as it would have been kept one by one. */
export function keptQueue({ log, lanes }: QueueState): KeptDelivery[] {
  const laneOf = new Map(lanes.flatMap((lane) => lane.queue.map((id) => [id, { ...lane, head: lane.queue[0] ?? 0 }])));
  return log.deliveries.map((delivery) => keptDelivery(delivery, laneOf.get(delivery.id)));
}

/** The queue of these deliveries, in the order of their ids. */
export function queueOf(kept: readonly KeptDelivery[], lastId: number): QueueState {
  const lanes = new Map<string, { -readonly [M in keyof LaneState]: LaneState[M] } & { queue: number[] }>();
  for (const { id, lane } of kept) {
    if (lane === null) continue;
    const known = lanes.get(lane.key);
    if (known !== undefined) known.queue.push(id);
    else lanes.set(lane.key, { key: lane.key, queue: [id], retryAt: lane.retryAt ?? undefined, spared: lane.spared });
  }
  const deliveries = kept.map(({ lane: _, ...delivery }) => ({
    ...delivery,
    payload: JSON.parse(delivery.body) as Payload,
  }));
  return {
    log: {
      deliveries,
      lastId: Math.max(lastId, kept.at(-1)?.id ?? 0),
      finished: kept.filter(({ state }) => state !== 'pending').map(({ id }) => id),
    },
    lanes: [...lanes.values()],
  };
}
