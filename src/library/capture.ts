// A webhook receiver within the process: what was posted to it, and waiting for more. Knows no network.
import type { EventName } from '../contract/events.ts';
import type { TimeHost } from '../kernel/clock.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { Payload } from '../webhooks/payload.ts';
import type { WebhookRequest } from '../webhooks/sender.ts';
import { clockHint, type WaitOptions, waitUntil } from './waiting.ts';

/** One POST. A delivery that is tried again is there once for each attempt, with the same `body.id`. */
export interface CapturedEvent {
  readonly name: EventName;
  /** Null where the event is of no call. */
  readonly callId: number | null;
  /** What was posted, read. */
  readonly body: Payload;
  /** What was posted, to the byte. */
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When, in ms since 1970 on the simulator's clock. */
  readonly at: number;
}

/** The status that POSTs are answered with, or who chooses it. Anything but 2xx is tried again on the schedule. */
export type CaptureAnswer = number | ((event: CapturedEvent) => number);

/** A name of an event, or what it must be like. */
export type EventWish = EventName | ((event: CapturedEvent) => boolean);

interface CaptureParts {
  readonly clock: Timeline;
  readonly host: Pick<TimeHost, 'alarm'>;
  readonly answer: CaptureAnswer;
}

/** What one webhook has received. */
export class Capture {
  /** How POSTs are answered from now on. */
  answer: CaptureAnswer;
  readonly #clock: Timeline;
  readonly #host: Pick<TimeHost, 'alarm'>;
  readonly #listeners = new Set<(event: CapturedEvent) => void>();
  #events: CapturedEvent[] = [];
  #id = 0;
  #close = (): void => {};

  /** @internal */
  constructor({ clock, host, answer }: CaptureParts) {
    this.#clock = clock;
    this.#host = host;
    this.answer = answer;
  }

  /** The webhook's id, for its deliveries. */
  get id(): number {
    return this.#id;
  }

  /** Those until now, in the order in which they were posted; the test event is not among them. */
  get events(): CapturedEvent[] {
    return [...this.#events];
  }

  /** Their names: `['call.initial', 'call.ringing', ...]`. */
  get names(): EventName[] {
    return this.#events.map(({ name }) => name);
  }

  /** Those of one call. */
  ofCall(callId: number): CapturedEvent[] {
    return this.#events.filter((event) => event.callId === callId);
  }

  /**
   * The first event of that name, or that is so: one that was received already, or the next one. Rejects with `TimedOut`,
   * which says what was received instead. Does not move the clock.
   */
  waitFor(wish: EventWish, { timeoutMs }: WaitOptions = {}): Promise<CapturedEvent> {
    const fits = typeof wish === 'function' ? wish : (event: CapturedEvent) => event.name === wish;
    return waitUntil<CapturedEvent>({
      host: this.#host,
      timeoutMs,
      look: (found) => {
        const there = this.#events.find(fits);
        if (there !== undefined) found(there);
        const listener = (event: CapturedEvent): void => void (fits(event) && found(event));
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      failure: (ms) => {
        const wanted = typeof wish === 'function' ? 'event that fits' : wish;
        const got = this.#events.length === 0 ? 'Nothing was received.' : `Received: ${this.names.join(', ')}.`;
        return `No ${wanted} within ${ms} ms. ${got}${clockHint(this.#clock)}`;
      },
    });
  }

  /** Forgets what was received. */
  clear(): void {
    this.#events = [];
  }

  /** Removes the webhook. What was received stays to be read. */
  close(): void {
    this.#close();
  }

  /** @internal */
  opened(id: number, close: () => void): void {
    this.#id = id;
    this.#close = close;
  }

  /** @internal */
  readonly receive = ({ body: raw, headers }: WebhookRequest): number => {
    const body = JSON.parse(raw) as Payload;
    const event: CapturedEvent = {
      name: body.event_name as EventName,
      callId: 'call_id' in body ? body.call_id : null,
      body,
      raw,
      headers,
      at: this.#clock.now(),
    };
    if (event.name === 'webhook.test') return 200;
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
    return typeof this.answer === 'number' ? this.answer : this.answer(event);
  };
}
