// The HTTPS sender, loaded when the first webhook leaves: its HTTP client would cost a fifth of every start. Judges URLs and certificates at once; knows nothing of what is delivered.
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../webhooks/sender.ts';
import type { HttpsSender, HttpsSenderOptions } from './https-out.ts';
import { checkAuthorities } from './trust.ts';
import { checkTarget } from './web-target.ts';

export class LaterHttpsSender implements WebhookSender {
  readonly #options: HttpsSenderOptions;
  #loading: Promise<HttpsSender> | undefined;
  #sender: HttpsSender | undefined;
  #closed = false;

  /** Throws when `ca` is not what it should be: a sentence for whoever gave it. */
  constructor(options: HttpsSenderOptions) {
    checkAuthorities(options.ca);
    this.#options = options;
  }

  refusal(url: string): string | undefined {
    return checkTarget(url, this.#options);
  }

  /** As `HttpsSender.post`. What is sent while the client loads leaves in the order in which it came. */
  post(request: WebhookRequest, onOutcome: (outcome: WebhookOutcome) => void): void {
    if (this.#sender !== undefined) this.#sender.post(request, onOutcome);
    else if (this.#closed) onOutcome({ ok: false, error: 'not sent: the sender is closed', ms: 0 });
    else void this.#load().then((sender) => sender.post(request, onOutcome));
  }

  /** Ends what is under way, whose outcome is a failure, and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true;
    const sender = await this.#loading;
    await sender?.close();
  }

  #load(): Promise<HttpsSender> {
    this.#loading ??= import('./https-out.ts').then(({ HttpsSender }) => {
      this.#sender = new HttpsSender(this.#options);
      return this.#sender;
    });
    return this.#loading;
  }
}
