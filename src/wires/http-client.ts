// HTTP requests of the harness to whatever it judges: one request, one outcome, bounded in time and size. Knows nothing of what is asked.
import { Agent, request } from 'undici';
import { connector } from './connect.ts';
import { plainWords } from './plain-words.ts';

/** A longer answer is not read to its end: the request has failed. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** How long one request may take in all, in ms of real time. */
export const ANSWER_WITHIN_MS = 30_000;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 4000;

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Answered =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
      /** As received. */
      readonly bytes: Buffer;
    }
  | { readonly ok: false; readonly error: string };

export interface HttpLimits {
  /** How long one request may take in all, in ms of real time. */
  readonly withinMs?: number;
  readonly maxAnswerBytes?: number;
}

export class HttpClient {
  readonly #agent: Agent;
  readonly #withinMs: number;
  readonly #maxBytes: number;

  /** `ca`: PEM of an authority to trust besides the usual ones. */
  constructor({ ca, withinMs, maxAnswerBytes }: { readonly ca?: string | undefined } & HttpLimits = {}) {
    this.#withinMs = withinMs ?? ANSWER_WITHIN_MS;
    this.#maxBytes = maxAnswerBytes ?? MAX_ANSWER_BYTES;
    this.#agent = new Agent({
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connect: connector({ timeout: CONNECT_MS }, ca),
    });
  }

  /** Sends once and follows no redirect. Never rejects. */
  async send({ method, url, headers = {}, body }: Asked): Promise<Answered> {
    try {
      const signal = AbortSignal.timeout(this.#withinMs);
      const answer = await request(url, {
        ...{ dispatcher: this.#agent, method: method as 'GET', headers, signal },
        ...(body === undefined ? {} : { body }),
      });
      const parts: Buffer[] = [];
      let length = 0;
      for await (const part of answer.body as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > this.#maxBytes) return { ok: false, error: `the answer is longer than ${this.#maxBytes} bytes` };
        parts.push(part);
      }
      const bytes = Buffer.concat(parts);
      return { ok: true, status: answer.statusCode, headers: answer.headers, text: bytes.toString(), bytes };
    } catch (error) {
      return { ok: false, error: troubleOf(error, this.#withinMs) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function troubleOf(error: unknown, withinMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no whole answer within ${withinMs / 1000} s`;
  return plainWords(error);
}
