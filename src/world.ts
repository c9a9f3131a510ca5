// One world: store, exchange, phones, carrier, webhooks and the faces over them, all on one clock and one seed. Opens no socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiHandler, createApi } from './api/server.ts';
import type { ControlDeps } from './control/deps.ts';
import { departures, type Remaining } from './departures.ts';
import type { Keeper, KeptWorld } from './durable/keeper.ts';
import { boundariesOf, type FaultBoundaries } from './faults/boundaries.ts';
import { FaultRegistry } from './faults/registry.ts';
import type { FaultDraft } from './faults/rule.ts';
import type { TimeHost } from './kernel/clock.ts';
import { BrokenInvariant, failure, type Result, success } from './kernel/errors.ts';
import { IdBlocks } from './kernel/ids.ts';
import type { Journal } from './kernel/journal.ts';
import { Random } from './kernel/random.ts';
import type { Timeline } from './kernel/timeline.ts';
import { Recordings } from './media/recordings.ts';
import { SoundBook } from './media/sound-book.ts';
import { Takes } from './media/takes.ts';
import { PastTraces } from './past/past-traces.ts';
import { TelephoneExchange } from './pbx/exchange.ts';
import { InvariantWatch, watchInvariants } from './pbx/invariants.ts';
import type { KeptCall } from './pbx/kept-call.ts';
import type { MediaPorts } from './pbx/leg-media.ts';
import type { Binding, Connect } from './pbx/registrar.ts';
import type { Signalling } from './pbx/signalling.ts';
import { soundsByName } from './pbx/sounds-by-name.ts';
import type { ExchangeDeps } from './pbx/wiring.ts';
import { Carrier } from './phones/carrier.ts';
import { Fleet, type NewPhone } from './phones/fleet.ts';
import type { FlowListener } from './sip/flow.ts';
import { type MemoryFlow, memoryPair } from './sip/memory-flow.ts';
import { Outbox } from './store/outbox.ts';
import { ReportRunner } from './store/reports/report-runner.ts';
import { MAX_SEEDED_CUSTOMERS } from './store/seed/numbers.ts';
import {
  HOUSE_ROLES,
  type SeededCustomer,
  type SeededWorld,
  type SeedOptions,
  seedCustomer,
  seedWorld,
} from './store/seed/world.ts';
import { Sessions } from './store/sessions.ts';
import { createStore, restoreStore, type Store, type Watchers } from './store/store.ts';
import { Traces } from './store/traces.ts';
import type { Rate } from './traffic/rate.ts';
import { Traffic } from './traffic/traffic.ts';
import { payloadOf } from './webhooks/payload.ts';
import type { WebhookSender } from './webhooks/sender.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { restoreRest, type StatefulParts, type WorldState, worldState } from './world-state.ts';

/** Host part of every address of record, and the digest realm (a name reserved for tests, RFC 2606). */
export const SIP_DOMAIN = 'pbxsim.test';
export const PRODUCT = 'pbxsim';
/** Calls that a simulated handset takes at a time: enough for load tests against one extension. */
const CALLS_PER_PHONE = 100;
const FIRST_LIFE = 1;

export interface WorldParts {
  readonly seed: number | string;
  readonly clock: Timeline;
  readonly journal: Journal;
  readonly host: TimeHost;
  readonly sender: WebhookSender;
  readonly connect: Connect;
  readonly mediaPorts?: MediaPorts;
  /** How the exchange speaks SIP where the RFCs leave it the choice. */
  readonly signalling?: Signalling;
  readonly rememberedDialogs?: number;
  /** What parties are let hear; without it nothing is spoken, and every prompt is its melody. */
  readonly sounds?: SoundBook;
  /** Where the control API listens, and the token that it asks for there. */
  readonly server: { readonly host: string; readonly token?: string };
  readonly reset: () => void;
  readonly snapshots: ControlDeps['snapshots'];
  /** Check the exchange's invariants as it runs. */
  readonly checkInvariants?: boolean;
  /** Past calls of the first account. */
  readonly history?: number;
  /** Faults that are set from the start. */
  readonly faults?: readonly FaultDraft[];
  /** What goes on by itself. */
  readonly traffic?: Rate;
  /** What the world begins with instead of the seed's records and those faults. */
  readonly from?: WorldState;
  /** Told of all that changes. */
  readonly keeper?: Keeper;
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export class World implements KeptWorld {
  readonly store: Store;
  readonly exchange: TelephoneExchange;
  readonly phones: Fleet;
  readonly trunk: Carrier;
  readonly webhooks: Webhooks;
  readonly outbox: Outbox;
  /** Deliberate faults; none unless somebody sets them. */
  readonly faults: FaultRegistry;
  readonly traces: Traces;
  /** What goes on by itself; nothing unless somebody wants it. */
  readonly traffic: Traffic;
  readonly api: ApiHandler;
  readonly control: RequestListener;
  /** What the invariants found broken; always empty unless they are checked. */
  readonly violations: readonly string[];
  readonly #clock: Timeline;
  /** What was really heard. */
  readonly #takes: Takes;
  readonly #keeper: Keeper | undefined;
  readonly #seedOptions: SeedOptions;
  #seeded: SeededWorld;
  readonly #boundaries: FaultBoundaries;
  readonly #stateful: StatefulParts;
  readonly #stopWatching: () => void;
  #reports: ReportRunner | undefined;
  #wires = 0;

  constructor(parts: WorldParts) {
    const { clock, journal, connect, from, keeper } = parts;
    const life = from?.life ?? FIRST_LIFE;
    const random = chanceOf(parts.seed, life);
    const kept = keeper === undefined ? {} : { onChange: keeper.record, mark: keeper.mark, outgoing: keeper };
    const liveIds = new IdBlocks();
    this.#clock = clock;
    this.#keeper = keeper;
    this.store = createStore(
      keeper?.record,
      this.#watchers(() => sessions),
    );
    const stow = keeper === undefined ? {} : { stow: keeper.stow };
    this.traces = new Traces({ journal, host: parts.host, past: pastOf(this.store), ...stow });
    this.#takes = new Takes(stow);
    const seeded = { random: new Random(parts.seed), domain: SIP_DOMAIN, liveIds, nowMs: clock.now() };
    this.#seedOptions = seeded;
    this.#seeded =
      from === undefined
        ? seedWorld(this.store, { ...seeded, ...historyOf(parts) })
        : loaded(from, this.store, liveIds);
    this.faults = new FaultRegistry({ clock, journal, random: random.split('faults') });
    this.#boundaries = boundariesOf(this.faults, clock);
    const { api, webhook, sip } = this.#boundaries;
    this.exchange = new TelephoneExchange({
      clock,
      random: random.split('exchange'),
      journal,
      store: this.store,
      domain: SIP_DOMAIN,
      product: PRODUCT,
      liveIds,
      connect,
      faults: sip,
      wordsOf: payloadOf,
      mail: (letter) => void this.outbox.send(letter),
      ...this.#equipment(parts),
      onRegistration: (userId, bindings) => this.#makeRoom(userId, bindings),
    });
    const { sender } = parts;
    this.webhooks = new Webhooks({
      ...{ clock, journal, sender, random: random.split('webhooks'), faults: webhook },
      ...kept,
    });
    this.exchange.subscribe(this.webhooks.receive);
    const watch = new InvariantWatch(this.store);
    this.violations = watch.violations;
    this.#stopWatching =
      parts.checkInvariants === true
        ? watchInvariants(watch, journal, (listener) => this.exchange.subscribe(listener))
        : () => {};
    this.phones = this.#makePhones(random.split('phones'), from?.phones ?? this.#phonesOf(this.#seeded.customers));
    this.trunk = this.#makeTrunk(random.split('trunk'));
    this.outbox = new Outbox(clock, keeper?.mark);
    const sessions = new Sessions({ clock, random: random.split('sessions'), ...kept });
    if (from === undefined) for (const customer of this.#seeded.customers) rememberRefused(sessions, customer);
    const { store, exchange, outbox, traces } = this;
    this.#stateful = { ...this.#remembering, life, random, liveIds, sessions };
    const shared = { clock, journal, store, exchange, outbox, traces, ...kept };
    const defer = (fn: () => void): void => parts.host.defer(fn);
    const recordings = new Recordings({ defer, takes: this.#takes, sounds: soundsByName(store) });
    this.traffic = this.#makeTraffic(random, parts);
    this.api = createApi({ ...shared, sessions, recordings, defer, faults: api });
    this.control = loadedLater({ ...shared, ...this.#controlled(parts), random: random.split('control') });
    // The phones' registrations are messages under way: a world is ready when they have arrived.
    clock.settle();
    if (from !== undefined) restoreRest(this.#stateful, from);
    else for (const fault of parts.faults ?? []) this.#setFromTheStart(fault);
    this.#reports = new ReportRunner({ clock, store, outbox });
  }

  get customers(): readonly SeededCustomer[] {
    return this.#seeded.customers;
  }

  /** One more account like the first; refused when the numbers that are kept for fiction run out. */
  makeCustomer(name?: string): Result<SeededCustomer> {
    const { customers } = this.#seeded;
    const customerId = Math.max(...customers.map((one) => one.customerId)) + 1;
    if (customerId > MAX_SEEDED_CUSTOMERS)
      return failure('conflict', `There are ${MAX_SEEDED_CUSTOMERS} accounts, as many as fictional numbers last for.`);
    const nowMs = this.#clock.now();
    const options = { ...this.#seedOptions, nowMs, ...(name === undefined ? {} : { name }) };
    const customer = seedCustomer(this.store, customerId, HOUSE_ROLES, options);
    this.#seeded = { customers: [...customers, customer] };
    for (const phone of this.#phonesOf([customer])) this.phones.add(phone);
    rememberRefused(this.#stateful.sessions, customer);
    this.#keeper?.touch();
    return success(customer);
  }

  /** What there is now, but for live calls: another world can begin with it. */
  state(): WorldState {
    return worldState({ ...this.#stateful, seeded: this.#seeded }, this.#clock.now());
  }

  /** What is small enough to be kept as a whole. */
  small(): ReturnType<KeptWorld['small']> {
    const { phones, trunk, faults } = this;
    const parts = { faults: faults.state(), scripts: trunk.scripts(), phones: phones.state() };
    return { ...parts, seeded: this.#seeded, liveIds: this.#stateful.liveIds.state() };
  }

  liveCall(callId: number): KeptCall | undefined {
    return this.exchange.keptCall(callId);
  }

  /** Goes on where another process was interrupted at that time: its live calls are over, and faults of the start set again. */
  goOn(lost: readonly KeptCall[], interruptedAt: number, faults: readonly FaultDraft[]): void {
    this.exchange.endLost(lost, interruptedAt);
    const known = new Set(this.#stateful.faults.state().rules.map(({ draft }) => JSON.stringify(draft)));
    for (const fault of faults) if (!known.has(JSON.stringify(fault))) this.#setFromTheStart(fault);
  }

  /** Nothing of this world moves any more; its calls and phones are gone without a word. */
  close(): void {
    this.traffic.close();
    this.#stopWatching();
    this.#reports?.close();
    this.phones.closeAll();
    this.trunk.close();
    this.webhooks.clear();
    this.#boundaries.close();
    this.exchange.close();
    this.traces.close();
  }

  #equipment(parts: WorldParts): Partial<ExchangeDeps> {
    const { mediaPorts, signalling = {}, sounds = new SoundBook(), rememberedDialogs } = parts;
    return {
      ...{ sounds, signalling, takes: this.#takes },
      ...(mediaPorts === undefined ? {} : { mediaPorts }),
      ...(rememberedDialogs === undefined ? {} : { rememberedDialogs }),
    };
  }

  #controlled(parts: WorldParts): Omit<ControlDeps, 'clock' | 'journal' | 'store' | 'traces' | 'random'> {
    const { exchange, outbox, phones, trunk, webhooks, faults, traffic } = this;
    const { host, reset, snapshots, server } = parts;
    const makeCustomer = (name?: string) => this.makeCustomer(name);
    const simulated = { phones, carrier: trunk, webhooks, faults, traffic };
    return { host, exchange, outbox, ...simulated, makeCustomer, reset, snapshots, server };
  }

  /** What follows at once from changes of the store. */
  #watchers(sessions: () => Sessions): Watchers {
    const remaining = (): Remaining => {
      const { exchange, phones, webhooks, traces } = this;
      return { exchange, phones, webhooks, traces, sessions: sessions() };
    };
    const leaving = departures(remaining);
    return {
      ...leaving,
      users: (change) => {
        leaving.users?.(change);
        // Before the world is whole there is no exchange to tell.
        if (change.kind === 'put' && this.#reports !== undefined) this.exchange.userChanged(Number(change.id));
      },
      reportschedules: (change) => this.#reports?.heard(change),
      monitors: ({ kind, id }) => void (kind === 'put' || this.#takes.forget(`monitor/${Number(id)}`)),
      voicemessages: ({ kind, id }) => void (kind === 'put' || this.#takes.forget(`voicemessage/${Number(id)}`)),
    };
  }

  #setFromTheStart(fault: FaultDraft): void {
    const set = this.faults.set(fault);
    if (!set.ok) throw new BrokenInvariant('a fault cannot be set', set.failure.message, 'start with fewer faults');
  }

  /** A simulated handset and an external phone never share an extension: the real one wins while it is registered. */
  #makeRoom(userId: number, bindings: readonly Binding[]): void {
    this.#keeper?.touch();
    const user = this.store.users.get(userId);
    const phone = user === undefined ? undefined : this.phones.view(user.customer, user.ext);
    if (user === undefined || phone === undefined) return;
    const external = bindings.some((binding) => binding.flow.external);
    if (external && !phone.stepped_back) this.phones.stepBack(user.customer, user.ext);
    else if (!external && phone.stepped_back) this.phones.comeBack(user.customer, user.ext);
  }

  get #remembering(): Omit<StatefulParts, 'life' | 'random' | 'liveIds' | 'sessions'> {
    const { store, outbox, webhooks, traces, faults, phones, trunk } = this;
    return { seeded: this.#seeded, store, outbox, webhooks, traces, takes: this.#takes, faults, phones, trunk };
  }

  #makePhones(random: Random, lines: readonly NewPhone[]): Fleet {
    const phones = new Fleet({
      clock: this.#clock,
      random,
      domain: SIP_DOMAIN,
      maxCalls: CALLS_PER_PHONE,
      connect: (listener) => this.#wire('phone', listener)[0],
    });
    for (const line of lines) phones.add(line);
    return phones;
  }

  #phonesOf(customers: readonly SeededCustomer[]): NewPhone[] {
    return customers.flatMap(({ users }) =>
      users.map(({ customer_id, user_id, ext, sip_username, sip_password }) => {
        const user = this.store.users.get(user_id);
        const displayName = user === undefined ? '' : `${user.first_name} ${user.last_name}`;
        const account = { customerId: customer_id, userId: user_id, sipUsername: sip_username };
        return { ...account, ext, sipPassword: sip_password, displayName };
      }),
    );
  }

  #makeTrunk(random: Random): Carrier {
    return new Carrier({
      clock: this.#clock,
      random,
      domain: SIP_DOMAIN,
      isOurs: (number) => this.exchange.hasNumber(number),
      connect: (listener) => {
        const [theirs, ours] = this.#wire('carrier', listener);
        this.exchange.setTrunk(ours);
        return theirs;
      },
    });
  }

  #makeTraffic(random: Random, { journal, traffic }: WorldParts): Traffic {
    const { store, phones, trunk: carrier, exchange } = this;
    const liveCalls = (): number => exchange.stats.calls;
    const ports = { clock: this.#clock, random, journal, store, phones, carrier, exchange, liveCalls };
    return new Traffic(ports, traffic === undefined ? {} : { rate: traffic });
  }

  /** A wire in memory: the phone's or the carrier's end, and the exchange's. */
  #wire(name: string, listener: FlowListener): [MemoryFlow, MemoryFlow] {
    this.#wires += 1;
    return memoryPair({
      clock: this.#clock,
      ends: [
        { address: { host: `${name}-${this.#wires}.invalid`, port: 5060 }, listener },
        { address: { host: SIP_DOMAIN, port: 5060 }, listener: this.exchange.listener },
      ],
    });
  }
}

/** Tokens that have expired before the world began. */
function rememberRefused(sessions: Sessions, { refused }: SeededCustomer): void {
  for (const { kind, user_id, secret } of refused) if (kind === 'expired_token') sessions.remember(user_id, secret);
}

/** No life draws what another one of the same file has drawn: no token, no id of an event comes twice. */
function chanceOf(seed: number | string, life: number): Random {
  return new Random(life === FIRST_LIFE ? seed : `${seed} life ${life}`);
}

function historyOf({ history }: WorldParts): { readonly history?: number } {
  return history === undefined ? {} : { history };
}

/** Records and ids as they were. */
function loaded(from: WorldState, store: Store, liveIds: IdBlocks): SeededWorld {
  restoreStore(store, from.store);
  liveIds.restore(from.liveIds);
  return from.seeded;
}

/** Calls of the past have their traces when somebody asks for them. */
function pastOf(store: Store): PastTraces {
  return new PastTraces({ store, domain: SIP_DOMAIN, product: PRODUCT });
}

/** The control API brings Express with it, a fifth of every start: it is loaded for the first request. */
function loadedLater(deps: ControlDeps): RequestListener {
  let listener: RequestListener | undefined;
  return (request, response) => {
    if (listener !== undefined) return listener(request, response);
    void import('./control/control.ts').then(({ createControl }) => {
      listener ??= createControl(deps);
      listener(request, response);
    });
  };
}
