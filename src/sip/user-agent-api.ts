// What the exchange and the phones see of SIP: a user agent, its INVITE sessions, and requests to be answered. Knows nothing of calls.
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { Flow, FlowListener } from './flow.ts';
import type { Headers } from './headers.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';

/** Sees every message at this user agent's boundary, whole, in order. Returns the journal sequence that follow-up work names as cause. */
export interface MessageObserver {
  observed(
    direction: 'in' | 'out',
    flow: Flow,
    message: SipMessage,
    bytes: Uint8Array,
    session: Session | undefined,
  ): void;
  /** Bytes that are no SIP message, or a response that was dropped, and why. */
  discarded(flow: Flow, bytes: Uint8Array, why: string): void;
  /** Runs the handling of a message inside its cause. Default: just runs it. */
  within?(run: () => void): void;
}

export type SendOnFlow = (flow: Flow, bytes: Uint8Array) => void;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface UserAgentOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Written in User-Agent and Server. */
  readonly product: string;
  /** User part of our Contact, for example the extension. */
  readonly contactUser: string;
  /** The flow on which a request to this URI leaves; undefined: nobody there (answered to ourselves as 408/503 by the transaction layer). */
  readonly route: (uri: string) => Flow | undefined;
  readonly observer?: MessageObserver;
  /** Takes every message to its flow. Default: straight there. */
  readonly send?: SendOnFlow;
  /** Methods besides those the engine itself implements that `onRequest` answers (for Allow). */
  readonly methods?: readonly string[];
  /** Option tags that the owner makes work, in small letters (for example replaces), besides 100rel and timer: written in Supported, allowed in Require. */
  readonly extensions?: readonly string[];
  /** Event packages (RFC 6665) that `onSubscribe` serves, for Allow-Events and 489. None: SUBSCRIBE is 405. */
  readonly eventPackages?: readonly string[];
  /**
   * Session timer (RFC 4028) that INVITEs of ours ask for and answers of ours bring, in seconds, 90 to 86,400; we refresh it.
   * Default: none but those that peers want.
   */
  readonly sessionExpiresS?: number;
  /** True for a telephone: it takes an INVITE whose Max-Forwards is 0. An exchange, which would pass it on, answers 483. */
  readonly lastHop?: boolean;
  /** Defaults: 100,000 open transactions, 500,000 kept, 100,000 sessions, 50,000 subscriptions. Beyond: 503 with Retry-After. */
  readonly limits?: {
    readonly open?: number;
    readonly kept?: number;
    readonly sessions?: number;
    readonly subscriptions?: number;
  };
  readonly events: UserAgentEvents;
}

export interface UserAgentEvents {
  /** A new INVITE outside any dialog, valid, 100 Trying sent already. Must be answered through the session, now or later. */
  onInvite(session: Session, request: ServerRequest): void;
  /** Any other valid request outside a dialog (REGISTER, OPTIONS, MESSAGE, REFER, NOTIFY ...). Must be answered. Not called for ACK and CANCEL. */
  onRequest(request: ServerRequest): void;
  /** A SUBSCRIBE outside any dialog to one of the `eventPackages`, its times in order. Must be accepted or answered. Default: 489. */
  onSubscribe?(request: SubscribeRequest): void;
}

/** A SUBSCRIBE that awaits its answer (RFC 6665, 4.2.1): `accept` it, or `respond` with why not (401, 403, 404 ...). */
export interface SubscribeRequest extends ServerRequest {
  readonly eventPackage: string;
  /** Seconds that the subscription will last without a refresh; 0 asks for the state once. */
  readonly expiresS: number;
  /** 200, and the first NOTIFY with what `state` says. */
  accept(state: () => EventState, events?: SubscriptionEvents): Subscription;
}

/** The body of a NOTIFY; an empty one goes without. */
export interface EventState {
  readonly body: string;
  readonly contentType: string;
}

/** A peer that wants to know (RFC 6665), on the side that tells it. Each refresh gets the whole state by itself. */
export interface Subscription {
  readonly callId: string;
  readonly eventPackage: string;
  readonly flow: Flow;
  readonly remoteContact: string;
  readonly active: boolean;
  /** Milliseconds since 1970 on the clock; a refresh moves it. */
  readonly expiresAt: number;
  /** The state is another one: NOTIFY, at once or when the one before is answered. `state` is asked when it leaves, so that changes in between are one. */
  changed(): void;
  /** The last NOTIFY: `Subscription-State: terminated` with this reason. No event follows. */
  terminate(reason: TerminationReason): void;
}

/** RFC 6665, 4.1.3: what the subscriber is to make of the end. */
export type TerminationReason =
  | 'deactivated'
  | 'probation'
  | 'rejected'
  | 'timeout'
  | 'giveup'
  | 'noresource'
  | 'invariant';

export interface SubscriptionEvents {
  /** The peer ended it (`unsubscribed`), let it run out (`expired`), does not know it any more (`refused`) or cannot be reached (`lost`). */
  onEnded?(subscription: Subscription, why: 'unsubscribed' | 'expired' | 'refused' | 'lost'): void;
}

/** A request that awaits its final response. Responding twice is ignored. */
export interface ServerRequest {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly answered: boolean;
  respond(status: number, options?: ResponseOptions): void;
}

export interface ResponseOptions {
  readonly reason?: string;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body?: string;
  /** Default for a body: application/sdp. */
  readonly contentType?: string;
}

export interface RequestOptions {
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body?: string;
  readonly contentType?: string;
}

/** How a request of ours ended. `response` is absent when none came. */
export interface Outcome {
  readonly status: number;
  readonly reason: string;
  readonly response?: SipResponse;
  /** `response`: the peer's own answer; `timeout`: timer B or F (408); `transport`: the flow is gone (503); `terminated`: the dialog ended first (481). */
  readonly by: 'response' | 'timeout' | 'transport' | 'terminated';
}

export interface OutgoingRequest extends RequestOptions {
  readonly method: string;
  readonly uri: string;
  readonly from: string;
  readonly to: string;
  /** Default: `route(uri)`. */
  readonly flow?: Flow;
  readonly callId?: string;
  readonly cseq?: number;
  /** Answers one 401/407 (and a following stale one) by itself. */
  readonly credentials?: Credentials;
}

export interface OutgoingInvite extends RequestOptions {
  readonly uri: string;
  /** Name-addrs without tag. */
  readonly from: string;
  readonly to: string;
  readonly flow?: Flow;
  readonly credentials?: Credentials;
  readonly maxForwards?: number;
  /** Session-Expires that is asked for, in seconds (RFC 4028). Default: that of the user agent. The peer may want one all the same. */
  readonly sessionExpiresS?: number;
  /** Call-ID; drawn from the random when absent. */
  readonly callId?: string;
  readonly events: SessionEvents;
}

export type SessionState =
  /** UAC: INVITE sent, nothing but 100 came. UAS: INVITE came, at most 100 sent. */
  | 'calling'
  /** A provisional with a tag was sent or came. */
  | 'early'
  /** 2xx sent or received, ACK still to come or to go. */
  | 'answered'
  | 'confirmed'
  | 'terminated';

/** Why a session ended. Exactly one per session. */
export type Ending =
  | { readonly by: 'local-bye' | 'remote-bye'; readonly request?: SipRequest }
  /** The INVITE got a final failure: sent by us (UAS) or received (UAC), 408 and 503 made up by timers and transport included. */
  | { readonly by: 'failure'; readonly outcome: Outcome }
  /** UAC: our CANCEL worked (487). UAS: the caller cancelled and got 487; `request` is the CANCEL (its Reason header says why). */
  | { readonly by: 'cancel'; readonly request?: SipRequest }
  /** UAS: the 2xx was repeated for 64*T1 and no ACK came; BYE was sent (RFC 3261, 13.3.1.4). */
  | { readonly by: 'no-ack' }
  /** Nobody refreshed the session in time, or a refresh of ours got no answer (RFC 4028, 10); BYE was sent. */
  | { readonly by: 'expired' }
  /** 481 or 408 to a request within the dialog (RFC 3261, 12.2.1.2), or its flow closed. */
  | { readonly by: 'lost'; readonly why: string };

/** All are optional: what is not handled is answered as RFC 3261 says (re-INVITE 488, others 405/481/200 for OPTIONS). */
export interface SessionEvents {
  /** UAC: 101-199. */
  onProvisional?(session: Session, response: SipResponse): void;
  /**
   * UAC: the first 2xx. When our INVITE had an offer the ACK has gone already; when it had none the offer is in the
   * response and the handler owes `session.ack(answer)`.
   */
  onAnswered?(session: Session, response: SipResponse): void;
  /** UAS: the ACK of our 2xx. Its body is an answer when we offered in the 2xx. */
  onAck?(session: Session, ack: SipRequest): void;
  /**
   * A re-INVITE, or an UPDATE or PRACK with an offer (`request.request.method` tells), the latter while the call rings, too. Respond
   * through `request`; a 2xx to a re-INVITE is repeated until its ACK. Glare is answered by the engine (491, 500), and so is what
   * brings no offer (200).
   */
  onReinvite?(session: Session, request: ServerRequest): void;
  /** INFO, REFER, NOTIFY, MESSAGE, SUBSCRIBE ... within the dialog. BYE, ACK, CANCEL, OPTIONS and UPDATE are the engine's. */
  onRequest?(session: Session, request: ServerRequest): void;
  /** The last event of a session, exactly once, after INVITE failure, CANCEL, BYE or loss. */
  onEnded?(session: Session, ending: Ending): void;
}

/**
 * What a re-INVITE offers: a text, nothing (a late offer), or a function that writes it when it really leaves. A re-INVITE
 * may wait for its turn or be sent again after 491; an offer written before would be older than what was agreed meanwhile.
 */
export type OfferSource = string | undefined | (() => string);

/** One INVITE usage: the dialog, from the first INVITE to BYE, on either side (RFC 3261, 12-15). */
export interface Session {
  /** Unique in the user agent, counted from 1. */
  readonly id: number;
  readonly role: 'uac' | 'uas';
  readonly state: SessionState;
  readonly callId: string;
  readonly localTag: string;
  /** Empty until the peer gave one. */
  readonly remoteTag: string;
  /** The first INVITE. */
  readonly invite: SipRequest;
  readonly flow: Flow;
  /** Contact URI, User-Agent or Server of the peer as far as known; else empty. */
  readonly remoteContact: string;
  readonly remoteProduct: string;
  /** Set by whoever answers it: usually the constructor of a leg. */
  events: SessionEvents;
  /** Free for the owner; the observer uses it to file messages under a call. */
  owner: unknown;

  /** UAS: 101-199, reliably (RFC 3262) when the INVITE requires 100rel. Ignored after a final response. Repeated each 60 s while the call rings (RFC 3261, 13.3.1.1). */
  provisional(status: number, options?: ResponseOptions): void;
  /** UAS: 200 with `sdp`, repeated until the ACK. Waits for the PRACK of a description that was sent reliably. */
  accept(sdp: string, headers?: ReadonlyArray<readonly [string, string]>): void;
  /** UAS: 300-699. */
  reject(status: number, options?: ResponseOptions): void;
  /** UAC: the ACK with the answer to an offer that came in the 2xx. */
  ack(sdp: string): void;
  /** UAC: held back until a provisional came; a 2xx that crosses it is ACKed and answered with BYE. `reason` is a Reason header value. */
  cancel(reason?: string): void;
  /** A new offer (or none with `undefined`: late offer). 491 is retried by the engine after the RFC's back-off; other outcomes arrive once. `onOutcome` may owe `ack` when no offer was sent. */
  reinvite(
    sdp: OfferSource,
    onOutcome: (outcome: Outcome) => void,
    headers?: ReadonlyArray<readonly [string, string]>,
  ): void;
  /** The peer said that it takes UPDATE (Allow of its last INVITE, provisional or 2xx). */
  readonly takesUpdate: boolean;
  /**
   * UPDATE (RFC 3311): like `reinvite`, and while the call still rings, too. With an offer it waits there until offer and
   * answer of the INVITE are done; without one it only tells where we are.
   */
  update(
    sdp: OfferSource,
    onOutcome: (outcome: Outcome) => void,
    headers?: ReadonlyArray<readonly [string, string]>,
  ): void;
  /** Any other request within the dialog: INFO, NOTIFY, REFER, MESSAGE. */
  request(method: string, options: RequestOptions, onOutcome?: (outcome: Outcome) => void): void;
  /** Ends the session whatever its state: CANCEL, 480/given status, or BYE (held back until ACK or its timeout where RFC 3261, 15 says so). */
  end(options?: {
    readonly status?: number;
    readonly reason?: string;
    readonly headers?: ReadonlyArray<readonly [string, string]>;
  }): void;
}

export interface UserAgentStats {
  readonly clientTransactions: number;
  readonly serverTransactions: number;
  readonly sessions: number;
  readonly subscriptions: number;
}

/** What the Replaces header of an INVITE comes to (RFC 3891, 3). */
export type Replacement =
  /** There is no such header. */
  | { readonly kind: 'none' }
  /** The dialog to be replaced: it rings at the peer (`early`) or is answered. */
  | { readonly kind: 'found'; readonly session: Session; readonly early: boolean }
  /** The status that is owed: 400 malformed, 481 no such dialog, 486 answered although `early-only`, 603 over already. */
  | { readonly kind: 'refused'; readonly status: 400 | 481 | 486 | 603; readonly reason?: string };

/** A SIP endpoint over any number of flows: transactions, dialogs and sessions on one clock. */
export interface UserAgent extends FlowListener {
  invite(options: OutgoingInvite): Session;
  /** A request outside any dialog, not INVITE. */
  request(options: OutgoingRequest, onOutcome: (outcome: Outcome) => void): void;
  /** The session with this Call-ID, local and remote tag (Replaces, RFC 3891), if it is alive. */
  findSession(callId: string, localTag: string, remoteTag: string): Session | undefined;
  /** Whom an INVITE with Replaces wants to take the place of. */
  replacedBy(invite: SipRequest): Replacement;
  /** Allow, Accept, Supported and Allow-Events: the answer to OPTIONS (RFC 3261, 11.2). A 405 gets its Allow by itself. */
  readonly abilities: HeaderList;
  readonly stats: UserAgentStats;
  /** Forgets everything at once, without a word on the wire: timers are cancelled, flows stay open. */
  close(): void;
}

export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;
export type { Headers };
