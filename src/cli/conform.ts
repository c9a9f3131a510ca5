// pbxsim conform: judges a target and says what came of it, in words, in reports and by the exit status.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { conform as judge } from '../harness/conform/conform.ts';
import { planOf, type Shard } from '../harness/conform/plan.ts';
import { ANSWER_WITHIN_MS, MAX_ANSWER_BYTES } from '../harness/conform/session.ts';
import { DeviationBook } from '../harness/deviations/deviation-book.ts';
import { type Deviation, isoDay, readDeviations } from '../harness/deviations/deviation-file.ts';
import { TargetRefused } from '../harness/target/reach-target.ts';
import type { Target } from '../harness/target/target.ts';
import type { TargetDocument } from '../harness/target/target-file.ts';
import type { ConformEvent, ConformRun } from '../report/conform-results.ts';
import { obstructedRun, RunCollector } from '../report/conform-run.ts';
import { conformTextOf } from '../report/conform-text.ts';
import { type ConformStatus, conformVerdictOf } from '../report/conform-verdict.ts';
import { localAuthority, StateTrouble, stateDirOf } from '../wires/authority/authority-files.ts';
import type { ServerIdentity } from '../wires/authority/local-authority.ts';
import { FileTrouble, readTextFile } from '../wires/files.ts';
import { HttpClient } from '../wires/http-client.ts';
import { LedgerFile } from '../wires/ledger-file.ts';
import { systemTime } from '../wires/system-time.ts';
import { progressOn } from './conform-progress.ts';
import { openStreams, type Report, reportsOf, writeReports } from './conform-reports.ts';
import { reached, type TargetFlags, targetDocumentOf } from './conform-target.ts';
import { explain, UsageError } from './errors.ts';
import { everyCheck } from './every-check.ts';
import { trustedAuthority } from './trusted.ts';

export interface ConformFlags extends TargetFlags {
  /** `FORMAT:FILE` each. */
  readonly report?: readonly string[];
  readonly only?: readonly string[];
  readonly shard?: Shard;
  readonly strict?: boolean;
  readonly deviations?: string;
  readonly failFast?: boolean;
  readonly seed: string;
}

export async function conform(target: string, flags: ConformFlags): Promise<void> {
  // What is wrong with the command itself is said before anything is asked.
  const reports = await reportsOf(flags.report);
  process.exitCode = await judged(target, flags, reports);
}

async function judged(target: string, flags: ConformFlags, reports: readonly Report[]): Promise<ConformStatus> {
  const colours = process.stdout.isTTY === true;
  const run = await runOf(target, flags, reports).catch((error: unknown): ConformRun => {
    const isInvalid = error instanceof UsageError || error instanceof FileTrouble;
    const kind = error instanceof TargetRefused ? 'unreachable' : isInvalid ? 'invalid' : 'harness';
    return obstructedRun(target, { kind, lines: [explain(error)] });
  });
  console.log(conformTextOf(run, { colours }));
  try {
    await writeReports(reports, run);
  } catch (error) {
    // Whatever came of it, nobody will read it there.
    console.log(explain(error));
    return 6;
  }
  return conformVerdictOf(run).status;
}

/**
 * What webhook receivers show: a simulator on this machine trusts the local authority, other targets the certificate that their file
 * names. Nothing where there is none: then they speak plain HTTP.
 */
export async function receiverIdentity(
  { control, webhooks }: Pick<TargetDocument, 'control' | 'webhooks'>,
  { stateDir }: TargetFlags,
): Promise<(() => ServerIdentity) | undefined> {
  if (control === undefined) return identityByHand(webhooks);
  try {
    const identity = localAuthority(stateDirOf(stateDir, process.env)).authority.certificateFor([]);
    return () => identity;
  } catch (error) {
    if (error instanceof StateTrouble) return undefined;
    throw error;
  }
}

async function identityByHand(webhooks: TargetDocument['webhooks']): Promise<(() => ServerIdentity) | undefined> {
  const { certificate, key } = webhooks ?? {};
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new UsageError('webhooks of the target file: certificate and key go together.');
  const identity = { cert: await readTextFile(certificate, 'certificate'), key: await readTextFile(key, 'key') };
  try {
    createSecureContext(identity);
  } catch (error) {
    throw new UsageError(
      `webhooks of the target file: certificate and key cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return () => identity;
}

/** Webhooks that people set up have to lead here for as long as the run takes. */
function sayWhereToSend({ webhooks }: Target, isSecure: boolean): void {
  if (webhooks?.how !== 'by_hand') return;
  const { host, port } = webhooks.listen;
  console.error(
    `Webhooks are awaited at ${isSecure ? 'https' : 'http'}://${host}:${port}: set one up with every category whose URL leads there.`,
  );
}

async function runOf(named: string, flags: ConformFlags, reports: readonly Report[]): Promise<ConformRun> {
  const deviations = await knownDeviations(flags);
  const document = await targetDocumentOf(named, flags);
  const http = await judgingClient(flags);
  try {
    const target = await reached(document, http);
    const { only, shard } = flags;
    const chosen = { ...(only === undefined ? {} : { only }), ...(shard === undefined ? {} : { shard }) };
    const plan = planOf(await everyCheck(), { target, ...chosen });
    if (plan.unknown.length > 0)
      throw new UsageError(`--only ${plan.unknown.join(', ')}: there is no such check, clause, operation or area.`);
    const identity = await receiverIdentity(document, flags);
    sayWhereToSend(target, identity !== undefined);
    const collector = new RunCollector();
    const host = systemTime();
    const book = new DeviationBook(deviations, isoDay(host.now()));
    const stream = await openStreams(reports);
    const progress = process.stderr.isTTY === true ? progressOn((text) => process.stderr.write(text)) : undefined;
    await judge({
      ...{ target, plan, http, host, seed: flags.seed, ledger: ledgerOf(target, flags) },
      ...{ strict: flags.strict === true, failFast: flags.failFast === true },
      identity,
      startedAt: new Date(host.now()).toISOString(),
      account: (result) => book.account(result),
      stale: (results) => book.stale(results, plan.filtered || shard !== undefined).map(({ told }) => told),
      tell: (event: ConformEvent) => {
        collector.take(event);
        stream.take(event);
        progress?.take(event);
      },
      signal: interruption(),
    });
    progress?.close();
    await stream.close();
    return collector.run;
  } finally {
    await http.close();
  }
}

/** Ctrl-C ends a run in good order: what it has made is removed. A second one ends it at once, and `cleanup` removes it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** A client for targets that may be anything: bounded in time and size. */
export async function judgingClient({ ca, stateDir }: TargetFlags): Promise<HttpClient> {
  return new HttpClient({
    ca: await trustedAuthority(ca, stateDir),
    withinMs: ANSWER_WITHIN_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
}

/** What a command does at a target that answers; status 5 when it cannot be reached or refuses the login. */
export async function atTarget(
  named: string,
  flags: TargetFlags,
  use: (target: Target, http: HttpClient) => Promise<void>,
): Promise<void> {
  const document = await targetDocumentOf(named, flags);
  const http = await judgingClient(flags);
  try {
    await use(await reached(document, http), http);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    console.error(explain(error));
    process.exitCode = 5;
  } finally {
    await http.close();
  }
}

/** One ledger for each target and first user, so that a later run or `cleanup` finds what an earlier one has left. */
export function ledgerOf({ apiRoot, users }: Target, { stateDir }: TargetFlags): LedgerFile {
  const name = createHash('sha256').update(`${apiRoot} ${users.first?.id}`).digest('hex').slice(0, 16);
  return new LedgerFile(join(stateDirOf(stateDir, process.env), 'ledgers', `${name}.jsonl`));
}

async function knownDeviations({ deviations: file }: ConformFlags): Promise<readonly Deviation[]> {
  if (file === undefined) return [];
  const reading = readDeviations(file, await readTextFile(file, '--deviations'));
  if (reading.ok) return reading.deviations;
  throw new UsageError(reading.problems.join('\n'));
}
