// The telephone exchange: puts its parts together and is its own face. Everything it does, it does by SIP.
import type { LiveCall, Webcall } from '../contract/resources/calls.ts';
import type { Fax, Sms } from '../contract/resources/storage.ts';
import { failure, type Result } from '../kernel/errors.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { ServerRequest, UserAgent, UserAgentStats } from '../sip/user-agent-api.ts';
import { Bookkeeper } from './bookkeeper.ts';
import type { Call } from './call.ts';
import { changeCall } from './call-changes.ts';
import { CallMeBacks } from './call-me-back.ts';
import { liveCallRecord } from './call-record.ts';
import { callStateTable } from './call-states.ts';
import { type Cause, NORMAL_CLEARING, SHUTDOWN } from './causes.ts';
import { Chats } from './chats.ts';
import { DIALOG_EVENT, DialogInfo } from './dialog-info.ts';
import { Directory } from './directory.ts';
import type { DomainEvent } from './events.ts';
import type {
  CallChanges,
  ChatDesk,
  ClickToCall,
  Done,
  Exchange,
  LeadCall,
  LiveCallView,
  QueueDesk,
  SendFax,
  SendSms,
  StateRow,
  WebCall,
  WidgetDesk,
} from './face.ts';
import { FaultyFlows } from './faulty-flows.ts';
import { FaxSending } from './fax-sending.ts';
import { Gatekeeper } from './gatekeeper.ts';
import { Invites } from './invites.ts';
import { type KeptCall, keptCall } from './kept-call.ts';
import { endLostCalls } from './lost-calls.ts';
import { MESSAGE_SUMMARY, MessageWaiting } from './message-waiting.ts';
import { Placing } from './placing.ts';
import { queueDesk } from './queue-desk.ts';
import type { Binding } from './registrar.ts';
import { registerUser } from './registrations.ts';
import { algorithmsOf } from './signalling.ts';
import { SipJournal } from './sip-journal.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Switchboard } from './switchboard.ts';
import { type Received, TextMessages } from './text-messages.ts';
import { type ExchangeDeps, wiredSwitchboard } from './wiring.ts';

export interface ExchangeStats extends UserAgentStats {
  readonly calls: number;
  readonly mediaSessions: number;
  readonly recordings: number;
}

/** The listener is for every flow: the exchange receives what arrives on them. */
export class TelephoneExchange implements Exchange {
  readonly states: readonly StateRow[] = callStateTable;
  readonly queues: QueueDesk;
  readonly #deps: ExchangeDeps;
  readonly #userAgent: UserAgent;
  readonly #board: Switchboard;
  readonly #bookkeeper: Bookkeeper;
  readonly #sipJournal: SipJournal;
  readonly #faultyFlows: FaultyFlows | undefined;
  readonly #gatekeeper: Gatekeeper;
  readonly #placing: Placing;
  readonly #invites: Invites;
  readonly #texts: TextMessages;
  readonly #faxes: FaxSending;
  readonly widgets: WidgetDesk;
  readonly chats: ChatDesk;
  readonly #subscriptions: Subscriptions;
  readonly #messageWaiting: MessageWaiting;
  #trunk: Flow | undefined;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.#bookkeeper = new Bookkeeper(deps.store, deps.clock);
    this.#sipJournal = new SipJournal(deps.journal, deps.rememberedDialogs);
    const { faults } = deps;
    this.#faultyFlows = faults && new FaultyFlows({ faults, sipJournal: this.#sipJournal, journal: deps.journal });
    const directory = new Directory(deps.store);
    const { sessionExpiresS, digest } = deps.signalling ?? {};
    const algorithms = algorithmsOf(digest);
    this.#gatekeeper = new Gatekeeper({
      ...{ directory, clock: deps.clock, random: deps.random, realm: deps.domain, algorithms },
    });
    this.#userAgent = createUserAgent({
      clock: deps.clock,
      random: deps.random.split('sip'),
      product: deps.product,
      contactUser: 'pbxsim',
      route: () => this.#trunk,
      observer: this.#sipJournal,
      ...(this.#faultyFlows === undefined ? {} : { send: this.#faultyFlows.send }),
      methods: ['REGISTER'],
      eventPackages: [MESSAGE_SUMMARY, DIALOG_EVENT],
      extensions: ['replaces', 'norefersub'],
      ...(sessionExpiresS === undefined ? {} : { sessionExpiresS }),
      events: {
        onInvite: (session, request) => this.#invites.handle(session, request),
        onRequest: (request) => this.#answer(request),
        onSubscribe: (request) => this.#subscriptions.subscribe(request),
      },
    });
    this.#board = wiredSwitchboard(deps, {
      directory,
      userAgent: this.#userAgent,
      sipJournal: this.#sipJournal,
      bookkeeper: this.#bookkeeper,
      trunk: () => this.#trunk,
      onRegistration: (userId, bindings) => this.#messageWaiting.registered(userId, bindings),
    });
    this.#invites = new Invites(this.#board, this.#gatekeeper, (flow) => flow === this.#trunk);
    this.#placing = new Placing(this.#board);
    this.queues = queueDesk(this.#board);
    const { calls, registrar } = this.#board;
    const { clock, journal, store, domain } = deps;
    const subscriptions = new Subscriptions(this.#gatekeeper);
    this.#subscriptions = subscriptions;
    this.#messageWaiting = new MessageWaiting({
      ...{ clock, store, registrar, subscriptions, userAgent: this.#userAgent, domain },
    });
    new DialogInfo({ clock, calls, directory, subscriptions, domain });
    this.#texts = new TextMessages({ clock, journal, store, directory, calls, mail: this.#board.mail });
    this.#faxes = new FaxSending(this.#board);
    this.widgets = new CallMeBacks(this.#board, this.#placing);
    this.chats = new Chats(this.#board);
  }

  /** What flows are opened with: their messages come here. */
  get listener(): FlowListener {
    return {
      received: (flow, bytes) => {
        if (this.#faultyFlows === undefined) this.#userAgent.received(flow, bytes);
        else this.#faultyFlows.receive(flow, bytes, this.#userAgent);
      },
      closed: (flow, why) => {
        this.#board.registrar.flowClosed(flow);
        this.#userAgent.closed(flow, why);
      },
    };
  }

  /** The flow to the public network. Who sends on it is trusted. */
  setTrunk(flow: Flow | undefined): void {
    this.#trunk = flow;
  }

  liveCalls(customerId: number): LiveCallView[] {
    const now = this.#deps.clock.now();
    return this.#board.calls
      .ofCustomer(customerId)
      .filter(isVisible)
      .map((call) => viewOf(call, now));
  }

  liveCall(callId: number): LiveCallView | undefined {
    const call = this.#board.calls.get(callId);
    return call === undefined || !isVisible(call) ? undefined : viewOf(call, this.#deps.clock.now());
  }

  clickToCall(command: ClickToCall): Result<LiveCall> {
    return this.#placing.clickToCall(command);
  }

  webCall(command: WebCall): Result<Webcall> {
    return this.#placing.webCall(command);
  }

  leadCall(command: LeadCall): Result<LiveCall> {
    return this.#placing.leadCall(command);
  }

  changeCall(callId: number, byUserId: number, changes: CallChanges, done: Done<LiveCall>): void {
    const call = this.#board.calls.get(callId);
    if (call === undefined) return done(failure('not_found', `There is no live call ${callId}.`));
    changeCall(this.#board, call, byUserId, changes, done);
  }

  callIdOfDialog(sipCallId: string): number | undefined {
    return this.#sipJournal.callOf(sipCallId);
  }

  hangUp(callId: number): boolean {
    const call = this.#board.calls.get(callId);
    if (call === undefined) return false;
    call.hangUp(NORMAL_CLEARING);
    return true;
  }

  subscribe(listener: (event: DomainEvent) => void): () => void {
    return this.#board.calls.subscribe(listener);
  }

  sendSms(command: SendSms): Result<Sms> {
    return this.#texts.send(command);
  }

  sendFax(command: SendFax): Result<Fax> {
    return this.#faxes.send(command);
  }

  receiveSms(from: string, to: string, text: string): Result<Received> {
    return this.#texts.receive(from, to, text);
  }

  /** True for the numbers of our customers, with or without `+`. */
  hasNumber(number: string): boolean {
    return this.#board.directory.ddi(number) !== undefined;
  }

  /** The contacts by which a user is reached now. */
  bindings(userId: number): readonly Binding[] {
    return this.#board.registrar.bindings(userId);
  }

  /** The user's record is another one: its phones show how many voice messages there are. */
  userChanged(userId: number): void {
    this.#messageWaiting.changed(userId);
  }

  /** A user is gone: its calls end, and it is reached nowhere. */
  forgetUser(userId: number): void {
    for (const call of this.#board.calls.all()) if (call.userIds().includes(userId)) call.hangUp(NORMAL_CLEARING);
    this.#board.registrar.forget(userId);
    this.#subscriptions.forget(userId);
    this.#messageWaiting.forget(userId);
    this.#board.queues.log.forgetUser(userId);
  }

  /** An account is gone: its calls end, and leave no record. */
  forgetCustomer(customerId: number): void {
    for (const call of this.#board.calls.ofCustomer(customerId)) call.hangUp(NORMAL_CLEARING);
    for (const { id } of this.#deps.store.queues.list(customerId)) this.#board.queues.log.forgetQueue(id);
  }

  /** Ends every live call by SIP. */
  hangUpAll(cause: Cause = SHUTDOWN): void {
    for (const call of this.#board.calls.all()) call.hangUp(cause);
  }

  /** What is to be kept of a live call, in case that this is its exchange's end; undefined when there is no such call. */
  keptCall(callId: number): KeptCall | undefined {
    const { calls } = this.#board;
    const call = calls.get(callId);
    return call === undefined ? undefined : keptCall(call, calls.factsOf(call));
  }

  /** Ends calls of an exchange that is gone: records and last events, at that time (ms since 1970). */
  endLost(lost: readonly KeptCall[], endedAt: number): void {
    endLostCalls({ store: this.#deps.store, calls: this.#board.calls }, lost, endedAt);
  }

  /** Whether a phone outside this process is party to a live call. */
  get hasExternalCalls(): boolean {
    return this.#board.calls.all().some((call) => call.legs().some((leg) => leg.session.flow.external));
  }

  /** What is in use now; all zero when the last call is over and its transactions have run out. */
  get stats(): ExchangeStats {
    const { calls, recorder } = this.#board;
    const held = { calls: calls.size, mediaSessions: this.#bookkeeper.openSessions, recordings: recorder.size };
    return { ...this.#userAgent.stats, ...held };
  }

  /** Callers in queues; none when no call is live. */
  get waiting(): number {
    return this.#board.queues.waiting;
  }

  /** Participants of conferences. */
  get conferring(): number {
    return this.#board.conferences.participants;
  }

  close(): void {
    this.#texts.close();
    this.#faxes.close();
    this.#board.registrar.close();
    this.#userAgent.close();
  }

  #answer(request: ServerRequest): void {
    switch (request.request.method) {
      case 'REGISTER':
        return registerUser(this.#board, this.#gatekeeper, request);
      case 'OPTIONS':
        // RFC 3261, 11.2.
        return request.respond(200, { headers: this.#userAgent.abilities });
      case 'REFER':
        // Who is to be led where is said within the call (RFC 5589, 6): outside of one there is nobody.
        return request.respond(403, { reason: 'Only within a call' });
      default:
        return request.respond(405);
    }
  }
}

/** A call of which no INVITE has left is not live yet. */
function isVisible(call: Call): boolean {
  return call.phase !== 'NEW';
}

function viewOf(call: Call, nowMs: number): LiveCallView {
  return { customerId: call.customerId, userIds: call.userIds(), record: liveCallRecord(call, nowMs) };
}
