// pbxsim serve: opens a simulator to the network, says that it is ready, and ends it when told to.
import type { ClockMode } from '../kernel/clock.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { entryView } from '../kernel/journal-view.ts';
import {
  type FaultDraft,
  type Rate,
  readFault,
  readRate,
  refusedOn,
  type Signalling,
  Simulator,
  type SimulatorOptions,
} from '../simulator.ts';
import type { KeptAuthority } from '../wires/authority/authority-files.ts';
import { LineFile, readTextFile } from '../wires/files.ts';
import { isLoopback } from '../wires/ip-address.ts';
import { randomSecret } from '../wires/secrets.ts';
import { systemTime } from '../wires/system-time.ts';
import { certificateTrouble } from '../wires/trust.ts';
import type { KeptData } from './data-file.ts';
import { explain, UsageError } from './errors.ts';
import { type Ready, readyFacts } from './ready.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly sipPort: number;
  readonly seed?: string;
  readonly clock: ClockMode;
  /** ms since 1970. */
  readonly start?: number;
  /** Past calls of the first account. */
  readonly history?: number;
  readonly allowHttpWebhooks?: boolean;
  readonly webhookCa?: string;
  readonly journal?: string;
  readonly controlToken?: string;
  readonly checkInvariants?: boolean;
  /** Each as the control API takes it, in JSON. */
  readonly fault?: readonly string[];
  /** What goes on by itself: `30/min`. */
  readonly traffic?: string;
  /** Seconds of the session timer that the exchange wants. */
  readonly sessionExpires?: number;
  readonly digest: 'md5' | 'sha-256' | 'both';
  readonly json?: boolean;
  readonly https?: boolean;
  /** Default: the user's own. */
  readonly stateDir?: string;
  /** The file that keeps all state. */
  readonly data?: string;
}

/** Whatever hangs, the process is gone by then: the promise is a second. */
const LAST_CALL_MS = 900;

export async function serve(options: ServeOptions): Promise<void> {
  if (options.start !== undefined && options.clock === 'real')
    throw new UsageError('--start needs --clock manual or --clock fast: a real clock follows the system.');
  const controlToken = tokenFor(options);
  // Files first: once there is a simulator, its timers keep the process going until it is closed.
  const webhookCa = options.webhookCa === undefined ? undefined : await receiversAuthority(options.webhookCa);
  const kept = await authorityOf(options);
  const journal = options.journal === undefined ? undefined : await LineFile.open(options.journal, '--journal');
  const faults = (options.fault ?? []).map(faultOf);
  const traffic = trafficOf(options);
  const data = await dataOf(options);
  const simulator = startWith(data, {
    host: options.host,
    seed: data?.seed ?? seedOf(options.seed) ?? 1,
    clock: options.clock,
    ...startOf(options, data),
    ...(data === undefined ? {} : { data: data.file, onDataTrouble: endWith }),
    ...(options.history === undefined ? {} : { history: options.history }),
    ...authoritiesOf(webhookCa, kept),
    ...(controlToken === undefined ? {} : { controlToken }),
    ...(traffic === undefined ? {} : { traffic }),
    signalling: signallingOf(options),
    allowHttpWebhooks: options.allowHttpWebhooks === true,
    checkInvariants: options.checkInvariants === true,
    faults,
  });
  if (journal !== undefined) writeJournal(simulator, journal);
  endOnSignal(simulator, journal, options);
  try {
    const sip = await simulator.listenSip(options.sipPort, kept?.authority);
    const httpUrl = await simulator.listenHttp(options.port, options.https === true ? kept?.authority : undefined);
    const allowHttpWebhooks = options.allowHttpWebhooks === true;
    const ready = { httpUrl, sip, simulator, allowHttpWebhooks, controlToken, caFile: kept?.file };
    await announce(ready, options.json === true);
  } catch (error) {
    await simulator.close();
    await journal?.close();
    throw error;
  }
}

/** Loaded only when there is a file to keep. */
async function dataOf({ data, seed, clock, start, history }: ServeOptions): Promise<KeptData | undefined> {
  if (data === undefined) return undefined;
  const { openData } = await import('./data-file.ts');
  return openData(data, { seed: seedOf(seed), clock, start, history });
}

/** What is wrong in the file may show only when it is read. */
function startWith(data: KeptData | undefined, options: SimulatorOptions): Simulator {
  const start = () => new Simulator(options);
  return data === undefined ? start() : data.refusing(start);
}

function startOf({ start }: ServeOptions, data: KeptData | undefined): { startMs?: number } {
  const startMs = data?.startMs ?? start;
  return startMs === undefined ? {} : { startMs };
}

/** Nobody is told that something was done which was not kept. */
function endWith(error: Error): never {
  console.error(explain(error));
  process.exit(1);
}

/** For HTTPS and for SIP over TLS. Without a folder to keep it in there is no HTTPS, and SIP does without TLS. */
async function authorityOf({ https, stateDir }: ServeOptions): Promise<KeptAuthority | undefined> {
  const { localAuthority, StateTrouble, stateDirOf } = await import('../wires/authority/authority-files.ts');
  try {
    return localAuthority(stateDirOf(stateDir, process.env));
  } catch (error) {
    if (https === true || !(error instanceof StateTrouble)) throw error;
    console.error(`pbxsim: no SIP over TLS: ${error.message}`);
    return undefined;
  }
}

/** Receivers on this machine show certificates of its local authority: pbxsim conform and pbxsim listen --https. */
/** Looked at by itself: beside the local authority nobody would miss it. */
async function receiversAuthority(file: string): Promise<string> {
  const pem = await readTextFile(file, '--webhook-ca');
  const trouble = certificateTrouble(pem);
  if (trouble !== undefined) throw new Error(`--webhook-ca: ${file} cannot be used: ${trouble}.`);
  return pem;
}

function authoritiesOf(given: string | undefined, kept: KeptAuthority | undefined): { webhookCa?: string } {
  const all = [given, kept?.authority.pem].filter((pem) => pem !== undefined);
  return all.length === 0 ? {} : { webhookCa: all.join('\n') };
}

/** Colours are loaded for people only. */
async function announce(ready: Ready, json: boolean): Promise<void> {
  const text = json ? JSON.stringify(readyFacts(ready)) : (await import('./banner.ts')).banner(ready);
  process.stdout.write(`${text}\n`);
}

/** Anybody who reaches this address could use the well-known seed and the control API: both must be meant. */
function tokenFor({ host, seed, controlToken }: ServeOptions): string | undefined {
  if (isLoopback(host)) return controlToken;
  if (seed === undefined) {
    throw new UsageError(
      `--host ${host} can be reached by others, and the default seed's passwords are known to all: add --seed with a value of your own.`,
    );
  }
  return controlToken ?? randomSecret();
}

function signallingOf({ sessionExpires, digest }: ServeOptions): Signalling {
  return { digest, ...(sessionExpires === undefined ? {} : { sessionExpiresS: sessionExpires }) };
}

/** Numbers stay numbers, so that `--seed 1` and the default are one world. */
function seedOf(text: string | undefined): number | string | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function faultOf(text: string): FaultDraft {
  const fault = readFault(jsonOf(text));
  if (!fault.ok) throw new UsageError(`--fault ${text}: ${fault.failure.details.join('; ')}`);
  return fault.value;
}

function trafficOf({ traffic, clock }: ServeOptions): Rate | undefined {
  if (traffic === undefined) return undefined;
  const rate = readRate(traffic);
  if (!rate.ok) throw new UsageError(`--traffic ${traffic}: ${rate.failure.message}`);
  const refused = refusedOn(clock, rate.value);
  if (refused !== undefined) throw new UsageError(`--traffic ${traffic}: ${refused}`);
  return rate.value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--fault ${text}: expected JSON`);
  }
}

function writeJournal(simulator: Simulator, file: LineFile): void {
  const write = (entry: JournalEntry): void => file.write(JSON.stringify(entryView(entry)));
  for (const entry of simulator.journal.query()) write(entry);
  simulator.journal.subscribe(write);
}

function endOnSignal(simulator: Simulator, journal: LineFile | undefined, options: ServeOptions): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    systemTime().alarm(LAST_CALL_MS, () => process.exit(0));
    void simulator
      .close()
      .then(() => journal?.close())
      .then(() => {
        const { violations } = simulator.world;
        for (const violation of violations) console.error(`pbxsim: invariant broken: ${violation}`);
        process.exit(violations.length > 0 && options.checkInvariants === true ? 1 : 0);
      });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  process.on('uncaughtException', (error) => {
    console.error(explain(error));
    process.exit(1);
  });
}
