// Webhooks on their way out: one POST, one outcome, over connections that are kept. Knows nothing of what is delivered, or of trying again.
import type { lookup } from 'node:dns';
import { Agent, type Dispatcher } from 'undici';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../webhooks/sender.ts';
import { connector } from './connect.ts';
import { plainWords } from './plain-words.ts';
import { checkAuthorities } from './trust.ts';
import { checkTarget, guarded, type TargetRules } from './web-target.ts';

/**
 * Connections to one origin. Measured on loopback: 37,000 posts/s with 64, 31,000 with 16, 26,000 with 256. Pipelining
 * gives up to 60,000 but makes each event wait for the one before, and repeats events when a connection breaks.
 */
export const CONNECTIONS_PER_ORIGIN = 64;
/** Of an answer's body so much is kept; the rest is read and dropped. */
export const KEPT_BODY_BYTES = 4096;
/** A longer body is not read to its end: the connection is cut instead. */
export const MAX_BODY_BYTES = 256 * 1024;
/** A connection not needed for so long is closed, sooner when the receiver says so. */
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 10_000;

export interface HttpsSenderOptions extends TargetRules {
  /** Certificates (PEM) of authorities to trust besides the usual ones. */
  readonly ca?: string;
  /** How names become addresses. Default: the system's way. */
  readonly lookup?: typeof lookup;
}

export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer counts from its status on: when its body breaks off, is too long or too late, what came is kept. */
export type HttpOutcome =
  | (Extract<WebhookOutcome, { ok: true }> & { readonly headers: HttpHeaders; readonly body: string })
  | Extract<WebhookOutcome, { ok: false }>;

export class HttpsSender implements WebhookSender {
  readonly #rules: TargetRules;
  readonly #agent: Agent;

  /** Throws when `ca` is not what it should be: a sentence for whoever gave it. */
  constructor(options: HttpsSenderOptions) {
    checkAuthorities(options.ca);
    this.#rules = options;
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The one deadline is the request's own.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connector({ lookup: guarded(options.lookup), timeout: CONNECT_MS }, options.ca),
    });
  }

  refusal(url: string): string | undefined {
    return checkTarget(url, this.#rules);
  }

  /** Sends once, follows no redirect, and calls `onOutcome` once. Never throws. `timeoutMs` is real time. */
  post(request: WebhookRequest, onOutcome: (outcome: HttpOutcome) => void): void {
    const refused = this.refusal(request.url);
    if (refused !== undefined) {
      onOutcome({ ok: false, error: `not sent: the URL ${refused}`, ms: 0 });
      return;
    }
    const { origin, pathname, search } = new URL(request.url);
    const exchange = new Exchange(request.timeoutMs, onOutcome);
    try {
      const { headers, body } = request;
      this.#agent.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, exchange);
    } catch (error) {
      exchange.fail(plainWords(error));
    }
  }

  /** Ends what is under way, whose outcome is a failure, and closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** One request and its answer, up to the one outcome. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #onOutcome: (outcome: HttpOutcome) => void;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #done = false;
  #status = 0;
  #headers: HttpHeaders = {};
  #kept: Buffer[] = [];
  #bodyBytes = 0;

  constructor(timeoutMs: number, onOutcome: (outcome: HttpOutcome) => void) {
    this.#onOutcome = onOutcome;
    this.#deadline = setTimeout(() => this.fail(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#done) controller.abort(new Error('too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    // Informational ones (103) come before the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bodyBytes < KEPT_BODY_BYTES) this.#kept.push(chunk.subarray(0, KEPT_BODY_BYTES - this.#bodyBytes));
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) this.fail('the answer is too long');
  }

  onResponseEnd(): void {
    this.#finish('');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(plainWords(error));
  }

  /** Gives up, and cuts the connection when there is one. */
  fail(error: string): void {
    this.#finish(error);
    this.#controller?.abort(new Error(error));
  }

  #finish(error: string): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#deadline);
    const ms = Math.round(performance.now() - this.#startedAt);
    const body = Buffer.concat(this.#kept).toString();
    this.#kept = [];
    if (this.#status === 0) this.#onOutcome({ ok: false, error, ms });
    else this.#onOutcome({ ok: true, status: this.#status, headers: this.#headers, body, ms });
  }
}
