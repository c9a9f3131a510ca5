// The user agent: what arrives on any flow finds its transaction, dialog or session here (RFC 3261, 8 and 18). Knows no calls and no accounts.
import { createHash } from 'node:crypto';
import type { Address, Flow } from './flow.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { parseMessage } from './parse.ts';
import { type DialogSession, sessionKey } from './session.ts';
import { CalleeSession } from './session-callee.ts';
import { CallerSession } from './session-caller.ts';
import { replacementOf } from './session-replaced.ts';
import type { NotifierSubscription } from './subscription.ts';
import { type Arrival, readArrival } from './transaction-match.ts';
import type { ServerTransaction } from './transaction-server.ts';
import { PendingRequest } from './user-agent-answer.ts';
import type {
  HeaderList,
  Outcome,
  OutgoingInvite,
  OutgoingRequest,
  Replacement,
  Session,
  UserAgent,
  UserAgentOptions,
  UserAgentStats,
} from './user-agent-api.ts';
import { Attempt, OutcomeOnce } from './user-agent-attempt.ts';
import { Core } from './user-agent-core.ts';
import { markSource } from './user-agent-source.ts';
import { offerSubscription } from './user-agent-subscribe.ts';
import { validateRequest, validateResponse } from './validate.ts';

/** What a peer is told to wait when we are full. */
const RETRY_AFTER_S = '5';

/** A user agent on any number of flows: give it to them as their listener. */
export function createUserAgent(options: UserAgentOptions): UserAgent {
  return new SipUserAgent(options);
}

class SipUserAgent implements UserAgent {
  readonly #core: Core;

  constructor(options: UserAgentOptions) {
    this.#core = new Core(options);
  }

  get stats(): UserAgentStats {
    const { transactions, sessions, subscriptions } = this.#core;
    return {
      clientTransactions: transactions.clientCount,
      serverTransactions: transactions.serverCount,
      sessions: sessions.size,
      subscriptions: subscriptions.size,
    };
  }

  get abilities(): HeaderList {
    return this.#core.abilities;
  }

  invite(options: OutgoingInvite): Session {
    return new CallerSession(this.#core, options.flow ?? this.#route(options.uri), options);
  }

  request(options: OutgoingRequest, onOutcome: (outcome: Outcome) => void): void {
    const core = this.#core;
    const flow = options.flow ?? this.#route(options.uri);
    const callId = options.callId ?? core.newCallId();
    const from = `${options.from};tag=${core.newTag()}`;
    const { method, uri, to } = options;
    let cseq = (options.cseq ?? 1) - 1;
    const plan = {
      flow,
      credentials: options.credentials,
      nextCseq: () => {
        cseq += 1;
        return cseq;
      },
      build: (branch: string, number: number, authorization: readonly (readonly [string, string])[]) =>
        core.buildRequest({ method, uri, from, to, callId, flow, branch, cseq: number, options, authorization }),
    };
    new Attempt(core, plan, new OutcomeOnce(onOutcome)).send();
  }

  findSession(callId: string, localTag: string, remoteTag: string): Session | undefined {
    const session = this.#core.sessions.get(sessionKey(callId, localTag));
    return session?.remoteTag === remoteTag && session.state !== 'terminated' ? session : undefined;
  }

  replacedBy(invite: SipRequest): Replacement {
    return replacementOf(this.#core, invite);
  }

  close(): void {
    const core = this.#core;
    core.closed = true;
    for (const session of core.sessions.values()) session.drop();
    core.sessions.clear();
    for (const subscription of [...core.subscriptions.values()]) subscription.drop();
    core.transactions.close();
  }

  closed(flow: Flow, why: string): void {
    if (!this.#core.closed) this.#core.transactions.flows.closed(flow, why);
  }

  received(flow: Flow, bytes: Uint8Array): void {
    if (this.#core.closed) return;
    const { observer } = this.#core.options;
    const parsed = parseMessage(bytes);
    if (!parsed.ok) {
      observer?.discarded(flow, bytes, parsed.why);
      return;
    }
    const { message } = parsed;
    const arrival = readArrival(message, flow, bytes);
    if (arrival === undefined) this.#unreadableVia(flow, bytes, message);
    else if (observer?.within === undefined) this.#dispatch(message, arrival);
    else observer.within(() => this.#dispatch(message, arrival));
  }

  /** No transaction can be named, but where it came from is known: a request with some Via is told what is wrong (RFC 4475, 3.1.2.1). */
  #unreadableVia(flow: Flow, bytes: Uint8Array, message: SipMessage): void {
    this.#core.options.observer?.discarded(flow, bytes, 'no readable Via');
    if (message.kind === 'response' || message.method === 'ACK' || !message.headers.has('Via')) return;
    const tag = createHash('md5').update(bytes).digest('hex').slice(0, 10);
    const response = this.#core.buildResponse(message, 400, tag, { reason: 'Malformed Via' });
    this.#core.transactions.sendAlone(flow, response);
  }

  #route(uri: string): Flow {
    return this.#core.options.route(uri) ?? NOWHERE;
  }

  #dispatch(message: SipMessage, arrival: Arrival): void {
    if (message.kind === 'response') this.#response(message, arrival);
    else this.#request(message, arrival);
  }

  #response(response: SipResponse, arrival: Arrival): void {
    const { observer } = this.#core.options;
    const why = validateResponse(response, arrival.via);
    const transaction = why === undefined ? this.#core.transactions.findClient(arrival) : undefined;
    if (transaction === undefined) {
      observer?.discarded(arrival.flow, arrival.bytes, why ?? 'no transaction of ours');
      return;
    }
    observer?.observed('in', arrival.flow, response, arrival.bytes, transaction.session);
    transaction.receive(response);
  }

  #request(request: SipRequest, arrival: Arrival): void {
    const { transactions } = this.#core;
    const copy = transactions.findServer(arrival);
    markSource(request, arrival.via, arrival.flow);
    if (request.method === 'ACK') this.#ack(request, arrival, copy);
    else if (copy !== undefined) {
      this.#observe(request, arrival, copy.session);
      copy.requestAgain();
    } else this.#newRequest(request, arrival);
  }

  /** An ACK finds the INVITE it belongs to, or the dialog whose 2xx it acknowledges; else it is lost (RFC 3261, 17.2.3). */
  #ack(ack: SipRequest, arrival: Arrival, transaction: ServerTransaction | undefined): void {
    const session = transaction === undefined ? this.#sessionOf(arrival) : transaction.session;
    this.#observe(ack, arrival, session);
    if (transaction !== undefined) transaction.acknowledged(ack);
    else if (session !== undefined && validateRequest(ack, {}, arrival.via) === undefined) {
      this.#sessionOf(arrival)?.receiveAck(ack, arrival.cseq);
    }
  }

  #newRequest(request: SipRequest, arrival: Arrival): void {
    const core = this.#core;
    if (core.transactions.full) {
      this.#observe(request, arrival, undefined);
      this.#refuseAlone(request, arrival);
      return;
    }
    const invite = request.method === 'INVITE';
    const refusal = validateRequest(request, invite ? core.knowledgeOfInvite : core.knowledge, arrival.via);
    const session = arrival.toTag === '' ? undefined : this.#sessionOf(arrival);
    if (refusal !== undefined) {
      this.#observe(request, arrival, session);
      const { status, reason, headers = [] } = refusal;
      this.#refuse(request, arrival, status, headers, reason);
    } else if (request.method === 'CANCEL') this.#cancel(request, arrival);
    else if (arrival.toTag === '') this.#outsideDialog(request, arrival);
    else {
      this.#observe(request, arrival, session);
      const usage = session ?? this.#subscriptionOf(arrival);
      if (usage === undefined) this.#refuse(request, arrival, 481);
      else usage.receive(request, arrival, core.transactions.serve(request, arrival));
    }
  }

  // RFC 3261, 9.2.
  #cancel(cancel: SipRequest, arrival: Arrival): void {
    const core = this.#core;
    const target = core.transactions.findCancelled(arrival);
    this.#observe(cancel, arrival, target?.session);
    const transaction = core.transactions.serve(cancel, arrival);
    transaction.session = target?.session;
    const tag = target?.session?.localTag ?? core.newTag();
    transaction.respond(core.buildResponse(cancel, target === undefined ? 481 : 200, tag));
    if (target?.finalStatus === 0) target.user?.cancelled(cancel);
  }

  #outsideDialog(request: SipRequest, arrival: Arrival): void {
    const core = this.#core;
    const { method } = request;
    const invite = method === 'INVITE';
    const subscribe = method === 'SUBSCRIBE' && core.eventPackages.length > 0;
    const full = invite
      ? core.sessions.size >= core.maxSessions
      : subscribe && core.subscriptions.size >= core.maxSubscriptions;
    if (full || method === 'BYE' || core.transactions.isMerged(arrival)) {
      this.#observe(request, arrival, undefined);
      if (full) this.#refuseAlone(request, arrival);
      else this.#refuse(request, arrival, method === 'BYE' ? 481 : 482);
      return;
    }
    const transaction = core.transactions.serve(request, arrival);
    if (!invite) {
      this.#observe(request, arrival, undefined);
      if (subscribe) offerSubscription(core, request, arrival, transaction);
      else core.options.events.onRequest(new PendingRequest(core, request, transaction, core.newTag()));
      return;
    }
    const session = new CalleeSession(core, request, transaction, arrival);
    this.#observe(request, arrival, session);
    session.trying();
    core.options.events.onInvite(session, session.asRequest());
  }

  #sessionOf(arrival: Arrival): DialogSession | undefined {
    const session = this.#core.sessions.get(sessionKey(arrival.callId, arrival.toTag));
    if (session === undefined || session.remoteTag === arrival.fromTag) return session;
    // Our INVITE was answered, but every response with a tag was lost: the peer's BYE is the first to bring it.
    return session.remoteTag === '' && arrival.method === 'BYE' ? session : undefined;
  }

  #subscriptionOf(arrival: Arrival): NotifierSubscription | undefined {
    const subscription = this.#core.subscriptions.get(sessionKey(arrival.callId, arrival.toTag));
    return subscription?.remoteTag === arrival.fromTag ? subscription : undefined;
  }

  #observe(request: SipRequest, arrival: Arrival, session: Session | undefined): void {
    this.#core.options.observer?.observed('in', arrival.flow, request, arrival.bytes, session);
  }

  #refuse(request: SipRequest, arrival: Arrival, status: number, headers: HeaderList = [], reason?: string): void {
    const core = this.#core;
    const options = reason === undefined ? { headers } : { headers, reason };
    const transaction = core.transactions.serve(request, arrival);
    transaction.respond(core.buildResponse(request, status, core.newTag(), options));
  }

  /** 503 without keeping anything. The tag is the same for each copy of the request (RFC 3261, 8.2.7). */
  #refuseAlone(request: SipRequest, arrival: Arrival): void {
    const tag = createHash('md5').update(`${arrival.key} ${arrival.callId}`).digest('hex').slice(0, 10);
    const headers = [['Retry-After', RETRY_AFTER_S]] as const;
    const { transactions } = this.#core;
    transactions.sendAlone(arrival.flow, this.#core.buildResponse(request, 503, tag, { headers }));
  }
}

const NO_ADDRESS: Address = { host: 'invalid', port: 0 };

/** Where requests go that have no way: closed, so that they end as 503. */
const NOWHERE: Flow = {
  id: 'nowhere',
  transport: 'MEM',
  reliable: true,
  external: false,
  local: NO_ADDRESS,
  remote: NO_ADDRESS,
  open: false,
  send() {},
};
