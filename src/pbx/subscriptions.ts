// What users subscribe to at the exchange (RFC 6665): who may, how many, who is told of what, and the end. Knows no document.
import type { Clock } from '../kernel/clock.ts';
import { parseUri } from '../sip/uri.ts';
import type { EventState, SubscribeRequest, Subscription } from '../sip/user-agent-api.ts';
import type { Account } from '../store/store.ts';
import type { Gatekeeper, Refusal } from './gatekeeper.ts';

/** One event package: whom a SUBSCRIBE is about, and what its subscribers are told. */
export interface EventPackage {
  readonly name: string;
  /** Subscriptions to one user; the next is refused with 503. */
  readonly maxPerUser: number;
  /** The user whose state that account asks for by the number in the Request-URI, or why it may not. */
  asked(account: Account, number: string): number | Refusal;
  /** What one subscriber is told of the user: asked anew for each NOTIFY. */
  tellerOf(userId: number): () => EventState;
  /** The user has a subscriber; it had none before. */
  began?(userId: number): void;
  /** The user has none any more. */
  ended?(userId: number): void;
}

const NOBODY: ReadonlySet<Subscription> = new Set();

export class Subscriptions {
  readonly #gatekeeper: Gatekeeper;
  readonly #packages = new Map<string, EventPackage>();
  /** By package and user. */
  readonly #held = new Map<string, Set<Subscription>>();

  constructor(gatekeeper: Gatekeeper) {
    this.#gatekeeper = gatekeeper;
  }

  serve(eventPackage: EventPackage): void {
    this.#packages.set(eventPackage.name, eventPackage);
  }

  /** Answers a SUBSCRIBE outside any dialog. */
  subscribe(request: SubscribeRequest): void {
    const told = this.#packages.get(request.eventPackage);
    if (told === undefined) return request.respond(489);
    const admission = this.#gatekeeper.admit(request);
    if (!admission.ok) return refuse(request, admission.refusal);
    const asked = told.asked(admission.account, parseUri(request.request.uri)?.user ?? '');
    if (typeof asked !== 'number') return refuse(request, asked);
    if (this.to(told.name, asked).size >= told.maxPerUser)
      return refuse(request, { status: 503, headers: [['Retry-After', '60']] });
    const onEnded = (ended: Subscription): void => this.#left(told, asked, ended);
    const subscription = request.accept(told.tellerOf(asked), { onEnded });
    if (subscription.active) this.#enter(told, asked, subscription);
  }

  /** Who has subscribed to that of the user. */
  to(eventPackage: string, userId: number): ReadonlySet<Subscription> {
    return this.#held.get(keyOf(eventPackage, userId)) ?? NOBODY;
  }

  /** It is another one now. */
  tell(eventPackage: string, userId: number): void {
    for (const subscription of this.to(eventPackage, userId)) subscription.changed();
  }

  /** The user is gone. */
  forget(userId: number): void {
    for (const told of this.#packages.values()) {
      const subscriptions = this.to(told.name, userId);
      if (subscriptions.size === 0) continue;
      this.#held.delete(keyOf(told.name, userId));
      for (const subscription of subscriptions) subscription.terminate('noresource');
      told.ended?.(userId);
    }
  }

  #enter(told: EventPackage, userId: number, subscription: Subscription): void {
    const key = keyOf(told.name, userId);
    const held = this.#held.get(key);
    if (held !== undefined) {
      held.add(subscription);
      return;
    }
    this.#held.set(key, new Set([subscription]));
    told.began?.(userId);
  }

  #left(told: EventPackage, userId: number, subscription: Subscription): void {
    const key = keyOf(told.name, userId);
    const held = this.#held.get(key);
    if (held?.delete(subscription) !== true || held.size > 0) return;
    this.#held.delete(key);
    told.ended?.(userId);
  }
}

/** Changes of which many may come in one step and are told once. */
export class ToldOnce {
  readonly #clock: Clock;
  readonly #tell: (id: number) => void;
  readonly #due = new Set<number>();

  constructor(clock: Clock, tell: (id: number) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  changed(id: number): void {
    if (this.#due.has(id)) return;
    this.#due.add(id);
    this.#clock.soon(() => {
      this.#due.delete(id);
      this.#tell(id);
    });
  }
}

function refuse(request: SubscribeRequest, { status, reason, headers = [] }: Refusal): void {
  request.respond(status, reason === undefined ? { headers } : { headers, reason });
}

function keyOf(eventPackage: string, userId: number): string {
  return `${eventPackage} ${userId}`;
}
