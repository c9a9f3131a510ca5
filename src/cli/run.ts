// pbxsim run: runs scenarios against a fresh simulator each, or against a target, and says what came of it.
import type { DriverName } from '../harness/drivers/phone-driver.ts';
import type { ScenarioPlan } from '../harness/language/plan.ts';
import { runPlans, type TargetLease } from '../harness/run/run-plans.ts';
import { reachTarget, TargetRefused } from '../harness/target/reach-target.ts';
import type { TargetDocument } from '../harness/target/target-file.ts';
import { junitOf } from '../report/junit.ts';
import type { Obstacle, RunResult, ScenarioResult } from '../report/results.ts';
import { failureText, resultLine, summary } from '../report/text.ts';
import { type RunStatus, verdictOf } from '../report/verdict.ts';
import { FileTrouble } from '../wires/files.ts';
import { HttpClient } from '../wires/http-client.ts';
import { watchPaths, writeReport } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';
import { checkPlaces } from './conform-reports.ts';
import { type TargetFlags, targetDocumentOf } from './conform-target.ts';
import { explain, UsageError } from './errors.ts';
import { leaseSimulator } from './fresh-simulator.ts';
import { loadScenarios } from './scenario-files.ts';
import { trustedAuthority } from './trusted.ts';

export interface RunFlags extends TargetFlags {
  /** A target file, or an API root. */
  readonly target?: string;
  readonly phones: DriverName;
  readonly tags?: readonly string[];
  readonly only?: readonly string[];
  /** `junit:FILE`. */
  readonly report?: readonly string[];
  readonly watch?: boolean;
}

const FRESH = 'fresh simulator';

export async function run(paths: readonly string[], flags: RunFlags): Promise<void> {
  const reports = (flags.report ?? []).map(reportFile);
  await checkPlaces(reports);
  const once = async (): Promise<void> => {
    process.exitCode = await runOnce(paths, flags, reports);
  };
  await once();
  if (flags.watch === true) await watch(paths, once);
}

/** Runs again after every change, until it is interrupted. */
function watch(paths: readonly string[], once: () => Promise<void>): Promise<void> {
  let running = false;
  let again = false;
  const change = (): void => {
    again = true;
    if (running) return;
    running = true;
    void (async () => {
      while (again) {
        again = false;
        console.log('');
        await once();
      }
      running = false;
    })();
  };
  return new Promise((resolve) => {
    const stop = watchPaths(paths, change);
    // Said when it is so: whoever reads it may change a file at once.
    console.log('watching for changes, end with Ctrl-C');
    process.once('SIGINT', () => {
      stop();
      resolve();
    });
  });
}

async function runOnce(paths: readonly string[], flags: RunFlags, reports: readonly string[]): Promise<RunStatus> {
  const colours = process.stdout.isTTY === true;
  const onResult = (result: ScenarioResult): void => {
    // A line for each on a terminal; elsewhere only what did not pass.
    if (result.verdict === 'fail') console.log(failureText(result, { colours }));
    else if (colours || result.verdict !== 'pass') console.log(resultLine(result, { colours }));
  };
  const result = await judge(paths, flags, onResult).catch((error: unknown): RunResult => {
    const kind = error instanceof FileTrouble || error instanceof UsageError ? 'invalid' : 'harness';
    return obstructed(flags, { kind, lines: [explain(error)] });
  });
  console.log(summary(result, { colours }));
  try {
    for (const file of reports) await writeReport(file, junitOf(result), '--report');
  } catch (error) {
    // Whatever came of it, nobody will read it there.
    console.log(explain(error));
    return 6;
  }
  return verdictOf(result).status;
}

async function judge(
  paths: readonly string[],
  flags: RunFlags,
  onResult: (result: ScenarioResult) => void,
): Promise<RunResult> {
  const { plans, problems } = await loadScenarios(paths);
  if (problems.length > 0) return obstructed(flags, { kind: 'invalid', lines: problems });
  const chosen = plans.filter((plan) => isChosen(plan, flags));
  const ca = await trustedAuthority(flags.ca);
  if (plans.length > 0 && chosen.length === 0) throw new UsageError(whyNone(plans, flags));
  if (plans.length === 0) throw new UsageError(`there is no scenario in ${paths.join(', ')}.`);
  const lent = await lender(flags, ca);
  if ('obstacle' in lent) return obstructed(flags, lent.obstacle);
  const replay = (plan: ScenarioPlan): string => replayOf(plan, flags);
  return runPlans(chosen, {
    name: lent.name,
    atOnce: lent.atOnce,
    ca,
    driver: flags.phones,
    host: systemTime(),
    lease: lent.lease,
    replay,
    onResult,
  });
}

/** Without phones a scenario is the same with every driver. */
function isChosen(plan: ScenarioPlan, { phones, tags, only }: RunFlags): boolean {
  if (plan.phones.length > 0 && !plan.drivers.includes(phones)) return false;
  if (tags !== undefined && !tags.some((tag) => plan.tags.includes(tag))) return false;
  return only === undefined || only.some((id) => plan.id === id || plan.id.startsWith(`${id}[`));
}

/** None of the scenarios was chosen: what would have been possible. */
function whyNone(plans: readonly ScenarioPlan[], { only, tags, phones }: RunFlags): string {
  const some = (all: readonly string[]): string => [...new Set(all)].toSorted().slice(0, MAX_NAMED).join(', ');
  if (only !== undefined && !plans.some((plan) => isChosen(plan, { phones: plan.drivers[0] ?? phones, only })))
    return `--only ${only.join(', ')}: there is no such scenario; there are ${some(plans.map(({ id }) => id))}.`;
  if (tags !== undefined && !plans.some((plan) => tags.some((tag) => plan.tags.includes(tag))))
    return `--tags ${tags.join(',')}: no scenario has one of them; there are ${some(plans.flatMap((plan) => plan.tags))}.`;
  return `No scenario is left by --phones ${phones} and what else was chosen: ${plans.length} are there.`;
}
const MAX_NAMED = 20;

/** In real time scenarios mostly wait, so many of them do it together. */
const AT_ONCE_IN_REAL_TIME = 8;

type Lender =
  | { readonly name: string; readonly atOnce: number; readonly lease: (plan: ScenarioPlan) => Promise<TargetLease> }
  | { readonly obstacle: Obstacle };

/** A simulator of its own for each scenario, in manual time unless real phones come; or the one target for all. */
async function lender(flags: RunFlags, ca: string | undefined): Promise<Lender> {
  if (flags.target === undefined && flags.control === undefined) {
    const lease = (plan: ScenarioPlan): Promise<TargetLease> => {
      const real = flags.phones === 'sip' && plan.phones.some(({ line }) => 'user' in line);
      return leaseSimulator({ seed: 1, clock: real ? 'real' : 'manual' });
    };
    return { name: FRESH, atOnce: flags.phones === 'sip' ? AT_ONCE_IN_REAL_TIME : 1, lease };
  }
  const document = await targetOf(flags);
  const http = new HttpClient({ ca });
  try {
    const target = await reachTarget(document, http);
    return { name: target.name, atOnce: 1, lease: () => Promise.resolve({ target, close: () => Promise.resolve() }) };
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    return { obstacle: { kind: 'unreachable', lines: [error.message] } };
  } finally {
    await http.close();
  }
}

async function targetOf(flags: RunFlags): Promise<TargetDocument> {
  const { target } = flags;
  if (target === undefined) throw new UsageError('--control needs --target: the API root of the same system.');
  return targetDocumentOf(target, flags);
}

function reportFile(text: string): string {
  const file = /^junit:(.+)$/.exec(text)?.[1];
  if (file === undefined) throw new UsageError(`--report ${text}: expected junit:FILE, such as junit:report.xml.`);
  return file;
}

function replayOf({ id, file }: ScenarioPlan, { phones, target, control, allow, ca }: RunFlags): string {
  return [
    `pbxsim run ${file} --only ${/[[=]/.test(id) ? `'${id}'` : id}`,
    ...(phones === 'sim' ? [] : [`--phones ${phones}`]),
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(control === undefined ? [] : [`--control ${control}`]),
    ...(allow === undefined ? [] : [`--allow ${allow.join(',')}`]),
    ...(ca === undefined ? [] : [`--ca ${ca}`]),
  ].join(' ');
}

function obstructed({ target = FRESH, phones: driver }: RunFlags, obstacle: Obstacle): RunResult {
  return { target, driver, scenarios: [], obstacle };
}
