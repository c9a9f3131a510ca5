// The deliveries of one webhook: in order within a call, calls side by side, each tried again on the schedule until it
// arrives or the schedule ends. Knows neither who raised an event nor how bytes travel.
import { webhookAnswerMs, webhookRetryMs } from '../contract/limits.ts';
import type { AttemptFault, WebhookFault, WebhookFaults } from '../faults/webhook-faults.ts';
import type { Clock, Timer } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Mark } from '../store/keeping.ts';
import { postWith } from './faulty-post.ts';
import { Fifo } from './fifo.ts';
import { DELIVERIES, keptDelivery, LAST_DELIVERIES } from './kept-deliveries.ts';
import {
  BACKLOG_NOTICE_EVERY,
  type Delivery,
  type DeliveryFacts,
  DeliveryLog,
  type LoggedDelivery,
  type LogState,
} from './log.ts';
import { type WebhookOutcome, type WebhookSender, webhookHeaders } from './sender.ts';
import type { Webhook } from './subscriptions.ts';

/** Requests of one webhook that may be under way at once. */
export const IN_FLIGHT_MAX = 64;

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly sender: WebhookSender;
  /** What may become of attempts. */
  readonly faults?: Pick<WebhookFaults, 'meet'>;
  /** Told of each delivery that is another now. */
  readonly mark?: Mark;
}

export type ReplayDone = (result: Result<Delivery>) => void;

/** What must arrive in order: the events of one call. Its head is being sent, or waits for a slot or for its next attempt. */
interface Lane {
  readonly key: string;
  readonly queue: Fifo<LoggedDelivery>;
  retry: Timer | undefined;
  readonly onAttempt: ReplayDone[];
  /** A fault has held the head back already: its next attempt is not struck. */
  spared: boolean;
}

/** The log, and what is still to be sent, for snapshots. */
export interface QueueState {
  readonly log: LogState;
  readonly lanes: readonly LaneState[];
}

export interface LaneState {
  readonly key: string;
  /** Ids of deliveries, the head first. */
  readonly queue: readonly number[];
  /** When the head is due, ms since 1970 on the clock; undefined: now. What is under way has not arrived yet. */
  readonly retryAt: number | undefined;
  readonly spared: boolean;
}

/** A delivery that waits in a lane of its own until another one of the webhook has been sent. */
interface Overtaken {
  readonly lane: Lane;
  by: LoggedDelivery | undefined;
}

/** One further attempt of a delivery that is over. */
interface Replay {
  readonly delivery: LoggedDelivery;
  readonly done: ReplayDone;
}

export class DeliveryQueue {
  readonly #deps: DeliveryDeps;
  readonly #log = new DeliveryLog();
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = new Fifo<Lane | Replay>();
  #webhook: Webhook;
  #overtaken: Overtaken | undefined;
  #inFlight = 0;
  #pumping = false;
  #pumpAsked = false;
  #closed = false;

  constructor(deps: DeliveryDeps, webhook: Webhook) {
    this.#deps = deps;
    this.#webhook = webhook;
  }

  /** Takes a delivery behind those of the same lane. Nothing is sent before the current step of the clock is over. */
  add(laneKey: string, facts: DeliveryFacts): void {
    const delivery = this.#log.add(facts);
    if (this.#log.pending % BACKLOG_NOTICE_EVERY === 0) this.#noteBacklog();
    const lane = this.#lanes.get(laneKey);
    if (lane !== undefined) {
      lane.queue.push(delivery);
      this.#mark(delivery, lane);
      return;
    }
    const opened = this.#openLane(laneKey, delivery);
    this.#ready.push(opened);
    this.#mark(delivery, opened);
    this.#askToPump();
  }

  /** From now on the webhook is this. While it is not active its deliveries wait, and go on when it is active again. */
  configure(webhook: Webhook): void {
    const wasActive = this.#webhook.active;
    this.#webhook = webhook;
    if (wasActive && !webhook.active) this.#pause();
    if (webhook.active) this.#askToPump();
  }

  /**
   * One more attempt with the same body. A pending delivery whose next attempt is due later is tried now; one that is
   * over keeps its place in history. `conflict` while it is being sent, stands behind another one of its call, or the
   * webhook is not active.
   */
  replay(deliveryId: number, done: ReplayDone): void {
    const delivery = this.#log.get(deliveryId);
    const lane = delivery?.state === 'pending' ? this.#laneWaitingWith(delivery) : undefined;
    if (delivery === undefined) {
      const what = Number.isNaN(deliveryId) ? 'There is no such delivery' : `No delivery ${deliveryId}`;
      done(failure('not_found', `${what} in the log.`));
    } else if (!this.#webhook.active) {
      done(notActive());
    } else if (lane !== undefined) {
      lane.onAttempt.push(done);
      this.#makeReady(lane);
      this.#askToPump();
    } else if (delivery.state === 'pending') {
      done(failure('conflict', `Delivery ${deliveryId} is under way, or waits behind an earlier event of its call.`));
    } else {
      this.#ready.push({ delivery, done });
      this.#askToPump();
    }
  }

  /** In the order of their events. */
  list(): Delivery[] {
    return this.#log.list();
  }

  get pending(): number {
    return this.#log.pending;
  }

  /** The webhook is gone: nothing is sent any more, no timer stays, and whoever waits for a replay is told. */
  close(): void {
    this.#closed = true;
    const gone = failure('not_found', 'The webhook was removed.');
    this.#refuseReplays(gone);
    for (const lane of this.#lanes.values()) {
      lane.retry?.cancel();
      for (const done of lane.onAttempt.splice(0)) done(gone);
    }
    this.#lanes.clear();
  }

  state(): QueueState {
    const lanes = [...this.#lanes.values()].map(({ key, queue, retry, spared }) => ({
      key,
      queue: queue.list().map(({ id }) => id),
      retryAt: retry?.at,
      spared,
    }));
    return { log: this.#log.state(), lanes };
  }

  /** Into a queue that is empty: what was to be sent is, each when it was due. */
  restore({ log, lanes }: QueueState): void {
    this.#log.restore(log);
    for (const { key, queue, retryAt, spared } of lanes) {
      const lane = this.#openLane(key, ...queue.flatMap((id) => this.#log.get(id) ?? []));
      lane.spared = spared;
      const waitMs = (retryAt ?? 0) - this.#deps.clock.now();
      if (retryAt === undefined || waitMs <= 0) this.#ready.push(lane);
      else this.#wakeLater(lane, waitMs, `webhook ${this.#webhook.id} retry ${lane.queue.peek()?.id}`);
    }
    this.#askToPump();
  }

  #openLane(key: string, ...deliveries: readonly LoggedDelivery[]): Lane {
    const lane: Lane = { key, queue: new Fifo(), retry: undefined, onAttempt: [], spared: false };
    for (const delivery of deliveries) lane.queue.push(delivery);
    this.#lanes.set(key, lane);
    return lane;
  }

  #laneWaitingWith(delivery: LoggedDelivery): Lane | undefined {
    for (const lane of this.#lanes.values()) {
      if (lane.queue.peek() === delivery && lane.retry !== undefined) return lane;
    }
    return undefined;
  }

  #pause(): void {
    this.#refuseReplays(notActive());
    for (const lane of this.#lanes.values()) if (lane.retry !== undefined) this.#makeReady(lane);
  }

  #refuseReplays(why: Result<never>): void {
    for (let left = this.#ready.size; left > 0; left -= 1) {
      const item = this.#ready.shift();
      if (item === undefined) break;
      if ('done' in item) item.done(why);
      else this.#ready.push(item);
    }
  }

  #makeReady(lane: Lane): void {
    lane.retry?.cancel();
    lane.retry = undefined;
    this.#ready.push(lane);
  }

  #askToPump(): void {
    if (this.#pumpAsked) return;
    this.#pumpAsked = true;
    this.#deps.clock.soon(() => {
      this.#pumpAsked = false;
      this.#pump();
    });
  }

  /** Sends what is ready as far as there are slots. A sender that answers at once only makes the loop longer. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#webhook.active && !this.#closed && this.#inFlight < IN_FLIGHT_MAX) {
      const item = this.#ready.shift();
      if (item === undefined) break;
      if ('done' in item) this.#send(item.delivery, undefined, (outcome) => this.#replayed(item, outcome));
      else this.#sendHead(item);
    }
    this.#pumping = false;
  }

  #sendHead(lane: Lane): void {
    const delivery = lane.queue.peek();
    if (delivery === undefined) return;
    if (lane === this.#overtaken?.lane) this.#overtaken = undefined;
    const fault = lane.spared ? undefined : this.#faultOn(delivery);
    lane.spared = false;
    if (fault?.do === 'delay') this.#holdBack(lane, delivery, fault.ms);
    else if (fault?.do === 'reorder') this.#stepAside(lane, delivery, fault.ms);
    else this.#send(delivery, fault, (outcome) => this.#attempted(lane, delivery, outcome));
  }

  #faultOn({ event, body, cause, callId, customerId }: LoggedDelivery): WebhookFault | undefined {
    const attempt = { event, body, mayStepAside: this.#overtaken === undefined };
    return this.#deps.faults?.meet(attempt, { cause, callId, customerId });
  }

  #holdBack(lane: Lane, delivery: LoggedDelivery, ms: number): void {
    lane.spared = true;
    this.#wakeLater(lane, ms, `webhook ${this.#webhook.id} holds back ${delivery.id}`);
    this.#mark(delivery, lane);
  }

  /** Lets the deliveries behind pass, those of its own call too. */
  #stepAside(from: Lane, delivery: LoggedDelivery, ms: number): void {
    this.#leave(from);
    const lane = this.#openLane(`${from.key} overtaken ${delivery.id}`, delivery);
    lane.onAttempt.push(...from.onAttempt.splice(0));
    this.#overtaken = { lane, by: undefined };
    this.#holdBack(lane, delivery, ms);
  }

  /** The head of the lane is done with: its successor is due. */
  #leave(lane: Lane): void {
    lane.queue.shift();
    if (lane.queue.size > 0) this.#ready.push(lane);
    else this.#lanes.delete(lane.key);
  }

  #letOvertakenGo(by: LoggedDelivery): void {
    const overtaken = this.#overtaken;
    if (overtaken?.by !== by) return;
    this.#overtaken = undefined;
    // A pause or a replay may have woken it before.
    if (overtaken.lane.retry !== undefined) this.#makeReady(overtaken.lane);
  }

  #send(delivery: LoggedDelivery, fault: AttemptFault | undefined, onOutcome: (outcome: WebhookOutcome) => void): void {
    const { clock, sender } = this.#deps;
    const at = clock.now();
    const url = this.#webhook.url;
    const release = clock.hold('io');
    this.#inFlight += 1;
    let open = true;
    if (this.#overtaken !== undefined) this.#overtaken.by ??= delivery;
    const request = { url, body: delivery.body, headers: webhookHeaders, timeoutMs: webhookAnswerMs };
    postWith(fault, sender, request, (outcome) => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      const result = outcome.ok ? { status: outcome.status } : { error: outcome.error };
      this.#log.attempted(delivery, { at, ...result, ms: outcome.ms });
      this.#letOvertakenGo(delivery);
      onOutcome(outcome);
      this.#pump();
      release();
    });
  }

  #attempted(lane: Lane, delivery: LoggedDelivery, outcome: WebhookOutcome): void {
    if (this.#closed) return;
    const waitMs = webhookRetryMs[delivery.attempts.length - 1];
    const arrived = hasArrived(outcome);
    if (arrived || waitMs === undefined) {
      this.#finish(delivery, arrived);
      this.#leave(lane);
      this.#note(delivery, outcome);
    } else {
      this.#note(delivery, outcome, waitMs);
      if (this.#webhook.active) this.#wakeLater(lane, waitMs, `webhook ${this.#webhook.id} retry ${delivery.id}`);
      else this.#ready.push(lane);
      this.#mark(delivery, lane);
    }
    this.#tell(lane, delivery);
  }

  #finish(delivery: LoggedDelivery, arrived: boolean): void {
    const forgotten = this.#log.finish(delivery, arrived ? 'delivered' : 'failed');
    const { mark } = this.#deps;
    if (mark === undefined) return;
    const { id } = this.#webhook;
    this.#mark(delivery);
    if (forgotten === undefined) return;
    mark(DELIVERIES, id, forgotten, () => undefined);
    // As long as the newest delivery is kept, it says itself how far the ids are.
    if (forgotten === this.#log.lastId) mark(LAST_DELIVERIES, id, 0, () => forgotten);
  }

  #mark(delivery: LoggedDelivery, lane?: Lane): void {
    const place = ({ key, queue, retry, spared }: Lane) => ({
      ...{ key, retryAt: retry?.at, spared },
      head: queue.peek()?.id ?? 0,
    });
    this.#deps.mark?.(DELIVERIES, this.#webhook.id, delivery.id, () =>
      keptDelivery(delivery, lane === undefined ? undefined : place(lane)),
    );
  }

  #wakeLater(lane: Lane, waitMs: number, name: string): void {
    lane.retry = this.#deps.clock.after(waitMs, name, () => {
      this.#makeReady(lane);
      this.#askToPump();
    });
  }

  #replayed({ delivery, done }: Replay, outcome: WebhookOutcome): void {
    if (!this.#closed) {
      this.#finish(delivery, hasArrived(outcome));
      this.#note(delivery, outcome);
    }
    done(success(delivery));
  }

  #tell(lane: Lane, delivery: LoggedDelivery): void {
    for (const done of lane.onAttempt.splice(0)) done(success(delivery));
  }

  #noteBacklog(): void {
    const data = { webhook_id: this.#webhook.id, pending: this.#log.pending };
    this.#deps.journal.append('webhook.backlog', { customerId: this.#webhook.customer_id, data });
  }

  /** Real time stays out of the journal: two runs from one seed must read alike. */
  #note(delivery: LoggedDelivery, outcome: WebhookOutcome, retryInMs?: number): void {
    this.#deps.journal.append('webhook.attempt', {
      callId: delivery.callId,
      customerId: delivery.customerId,
      cause: delivery.cause,
      data: {
        webhook_id: this.#webhook.id,
        delivery_id: delivery.id,
        event: delivery.event,
        attempt: delivery.attempts.length,
        url: this.#webhook.url,
        ...(outcome.ok ? { status: outcome.status } : { error: outcome.error }),
        state: delivery.state,
        ...(retryInMs === undefined ? {} : { retry_in_ms: retryInMs }),
        body: delivery.payload,
      },
    });
  }
}

function notActive(): Result<never> {
  return failure('conflict', 'The webhook is not active: it gets nothing.');
}

/** Any 2xx counts as received: CHOICE-WEBHOOK-SUCCESS. */
function hasArrived(outcome: WebhookOutcome): boolean {
  return outcome.ok && outcome.status >= 200 && outcome.status <= 299;
}
