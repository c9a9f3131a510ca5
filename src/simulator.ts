// The simulator: a world, its clock and journal, and the sockets through which others reach it. The composition root.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADER_LIMIT_BYTES } from './api/server.ts';
import { readFault } from './control/fault-words.ts';
import { SnapshotShelf } from './control/snapshots.ts';
import type { DocsSite } from './docs/site.ts';
import { archiveIn } from './durable/archive.ts';
import { type DataFile, PRESENT } from './durable/data-file.ts';
import { Keeper } from './durable/keeper.ts';
import { liveCallsIn, worldFacts } from './durable/rows.ts';
import type { FaultDraft } from './faults/rule.ts';
import type { ClockMode, TimeHost } from './kernel/clock.ts';
import { Journal } from './kernel/journal.ts';
import { Random } from './kernel/random.ts';
import { Timeline } from './kernel/timeline.ts';
import { MediaLines } from './media/media-lines.ts';
import { SoundBook } from './media/sound-book.ts';
import { NORMAL_CLEARING } from './pbx/causes.ts';
import type { MediaPorts } from './pbx/leg-media.ts';
import type { Connect } from './pbx/registrar.ts';
import { readSignalling, type Signalling } from './pbx/signalling.ts';
import type { FlowListener } from './sip/flow.ts';
import { StreamFramer } from './sip/stream-framer.ts';
import { type Rate, readRate } from './traffic/rate.ts';
import { refusedOn } from './traffic/traffic.ts';
import { Captures } from './webhooks/captures.ts';
import type { LocalAuthority } from './wires/authority/local-authority.ts';
import { HttpListener } from './wires/http-listener.ts';
import { LaterHttpsSender } from './wires/https-later.ts';
import { ownHosts } from './wires/ip-address.ts';
import { RtpPortPool } from './wires/rtp.ts';
import { SipSockets } from './wires/sip-sockets.ts';
import { systemTime } from './wires/system-time.ts';
import { ExternalVoices } from './wires/voices.ts';
import { SIP_DOMAIN, World } from './world.ts';
import { afterwards, type WorldState, withoutFile } from './world-state.ts';

/** For whoever starts a simulator with faults, with traffic or with words of its own on SIP. */
export { type FaultDraft, type Rate, readFault, readRate, readSignalling, refusedOn, type Signalling };

/** For whoever keeps it in a file, and asks first what is in there. */
export const factsOf = (file: DataFile): ReturnType<typeof worldFacts> => worldFacts(file, PRESENT);

/** Where a manual or fast clock starts unless told otherwise. */
export const DEFAULT_START_MS = Date.UTC(2026, 0, 1);
/** How long a simulator that closes waits for the last webhooks, and for external phones to answer its BYEs, in real ms. */
const FAREWELL_MS = 400;
const GOODBYE_MS = 100;
const FAREWELL_STEP_MS = 10;
/** RTP ports of external legs: 2,000 calls with two external legs each. */
const RTP_PORTS = { first: 20_000, last: 27_999, beginAnywhere: true };

export interface SimulatorOptions {
  /** Default 1. The same seed gives the same world and the same identifiers. */
  readonly seed?: number | string;
  /** Default `manual`. */
  readonly clock?: ClockMode;
  /** Start of a manual or fast clock, ms since 1970. */
  readonly startMs?: number;
  /** Past calls of the seed world's first account. */
  readonly history?: number;
  /** Webhooks may go to http: on loopback. */
  readonly allowHttpWebhooks?: boolean;
  /** PEM of a further authority for webhook receivers. */
  readonly webhookCa?: string;
  /** Address that HTTP and SIP listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Asked of control requests when the address is not loopback. */
  readonly controlToken?: string;
  readonly checkInvariants?: boolean;
  /** Faults that are set from the start, and again after a reset. */
  readonly faults?: readonly FaultDraft[];
  /** What goes on by itself, and again after a reset. Needs a real or a manual clock. */
  readonly traffic?: Rate;
  /** How the exchange speaks SIP where the RFCs leave it the choice. */
  readonly signalling?: Signalling;
  /** Seconds, real ones, after which an external phone that has sent sound and then sends none counts as gone. Default 60. */
  readonly silenceS?: number;
  /** Entries that the journal keeps in memory. */
  readonly journalCapacity?: number;
  /** Dialogs whose messages are filed under their call at least: those in which something was said last. Default 100,000. */
  readonly rememberedDialogs?: number;
  /** Where all state is kept. The simulator goes on with what is in there, and closes it. */
  readonly data?: DataFile;
  /** The file takes no more. What was not written was not acknowledged, and nothing is any more. */
  readonly onDataTrouble?: (error: Error) => void;
}

/** WebSockets are URLs. The secure ones are there with an authority. */
export type SipAddresses = SipSockets['addresses'] & { readonly domain: string };

export class Simulator {
  readonly clock: Timeline;
  readonly journal: Journal;
  readonly seed: number | string;
  /** Receivers of webhooks within the process. */
  readonly captures: Captures;
  readonly #options: SimulatorOptions;
  readonly #time: TimeHost;
  readonly #sender: LaterHttpsSender;
  readonly #ports: RtpPortPool;
  readonly #media: MediaLines;
  readonly #voices = new ExternalVoices();
  readonly #sounds = new SoundBook(this.#voices);
  readonly #keeper: Keeper | undefined;
  readonly #snapshots: SnapshotShelf<WorldState>;
  #world: World;
  #sip: SipSockets | undefined;
  #http: HttpListener | undefined;
  #docs: Promise<DocsSite> | undefined;

  constructor(options: SimulatorOptions = {}) {
    this.#options = options;
    this.seed = options.seed ?? 1;
    this.#time = systemTime();
    const mode = options.clock ?? 'manual';
    this.clock = new Timeline({ mode, startMs: options.startMs ?? DEFAULT_START_MS, host: this.#time });
    this.journal = new Journal(this.clock, options.journalCapacity);
    this.clock.carry(this.journal);
    this.#sender = new LaterHttpsSender({
      allowLoopbackHttp: options.allowHttpWebhooks === true,
      ...(options.webhookCa === undefined ? {} : { ca: options.webhookCa }),
    });
    this.captures = new Captures(this.#sender);
    this.#ports = new RtpPortPool({ host: this.host, ...RTP_PORTS });
    this.#media = this.#openMedia();
    this.#keeper = options.data === undefined ? undefined : this.#makeKeeper(options.data);
    this.#snapshots = new SnapshotShelf<WorldState>(
      // Those of a file have their bytes there.
      { take: () => this.#state(), restore: (state) => this.restore(state) },
      options.data === undefined || this.#keeper === undefined ? undefined : archiveIn(options.data, this.#keeper),
    );
    try {
      this.#world = this.#firstWorld();
    } catch (error) {
      this.clock.close();
      throw error;
    }
  }

  get host(): string {
    return this.#options.host ?? '127.0.0.1';
  }

  /** What there is now: another one after a reset. */
  get world(): World {
    return this.#world;
  }

  /** RTP ports that are bound now: one for each external leg. */
  get mediaPortsInUse(): number {
    return this.#ports.size;
  }

  /**
   * Answers the API, the control API, the API's document and its reference; mountable in Express, supertest and `node:http`. What is none
   * of these goes to `next`, or is 404 without it.
   */
  readonly handler = (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    const { url = '' } = request;
    if (url.startsWith('/v1.')) this.#world.api(request, response);
    else if (url.startsWith('/_sim')) this.#world.control(request, response);
    else if (/^\/(openapi\.json|docs)(?=[/?]|$)/.test(url)) void this.#sendDocs(request, response);
    else if (next !== undefined) next();
    else if (url === '/') response.writeHead(302, { location: '/docs/' }).end();
    else this.#world.api(request, response);
  };

  /** Opens SIP over UDP, TCP and WebSocket, and with an authority over TLS and secure WebSocket. Rejects with `CannotListen`; nothing stays open then. */
  async listenSip(port: number, authority?: LocalAuthority): Promise<SipAddresses> {
    const { host } = this;
    const listener: FlowListener = {
      received: (flow, bytes) => this.#world.exchange.listener.received(flow, bytes),
      closed: (flow, why) => this.#world.exchange.listener.closed(flow, why),
    };
    const makeFramer = (onPing: () => void) => new StreamFramer({ onPing });
    const identity = authority && (() => authority.certificateFor(ownHosts(host)));
    this.#sip = await SipSockets.open({ host, port, listener, makeFramer, identity });
    return { ...this.#sip.addresses, domain: SIP_DOMAIN };
  }

  /**
   * Opens HTTP for `handler`, or HTTPS with a certificate of that authority. Resolves with the URL without a path.
   * Rejects with `CannotListen`.
   */
  async listenHttp(port: number, authority?: LocalAuthority): Promise<string> {
    const { host, handler } = this;
    this.#http = await HttpListener.open({
      ...{ host, port, maxHeaderBytes: HEADER_LIMIT_BYTES, handler },
      ...(authority === undefined ? {} : { identity: () => authority.certificateFor(ownHosts(host)) }),
    });
    return this.#http.url;
  }

  /** Back to the state after the start: calls end, everything made is gone, the seed world is new. Clock and journal go on. */
  reset(): void {
    this.#world.traffic.close();
    this.#world.exchange.hangUpAll(NORMAL_CLEARING);
    this.clock.settle();
    this.#leaveWorld();
    this.journal.append('control.reset');
    this.#world = this.#makeWorld();
    this.#keeper?.beginAnew(this.#world, this.#world.state());
  }

  /** What there is now, but for live calls and registrations of external phones. The calls go on. */
  snapshot(): WorldState {
    const state = this.#state();
    return this.#keeper === undefined ? state : withoutFile(state);
  }

  /**
   * Back to a snapshot: live calls end first, then there is a new world with the state of then. A manual clock goes back
   * to the time of then; a real or fast one and the journal go on, and so does traffic, at the rate of now.
   */
  restore(from: WorldState): void {
    const { rate } = this.#world.traffic;
    this.#world.traffic.close();
    this.#world.exchange.hangUpAll(NORMAL_CLEARING);
    this.clock.settle();
    this.#leaveWorld();
    if (this.clock.mode === 'manual') this.clock.restart(from.at);
    this.journal.append('control.restore');
    this.#world = this.#makeWorld(from, rate);
    this.clock.settle();
    this.#keeper?.beginAnew(this.#world, this.#world.state());
  }

  /** Hangs up every call, lets phones and webhooks hear of it, and closes every socket. */
  async close(): Promise<void> {
    const { exchange, traffic } = this.#world;
    traffic.close();
    // A phone out there may be slow to answer a BYE; one in here has answered when the clock has settled.
    const patienceMs = exchange.hasExternalCalls ? GOODBYE_MS : 0;
    exchange.hangUpAll();
    this.clock.settle();
    // What is under way is waited for; what waits for its next attempt is not.
    const isTimeToGo = (waitedMs: number): boolean => waitedMs >= patienceMs && this.clock.busy === 0;
    for (let waitedMs = 0; waitedMs < FAREWELL_MS && !isTimeToGo(waitedMs); waitedMs += FAREWELL_STEP_MS) {
      await new Promise<void>((resolve) => void this.#time.alarm(FAREWELL_STEP_MS, resolve));
    }
    this.#world.traces.sealRest();
    this.#keeper?.close();
    this.#world.close();
    this.clock.close();
    await Promise.all([this.#http?.close(), this.#sip?.close(), this.#sender.close()]);
    this.#media.close();
    this.#ports.close();
    this.#voices.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #state(): WorldState {
    this.clock.settle();
    return this.#world.state();
  }

  #makeKeeper(file: DataFile): Keeper {
    const onTrouble = (error: Error): void => this.#options.onDataTrouble?.(error);
    return new Keeper({ file, seed: this.seed, clock: this.clock, host: this.#time, journal: this.journal, onTrouble });
  }

  #openMedia(): MediaLines {
    const random = new Random(this.seed).split('rtp');
    return new MediaLines({
      open: () => this.#ports.open(),
      time: this.#time,
      chance: () => random.uint32(),
      ...(this.#options.silenceS === undefined ? {} : { silenceS: this.#options.silenceS }),
    });
  }

  /** The seed's world, or the one that the file holds. */
  #firstWorld(): World {
    const { data, faults = [] } = this.#options;
    const keeper = this.#keeper;
    if (data === undefined || keeper === undefined || data.isNew) {
      const world = this.#makeWorld();
      keeper?.beginAnew(world, world.state());
      return world;
    }
    const { state, codec } = keeper.stateAt(PRESENT);
    const lost = liveCallsIn(data, PRESENT);
    const world = this.#makeWorld({ ...state, store: afterwards(state.store) });
    keeper.goOn(world, state, codec);
    world.goOn(lost, state.at, faults);
    keeper.flush();
    return world;
  }

  /** Its end is not to be kept: another world takes its place in the file. */
  #leaveWorld(): void {
    this.#keeper?.pause();
    this.#world.close();
  }

  #makeWorld(from?: WorldState, traffic = this.#options.traffic): World {
    const { controlToken, checkInvariants, faults, history, rememberedDialogs, signalling = {} } = this.#options;
    const connect: Connect = (transport, address) => this.#sip?.connect(transport, address);
    return new World({
      seed: this.seed,
      clock: this.clock,
      journal: this.journal,
      host: this.#time,
      sender: this.captures,
      connect,
      mediaPorts: this.#media satisfies MediaPorts,
      sounds: this.#sounds,
      signalling,
      server: { host: this.host, ...(controlToken === undefined ? {} : { token: controlToken }) },
      reset: () => this.reset(),
      snapshots: this.#snapshots,
      ...(this.#keeper === undefined ? {} : { keeper: this.#keeper }),
      ...(checkInvariants === undefined ? {} : { checkInvariants }),
      ...(faults === undefined ? {} : { faults }),
      ...(history === undefined ? {} : { history }),
      ...(rememberedDialogs === undefined ? {} : { rememberedDialogs }),
      ...(traffic === undefined ? {} : { traffic }),
      ...(from === undefined ? {} : { from }),
    });
  }

  /** Made of the whole contract, so loaded only for who asks. */
  async #sendDocs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#docs ??= openDocs();
    const site = await this.#docs;
    await site.handle(request, response, 'encrypted' in request.socket ? 'https' : 'http');
  }
}

async function openDocs(): Promise<DocsSite> {
  const [{ DocsSite }, { readDocsFile }] = await Promise.all([
    import('./docs/site.ts'),
    import('./wires/docs-files.ts'),
  ]);
  return new DocsSite(readDocsFile);
}
