// One subscription on the side that tells: its dialog, how long it lasts, its NOTIFYs one after the other (RFC 6665, 4.2). Does not look into bodies.
import type { Timer } from '../kernel/clock.ts';
import { Dialog } from './dialog.ts';
import type { Flow } from './flow.ts';
import { ownText } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { sessionKey } from './session.ts';
import { type EventName, readEvent, refusalOfTimes, secondsWanted } from './subscription-event.ts';
import type { FlowUser } from './transaction-flows.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction } from './transaction-server.ts';
import { PendingRequest } from './user-agent-answer.ts';
import type {
  EventState,
  HeaderList,
  Outcome,
  Subscription,
  SubscriptionEvents,
  TerminationReason,
} from './user-agent-api.ts';
import { Attempt, OutcomeOnce } from './user-agent-attempt.ts';
import type { Core } from './user-agent-core.ts';

/** What ends a subscription unless the peer says when to come again (RFC 6665, 4.2.2). */
const MAY_PASS = new Set([491, 500, 503]);
/** Who puts us off for longer is asked again all the same. */
const MAX_PUT_OFF_S = 3600;

/** Seconds; undefined when the response names none. */
function retryAfterOf(response: SipResponse | undefined): number | undefined {
  const digits = /^\s*(\d{1,9})/.exec(response?.headers.get('Retry-After') ?? '')?.[1];
  return digits === undefined ? undefined : Math.min(Number(digits), MAX_PUT_OFF_S);
}

export class NotifierSubscription implements Subscription, FlowUser {
  readonly callId: string;
  readonly eventPackage: string;
  expiresAt = 0;
  flow: Flow;
  readonly #core: Core;
  readonly #event: EventName;
  readonly #localTag: string;
  readonly #dialog: Dialog;
  readonly #state: () => EventState;
  readonly #events: SubscriptionEvents;
  #active = true;
  #expiry: Timer | undefined;
  /** A NOTIFY was put off by the peer. */
  #again: Timer | undefined;
  #underway = false;
  /** Something changed while a NOTIFY was under way. */
  #owed = false;

  constructor(
    core: Core,
    at: {
      readonly request: SipRequest;
      readonly arrival: Arrival;
      readonly event: EventName;
      readonly localTag: string;
    },
    state: () => EventState,
    events: SubscriptionEvents,
  ) {
    this.#core = core;
    this.#event = at.event;
    this.#localTag = at.localTag;
    this.callId = ownText(at.arrival.callId);
    this.eventPackage = at.event.eventPackage;
    this.flow = at.arrival.flow;
    this.#dialog = Dialog.ofCallee(at.request, at.arrival, at.localTag);
    this.#state = state;
    this.#events = events;
    core.subscriptions.set(sessionKey(this.callId, at.localTag), this);
    core.transactions.flows.watch(this.flow, this);
  }

  get active(): boolean {
    return this.#active;
  }

  get remoteContact(): string {
    return this.#dialog.target;
  }

  get remoteTag(): string {
    return this.#dialog.remoteTag;
  }

  /** It lasts so many seconds from now, and the peer is told all; 0 tells it once more and for the last time. */
  start(expiresS: number): void {
    this.#expiry?.cancel();
    this.expiresAt = this.#core.clock.now() + expiresS * 1000;
    if (expiresS === 0) {
      this.#end('timeout');
      return;
    }
    // In the background: that somebody may lose interest is no reason for a fast clock to jump.
    const name = `expiry of subscription ${this.callId}`;
    const expire = () => {
      this.#end('timeout');
      this.#tell('expired');
    };
    this.#expiry = this.#core.clock.after(expiresS * 1000, name, expire, { background: true });
    this.changed();
  }

  changed(): void {
    if (!this.#active) return;
    this.#owed = true;
    if (!this.#underway) this.#notify();
  }

  terminate(reason: TerminationReason): void {
    if (this.#active) this.#end(reason);
  }

  /** A request of the peer within the dialog (RFC 6665, 4.2.1.4). */
  receive(request: SipRequest, arrival: Arrival, transaction: ServerTransaction): void {
    const core = this.#core;
    const pending = new PendingRequest(core, request, transaction, this.#localTag, arrival.flow);
    if (arrival.cseq < this.#dialog.remoteCseq) {
      pending.respond(500, { headers: [['Retry-After', String(core.draw(11))]] });
      return;
    }
    this.#dialog.remoteCseq = arrival.cseq;
    this.#follow(arrival.flow);
    if (request.method === 'OPTIONS') pending.respond(200, { headers: core.abilities });
    else if (request.method === 'SUBSCRIBE') this.#refresh(request, pending);
    else pending.respond(request.method === 'NOTIFY' ? 481 : 405);
  }

  flowClosed(): void {
    this.#forget();
    this.#tell('lost');
  }

  /** Dropped with the user agent: no events. */
  drop(): void {
    this.#forget();
  }

  #refresh(request: SipRequest, pending: PendingRequest): void {
    const event = readEvent(request);
    if (event?.eventPackage !== this.#event.eventPackage || event.id !== this.#event.id) return pending.respond(481);
    const refusal = refusalOfTimes(request);
    if (refusal !== undefined) return pending.respond(refusal.status, { headers: refusal.headers ?? [] });
    const expiresS = secondsWanted(request);
    this.#dialog.refresh(request);
    pending.respond(200, { headers: [['Expires', String(expiresS)]] });
    this.start(expiresS);
    if (expiresS === 0) this.#tell('unsubscribed');
  }

  #end(reason: TerminationReason): void {
    this.#forget();
    this.#send(`terminated;reason=${reason}`, () => {});
  }

  #notify(): void {
    this.#again?.cancel();
    this.#owed = false;
    this.#underway = true;
    const leftS = Math.max(0, Math.ceil((this.expiresAt - this.#core.clock.now()) / 1000));
    this.#send(`active;expires=${leftS}`, (outcome) => this.#answered(outcome));
  }

  #send(subscriptionState: string, onOutcome: (outcome: Outcome) => void): void {
    const { body, contentType } = this.#state();
    const headers: HeaderList = [
      ['Event', this.#event.written],
      ['Subscription-State', subscriptionState],
    ];
    const core = this.#core;
    const dialog = this.#dialog;
    const { flow } = this;
    const options = body === '' ? { headers } : { headers, body, contentType };
    const plan = {
      flow,
      credentials: undefined,
      nextCseq: () => dialog.nextCseq(),
      build: (branch: string, cseq: number, authorization: HeaderList) =>
        core.buildInDialog(dialog, { method: 'NOTIFY', flow, branch, cseq, options, authorization }),
    };
    new Attempt(core, plan, new OutcomeOnce(onOutcome)).send();
  }

  #answered({ status, response }: Outcome): void {
    this.#underway = false;
    if (!this.#active) return;
    const againS = MAY_PASS.has(status) ? retryAfterOf(response) : undefined;
    if (status >= 300 && againS === undefined) {
      this.#forget();
      this.#tell(response === undefined ? 'lost' : 'refused');
    } else if (this.#owed) this.#notify();
    else if (status >= 300) this.#notifyIn(againS ?? 0);
  }

  // RFC 6665, 4.2.2: what could not be told is told when the peer wants to hear it.
  #notifyIn(seconds: number): void {
    const name = `NOTIFY again of subscription ${this.callId}`;
    this.#again = this.#core.clock.after(seconds * 1000, name, () => this.changed(), { background: true });
  }

  #tell(why: 'unsubscribed' | 'expired' | 'refused' | 'lost'): void {
    this.#events.onEnded?.(this, why);
  }

  #follow(flow: Flow): void {
    if (flow === this.flow) return;
    this.#core.transactions.flows.unwatch(this.flow, this);
    this.flow = flow;
    this.#core.transactions.flows.watch(flow, this);
  }

  #forget(): void {
    this.#active = false;
    this.#expiry?.cancel();
    this.#again?.cancel();
    this.#core.transactions.flows.unwatch(this.flow, this);
    this.#core.subscriptions.delete(sessionKey(this.callId, this.#localTag));
  }
}
