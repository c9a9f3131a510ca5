// What is done with runs that are over: compared, put together from parts, the edit of the known deviations proposed.
import { isoDay, readDeviations } from '../harness/deviations/deviation-file.ts';
import { proposeDeviations } from '../harness/deviations/deviation-update.ts';
import { conformDifference, differenceText } from '../report/conform-diff.ts';
import { mergedRun, runOfLines } from '../report/conform-lines.ts';
import type { ConformRun } from '../report/conform-results.ts';
import { closingText } from '../report/conform-text.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { exists, writeReport } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';
import { reportsOf, writeReports } from './conform-reports.ts';
import { UsageError } from './errors.ts';
import { readGivenFile } from './given-file.ts';

/** Until when new entries are taken, if nobody says otherwise. */
const EXPIRES_AFTER_MS = 90 * 86_400_000;

/** `pbxsim diff`: 1 when anything is worse in the second run, else 0. */
export async function diffRuns(before: string, after: string): Promise<void> {
  const difference = conformDifference(await runIn(before), await runIn(after));
  const text = differenceText(difference);
  console.log(text === '' ? 'Both runs came to the same.' : text.trimEnd());
  process.exitCode = difference.worse.length > 0 ? 1 : 0;
}

/** `pbxsim merge`: the parts as one run, with its reports and its exit status. */
export async function mergeRuns(
  files: readonly string[],
  flags: { readonly report?: readonly string[] },
): Promise<void> {
  const reports = await reportsOf(flags.report);
  const parts = await Promise.all(files.map(runIn));
  const run = mergedRun(parts);
  if (run === undefined)
    throw new UsageError('The runs are of different targets or seeds: they are no parts of one run.');
  console.log(closingText(run));
  await writeReports(reports, run);
  process.exitCode = conformVerdictOf(run).status;
}

export interface UpdateFlags {
  readonly run: string;
  readonly expires?: string;
  readonly write?: boolean;
}

/** `pbxsim deviations update`: shows the file as it should be, or writes it. */
export async function updateDeviations(file: string, { run: runFile, expires, write }: UpdateFlags): Promise<void> {
  const text = (await exists(file)) ? await readGivenFile(file, 'deviations') : '';
  const reading = text === '' ? { ok: true as const, deviations: [] } : readDeviations(file, text, { unsaid: 'taken' });
  if (!reading.ok) throw new UsageError(reading.problems.join('\n'));
  const { checks, filtered } = await runIn(runFile);
  const until = expires ?? isoDay(systemTime().now() + EXPIRES_AFTER_MS);
  const { text: proposed, changes } = proposeDeviations(text, reading.deviations, checks, { expires: until, filtered });
  if (write === true && changes.length > 0) await writeReport(file, proposed, 'deviations');
  console.log(write === true ? changes.join('\n') || 'Nothing is to be changed.' : proposed.trimEnd());
  const asItWillBe = readDeviations(file, proposed);
  // The proposal itself may go to a file: what is to be done is said beside it.
  if (!asItWillBe.ok) console.error(`conform takes the file when this is mended:\n${asItWillBe.problems.join('\n')}`);
}

async function runIn(file: string): Promise<ConformRun> {
  const reading = runOfLines(await readGivenFile(file, 'run'));
  if (reading.ok) return reading.run;
  throw new UsageError(`${file}: ${reading.problem}. Runs are written by --report ndjson:FILE.`);
}
