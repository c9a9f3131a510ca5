// The deliveries of one webhook: in order within a call, calls side by side, each tried again on the schedule until it
// arrives or the schedule ends. Knows neither who raised an event nor how bytes travel.
import { webhookAnswerMs, webhookPendingMax, webhookRetryMs } from '../contract/limits.ts';
import type { AttemptFault, WebhookFault, WebhookFaults } from '../faults/webhook-faults.ts';
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Mark } from '../store/keeping.ts';
import { DeliveryNotes } from './delivery-notes.ts';
import { postWith } from './faulty-post.ts';
import { Fifo } from './fifo.ts';
import { DELIVERIES, keptDelivery, LAST_DELIVERIES } from './kept-deliveries.ts';
import { type Lane, type LaneState, Lanes, type ReplayDone } from './lanes.ts';
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

/** Lanes without a delivery that may stand among those that wait for a slot. */
const READY_SLACK = 1024;

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly sender: WebhookSender;
  /** What may become of attempts. */
  readonly faults?: Pick<WebhookFaults, 'meet'>;
  /** Told of each delivery that is another now. */
  readonly mark?: Mark;
  /** Deliveries of a webhook that may wait; usually `webhookPendingMax`. */
  readonly pendingMax?: number;
}

/** The log, and what is still to be sent, for snapshots. */
export interface QueueState {
  readonly log: LogState;
  readonly lanes: readonly LaneState[];
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
  readonly #notes: DeliveryNotes;
  readonly #lanes = new Lanes();
  readonly #ready = new Fifo<Lane | Replay>();
  #webhook: Webhook;
  #overtaken: Overtaken | undefined;
  #inFlight = 0;
  #pumping = false;
  #pumpAsked = false;
  #closed = false;

  constructor(deps: DeliveryDeps, webhook: Webhook) {
    this.#deps = deps;
    this.#notes = new DeliveryNotes(deps.journal);
    this.#webhook = webhook;
  }

  /** Takes a delivery behind those of the same lane. Nothing is sent before the current step of the clock is over. */
  add(laneKey: string, facts: DeliveryFacts): void {
    const delivery = this.#log.add(facts);
    if (this.#log.pending % BACKLOG_NOTICE_EVERY === 0) this.#notes.backlog(this.#webhook, this.#log.pending);
    const lane = this.#lanes.get(laneKey);
    if (lane === undefined) {
      const opened = this.#lanes.open(laneKey, delivery);
      this.#ready.push(opened);
      this.#mark(delivery, opened);
      this.#askToPump();
    } else {
      this.#lanes.append(lane, delivery);
      this.#mark(delivery, lane);
    }
    while (this.#log.pending > (this.#deps.pendingMax ?? webhookPendingMax) && this.#giveUpOldest());
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
    for (const lane of this.#lanes.all()) {
      lane.retry?.cancel();
      for (const done of lane.onAttempt.splice(0)) done(gone);
    }
    this.#lanes.clear();
  }

  state(): QueueState {
    return { log: this.#log.state(), lanes: this.#lanes.state() };
  }

  /** Into a queue that is empty: what was to be sent is, each when it was due. */
  restore({ log, lanes }: QueueState): void {
    this.#log.restore(log);
    for (const { key, queue, retryAt, spared } of lanes) {
      const lane = this.#lanes.open(key, ...queue.flatMap((id) => this.#log.get(id) ?? []));
      lane.spared = spared;
      const waitMs = (retryAt ?? 0) - this.#deps.clock.now();
      if (retryAt === undefined || waitMs <= 0) this.#ready.push(lane);
      else this.#wakeLater(lane, waitMs, `webhook ${this.#webhook.id} retry ${lane.queue.peek()?.id}`);
    }
    this.#askToPump();
  }

  #laneWaitingWith(delivery: LoggedDelivery): Lane | undefined {
    const lane = this.#lanes.of(delivery);
    return lane?.queue.peek() === delivery && lane.retry !== undefined ? lane : undefined;
  }

  /** Makes room: the oldest delivery that is not being sent goes as if its schedule were over. False when all are being sent. */
  #giveUpOldest(): boolean {
    const isIdle = (delivery: LoggedDelivery): boolean => this.#lanes.of(delivery)?.underWay !== delivery;
    const delivery = this.#log.oldestPending(isIdle);
    const lane = delivery && this.#lanes.of(delivery);
    if (delivery === undefined || lane === undefined) return false;
    delivery.givenUp = `${this.#log.pending - 1} later deliveries were waiting`;
    this.#finish(delivery, false);
    this.#notes.givenUp(this.#webhook, delivery);
    if (lane.queue.peek() !== delivery) return true;
    this.#tell(lane, delivery);
    lane.spared = false;
    if (lane.retry !== undefined) this.#makeReady(lane);
    this.#advance(lane);
    // Lanes that were emptied before their turn came.
    if (this.#ready.size > READY_SLACK + this.#lanes.size * 2)
      this.#ready.keep((item) => 'done' in item || item.queue.size > 0);
    this.#askToPump();
    return true;
  }

  /** False when nothing is left in the lane. */
  #advance(lane: Lane): boolean {
    if (this.#lanes.advance(lane)) return true;
    if (this.#overtaken?.lane === lane) this.#overtaken = undefined;
    return false;
  }

  #pause(): void {
    this.#refuseReplays(notActive());
    for (const lane of this.#lanes.all()) if (lane.retry !== undefined) this.#makeReady(lane);
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
    else {
      lane.underWay = delivery;
      this.#send(delivery, fault, (outcome) => this.#attempted(lane, delivery, outcome));
    }
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
    const lane = this.#lanes.open(`${from.key} overtaken ${delivery.id}`, delivery);
    lane.onAttempt.push(...from.onAttempt.splice(0));
    this.#overtaken = { lane, by: undefined };
    this.#holdBack(lane, delivery, ms);
  }

  /** The head of the lane is done with: its successor is due. */
  #leave(lane: Lane): void {
    lane.queue.shift();
    if (this.#advance(lane)) this.#ready.push(lane);
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
    lane.underWay = undefined;
    if (this.#closed) return;
    const waitMs = webhookRetryMs[delivery.attempts.length - 1];
    const arrived = hasArrived(outcome);
    if (arrived || waitMs === undefined) {
      this.#finish(delivery, arrived);
      this.#leave(lane);
      this.#notes.attempt(this.#webhook, delivery, outcome);
    } else {
      this.#notes.attempt(this.#webhook, delivery, outcome, waitMs);
      if (this.#webhook.active) this.#wakeLater(lane, waitMs, `webhook ${this.#webhook.id} retry ${delivery.id}`);
      else this.#ready.push(lane);
      this.#mark(delivery, lane);
    }
    this.#tell(lane, delivery);
  }

  #finish(delivery: LoggedDelivery, arrived: boolean): void {
    const forgotten = this.#log.finish(delivery, arrived ? 'delivered' : 'failed');
    this.#lanes.finished(delivery);
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
      this.#notes.attempt(this.#webhook, delivery, outcome);
    }
    done(success(delivery));
  }

  #tell(lane: Lane, delivery: LoggedDelivery): void {
    for (const done of lane.onAttempt.splice(0)) done(success(delivery));
  }
}

function notActive(): Result<never> {
  return failure('conflict', 'The webhook is not active: it gets nothing.');
}

/** Any 2xx counts as received: CHOICE-WEBHOOK-SUCCESS. */
function hasArrived(outcome: WebhookOutcome): boolean {
  return outcome.ok && outcome.status >= 200 && outcome.status <= 299;
}
