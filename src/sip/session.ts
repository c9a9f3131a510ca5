// What both sides of an INVITE session have in common: the dialog, requests along it, its end (RFC 3261, 12-15). Knows no calls and no media.
import { BrokenInvariant } from '../kernel/errors.ts';
import { contactUri, type Dialog } from './dialog.ts';
import type { Flow } from './flow.ts';
import { ownText } from './headers.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { Offers, type OpenOffer } from './session-offers.ts';
import { SessionTimer } from './session-timer.ts';
import { refuseWithin } from './subscription-event.ts';
import type { FlowUser } from './transaction-flows.ts';
import type { Arrival } from './transaction-match.ts';
import type { ServerTransaction } from './transaction-server.ts';
import { PendingRequest } from './user-agent-answer.ts';
import type {
  Credentials,
  Ending,
  HeaderList,
  OfferSource,
  Outcome,
  RequestOptions,
  ResponseOptions,
  Session,
  SessionEvents,
  SessionState,
} from './user-agent-api.ts';
import { Attempt, OutcomeOnce, outcomeWithout } from './user-agent-attempt.ts';
import type { Core } from './user-agent-core.ts';

export interface EndOptions {
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: HeaderList;
}

/** A 481, a 408 or silence to one of these ends the dialog; to others only what they asked for (RFC 3261, 12.2.1.2; RFC 5057, 5.1). */
const VITAL_METHODS = new Set(['INVITE', 'UPDATE', 'INFO', 'OPTIONS']);

const NO_EVENTS: SessionEvents = {};

/** Their 2xx carries our Contact. */
const MOVES_DIALOG = new Set(['REFER']);

export abstract class DialogSession implements Session, FlowUser {
  abstract readonly role: 'uac' | 'uas';
  readonly id: number;
  readonly callId: string;
  readonly localTag: string;
  readonly core: Core;
  readonly offers: Offers;
  readonly credentials: Credentials | undefined;
  state: SessionState = 'calling';
  remoteTag = '';
  remoteContact = '';
  remoteProduct = '';
  takesUpdate = false;
  described = '';
  timer: SessionTimer | undefined;
  events: SessionEvents = {};
  owner: unknown;
  flow: Flow;
  dialog: Dialog | undefined;
  /** The BYE that was sent. The dialog can be found until it is answered. */
  #farewell: OutcomeOnce | undefined;
  readonly #key: string;
  #pending: Set<OutcomeOnce> | undefined;
  #ending: Ending | undefined;

  constructor(core: Core, flow: Flow, callId: string, localTag: string, credentials: Credentials | undefined) {
    this.core = core;
    this.flow = flow;
    this.id = core.nextSessionId();
    this.callId = callId;
    this.localTag = localTag;
    this.credentials = credentials;
    this.offers = new Offers(this);
    this.#key = sessionKey(callId, localTag);
    core.sessions.set(this.#key, this);
    core.transactions.flows.enter(flow, this);
  }

  abstract get invite(): SipRequest;
  abstract end(options?: EndOptions): void;
  /** Whether a re-INVITE may be answered now, or the status that is owed (RFC 3261, 14.2). */
  abstract offerRefusal(): 0 | 491 | 500;
  /** Whose offer of the first INVITE is still to come or waits for its answer. */
  abstract openOffer(): OpenOffer;
  /** Offer and answer of the first INVITE are done, and the peer is known to have them: we may offer anew (RFC 3311, 5.1). */
  get hasAgreed(): boolean {
    return this.openOffer() === 'none';
  }
  /** Timers and transactions of the first INVITE are to be dropped: the session has ended. */
  protected abstract released(): void;
  /** The end has come: a 2xx that still waits for our answer gets its ACK without one. */
  protected settleAcks(): void {
    this.offers.acknowledgeOwed();
  }
  /** PRACK: there is nothing to acknowledge but our own provisionals. */
  protected receivePrack(prack: SipRequest, _arrival: Arrival, transaction: ServerTransaction): void {
    transaction.respond(this.core.buildResponse(prack, 481, this.localTag));
  }
  /** The ACK of the first INVITE's 2xx. */
  protected acknowledged(_ack: SipRequest): void {}

  provisional(_status: number, _options?: ResponseOptions): void {
    this.#wrongSide('provisional');
  }

  accept(_sdp: string, _headers?: HeaderList): void {
    this.#wrongSide('accept');
  }

  reject(_status: number, _options?: ResponseOptions): void {
    this.#wrongSide('reject');
  }

  cancel(_reason?: string): void {
    this.#wrongSide('cancel');
  }

  ack(sdp: string): void {
    this.offers.ack(sdp);
  }

  reinvite(sdp: OfferSource, onOutcome: (outcome: Outcome) => void, headers: HeaderList = []): void {
    this.offers.offer({ method: 'INVITE', sdp, onOutcome, headers });
  }

  update(sdp: OfferSource, onOutcome: (outcome: Outcome) => void, headers: HeaderList = []): void {
    this.offers.offer({ method: 'UPDATE', sdp, onOutcome, headers });
  }

  request(method: string, options: RequestOptions, onOutcome?: (outcome: Outcome) => void): void {
    const once = new OutcomeOnce((outcome) => {
      this.#pending?.delete(once);
      onOutcome?.(outcome);
      this.judge(method, outcome);
    });
    this.#pending ??= new Set();
    this.#pending.add(once);
    const { dialog } = this;
    if (dialog === undefined || this.state === 'terminated' || this.state === 'calling') {
      this.core.clock.soon(() => once.settle(outcomeWithout('terminated')));
      return;
    }
    this.attempt(dialog, method, options, once).send();
  }

  /** A request along a dialog of this session, not sent yet. */
  attempt(
    dialog: Dialog,
    method: string,
    options: RequestOptions,
    user: ConstructorParameters<typeof Attempt>[2],
  ): Attempt {
    const { core, flow } = this;
    return new Attempt(
      core,
      {
        flow,
        session: this,
        credentials: this.credentials,
        nextCseq: () => dialog.nextCseq(),
        build: (branch, cseq, authorization) =>
          core.buildInDialog(dialog, { method, flow, branch, cseq, options, authorization }),
      },
      user,
    );
  }

  /** RFC 3261, 12.2.1.2: what the outcome of a request says about the dialog itself. */
  judge(method: string, outcome: Outcome): void {
    if (outcome.by === 'terminated' || this.state === 'terminated' || !VITAL_METHODS.has(method)) return;
    if (outcome.status !== 481 && outcome.status !== 408) return;
    this.sendBye();
    this.conclude({ by: 'lost', why: `${method} was answered ${outcome.status} ${outcome.reason}` });
  }

  /** We have been told to end, and our BYE waits for the ACK (RFC 3261, 15): for us the dialog is over. */
  get isLeaving(): boolean {
    return false;
  }

  /** A request within the dialog that is neither ACK nor CANCEL. */
  receive(request: SipRequest, arrival: Arrival, transaction: ServerTransaction): void {
    transaction.session = this;
    const pending = new PendingRequest(this.core, request, transaction, this.localTag);
    if (this.state === 'terminated') {
      // RFC 3261, 15.1.2: a BYE that crosses ours still finds the dialog.
      pending.respond(request.method === 'BYE' ? 200 : 481);
      return;
    }
    if (!this.#inOrder(arrival, pending)) return;
    if (this.isLeaving && request.method !== 'BYE') return pending.respond(481);
    this.#follow(arrival.flow);
    this.notePeer(request);
    switch (request.method) {
      case 'INVITE':
        this.offers.receive(request, arrival, transaction);
        break;
      case 'UPDATE':
        this.offers.receiveUpdate(request, arrival, transaction);
        break;
      case 'PRACK':
        this.receivePrack(request, arrival, transaction);
        break;
      case 'BYE':
        pending.respond(200);
        this.conclude({ by: 'remote-bye', request });
        break;
      case 'OPTIONS':
        pending.respond(200, { headers: this.core.abilities });
        break;
      default:
        this.#pass(request, transaction);
    }
  }

  receiveAck(ack: SipRequest, cseq: number): void {
    if (!this.offers.receiveAck(ack, cseq)) this.acknowledged(ack);
  }

  /** PRACK of a reliable provisional (RFC 3262, 4). What becomes of it is the peer's business. */
  acknowledgeProvisional(rseq: number, inviteCseq: number, dialog = this.dialog, onOutcome = (): void => {}): void {
    const headers = [['RAck', `${rseq} ${inviteCseq} INVITE`]] as const;
    if (dialog !== undefined) this.attempt(dialog, 'PRACK', { headers }, new OutcomeOnce(onOutcome)).send();
  }

  /** What our 2xx to this INVITE or UPDATE says of the session's timer; it holds from now on (RFC 4028, 9). */
  timerAnswer(request: SipRequest): HeaderList {
    if (this.#isRinging) return [];
    const { sessionExpiresS } = this.core;
    if (this.timer === undefined && sessionExpiresS === 0 && !request.headers.has('Session-Expires')) return [];
    this.timer ??= new SessionTimer(this, sessionExpiresS);
    return this.timer.answering(request);
  }

  /** What an INVITE or UPDATE of ours says of it. */
  timerWish(): HeaderList {
    return this.#isRinging ? [] : (this.timer?.asking() ?? []);
  }

  /** The peer's 2xx says how long the session lasts. */
  startTimer(response: SipResponse): void {
    if (this.#isRinging) return;
    if (this.timer === undefined && !response.headers.has('Session-Expires')) return;
    this.timer ??= new SessionTimer(this, this.core.sessionExpiresS);
    this.timer.accepted(response);
  }

  expired(): void {
    this.sendBye([['Reason', 'SIP;cause=408;text="Session timer expired"']]);
    this.conclude({ by: 'expired' });
  }

  flowClosed(why: string): void {
    this.conclude({ by: 'lost', why: `the flow closed: ${why}` });
  }

  /** A sent BYE is on its way while the session has ended already (RFC 3261, 15.1.1). */
  hangUp(options: EndOptions = {}): void {
    this.sendBye(options.headers);
    this.conclude({ by: 'local-bye' }, 'soon');
  }

  sendBye(headers: HeaderList = []): void {
    const { dialog } = this;
    if (dialog === undefined || !this.flow.open) return;
    this.settleAcks();
    const once = new OutcomeOnce(() => this.#unlist());
    this.#farewell = once;
    this.attempt(dialog, 'BYE', { headers }, once).send();
  }

  /** The ACK of a 2xx, outside any transaction. The result sends the same again, for a 2xx that comes again. */
  sendAck(dialog: Dialog, cseq: number, authorization: HeaderList, sdp: string | undefined): () => void {
    const { core, flow } = this;
    const options = sdp === undefined ? {} : { body: sdp };
    const branch = core.newBranch();
    const ack = core.buildInDialog(dialog, { method: 'ACK', flow, branch, cseq, options, authorization });
    const bytes = core.transactions.sendAlone(flow, ack, this);
    return () => core.transactions.transmit(flow, ack, bytes, this);
  }

  /** The end, once. `soon`: we were told to end, and who told us is not called back from within. */
  conclude(ending: Ending, when: 'now' | 'soon' = 'now'): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.timer?.stop();
    this.settleAcks();
    this.state = 'terminated';
    this.core.transactions.flows.leave(this.flow, this);
    if (this.#farewell === undefined) this.#unlist();
    this.released();
    this.offers.stop();
    if (when === 'soon') this.core.clock.soon(() => this.#reportEnd(ending));
    else this.#reportEnd(ending);
  }

  /** Dropped with the user agent: no events. */
  drop(): void {
    this.#ending ??= { by: 'lost', why: 'the user agent was closed' };
    this.state = 'terminated';
    this.timer?.stop();
    this.released();
    this.offers.stop();
  }

  /** Who speaks and what it can do, as its last message says. Responses name it in Server; many phones write User-Agent there too. */
  notePeer({ kind, headers }: SipMessage): void {
    const server = kind === 'response' ? headers.get('Server') : undefined;
    const written = server ?? headers.get('User-Agent');
    if (written !== undefined && written !== this.remoteProduct) this.remoteProduct = ownText(written);
    const allow = headers.get('Allow');
    if (allow !== undefined) this.takesUpdate = allow.includes('UPDATE');
  }

  /** RFC 3261, 12.2: target refresh. */
  refresh(message: SipMessage): void {
    this.dialog?.refresh(message);
    this.remoteContact = contactUri(message) ?? this.remoteContact;
  }

  /** There is nothing to refresh yet: the time of a session begins with its answer (RFC 4028, 7.2 and 9). */
  get #isRinging(): boolean {
    return this.state === 'early' || this.state === 'calling';
  }

  #reportEnd(ending: Ending): void {
    if (this.core.closed) return;
    for (const once of [...(this.#pending ?? [])]) once.settle(outcomeWithout('terminated'));
    this.offers.abort();
    this.events.onEnded?.(this, ending);
    // The INVITE's transaction lingers and may hold the session for half a minute more: not its owner's things too.
    this.events = NO_EVENTS;
    this.owner = undefined;
  }

  #unlist(): void {
    if (this.core.sessions.get(this.#key) === this) this.core.sessions.delete(this.#key);
  }

  // RFC 3261, 12.2.2: an older request that arrives late.
  #inOrder(arrival: Arrival, pending: PendingRequest): boolean {
    const { dialog } = this;
    if (dialog === undefined) return true;
    if (arrival.cseq < dialog.remoteCseq) {
      pending.respond(500, { headers: [['Retry-After', String(this.core.draw(11))]] });
      return false;
    }
    dialog.remoteCseq = arrival.cseq;
    return true;
  }

  /** The peer moved to another connection or port: we answer and ask where it spoke last. */
  #follow(flow: Flow): void {
    if (flow === this.flow) return;
    this.core.transactions.flows.leave(this.flow, this);
    this.flow = flow;
    this.core.transactions.flows.enter(flow, this);
  }

  #pass(request: SipRequest, transaction: ServerTransaction): void {
    const flow = MOVES_DIALOG.has(request.method) ? this.flow : undefined;
    const pending = new PendingRequest(this.core, request, transaction, this.localTag, flow);
    if (request.method === 'SUBSCRIBE') refuseWithin(this.core, pending);
    else if (this.events.onRequest !== undefined) this.events.onRequest(this, pending);
    else pending.respond(request.method === 'NOTIFY' ? 481 : 405);
  }

  #wrongSide(command: string): void {
    throw new BrokenInvariant(
      `session ${this.id} cannot ${command}`,
      `it is the ${this.role} side`,
      'look at session.role first',
    );
  }
}

export function sessionKey(callId: string, localTag: string): string {
  return `${callId} ${localTag}`;
}
