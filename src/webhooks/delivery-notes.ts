// What becomes of the deliveries of a webhook, in the journal. Decides nothing.
import type { Journal } from '../kernel/journal.ts';
import type { Delivery } from './log.ts';
import type { WebhookOutcome } from './sender.ts';
import type { Webhook } from './subscriptions.ts';

export class DeliveryNotes {
  readonly #journal: Journal;
  #givenUp = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Real time stays out of the journal: two runs from one seed must read alike. */
  attempt(webhook: Webhook, delivery: Delivery, outcome: WebhookOutcome, retryInMs?: number): void {
    this.#journal.append('webhook.attempt', {
      ...placeOf(delivery),
      data: {
        webhook_id: webhook.id,
        delivery_id: delivery.id,
        event: delivery.event,
        attempt: delivery.attempts.length,
        url: webhook.url,
        ...(outcome.ok ? { status: outcome.status } : { error: outcome.error }),
        state: delivery.state,
        ...(retryInMs === undefined ? {} : { retry_in_ms: retryInMs }),
        body: delivery.payload,
      },
    });
  }

  /** `count`: how many of the webhook's deliveries that became of, this one too. */
  givenUp(webhook: Webhook, delivery: Delivery): void {
    this.#givenUp += 1;
    this.#journal.append('webhook.given_up', {
      ...placeOf(delivery),
      data: {
        webhook_id: webhook.id,
        delivery_id: delivery.id,
        event: delivery.event,
        why: delivery.givenUp,
        count: this.#givenUp,
      },
    });
  }

  backlog({ id, customer_id }: Webhook, pending: number): void {
    this.#journal.append('webhook.backlog', { customerId: customer_id, data: { webhook_id: id, pending } });
  }
}

function placeOf({ callId, customerId, cause }: Delivery): Pick<Delivery, 'callId' | 'customerId' | 'cause'> {
  return { callId, customerId, cause };
}
