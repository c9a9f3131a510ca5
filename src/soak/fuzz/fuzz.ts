// A hundred thousand requests that mean no good, to a server in a process of its own: what must never come back, and what must not be left behind.
import { type Known, makeRequest } from '../../api/requests.rig.ts';
import { operations } from '../../contract/operations.ts';
import { Random } from '../../kernel/random.ts';
import { abuse } from './abuses.ts';
import { type RawRequest, rawRequest } from './bad-requests.ts';
import { Catalogue } from './catalogue.ts';
import { type Ready, ServerProcess, type Weighed } from './server-process.ts';
import { problemOf } from './verdict.ts';
import { Wire, type WireOutcome } from './wire.ts';

export interface FuzzPlan {
  readonly requests: number;
  readonly seed: number;
  /** Clients at a time. */
  readonly clients?: number;
  /** It ends by then, whatever is left. */
  readonly withinMs: number;
}

interface Slowest {
  readonly ms: number;
  readonly what: string;
}

export interface FuzzReport {
  readonly seed: number;
  readonly requests: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that have answered 2xx or 3xx. */
  readonly reached: ReadonlySet<string>;
  /** What took longest, and how long. */
  readonly slowest: Slowest;
  readonly before: Weighed;
  readonly after: Weighed;
  /** Everything that should not be; empty when all is well. */
  readonly problems: readonly string[];
}

/** Requests after which the world is made anew: accounts that removed themselves are back, and live calls are gone. */
const ROUND = 2000;
/** One in so many is no request that a client would send. */
const ABUSES = 40;
/** Requests before the first weighing: caches and the journal are full then. */
const WARM_UP = 3000;
const HISTORY = 120;
/** What may be left behind, bytes: code that was compiled, caches of which each has a limit. */
const GROWTH_BYTES = 48 * 1024 * 1024;
/** The process as the system sees it keeps room that it once needed: for answers of megabytes, sounds, JSON of a megabyte. */
const RSS_GROWTH_BYTES = 320 * 1024 * 1024;
const PROBLEMS_TOLD = 20;

export async function fuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const server = new ServerProcess(HISTORY);
  try {
    const run = new Run(plan, server, await server.ready());
    return await run.all();
  } finally {
    await server.close();
  }
}

class Run {
  readonly #plan: FuzzPlan;
  readonly #server: ServerProcess;
  readonly #random: Random;
  readonly #statuses: Record<string, number> = {};
  readonly #reached = new Set<string>();
  readonly #problems: string[] = [];
  readonly #until: number;
  #ready: Ready;
  #sent = 0;
  #slowest: Slowest = { ms: 0, what: '' };

  constructor(plan: FuzzPlan, server: ServerProcess, ready: Ready) {
    this.#plan = plan;
    this.#server = server;
    this.#ready = ready;
    this.#random = new Random(plan.seed, 'fuzz');
    this.#until = performance.now() + plan.withinMs;
  }

  async all(): Promise<FuzzReport> {
    const { seed, requests } = this.#plan;
    const warmUp = Math.min(WARM_UP, requests / 4);
    await this.#rounds(warmUp);
    const before = await this.#rest();
    await this.#rounds(requests);
    const after = await this.#rest();
    this.#compare(before, after);
    await this.#stillThere();
    const [statuses, reached, slowest, problems] = [this.#statuses, this.#reached, this.#slowest, this.#problems];
    return { seed, requests: this.#sent, statuses, reached, slowest, before, after, problems };
  }

  get #isOver(): boolean {
    return performance.now() > this.#until || this.#problems.length >= PROBLEMS_TOLD;
  }

  async #rounds(upTo: number): Promise<void> {
    const { clients = 6 } = this.#plan;
    while (this.#sent < upTo && !this.#isOver) {
      const end = Math.min(upTo, this.#sent + ROUND);
      this.#ready = await this.#server.reset();
      const catalogue = await Catalogue.read(this.#ready);
      await Promise.all(
        Array.from({ length: clients }, (_, at) => this.#client(catalogue, end, `${this.#sent}-${at}`)),
      );
    }
  }

  /** One client until the round is over, on one connection as long as it lasts. */
  async #client(catalogue: Catalogue, end: number, name: string): Promise<void> {
    const random = this.#random.split(name);
    const known = catalogue.knownTo(random);
    let wire = await Wire.open(this.#port);
    while (this.#sent < end && !this.#isOver) {
      if (wire.isOver) wire = await Wire.open(this.#port);
      if (random.int(ABUSES) === 0) await this.#abuse(catalogue, random);
      else if (!(await this.#request(wire, catalogue, known, random))) wire.cut();
    }
    wire.cut();
  }

  /** Whether the connection is still good. */
  async #request(wire: Wire, catalogue: Catalogue, known: Known, random: Random): Promise<boolean> {
    const operation = operations[random.int(operations.length)];
    if (operation === undefined) return true;
    const made = makeRequest(operation, { known, random });
    const raw = rawRequest(made, catalogue.credentials(random), random);
    if (isSuicide(operation.id) && random.int(40) > 0) return true;
    this.#sent += 1;
    const from = performance.now();
    const outcome = await this.#answer(wire, raw);
    const ms = performance.now() - from;
    const said = raw.bytes.subarray(0, 600).toString('latin1').replaceAll('\r\n', ' | ');
    const what = `${operation.id}: ${said}`;
    if (ms > this.#slowest.ms) this.#slowest = { ms, what };
    this.#judge(outcome, what);
    if (typeof outcome === 'string') return false;
    if (raw.isWhole && outcome.status < 400) {
      this.#reached.add(operation.id);
      catalogue.learn(operation, outcome);
    }
    return outcome.headers.connection !== 'close';
  }

  /** The server may have closed a connection just when this was sent: then the next one must do. */
  async #answer(wire: Wire, { bytes, isHead }: RawRequest): Promise<WireOutcome> {
    wire.send(bytes);
    const outcome = await wire.answer(isHead);
    if (outcome !== 'closed') return outcome;
    const another = await Wire.open(this.#port);
    another.send(bytes);
    const last = await another.answer(isHead);
    another.cut();
    return last;
  }

  async #abuse(catalogue: Catalogue, random: Random): Promise<void> {
    const result = await abuse({ port: this.#port, authorization: catalogue.rootCredentials, random });
    this.#sent += result.sent;
    // To what is no HTTP an end without a word is an answer, too.
    for (const outcome of result.outcomes) if (outcome !== 'closed') this.#judge(outcome, 'abuse');
  }

  #judge(outcome: WireOutcome, about: string): void {
    const status = typeof outcome === 'string' ? outcome.slice(0, 7) : String(outcome.status);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    const problem = problemOf(outcome);
    if (problem !== undefined) this.#problems.push(`${problem.slice(0, 400)} <- ${about}`);
  }

  get #port(): number {
    return Number(new URL(this.#ready.url).port);
  }

  /** The weight of the seed's world, when nobody is connected. */
  async #rest(): Promise<Weighed> {
    this.#ready = await this.#server.reset();
    return this.#server.weigh();
  }

  #compare(before: Weighed, after: Weighed): void {
    const grown = after.heapBytes - before.heapBytes;
    if (grown > GROWTH_BYTES) this.#problems.push(`the heap has grown by ${Math.round(grown / 1024 / 1024)} MiB`);
    const room = after.rssBytes - before.rssBytes;
    if (room > RSS_GROWTH_BYTES) this.#problems.push(`the process has grown by ${Math.round(room / 1024 / 1024)} MiB`);
    for (const kind of ['TCPSocketWrap', 'TLSWrap', 'PipeWrap', 'UDPWrap'])
      if ((after.open[kind] ?? 0) > (before.open[kind] ?? 0))
        this.#problems.push(`${kind}: ${before.open[kind] ?? 0} were open before, ${after.open[kind]} are now`);
    this.#problems.push(...after.failures.map((failure) => `rest.failure: ${failure}`));
    if (this.#server.output !== '') this.#problems.push(`the server printed: ${this.#server.output}`);
  }

  async #stillThere(): Promise<void> {
    const catalogue = await Catalogue.read(this.#ready);
    if (catalogue.size < 100) this.#problems.push(`afterwards the lists have ${catalogue.size} records`);
  }
}

/** What takes the credentials with it that all others need. */
function isSuicide(operation: string): boolean {
  return operation === 'deleteCustomer' || operation === 'deleteUser';
}
