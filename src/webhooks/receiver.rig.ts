// A receiver for tests: keeps what was posted and answers when and as the test says. Knows no network.
import type { WebhookOutcome, WebhookRequest, WebhookSender } from './sender.ts';

export interface Received {
  readonly url: string;
  readonly raw: string;
  readonly body: Record<string, unknown>;
  answer(outcome: number | string): void;
}

/** A number answers with that status, a text is the error of a request that got no answer. */
export function outcomeOf(answer: number | string): WebhookOutcome {
  return typeof answer === 'number' ? { ok: true, status: answer, ms: 3 } : { ok: false, error: answer, ms: 5000 };
}

export class FakeReceiver implements WebhookSender {
  /** Answers at once; undefined leaves it to the test. */
  reply: ((request: WebhookRequest) => number | string | undefined) | undefined = () => 200;
  readonly received: Received[] = [];
  readonly #answered = new Set<Received>();
  readonly refusals = new Map<string, string>();

  refusal(url: string): string | undefined {
    return this.refusals.get(url);
  }

  post(request: WebhookRequest, onOutcome: (outcome: WebhookOutcome) => void): void {
    const { url, body } = request;
    const received: Received = {
      url,
      raw: body,
      body: JSON.parse(body) as Record<string, unknown>,
      answer: (outcome) => {
        this.#answered.add(received);
        onOutcome(outcomeOf(outcome));
      },
    };
    this.received.push(received);
    const now = this.reply?.(request);
    if (now !== undefined) received.answer(now);
  }

  /** Requests that have no answer yet, oldest first. */
  get waiting(): Received[] {
    return this.received.filter((request) => !this.#answered.has(request));
  }

  /** Events in the order of their arrival, without the test events. */
  get events(): Received[] {
    return this.received.filter(({ body }) => body.event_name !== 'webhook.test');
  }

  get names(): unknown[] {
    return this.events.map(({ body }) => body.event_name);
  }
}
