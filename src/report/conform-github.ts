// A conformance run for GitHub's build pages: annotations for the log, a summary in Markdown. Pure.
import type { CheckResult, ConformRun } from './conform-results.ts';
import { shortStoryOf } from './conform-story.ts';
import { conformVerdictOf, countsOf, failsRun } from './conform-verdict.ts';

/** GitHub shows no more than ten annotations of a kind per step. */
const MOST_ANNOTATIONS = 10;
/** A summary may have 1 MiB; a table of this many rows stays far below. */
const MOST_ROWS = 500;

/** Workflow commands, a line each: errors for what fails the run, warnings for unmet SHOULD clauses. */
export function githubAnnotations(run: ConformRun): string {
  const failed = run.checks.filter((one) => failsRun(one, run.strict) || one.verdict === 'error');
  const warned = run.checks.filter(
    (one) => one.verdict === 'warn' && one.accepted === undefined && !failed.includes(one),
  );
  const whole = run.obstacle?.lines ?? run.stale;
  return [
    ...whole.slice(0, MOST_ANNOTATIONS).map((line) => command('error', 'pbxsim conform', line)),
    ...failed.slice(0, MOST_ANNOTATIONS - whole.length).map((one) => command('error', one.id, toldOf(one))),
    ...warned.slice(0, MOST_ANNOTATIONS).map((one) => command('warning', one.id, toldOf(one))),
    '',
  ].join('\n');
}

/** For `$GITHUB_STEP_SUMMARY`. */
export function githubSummary(run: ConformRun): string {
  const { words, status } = conformVerdictOf(run);
  const counts = Object.entries(countsOf(run.checks)).filter(([, count]) => count > 0);
  const shown = run.checks.filter((one) => one.verdict !== 'pass' && one.verdict !== 'observed');
  const told = shown.slice(0, MOST_ROWS);
  return [
    `## ${status === 0 ? '✅' : '❌'} ${cell(words)}`,
    '',
    `Target ${cell(run.target.name)} at \`${run.target.apiRoot}\`, seed \`${run.seed}\`, ${(run.durationMs / 1000).toFixed(1)} s.`,
    '',
    ...table(
      ['verdict', 'checks'],
      counts.map(([verdict, count]) => [verdict, String(count)]),
    ),
    ...table(
      ['coverage', 'judged', 'of'],
      run.coverage.map(({ of, judged, total }) => [of, String(judged), String(total)]),
    ),
    ...(run.obstacle?.lines ?? []).map((line) => `> ${line}`),
    ...run.stale.map((line) => `> stale deviation: ${line}`),
    '',
    ...table(
      ['verdict', 'check', 'clause', 'what'],
      told.map((one) => [one.verdict, one.id, `${one.clause} (${one.level})`, shortStoryOf(one)]),
    ),
    ...(shown.length > told.length ? [`… and ${shown.length - told.length} more.`, ''] : []),
  ].join('\n');
}

function toldOf(result: CheckResult): string {
  return `${result.clause} (${result.level}): ${shortStoryOf(result)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line), ''];
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

// Workflow commands end at the line; in values of properties colon and comma are separators as well.
function command(kind: 'error' | 'warning', title: string, message: string): string {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const name = title
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
  return `::${kind} title=${name}::${data}`;
}
