// The sandbox's control API as a client sees it, by its published shapes. Knows no scenario.
import type { HttpClient } from '../../wires/http-client.ts';
import { jsonIn } from '../json-text.ts';
import type { ControlAccess } from '../target/target.ts';

/** The control API could not be asked, or answered what it never should. */
export class ControlTrouble extends Error {
  override readonly name = 'ControlTrouble';
}

export interface ClockView {
  /** ms since 1970 on the target's clock. */
  readonly nowMs: number;
  readonly mode: string;
  readonly busy: number;
  readonly nextMs: number | undefined;
}

export interface JournalView {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly call_id: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

export class ControlClient {
  readonly #http: Pick<HttpClient, 'send'>;
  readonly #access: ControlAccess;

  constructor(http: Pick<HttpClient, 'send'>, access: ControlAccess) {
    this.#http = http;
    this.#access = access;
  }

  /** Any status is an answer. Rejects with `ControlTrouble` when there is none. */
  async ask(method: string, path: string, body?: unknown): Promise<ControlAnswer> {
    const { root, token } = this.#access;
    const answer = await this.#http.send({
      method,
      url: `${root}${path}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new ControlTrouble(`The control API does not answer ${method} ${path}: ${answer.error}.`);
    return { status: answer.status, body: jsonIn(answer.text) };
  }

  /** The body of a success; rejects with the reason that the answer gives otherwise. */
  async get<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body as T;
    throw new ControlTrouble(`The control API answers ${method} ${path} with ${answer.status}: ${reasonOf(answer)}`);
  }

  /** The text of a success; undefined for any other answer, or none. */
  async text(path: string): Promise<string | undefined> {
    const { root, token } = this.#access;
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await this.#http.send({ method: 'GET', url: `${root}${path}`, headers });
    return answer.ok && answer.status === 200 ? answer.text : undefined;
  }

  async clock(): Promise<ClockView> {
    return clockOf(await this.get('GET', '/clock'));
  }

  /** Answers when the target has done what fell due. */
  async moveTo(ms: number): Promise<ClockView> {
    return clockOf(await this.get('POST', '/clock', { to: new Date(ms).toISOString() }));
  }

  async journal(
    after: number,
    kind: string,
  ): Promise<{ readonly data: readonly JournalView[]; readonly last: number }> {
    return this.get('GET', `/journal?after=${after}&kind=${kind}&limit=10000`);
  }
}

/** What the answer says went wrong, in one line. */
export function reasonOf({ status, body }: ControlAnswer): string {
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: unknown };
  const details = Array.isArray(errors) ? errors.map(String) : [];
  return [String(message ?? `status ${status}`), ...details.filter((one) => one !== message)].join(' ');
}

/** Whatever answers there may be no control API at all: another address of the target, a page of a proxy. */
function clockOf(body: unknown): ClockView {
  const { now, mode, busy, next } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const nowMs = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  const nextMs = next === null ? undefined : Date.parse(String((next as { at?: unknown } | undefined)?.at));
  if (Number.isNaN(nowMs) || Number.isNaN(nextMs) || typeof mode !== 'string' || typeof busy !== 'number')
    throw new ControlTrouble(
      'The control API shows no clock with now, mode, busy and next: is its root right (…/_sim)?',
    );
  return { nowMs, mode, busy, nextMs };
}
