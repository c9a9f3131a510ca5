// Webhooks as a test uses them: captured within the process, or sent to a receiver of its own. Knows no HTTP.
import { categories, type WebhookCategory } from '../contract/events.ts';
import type { TimeHost } from '../kernel/clock.ts';
import type { Result } from '../kernel/errors.ts';
import type { Simulator } from '../simulator.ts';
import type { Delivery } from '../webhooks/log.ts';
import type { Webhook, WebhookDraft } from '../webhooks/subscriptions.ts';
import { Capture, type CaptureAnswer } from './capture.ts';
import { granted } from './refusal.ts';

export interface WebhookWish {
  /** Default: every category. */
  readonly events?: readonly WebhookCategory[];
  readonly name?: string;
  /** Default: the first customer. */
  readonly customerId?: number;
}

/** What the administration application lets people do, and a receiver without a socket. */
export class SimulatorWebhooks {
  readonly #simulator: Simulator;
  readonly #host: Pick<TimeHost, 'alarm'>;

  /** @internal */
  constructor(simulator: Simulator, host: Pick<TimeHost, 'alarm'>) {
    this.#simulator = simulator;
    this.#host = host;
  }

  /**
   * Saves a webhook whose receiver is in this process, and gives what it receives. No socket and no real time is involved:
   * on a manual clock everything that is due has been received when `clock.advance` resolves, in the same order each run.
   * All else is as with any webhook: the test event, retries, the delivery log, faults. Ends with a reset.
   */
  capture(wish: WebhookWish & { readonly answer?: CaptureAnswer } = {}): Capture {
    const { clock } = this.#simulator;
    const capture = new Capture({ clock, host: this.#host, answer: wish.answer ?? 200 });
    const receiver = this.#simulator.captures.open(capture.receive);
    let saved: Result<Webhook> | undefined;
    this.#webhooks.create(this.#draft(receiver.url, wish), (result) => {
      saved = result;
    });
    try {
      const { id } = granted(saved ?? NOT_ANSWERED);
      capture.opened(id, () => {
        receiver.close();
        // After a reset or a restore another webhook may have the id.
        if (this.#webhooks.get(id)?.url === receiver.url) this.#webhooks.remove(id);
      });
    } catch (error) {
      receiver.close();
      throw error;
    }
    return capture;
  }

  /**
   * Saves a webhook that posts to a URL: HTTPS, or HTTP on loopback with `allowHttpWebhooks`. Resolves when the URL has
   * answered a test event; rejects with `Refused` (`invalid`) and the reason when it has not.
   */
  async add(wish: WebhookWish & { readonly url: string }): Promise<Webhook> {
    const draft = this.#draft(wish.url, wish);
    const saved = await new Promise<Result<Webhook>>((resolve) => this.#webhooks.create(draft, resolve));
    return granted(saved);
  }

  list(): Webhook[] {
    return this.#webhooks.list();
  }

  /** False when there is none. */
  remove(id: number): boolean {
    return this.#webhooks.remove(id);
  }

  /** The webhook's log: each event with its attempts. Throws `Refused` (`not_found`). */
  deliveries(id: number): Delivery[] {
    return granted(this.#webhooks.deliveries(id)).map((delivery) => ({
      ...delivery,
      attempts: [...delivery.attempts],
    }));
  }

  /** One more attempt; resolves when it is over. */
  async replay(id: number, deliveryId: number): Promise<Delivery> {
    const replayed = new Promise<Result<Delivery>>((resolve) => this.#webhooks.replay(id, deliveryId, resolve));
    this.#simulator.clock.settle();
    return granted(await replayed);
  }

  get #webhooks() {
    return this.#simulator.world.webhooks;
  }

  #draft(url: string, { events, name, customerId }: WebhookWish): WebhookDraft {
    return {
      url,
      name: name ?? url,
      events: events ?? categories.map(({ id }) => id),
      active: true,
      customer_id: customerId ?? this.#simulator.world.customers[0]?.customerId ?? 0,
    };
  }
}

const NOT_ANSWERED: Result<never> = {
  ok: false,
  failure: { kind: 'conflict', message: 'The capture was not asked.', details: [] },
};
