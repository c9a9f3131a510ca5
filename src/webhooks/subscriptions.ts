// Which webhooks there are and who may become one: a URL that answers a test event. Knows no delivery.
import { type WebhookCategory, wantsEvent } from '../contract/events.ts';
import { webhookAnswerMs } from '../contract/limits.ts';
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { IdBlocks } from '../kernel/ids.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import type { DomainEvent } from '../pbx/events.ts';
import type { ChangeListener, Collection, CollectionState } from '../store/collection.ts';
import { MapCollection } from '../store/map-collection.ts';
import { contextOf, eventNameOf, testPayload } from './payload.ts';
import { type WebhookOutcome, type WebhookSender, webhookHeaders } from './sender.ts';

/** Webhooks that one customer may have. */
export const WEBHOOKS_PER_CUSTOMER = 100;

export interface Webhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookCategory[];
  readonly active: boolean;
  readonly customer_id: number;
}

export type WebhookDraft = Omit<Webhook, 'id'>;
export type WebhookChanges = Partial<Omit<Webhook, 'id' | 'customer_id'>>;
export type SaveDone = (result: Result<Webhook>) => void;

export interface SubscriptionDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly random: Random;
  readonly sender: WebhookSender;
  readonly onChange?: ChangeListener;
}

export class Subscriptions {
  readonly #deps: SubscriptionDeps;
  readonly #webhooks: Collection<Webhook>;
  readonly #testIds: Random;

  constructor(deps: SubscriptionDeps) {
    this.#deps = deps;
    this.#testIds = deps.random.split('webhook-test');
    this.#webhooks = new MapCollection({
      name: 'webhooks',
      ids: new IdBlocks(),
      ...(deps.onChange === undefined ? {} : { onChange: deps.onChange }),
    });
  }

  /** All webhooks, or one customer's, oldest first. */
  list(customerId?: number): Webhook[] {
    if (customerId !== undefined) return [...this.#webhooks.list(customerId)];
    return [...this.#webhooks.entries()].map(([, webhook]) => webhook);
  }

  get(id: number): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  /** Stores the webhook once its URL has answered a test event; `invalid` with the reason otherwise. */
  create(draft: WebhookDraft, done: SaveDone): void {
    const store = () => {
      // Others may have been saved while the URL was being asked.
      if (this.#isFull(draft.customer_id)) {
        done(tooMany());
        return;
      }
      const webhook = { id: this.#webhooks.nextId(draft.customer_id), ...draft };
      this.#note('webhook.saved', webhook);
      done(success(this.#webhooks.insert(draft.customer_id, webhook)));
    };
    if (this.#isFull(draft.customer_id)) done(tooMany());
    else this.#test(draft, (refused) => (refused === undefined ? store() : done(refused)));
  }

  /** Another URL is tested like a new one; nothing changes when it is refused. */
  change(id: number, changes: WebhookChanges, done: SaveDone): void {
    const before = this.get(id);
    const store = () => {
      const webhook = this.#webhooks.update(id, changes);
      if (webhook !== undefined) this.#note('webhook.changed', webhook);
      done(webhook === undefined ? unknownWebhook(id) : success(webhook));
    };
    if (before === undefined || changes.url === undefined || changes.url === before.url) {
      store();
      return;
    }
    this.#test({ ...before, ...changes }, (refused) => (refused === undefined ? store() : done(refused)));
  }

  remove(id: number): boolean {
    const webhook = this.get(id);
    if (webhook === undefined) return false;
    this.#note('webhook.removed', webhook);
    return this.#webhooks.delete(id);
  }

  state(): CollectionState {
    return this.#webhooks.state();
  }

  restore(state: CollectionState): void {
    this.#webhooks.restore(state);
  }

  clear(): void {
    this.#webhooks.clear();
  }

  /** The active webhooks of the event's customer that chose one of its categories. */
  *wanting(event: DomainEvent): IterableIterator<Webhook> {
    const name = eventNameOf(event);
    const context = contextOf(event);
    for (const webhook of this.#webhooks.list(event.customerId)) {
      if (webhook.active && wantsEvent(webhook.events, name, context)) yield webhook;
    }
  }

  #isFull(customerId: number): boolean {
    return this.#webhooks.count(customerId) >= WEBHOOKS_PER_CUSTOMER;
  }

  /** Asks the URL for any answer at all; `done` gets the refusal, or nothing when it answered. */
  #test(draft: WebhookDraft, done: (refused: Result<never> | undefined) => void): void {
    const { clock, journal, sender } = this.#deps;
    const refusal = sender.refusal(draft.url);
    if (refusal !== undefined) {
      done(notSaved(refusal));
      return;
    }
    const payload = testPayload(this.#testIds.hex(32), clock.now(), draft.name, draft.customer_id);
    const body = JSON.stringify(payload);
    const release = clock.hold('io');
    let open = true;
    sender.post({ url: draft.url, body, headers: webhookHeaders, timeoutMs: webhookAnswerMs }, (outcome) => {
      if (!open) return;
      open = false;
      const data = { url: draft.url, ...resultOf(outcome), body: payload };
      journal.append('webhook.test', { customerId: draft.customer_id, data });
      done(outcome.ok ? undefined : notSaved(`the test event failed: ${outcome.error}`));
      release();
    });
  }

  #note(kind: string, webhook: Webhook): void {
    const { id, name, url, events, active } = webhook;
    this.#deps.journal.append(kind, {
      customerId: webhook.customer_id,
      data: { webhook_id: id, name, url, events, active },
    });
  }
}

function resultOf(outcome: WebhookOutcome): { status: number } | { error: string } {
  return outcome.ok ? { status: outcome.status } : { error: outcome.error };
}

export function unknownWebhook(id: number): Result<never> {
  return failure('not_found', Number.isNaN(id) ? 'There is no such webhook.' : `There is no webhook ${id}.`);
}

function tooMany(): Result<never> {
  return failure('conflict', `A customer has at most ${WEBHOOKS_PER_CUSTOMER} webhooks.`);
}

function notSaved(reason: string): Result<never> {
  return failure('invalid', 'The webhook was not saved.', [`url: ${reason}`]);
}
