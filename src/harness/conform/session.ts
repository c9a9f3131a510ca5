// The wire of one run: sends requests, keeps each as evidence, notices when the target no longer answers. Knows no clause.
import type { Operation } from '../../contract/operation.ts';
import type { TimeHost } from '../../kernel/clock.ts';
import type { ConformEvent, Exchange } from '../../report/conform-results.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import type { Answered, Asked, HttpClient } from '../../wires/http-client.ts';
import type { PhoneMessage } from '../drivers/phone-driver.ts';
import { jsonIn } from '../json-text.ts';
import type { Courier, RawDelivery } from '../run/inbox.ts';
import type { Target } from '../target/target.ts';
import { HIDDEN, Secrets } from './secrets.ts';

/** A request has to be answered within this, in real time. */
export const ANSWER_WITHIN_MS = 10_000;
/** Longer answers are no answer. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** What is kept of a body as evidence. */
export const MAX_EVIDENCE_CHARACTERS = 16 * 1024;
/** After so many requests in a row without an answer the target is asked no more. */
export const MAX_SILENCES = 8;
/** And after so many in all. */
export const MAX_SILENCES_IN_ALL = 40;

export type Sent =
  | {
      readonly ok: true;
      readonly seq: number;
      readonly ms: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
      readonly body: unknown;
      readonly bytes: Buffer;
    }
  | { readonly ok: false; readonly seq: number; readonly error: string };

export interface SessionOptions {
  readonly target: Target;
  readonly http: HttpClient;
  readonly host: TimeHost;
  readonly tell: (event: ConformEvent) => void;
  /** What a webhook receiver of ours shows a target that sends over HTTPS. */
  readonly identity?: (() => ServerIdentity) | undefined;
  /** Has a hand in what webhook receivers of ours get. */
  readonly courier?: Courier | undefined;
}

export class Session {
  readonly target: Target;
  readonly http: HttpClient;
  readonly host: TimeHost;
  readonly secrets: Secrets;
  /** Taken away when it turns out that the target does not trust it. */
  identity: (() => ServerIdentity) | undefined;
  readonly courier: Courier | undefined;
  readonly #tell: (event: ConformEvent) => void;
  readonly #begunMs: number;
  #seq = 0;
  #deliveries = 0;
  #messages = 0;
  #silences = 0;
  #silencesInAll = 0;

  constructor({ target, http, host, tell, identity, courier }: SessionOptions) {
    this.identity = identity;
    this.courier = courier;
    this.target = target;
    this.http = http;
    this.host = host;
    this.#tell = tell;
    this.#begunMs = host.now();
    this.secrets = new Secrets(target);
  }

  /** Real ms since the run began. */
  get elapsedMs(): number {
    return this.host.now() - this.#begunMs;
  }

  /** The target has stopped answering. */
  get isSilent(): boolean {
    return this.#silences >= MAX_SILENCES || this.#silencesInAll >= MAX_SILENCES_IN_ALL;
  }

  async send(asked: Asked, operation: Operation | undefined): Promise<Sent> {
    this.#seq += 1;
    const seq = this.#seq;
    const atMs = this.elapsedMs;
    const answered = await this.http.send(asked);
    const ms = this.elapsedMs - atMs;
    this.#silences = answered.ok ? 0 : this.#silences + 1;
    if (!answered.ok) this.#silencesInAll += 1;
    const body = answered.ok ? jsonIn(answered.text) : undefined;
    this.secrets.learn(body);
    this.#tell({ event: 'exchange', exchange: this.#exchangeOf(asked, answered, { seq, atMs, ms, operation }) });
    if (!answered.ok) return { ok: false, seq, error: answered.error };
    const { status, headers, text, bytes } = answered;
    return { ok: true, seq, ms, status, headers, text, body, bytes };
  }

  /** Keeps a delivery as evidence. Returns its number. */
  heard({ webhook, path, headers, text, answer, event, flaws, isTest }: RawDelivery): number {
    this.#deliveries += 1;
    const seq = this.#deliveries;
    const shown = Object.entries(headers).map(([name, value]) => [name, this.secrets.hide([value].flat().join(', '))]);
    const body = this.secrets.hide(cut(text));
    const delivery = { seq, webhook, event, path, headers: Object.fromEntries(shown), body, answer, flaws, isTest };
    this.#tell({ event: 'delivery', delivery: { ...delivery, atMs: this.elapsedMs } });
    return seq;
  }

  /** Keeps a SIP message as evidence. Returns its number. */
  witnessed(phone: string, { direction, method, status, text }: PhoneMessage): number {
    this.#messages += 1;
    const seq = this.#messages;
    const line = status === undefined ? method : `${status} (${method})`;
    const message = { seq, phone, direction, line, text: this.secrets.hide(cut(text)), atMs: this.elapsedMs };
    this.#tell({ event: 'sip', message });
    return seq;
  }

  #exchangeOf(
    { method, url, headers = {}, body }: Asked,
    answered: Answered,
    when: {
      readonly seq: number;
      readonly atMs: number;
      readonly ms: number;
      readonly operation: Operation | undefined;
    },
  ): Exchange {
    const { seq, atMs, ms, operation } = when;
    const hide = (text: string): string => this.secrets.hide(text);
    const request = {
      method,
      url: hide(url),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, isCredential(name) ? withoutSecret(value) : hide(value)]),
      ),
      ...(body === undefined ? {} : { body: hide(cut(body)) }),
    };
    return {
      ...{ seq, request, atMs, ms },
      ...(operation === undefined ? {} : { operation: `${operation.method} ${operation.path}` }),
      ...(answered.ok ? { response: this.#responseOf(answered) } : { error: hide(answered.error) }),
    };
  }

  #responseOf({ status, headers, text, bytes }: Extract<Answered, { ok: true }>): NonNullable<Exchange['response']> {
    const hide = (value: string): string => this.secrets.hide(value);
    const shown = Object.entries(headers).flatMap(([name, value]): [string, string | string[]][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.map(hide) : hide(value)]],
    );
    return {
      status,
      headers: Object.fromEntries(shown),
      body: isText(bytes) ? hide(cut(text)) : `(${bytes.length} bytes that are no text)`,
      bytes: bytes.length,
    };
  }
}

/** Whether bytes are UTF-8 without the control characters of binary files. */
export function isText(bytes: Buffer): boolean {
  if (bytes.subarray(0, 512).includes(0)) return false;
  return isUtf8(bytes);
}

export function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isCredential(header: string): boolean {
  return header.toLowerCase() === 'authorization';
}

/** The scheme alone: keys may be new ones that nobody has noted. */
function withoutSecret(value: string): string {
  const [scheme = ''] = value.split(' ');
  return `${scheme} ${HIDDEN}`;
}

function cut(text: string): string {
  return text.length > MAX_EVIDENCE_CHARACTERS ? text.slice(0, MAX_EVIDENCE_CHARACTERS) : text;
}
