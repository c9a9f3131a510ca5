// The port through which deliveries leave: what webhooks need of the outside world. Knows neither sockets nor promises.

export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long the receiver has, in ms of real time, from the call to the end of its answer. */
  readonly timeoutMs: number;
}

/** What came of a request. `ms` is real time and only for people to read: nothing is decided by it. */
export type WebhookOutcome =
  | { readonly ok: true; readonly status: number; readonly ms: number }
  | { readonly ok: false; readonly error: string; readonly ms: number };

/** wires/ has the real one, over HTTPS; tests bring receivers of their own. */
export interface WebhookSender {
  /** Why this URL may not be a webhook's, in one sentence that follows `url:`; undefined when it may. */
  refusal(url: string): string | undefined;
  /** Sends once and calls `onOutcome` once. Never throws. */
  post(request: WebhookRequest, onOutcome: (outcome: WebhookOutcome) => void): void;
}

export const webhookHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'pbxsim-webhooks',
};
