// A simulator inside the process of a test: what `createSimulator` gives. Puts its faces together and knows what none of them does.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clockMovesOf } from '../control/clock-moves.ts';
import type { FaultDraft } from '../faults/rule.ts';
import type { ClockMode } from '../kernel/clock.ts';
import { parseUtc } from '../kernel/time.ts';
import {
  type Rate,
  readFault,
  readRate,
  readSignalling,
  refusedOn,
  Simulator,
  type SimulatorOptions,
  type SipAddresses,
} from '../simulator.ts';
import type { Mail } from '../store/outbox.ts';
import type { Role, SeededUser } from '../store/seed/people.ts';
import type { SeededCustomer } from '../store/seed/world.ts';
import type { TrafficState } from '../traffic/ports.ts';
import type { LocalAuthority } from '../wires/authority/local-authority.ts';
import { systemTime } from '../wires/system-time.ts';
import type { WorldState } from '../world-state.ts';
import { SimulatorClock } from './clock.ts';
import { SimulatorFaults } from './faults.ts';
import { type Entry, type EntryWish, SimulatorJournal } from './journal.ts';
import { Phones, Trunk } from './phones.ts';
import { granted, refusal } from './refusal.ts';
import type { WaitOptions } from './waiting.ts';
import { SimulatorWebhooks } from './webhooks.ts';

export interface CreateOptions {
  /** The same seed gives the same world, the same identifiers and the same journal. Default 1. */
  readonly seed?: number | string;
  /** `manual` (default): time moves only when told. `fast`: jumps from event to event. `real`: the system's time. */
  readonly clock?: ClockMode;
  /** Where a manual or fast clock starts: a Date, ms since 1970 or ISO 8601. Default 2026-01-01T00:00:00Z. */
  readonly start?: Date | number | string;
  /** Listens for HTTP on a free port of loopback (default), on that port, or (false) not at all: then there is only `app`. */
  readonly http?: boolean | number;
  /** HTTPS instead of HTTP, with an authority of its own: clients have to trust `ca`. Default false. */
  readonly https?: boolean;
  /**
   * Listens for SIP over UDP, TCP and WebSocket on loopback: true for free ports, or a port; WebSocket is 6 above it. Default
   * false. With `https` or `tls` over TLS (1 above) and secure WebSocket (7 above), too.
   */
  readonly sip?: boolean | number;
  /** SIP over TLS and secure WebSocket as well, with an authority of its own: phones have to trust `ca`. Default: as `https`. */
  readonly tls?: boolean;
  /** Webhooks may go to `http:` on loopback: for a receiver that the test starts. Default false: HTTPS only, as specified. */
  readonly allowHttpWebhooks?: boolean;
  /** PEM of a further authority whose certificates webhook receivers may have. */
  readonly webhookCa?: string;
  /** Faults that are set from the start, and again after a reset. */
  readonly faults?: readonly FaultDraft[];
  /** A living company: calls and messages come by themselves at that rate on the clock, `'30/min'` say. Not on a fast clock. */
  readonly traffic?: string;
  /**
   * The session timer that the exchange wants in every call (RFC 4028), 90 to 86,400 s: a phone that is not there any more is noticed
   * without media. Default: only timers that phones ask for.
   */
  readonly sessionExpiresS?: number;
  /** With what phones are asked for their password (RFC 8760). Default `md5`, which every phone knows. */
  readonly digest?: 'md5' | 'sha-256' | 'both';
  /** Entries that the journal keeps. Default 50,000. */
  readonly journalCapacity?: number;
  /**
   * A file that keeps all state, made where there is none: the next simulator with it goes on with the same world, with its seed
   * and, on a manual or fast clock, at its time. One simulator at a time. Default: state is in memory, and gone with the simulator.
   */
  readonly data?: string;
}

/** A state that can be gone back to. Holds everything but live calls and registrations of external phones. */
export interface Snapshot {
  /** When it was taken, in ms since 1970 on the simulator's clock. */
  readonly at: number;
}

/** Answers an HTTP request. With `next`, paths that are not the simulator's are left to whoever comes after, as in Express. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Starts a simulator in this process. Resolves when phones have registered and the sockets that were asked for listen.
 * Rejects with `Refused` for options that cannot be and for a file of `data` that cannot be used, and when a port is taken.
 *
 * @example
 * await using simulator = await createSimulator({ seed: 7 });
 * const { callId } = simulator.phones.act('101', { act: 'call', to: '102' });
 * await simulator.clock.advance('5s');
 * await simulator.waitFor({ event: 'call.connected', callId });
 */
export function createSimulator(options: CreateOptions = {}): Promise<PbxSimulator> {
  return PbxSimulator.create(options);
}

/** A telephone exchange with its phones, REST API, webhooks and clock. Simulators in one process share nothing. */
export class PbxSimulator {
  readonly clock: SimulatorClock;
  readonly phones: Phones;
  readonly trunk: Trunk;
  readonly webhooks: SimulatorWebhooks;
  readonly faults: SimulatorFaults;
  readonly journal: SimulatorJournal;
  readonly #simulator: Simulator;
  readonly #states = new WeakMap<Snapshot, WorldState>();
  #url: string | undefined;
  #ca: string | undefined;
  #sip: SipAddresses | undefined;

  private constructor(simulator: Simulator) {
    const host = systemTime();
    this.#simulator = simulator;
    this.clock = new SimulatorClock(simulator.clock, clockMovesOf(simulator.clock, host));
    this.phones = new Phones(simulator);
    this.trunk = new Trunk(simulator);
    this.webhooks = new SimulatorWebhooks(simulator, host);
    this.faults = new SimulatorFaults(simulator);
    this.journal = new SimulatorJournal(simulator, host);
  }

  /** See `createSimulator`. */
  static async create({
    http = true,
    https = false,
    sip = false,
    tls = https,
    start,
    faults,
    traffic,
    sessionExpiresS,
    digest,
    data,
    ...rest
  }: CreateOptions): Promise<PbxSimulator> {
    const options: SimulatorOptions = {
      ...rest,
      signalling: granted(readSignalling({ sessionExpiresS, digest })),
      ...(start === undefined ? {} : { startMs: startMs(start) }),
      ...(faults === undefined ? {} : { faults: faults.map((fault) => granted(readFault(fault))) }),
      ...(traffic === undefined ? {} : { traffic: rateOf(traffic, rest.clock) }),
    };
    const simulator = data === undefined ? new Simulator(options) : await keptIn(data, options);
    const made = new PbxSimulator(simulator);
    try {
      const authority = https || tls ? await made.#vouch() : undefined;
      if (sip !== false) made.#sip = await simulator.listenSip(sip === true ? 0 : sip, tls ? authority : undefined);
      if (http !== false)
        made.#url = await simulator.listenHttp(http === true ? 0 : http, https ? authority : undefined);
    } catch (error) {
      await simulator.close();
      throw error;
    }
    return made;
  }

  /** Where it listens, without a path: `http://127.0.0.1:43125`. Throws when it was created with `http: false`. */
  get url(): string {
    if (this.#url === undefined)
      throw refusal(
        'conflict',
        'It was created with http: false and listens nowhere: give app to supertest or a server.',
      );
    return this.#url;
  }

  /** PEM of the authority to trust with `https: true` or `tls: true`, for `new Agent({ connect: { ca } })` of undici; else undefined. */
  get ca(): string | undefined {
    return this.#ca;
  }

  /** Where the API's paths begin: `${url}/v1.1/pbx`. */
  get apiRoot(): string {
    return `${this.url}/v1.1/pbx`;
  }

  /** Where it listens for SIP; undefined unless it was created with `sip`. */
  get sip(): SipAddresses | undefined {
    return this.#sip;
  }

  get seed(): number | string {
    return this.#simulator.seed;
  }

  /**
   * The REST API (`/v1.1`, `/v1.2`), the control API (`/_sim`) and `/openapi.json` as one request handler: for
   * `request(simulator.app)` of supertest, `express().use(simulator.app)` before any body parser, `createServer(simulator.app)`.
   */
  get app(): RequestHandler {
    return this.#simulator.handler;
  }

  /** The accounts of the seed world: the first has a user of each role, the second one user whom the first must never see. */
  get customers(): readonly SeededCustomer[] {
    return this.#simulator.world.customers;
  }

  /** The users of all accounts with their credentials. */
  get users(): readonly SeededUser[] {
    return this.customers.flatMap(({ users }) => users);
  }

  /** The first customer's public numbers: `numbers[i]` rings `users[i]`. */
  get numbers(): readonly string[] {
    return this.customers[0]?.numbers ?? [];
  }

  /** The first user with that role. Throws `Refused` (`not_found`). */
  user(role: Role): SeededUser {
    const user = this.users.find((one) => one.role === role);
    if (user === undefined) throw refusal('not_found', `There is no user with role ${role}.`);
    return user;
  }

  /** The value of an Authorization header with that user's API key. Default: the first administrator. */
  authorization(of: Role | SeededUser = 'root'): string {
    const { user_id, api_key } = typeof of === 'string' ? this.user(of) : of;
    if (api_key === null) throw refusal('conflict', `User ${user_id} has no API key: log in with POST /login.`);
    return `Basic ${Buffer.from(`${user_id}:${api_key}`).toString('base64')}`;
  }

  /** How much goes on by itself: the rate, and what has begun and was left out since the start or the last reset. */
  get traffic(): TrafficState {
    return this.#simulator.world.traffic.state;
  }

  /** Calls and messages come by themselves from now on: `'30/min'`, `'2/s'`, `'100/h'`, `'off'`. Throws `Refused`. */
  setTraffic(rate: string): TrafficState {
    return granted(this.#simulator.world.traffic.setRate(rate));
  }

  /** Emails that a real system would have sent: second-factor codes, password resets, confirmations. */
  get outbox(): readonly Mail[] {
    return this.#simulator.world.outbox.list();
  }

  /**
   * The first entry of the journal that matches: one since the start (or the last reset or restore), or the next one.
   * Waits in real time and does not move the clock. Rejects with `TimedOut`, which names what came nearest.
   *
   * @example
   * await simulator.waitFor({ event: 'call.hangup', callId });
   * await simulator.waitFor((entry) => entry.kind === 'webhook.attempt' && entry.data.status === 503);
   */
  waitFor(wish: EntryWish, options: WaitOptions = {}): Promise<Entry> {
    return this.journal.waitFor(wish, options);
  }

  /**
   * Keeps what there is: records, ids, chance, logins, mails, webhooks with their logs, phones, scripts, faults, time.
   * Live calls go on and are no part of it. Waits first for webhooks under way, but on a real clock.
   */
  async snapshot(): Promise<Snapshot> {
    await this.#quiet();
    const state = this.#simulator.snapshot();
    const snapshot: Snapshot = Object.freeze({ at: state.at });
    this.#states.set(snapshot, state);
    return snapshot;
  }

  /**
   * Back to a snapshot of this simulator, as often as you like; what is done then goes as it went before. Live calls end
   * first. A manual clock goes back to the time of then. The journal goes on.
   */
  async restore(snapshot: Snapshot): Promise<void> {
    const state = this.#states.get(snapshot);
    if (state === undefined) throw refusal('invalid', 'The snapshot was taken of another simulator.');
    await this.#quiet();
    this.#simulator.restore(state);
  }

  /** Back to the state after the start, captures of webhooks removed. Clock and journal go on. */
  async reset(): Promise<void> {
    await this.#quiet();
    this.#simulator.reset();
    this.#simulator.clock.settle();
  }

  /** Ends every call, lets phones and webhooks hear of it, and closes every socket. */
  close(): Promise<void> {
    return this.#simulator.close();
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Loaded for TLS only, as it costs every other start. */
  async #vouch(): Promise<LocalAuthority> {
    const { LocalAuthority } = await import('../wires/authority/local-authority.ts');
    const authority = LocalAuthority.make();
    this.#ca = authority.pem;
    return authority;
  }

  async #quiet(): Promise<void> {
    if (this.clock.mode === 'manual') await this.clock.settled();
  }
}

/** SQLite is loaded only where there is a file. */
async function keptIn(data: string, options: SimulatorOptions): Promise<Simulator> {
  const { keptSimulator } = await import('./kept-file.ts');
  return keptSimulator(data, options);
}

function rateOf(traffic: string, clock: ClockMode = 'manual'): Rate {
  const rate = granted(readRate(traffic));
  const refused = refusedOn(clock, rate);
  if (refused !== undefined) throw refusal('conflict', refused);
  return rate;
}

function startMs(start: Date | number | string): number {
  const ms = typeof start === 'string' ? (parseUtc(start) ?? Number.NaN) : Number(start);
  if (!Number.isFinite(ms)) throw refusal('invalid', 'start: expected a Date, ms since 1970 or ISO 8601 in UTC.');
  return ms;
}
