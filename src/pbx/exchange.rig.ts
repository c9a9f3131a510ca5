// A test rig: an exchange with its seeded company on a manual clock, and bare phones that do exactly what a test tells them.
import { FaultRegistry } from '../faults/registry.ts';
import { SipFaults } from '../faults/sip-faults.ts';
import { IdBlocks } from '../kernel/ids.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { bodyText } from '../sip/fields.ts';
import { memoryPair, type WireConditions } from '../sip/memory-flow.ts';
import type { SipMessage, SipRequest, SipResponse } from '../sip/message.ts';
import { LocalDescription } from '../sip/offer-answer.ts';
import { type Direction, parseSdp } from '../sip/sdp.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type {
  Ending,
  OfferSource,
  Outcome,
  ServerRequest,
  Session,
  SessionEvents,
  UserAgent,
} from '../sip/user-agent-api.ts';
import type { Letter } from '../store/outbox.ts';
import { type SeededCustomer, seedWorld } from '../store/seed/world.ts';
import { createStore, type Store } from '../store/store.ts';
import type { DomainEvent } from './events.ts';
import { TelephoneExchange } from './exchange.ts';
import type { Signalling } from './signalling.ts';

export const START_MS = Date.UTC(2026, 0, 1);
export const DOMAIN = 'pbx.example';

export interface Rig {
  readonly clock: Timeline;
  readonly journal: Journal;
  readonly store: Store;
  readonly exchange: TelephoneExchange;
  readonly customer: SeededCustomer;
  readonly other: SeededCustomer;
  readonly events: DomainEvent[];
  /** What the exchange mailed. */
  readonly mails: Letter[];
  /** None are set. */
  readonly faults: FaultRegistry;
  /** `name state` of each call event so far. */
  eventNames(): string[];
  /** A phone of the first customer's nth user, not registered yet. */
  phone(index: number, options?: PhoneOptions): TestPhone;
  /** The other end of the trunk. */
  network(): TestPhone;
  /** Moves time on. */
  pass(ms: number): void;
}

export interface PhoneOptions {
  readonly codecs?: readonly string[];
  /** A second device of the same user has a name, and so a Contact, of its own. */
  readonly device?: string;
  /** The wire is like UDP: nothing is reliable. */
  readonly unreliable?: boolean;
  readonly toPhone?: WireConditions;
  readonly fromPhone?: WireConditions;
}

/** How much is remembered: less than usual for who weighs what a long run leaves behind. */
export interface RigMemory {
  readonly journalEntries: number;
  readonly dialogs: number;
}

export function makeRig(seed = 1, memory?: RigMemory, signalling: Signalling = {}): Rig {
  const clock = new Timeline({ mode: 'manual', startMs: START_MS });
  const journal = new Journal(clock, memory?.journalEntries);
  clock.carry(journal);
  const random = new Random(seed);
  let userChanged = (_: number): void => {};
  const store = createStore(undefined, { users: ({ id, kind }) => kind === 'put' && userChanged(Number(id)) });
  const liveIds = new IdBlocks();
  const world = seedWorld(store, { random, nowMs: START_MS, domain: DOMAIN, liveIds, history: 0 });
  const faults = new FaultRegistry({ clock, journal, random: random.split('faults') });
  const mails: Letter[] = [];
  const exchange = new TelephoneExchange({
    mail: (letter) => mails.push(letter),
    clock,
    random,
    journal,
    store,
    domain: DOMAIN,
    product: 'pbxsim',
    liveIds,
    connect: () => undefined,
    ...(memory === undefined ? {} : { rememberedDialogs: memory.dialogs }),
    faults: new SipFaults(faults, clock),
    signalling,
  });
  userChanged = (userId) => exchange.userChanged(userId);
  const [customer, other] = world.customers;
  if (customer === undefined || other === undefined) throw new Error('the seed world has two customers');
  const events: DomainEvent[] = [];
  exchange.subscribe((event) => events.push(event));
  const phoneAt = (wire: { exchangeEnd: TelephoneExchange; index: number }, options: PhoneOptions): TestPhone => {
    const user = customer.users[wire.index];
    if (user === undefined) throw new Error(`there is no user ${wire.index}`);
    return new TestPhone({
      clock,
      random: random.split(`phone-${wire.index}-${clock.now()}`),
      exchange,
      user: user.ext,
      account: user,
      options,
    });
  };
  return {
    clock,
    journal,
    store,
    exchange,
    customer,
    other,
    events,
    mails,
    faults,
    eventNames: () => events.flatMap((event) => (event.kind === 'call' ? [`${event.name} ${event.state}`] : [])),
    phone: (index, options = {}) => phoneAt({ exchangeEnd: exchange, index }, options),
    network: () => {
      const phone = new TestPhone({
        clock,
        random: random.split('network'),
        exchange,
        user: 'network',
        account: undefined,
        options: {},
      });
      exchange.setTrunk(phone.exchangeEnd);
      return phone;
    },
    pass: (ms) => {
      clock.advanceTo(clock.now() + ms);
    },
  };
}

interface PhoneDeps {
  readonly clock: Timeline;
  readonly random: Random;
  readonly exchange: TelephoneExchange;
  readonly user: string;
  readonly account: { readonly sip_username: string; readonly sip_password: string } | undefined;
  readonly options: PhoneOptions;
}

/** A call as a test phone sees it. */
export class TestCall {
  readonly session: Session;
  readonly #description: LocalDescription;
  readonly #codecs: readonly string[];
  readonly log: string[] = [];
  ending: Ending | undefined;
  /** The 2xx to our INVITE. */
  answered: SipResponse | undefined;
  /** Status lines of NOTIFY bodies, `Event` values of other NOTIFYs. */
  readonly notified: string[] = [];
  /** Requests that wait for the test to answer them. */
  readonly pending: ServerRequest[] = [];
  /** Leave re-INVITEs to the test instead of answering them. */
  manual = false;

  constructor(session: Session, description: LocalDescription, codecs: readonly string[]) {
    this.session = session;
    this.#description = description;
    this.#codecs = codecs;
    session.events = this.#events();
  }

  ring(): void {
    this.session.provisional(180);
  }

  answer(): void {
    const offer = parseSdp(bodyText(this.session.invite));
    const body = offer === undefined ? this.sdp() : this.#description.answer(offer, this.#stream('sendrecv'));
    this.session.accept(body ?? '');
  }

  sdp(direction: Direction = 'sendrecv'): string {
    return this.#description.offer(this.#stream(direction));
  }

  /** By re-INVITE or UPDATE. */
  reoffer(direction: Direction, method: 'INVITE' | 'UPDATE' = 'INVITE'): Outcome[] {
    if (method === 'INVITE') return this.reofferRaw(() => this.sdp(direction));
    const outcomes: Outcome[] = [];
    const offer = (): string => this.sdp(direction);
    this.session.update(offer, (outcome) => outcomes.push(outcome));
    return outcomes;
  }

  reofferRaw(sdp: OfferSource): Outcome[] {
    const outcomes: Outcome[] = [];
    this.session.reinvite(sdp, (outcome) => outcomes.push(outcome));
    return outcomes;
  }

  send(
    method: string,
    headers: ReadonlyArray<readonly [string, string]>,
    body?: string,
    contentType?: string,
  ): Outcome[] {
    const outcomes: Outcome[] = [];
    const content = body === undefined ? {} : { body, contentType: contentType ?? 'application/sdp' };
    this.session.request(method, { headers, ...content }, (outcome) => outcomes.push(outcome));
    return outcomes;
  }

  hangUp(): void {
    this.session.end();
  }

  #stream(direction: Direction) {
    return { address: '127.0.0.1', port: 30_000, direction, codecs: this.#codecs, dtmf: true };
  }

  #events(): SessionEvents {
    return {
      onProvisional: (_, response) => this.log.push(String(response.status)),
      onAnswered: (_, response) => {
        this.answered = response;
        this.log.push(String(response.status));
      },
      onReinvite: (_, request) => this.#reinvited(request),
      onRequest: (_, request) => this.#requested(request),
      onEnded: (_, ending) => {
        this.ending = ending;
        this.log.push(ending.by === 'failure' ? String(ending.outcome.status) : ending.by);
      },
    };
  }

  #reinvited(request: ServerRequest): void {
    this.log.push('re-INVITE');
    if (this.manual) this.pending.push(request);
    else {
      const offer = parseSdp(bodyText(request.request));
      const body = offer === undefined ? this.sdp() : this.#description.answer(offer, this.#stream('sendrecv'));
      request.respond(200, { body: body ?? '' });
    }
  }

  #requested(request: ServerRequest): void {
    const { method } = request.request;
    if (method === 'NOTIFY') {
      const text = bodyText(request.request).trim();
      this.notified.push(text === '' ? (request.request.headers.get('Event') ?? '') : text);
    } else this.log.push(method);
    if (this.manual) this.pending.push(request);
    else request.respond(200);
  }
}

export class TestPhone {
  readonly calls: TestCall[] = [];
  readonly exchangeEnd;
  readonly userAgent: UserAgent;
  /** First line of each message that reached the phone or left it, in order. */
  readonly wire: string[] = [];
  /** Nothing reaches the phone any more. */
  deaf = false;
  /** What the phone would send is lost when this says so of its first word (`ACK`, `BYE`). */
  mute: (line: string) => boolean = () => false;
  readonly #deps: PhoneDeps;
  readonly #flow;

  constructor(deps: PhoneDeps) {
    this.#deps = deps;
    const ears: WireConditions = (bytes, count) => (this.deaf ? [] : (deps.options.toPhone?.(bytes, count) ?? [0]));
    const mouth: WireConditions = (bytes, count) =>
      this.mute(firstWords(bytes)) ? [] : (deps.options.fromPhone?.(bytes, count) ?? [0]);
    const reliable = deps.options.unreliable !== true;
    const [mine, theirs] = memoryPair({
      clock: deps.clock,
      reliable,
      ends: [
        { address: { host: `${deps.options.device ?? deps.user}.phone.example`, port: 5060 }, conditions: mouth },
        { address: { host: DOMAIN, port: 5060 }, listener: deps.exchange.listener, conditions: ears },
      ],
    });
    this.exchangeEnd = theirs;
    this.userAgent = createUserAgent({
      clock: deps.clock,
      random: deps.random,
      product: 'test phone',
      contactUser: deps.user,
      route: () => mine,
      observer: {
        observed: (direction, _, message) => this.wire.push(`${direction === 'in' ? '<' : '>'} ${lineOf(message)}`),
        discarded: () => {},
      },
      events: {
        onInvite: (session) => this.calls.push(this.#callOf(session)),
        onRequest: (request) => request.respond(200),
      },
    });
    mine.listener = this.userAgent;
    this.#flow = mine;
  }

  /** The call that came or was placed last. */
  get call(): TestCall {
    const last = this.calls.at(-1);
    if (last === undefined) throw new Error('the phone has no call');
    return last;
  }

  register(expiresS = 3600, more: ReadonlyArray<readonly [string, string]> = [['Allow', 'INVITE, NOTIFY']]): Outcome[] {
    const { user, account } = this.#deps;
    const name = account?.sip_username ?? user;
    return this.request('REGISTER', `sip:${DOMAIN}`, `<sip:${name}@${DOMAIN}>`, [
      ['Contact', `<sip:${user}@${this.#deps.options.device ?? user}.phone.example>;expires=${expiresS}`],
      ...more,
    ]);
  }

  request(method: string, uri: string, to: string, headers: ReadonlyArray<readonly [string, string]>): Outcome[] {
    const outcomes: Outcome[] = [];
    this.userAgent.request({ method, uri, from: to, to, headers, ...this.#credentials() }, (outcome) =>
      outcomes.push(outcome),
    );
    return outcomes;
  }

  dial(
    number: string,
    options: {
      readonly body?: string | null;
      readonly from?: string;
      readonly headers?: ReadonlyArray<readonly [string, string]>;
    } = {},
  ): TestCall {
    const description = this.#describe();
    const codecs = this.#codecs;
    const stream = { address: '127.0.0.1', port: 30_000, direction: 'sendrecv' as const, codecs, dtmf: true };
    const body = options.body === null ? undefined : (options.body ?? description.offer(stream));
    const session = this.userAgent.invite({
      uri: `sip:${number}@${DOMAIN}`,
      from: options.from ?? `<sip:${this.#deps.user}@${DOMAIN}>`,
      to: `<sip:${number}@${DOMAIN}>`,
      ...(body === undefined ? {} : { body, contentType: 'application/sdp' }),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      ...this.#credentials(),
      events: {},
    });
    const call = new TestCall(session, description, codecs);
    this.calls.push(call);
    return call;
  }

  /** The wire is cut: nobody hears of it. */
  vanish(): void {
    this.#flow.close();
  }

  get #codecs(): readonly string[] {
    return this.#deps.options.codecs ?? ['PCMU', 'PCMA'];
  }

  #credentials() {
    const { account } = this.#deps;
    return account === undefined
      ? {}
      : { credentials: { username: account.sip_username, password: account.sip_password } };
  }

  #describe(): LocalDescription {
    return new LocalDescription(String(this.#deps.random.uint32()));
  }

  #callOf(session: Session): TestCall {
    return new TestCall(session, this.#describe(), this.#codecs);
  }
}

/** The method of a request. */
function firstWords(bytes: Uint8Array): string {
  const [first = ''] = new TextDecoder().decode(bytes).split(' ', 1);
  return first;
}

function lineOf(message: SipMessage): string {
  return message.kind === 'request' ? message.method : `${message.status} ${methodOf(message)}`;
}

function methodOf(message: Exclude<SipMessage, SipRequest>): string {
  return message.headers.get('CSeq')?.split(' ')[1] ?? '';
}
