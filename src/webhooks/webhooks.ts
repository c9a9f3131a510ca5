// The webhooks of a simulator: subscriptions in, domain events in, deliveries out. Knows neither HTTP nor the exchange.
import { type Result, success } from '../kernel/errors.ts';
import type { DomainEvent } from '../pbx/events.ts';
import type { CollectionState } from '../store/collection.ts';
import { type DeliveryDeps, DeliveryQueue, type QueueState } from './delivery.ts';
import type { ReplayDone } from './lanes.ts';
import type { Delivery } from './log.ts';
import { eventNameOf, payloadOf } from './payload.ts';
import {
  type SaveDone,
  type SubscriptionDeps,
  Subscriptions,
  unknownWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookDraft,
} from './subscriptions.ts';

export type WebhooksDeps = SubscriptionDeps & DeliveryDeps;

/** Who gets what, the logs, and what is still to be sent, for snapshots. */
export interface WebhooksState {
  readonly subscriptions: CollectionState;
  readonly queues: ReadonlyArray<readonly [webhookId: number, queue: QueueState]>;
}

export class Webhooks {
  readonly #deps: WebhooksDeps;
  readonly #subscriptions: Subscriptions;
  readonly #queues = new Map<number, DeliveryQueue>();

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
    this.#subscriptions = new Subscriptions(deps);
  }

  /** Given to the exchange as a listener: queues the event for every webhook that wants it and returns at once. */
  readonly receive = (event: DomainEvent): void => {
    const queues = [...this.#subscriptions.wanting(event)].map((webhook) => this.#queueOf(webhook));
    if (queues.length === 0) return;
    const payload = payloadOf(event);
    const facts = {
      event: eventNameOf(event),
      payload,
      body: JSON.stringify(payload),
      cause: event.seq,
      customerId: event.customerId,
      callId: event.kind === 'sms' ? null : event.callId,
    };
    for (const queue of queues) queue.add(laneOf(event), facts);
  };

  list(customerId?: number): Webhook[] {
    return this.#subscriptions.list(customerId);
  }

  get(id: number): Webhook | undefined {
    return this.#subscriptions.get(id);
  }

  /** See `Subscriptions.create`. */
  create(draft: WebhookDraft, done: SaveDone): void {
    this.#subscriptions.create(draft, done);
  }

  /** See `Subscriptions.change`. Deliveries that are pending go to the webhook as it is then. */
  change(id: number, changes: WebhookChanges, done: SaveDone): void {
    this.#subscriptions.change(id, changes, (result) => {
      if (result.ok) this.#queues.get(id)?.configure(result.value);
      done(result);
    });
  }

  /** The webhook goes with its log and whatever was still pending. False when there is none. */
  remove(id: number): boolean {
    this.#queues.get(id)?.close();
    this.#queues.delete(id);
    return this.#subscriptions.remove(id);
  }

  /** The webhook's log, in the order of the events. */
  deliveries(id: number): Result<Delivery[]> {
    if (this.get(id) === undefined) return unknownWebhook(id);
    return success(this.#queues.get(id)?.list() ?? []);
  }

  /** See `DeliveryQueue.replay`; `done` is called when the attempt is over. */
  replay(id: number, deliveryId: number, done: ReplayDone): void {
    const webhook = this.get(id);
    if (webhook === undefined) done(unknownWebhook(id));
    else this.#queueOf(webhook).replay(deliveryId, done);
  }

  /** Deliveries that have neither arrived nor failed for good. */
  get pending(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.pending;
    return count;
  }

  state(): WebhooksState {
    return {
      subscriptions: this.#subscriptions.state(),
      queues: [...this.#queues].map(([id, queue]) => [id, queue.state()]),
    };
  }

  /** The webhooks of then, and no other. What was under way then is sent again. */
  restore({ subscriptions, queues }: WebhooksState): void {
    this.clear();
    this.#subscriptions.restore(subscriptions);
    for (const [id, state] of queues) {
      const webhook = this.get(id);
      if (webhook !== undefined) this.#queueOf(webhook).restore(state);
    }
  }

  /** Forgets every webhook, its log and its pending deliveries (reset). */
  clear(): void {
    for (const queue of this.#queues.values()) queue.close();
    this.#queues.clear();
    this.#subscriptions.clear();
  }

  #queueOf(webhook: Webhook): DeliveryQueue {
    const existing = this.#queues.get(webhook.id);
    if (existing !== undefined) return existing;
    const queue = new DeliveryQueue(this.#deps, webhook);
    this.#queues.set(webhook.id, queue);
    return queue;
  }
}

/** What keeps its order: the events of a call, and the messages of a conversation. */
function laneOf(event: DomainEvent): string {
  return event.kind === 'sms' ? `sms ${event.from} ${event.to}` : `call ${event.callId}`;
}
