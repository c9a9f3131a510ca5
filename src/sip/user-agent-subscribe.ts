// A SUBSCRIBE outside any dialog: the answer that RFC 6665 owes it, or its owner's (4.2.1). Knows no event package.
import { BrokenInvariant } from '../kernel/errors.ts';
import type { SipRequest } from './message.ts';
import { NotifierSubscription } from './subscription.ts';
import { type EventName, readEvent, refusalOfTimes, secondsWanted } from './subscription-event.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction } from './transaction-server.ts';
import { PendingRequest } from './user-agent-answer.ts';
import type { EventState, SubscribeRequest, Subscription, SubscriptionEvents } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

/** Refuses what no owner can serve, and hands out the rest. */
export function offerSubscription(
  core: Core,
  request: SipRequest,
  arrival: Arrival,
  transaction: ServerTransaction,
): void {
  const localTag = core.newTag();
  const event = readEvent(request);
  const pending = new PendingRequest(core, request, transaction, localTag, arrival.flow);
  const unknown = event === undefined || !core.eventPackages.includes(event.eventPackage);
  if (request.headers.count('Event') > 1) return pending.respond(400, { reason: 'More than one Event' });
  if (unknown || core.options.events.onSubscribe === undefined) {
    return pending.respond(489, { headers: [['Allow-Events', core.eventPackages.join(', ')]] });
  }
  const refusal = refusalOfTimes(request);
  if (refusal !== undefined) {
    const { status, reason, headers = [] } = refusal;
    return pending.respond(status, { reason, headers });
  }
  core.options.events.onSubscribe(new OfferedSubscription(core, { request, arrival, event, localTag }, transaction));
}

class OfferedSubscription extends PendingRequest implements SubscribeRequest {
  readonly eventPackage: string;
  readonly expiresS: number;
  readonly #core: Core;
  readonly #at: ConstructorParameters<typeof NotifierSubscription>[1];

  constructor(
    core: Core,
    at: {
      readonly request: SipRequest;
      readonly arrival: Arrival;
      readonly event: EventName;
      readonly localTag: string;
    },
    transaction: ServerTransaction,
  ) {
    super(core, at.request, transaction, at.localTag, at.arrival.flow);
    this.#core = core;
    this.#at = at;
    this.eventPackage = at.event.eventPackage;
    this.expiresS = secondsWanted(at.request);
  }

  accept(state: () => EventState, events: SubscriptionEvents = {}): Subscription {
    if (this.answered) {
      throw new BrokenInvariant('a SUBSCRIBE was accepted', 'it has its answer already', 'answer each request once');
    }
    const subscription = new NotifierSubscription(this.#core, this.#at, state, events);
    this.respond(200, { headers: [['Expires', String(this.expiresS)]] });
    subscription.start(this.expiresS);
    return subscription;
  }
}
