// A conformance run in the Test Anything Protocol, version 14. Pure.
import type { CheckResult, ConformRun, Exchange } from './conform-results.ts';
import { shortStoryOf, storyOf } from './conform-story.ts';
import { conformVerdictOf, failsRun } from './conform-verdict.ts';

export function conformTapOf(run: ConformRun): string {
  const exchanges = new Map(run.exchanges.map((one) => [one.seq, one]));
  const { status, words } = conformVerdictOf(run);
  // TAP has one word for a run that was broken off: nothing after it counts.
  const bail = run.obstacle === undefined ? [] : [`Bail out! ${oneLine(run.obstacle.lines.join(' '))}`];
  return [
    'TAP version 14',
    `1..${run.checks.length}`,
    ...run.checks.flatMap((result, index) => linesOf(result, index + 1, run.strict, exchanges)),
    `# ${oneLine(words)}; exit status ${status}`,
    ...bail,
    '',
  ].join('\n');
}

function linesOf(
  result: CheckResult,
  number: number,
  strict: boolean,
  exchanges: ReadonlyMap<number, Exchange>,
): string[] {
  const name = `${number} - ${result.id.replaceAll('#', '\\#')}`;
  if (failsRun(result, strict) || result.verdict === 'error') {
    const story = storyOf(result, exchanges).split('\n');
    return [`not ok ${name}`, '  ---', '  story: |-', ...story.map((line) => `    ${line}`), '  ...'];
  }
  if (result.accepted !== undefined) return [`not ok ${name} # TODO known: ${oneLine(result.accepted.reason)}`];
  if (result.verdict === 'pass') return [`ok ${name}`];
  return [`ok ${name} # SKIP ${result.verdict}: ${oneLine(shortStoryOf(result))}`];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
