// The harness's own webhook receiver: every delivery is kept and validated, none is judged here. Knows no expectation.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventName, payloads, type WebhookCategory, wantsEvent } from '../../contract/events.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import { HttpListener } from '../../wires/http-listener.ts';
import { type RequestBody, readBody } from '../../wires/request-body.ts';
import { type Alarm, answered, answerWords, type ReceiverAnswer } from '../events/receiver-answers.ts';
import { objectIn } from '../json-text.ts';
import { misfits } from '../language/check-shape.ts';

/** Deliveries kept of one scenario; the answer to further ones is 507, and the scenario fails. */
export const MAX_DELIVERIES = 20_000;
export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

export interface Delivery {
  /** Name of the webhook in the scenario. */
  readonly webhook: string;
  /** Order of arrival, from 1. */
  readonly order: number;
  /** Undefined when the body is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly event: string;
  /** Its event id; the order number when it has none, so that it is an event of its own. */
  readonly id: string;
  /** What the contract's schema of the event does not allow, by JSON pointer. */
  readonly flaws: readonly string[];
}

/** A delivery as it came, whether anybody waits for it or it only tests a URL. */
export interface RawDelivery extends Delivery {
  readonly isTest: boolean;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** What it was answered, in words. */
  readonly answer: string;
}

/** A request to a receiver, as it came. */
export interface Post {
  /** Of its URL: which webhook it is for. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Stands between the wire and the receiver: hands each on as often, as late and as changed as it likes. For mutants. */
export type Courier = (post: Post, handOn: (post: Post) => void) => void;

interface Endpoint {
  readonly name: string;
  readonly path: string;
  readonly categories: readonly WebhookCategory[];
  /** Deliveries before it is armed are tests of the URL. */
  armed: boolean;
  /** What the next deliveries are answered, one each; 204 after that. */
  readonly answers: ReceiverAnswer[];
}

const schemas: ReadonlyMap<string, object> = new Map(
  Object.values(payloads).flatMap(({ events, schema }) => events.map((event): [EventName, object] => [event, schema])),
);

export interface InboxOptions {
  readonly host: string;
  readonly port: number;
  readonly shared: boolean;
  /** With it the receiver speaks HTTPS. */
  readonly identity?: (() => ServerIdentity) | undefined;
  /** For answers that take their time. */
  readonly alarm?: Alarm | undefined;
  readonly courier?: Courier | undefined;
  /** Told of each as it comes. */
  readonly heard?: ((delivery: RawDelivery) => void) | undefined;
}

export class Inbox {
  readonly #endpoints: Endpoint[] = [];
  readonly #shared: boolean;
  readonly #deliveries: Delivery[] = [];
  readonly #tests: RawDelivery[] = [];
  readonly #onDelivery: () => void;
  readonly #options: InboxOptions;
  #listener: HttpListener | undefined;
  #handling = 0;
  #arrived = 0;

  private constructor(options: InboxOptions, onDelivery: () => void) {
    this.#options = options;
    this.#shared = options.shared;
    this.#onDelivery = onDelivery;
  }

  /**
   * Listens; port 0 for any free one. Shared: one URL, set up by hand, gets everything, and each webhook of the scenario
   * what its categories want. Rejects with `CannotListen`.
   */
  static async open(options: InboxOptions, onDelivery: () => void): Promise<Inbox> {
    const { host, port, identity } = options;
    const inbox = new Inbox(options, onDelivery);
    const handler = (request: IncomingMessage, response: ServerResponse): void => inbox.#handle(request, response);
    inbox.#listener = await HttpListener.open({
      ...{ host, port, maxHeaderBytes: MAX_HEADER_BYTES, handler },
      ...(identity === undefined ? {} : { identity }),
    });
    return inbox;
  }

  /** Requests that came and are not answered yet. */
  get handling(): number {
    return this.#handling;
  }

  /** In order of arrival. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** What came before its webhook was armed, in order of arrival. */
  get tests(): readonly RawDelivery[] {
    return this.#tests;
  }

  /** Names of the webhooks that have an address, in the order in which they got it. */
  get webhooks(): readonly string[] {
    return this.#endpoints.map(({ name }) => name);
  }

  /** More came than are kept. */
  get overflowed(): boolean {
    return this.#arrived > MAX_DELIVERIES;
  }

  /** Makes an address for a webhook. What comes before `arm` only tests that somebody answers. */
  url(webhook: string, categories: readonly WebhookCategory[]): string {
    const path = `/hooks/${webhook}`;
    this.#endpoints.push({ name: webhook, path, categories, armed: false, answers: [] });
    return `${this.#listener?.url}${path}`;
  }

  arm(webhook: string): void {
    for (const endpoint of this.#endpoints) if (endpoint.name === webhook) endpoint.armed = true;
  }

  /** What the next deliveries to a webhook are answered, tests of its URL too; 204 after that. Forgets what was said before. */
  program(webhook: string, answers: readonly ReceiverAnswer[]): void {
    for (const { name, answers: said } of this.#endpoints) {
      if (name === webhook) said.splice(0, said.length, ...answers);
    }
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const endpoints = this.#endpointsAt(request.url ?? '');
    if (endpoints.length === 0 || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    this.#handling += 1;
    readBody(request, MAX_BODY_BYTES, (body) => {
      const answer = endpoints.map(({ answers }) => answers.shift()).find((one) => one !== undefined) ?? {
        status: 204,
      };
      this.#deliver({ body, request, answer });
      answered(response, this.overflowed ? { status: 507 } : answer, this.#options.alarm);
    });
    response.on('close', () => {
      this.#handling -= 1;
      this.#onDelivery();
    });
  }

  #deliver({ body: { text = '', bytes }, request, answer }: Came): void {
    const flaws = bytes > MAX_BODY_BYTES ? [`expected at most ${MAX_BODY_BYTES} bytes, got ${bytes}`] : [];
    const { headers, url: path = '' } = request;
    const take = (post: Post): void => this.#take(post, { flaws, answer });
    const { courier } = this.#options;
    if (courier === undefined) take({ path, headers, text });
    else courier({ path, headers, text }, take);
  }

  #take(post: Post, { flaws: before, answer }: { readonly flaws: readonly string[]; answer: ReceiverAnswer }): void {
    const { path, headers, text } = post;
    const body = before.length > 0 ? undefined : objectIn(text);
    const event = typeof body?.event_name === 'string' ? body.event_name : '';
    const flaws = [...before, ...flawsOf(body, event, String(headers['content-type'] ?? ''))];
    for (const { name, armed, categories } of this.#endpointsAt(path)) {
      const unwanted = schemas.has(event) && !wantsEvent(categories, event as EventName, String(body?.context));
      if (this.#shared && unwanted) continue;
      if (armed) this.#arrived += 1;
      if (this.overflowed) return;
      const id = typeof body?.id === 'string' && body.id !== '' ? body.id : `delivery ${this.#arrived}`;
      const delivery = { webhook: name, order: this.#arrived, body, event, id, flaws };
      const raw = { ...delivery, isTest: !armed, path, headers, text, answer: answerWords(answer) };
      if (armed) this.#deliveries.push(delivery);
      else if (this.#tests.length < MAX_DELIVERIES) this.#tests.push(raw);
      this.#options.heard?.(raw);
    }
  }

  /** Shared: one URL gets everything. */
  #endpointsAt(path: string): readonly Endpoint[] {
    return this.#shared ? this.#endpoints : this.#endpoints.filter((one) => one.path === path);
  }
}

interface Came {
  readonly body: RequestBody;
  readonly request: IncomingMessage;
  readonly answer: ReceiverAnswer;
}

function flawsOf(body: Readonly<Record<string, unknown>> | undefined, event: string, type: string): string[] {
  if (body === undefined) return ['expected a JSON object'];
  const json = /^application\/json\s*(;|$)/i.test(type)
    ? []
    : [`expected Content-Type application/json, got ${type || 'none'}`];
  const schema = schemas.get(event);
  if (schema === undefined) return [...json, `/event_name: expected one of ${[...schemas.keys()].join(', ')}`];
  return [...json, ...misfits(schema, body).map(({ path, message }) => `/${path.join('/')}: ${message}`)];
}
