// Receivers of webhooks inside the process: their requests never become bytes on a network. Whatever else is posted goes on to
// the sender outside. Knows no event.
import type { WebhookOutcome, WebhookRequest, WebhookSender } from './sender.ts';

/** Gets what was posted and gives the status that it is answered with. */
export type Receiver = (request: WebhookRequest) => number;

/** Such a name resolves nowhere (RFC 2606): nobody outside can be meant by it. */
const HOST = 'capture.invalid';

export class Captures implements WebhookSender {
  readonly #outside: WebhookSender;
  readonly #receivers = new Map<string, Receiver>();
  #count = 0;

  constructor(outside: WebhookSender) {
    this.#outside = outside;
  }

  /** A URL of its own for the receiver. `close` takes it away: what is posted there afterwards fails. */
  open(receiver: Receiver): { readonly url: string; close(): void } {
    this.#count += 1;
    const url = `https://${HOST}/${this.#count}`;
    this.#receivers.set(url, receiver);
    return { url, close: () => void this.#receivers.delete(url) };
  }

  refusal(url: string): string | undefined {
    return this.#receivers.has(url) ? undefined : this.#outside.refusal(url);
  }

  /** Within the process the answer is there at once. */
  post(request: WebhookRequest, onOutcome: (outcome: WebhookOutcome) => void): void {
    const receiver = this.#receivers.get(request.url);
    if (receiver !== undefined) onOutcome({ ok: true, status: receiver(request), ms: 0 });
    else if (request.url.startsWith(`https://${HOST}/`))
      onOutcome({ ok: false, error: 'the capture was closed', ms: 0 });
    else this.#outside.post(request, onOutcome);
  }
}
