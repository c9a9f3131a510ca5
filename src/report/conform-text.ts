// A conformance run in words for people: what did not pass, why, and the verdict. Colours only where they are shown.
import chalk from 'chalk';
import type { CheckResult, CheckVerdict, ConformRun } from './conform-results.ts';
import { conformVerdictOf } from './conform-verdict.ts';
import type { TextOptions } from './text.ts';

type Paint = (text: string) => string;
const plain: Paint = (text) => text;

const MARKS: Readonly<Record<CheckVerdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '~',
  observed: 'i',
  unsupported: '-',
  'not-applicable': '-',
  blocked: '!',
  unevaluable: '?',
  error: '!',
};
const COLOURS: Readonly<Partial<Record<CheckVerdict, Paint>>> = {
  pass: chalk.green,
  fail: chalk.red,
  error: chalk.red,
  warn: chalk.yellow,
  blocked: chalk.yellow,
  unevaluable: chalk.yellow,
};

/** Reasons that many checks share are told once. */
const MAX_NAMES = 6;

/** One check that did not pass: what is required, what was expected, what came. */
export function checkText(result: CheckResult, { colours = false }: TextOptions = {}): string {
  const { verdict, id, clause, level, requirement, spec, message, expected, actual, accepted } = result;
  const paint = colours ? (COLOURS[verdict] ?? plain) : plain;
  return [
    `${paint(`${MARKS[verdict]} ${verdict}`)} ${id}: ${message}`,
    `    ${level} ${clause}: ${requirement} (${spec})`,
    ...(expected === undefined ? [] : [`    expected ${expected}`]),
    ...(actual === undefined ? [] : [`    actual   ${actual}`]),
    ...(accepted === undefined ? [] : [`    a known deviation: ${accepted.reason}`]),
  ].join('\n');
}

/** The whole run: failures and warnings one by one, what could not be judged by its reason, the verdict last. */
export function conformTextOf(run: ConformRun, options: TextOptions = {}): string {
  const of = (...verdicts: CheckVerdict[]) => run.checks.filter(({ verdict }) => verdicts.includes(verdict));
  return [
    ...of('fail', 'error', 'warn').map((result) => checkText(result, options)),
    ...byReason(of('blocked', 'unevaluable', 'unsupported')),
    ...run.stale.map((line) => `stale deviation: ${line}`),
    ...(run.leftovers.length === 0 ? [] : [`left at the target: ${run.leftovers.join(', ')}`]),
    closingText(run, options),
  ].join('\n');
}

/** What stood in the way, if anything did, and the verdict. */
export function closingText(run: ConformRun, { colours = false }: TextOptions = {}): string {
  const { status, words } = conformVerdictOf(run);
  const paint = !colours ? plain : status === 0 ? chalk.green : chalk.red;
  return [...(run.obstacle?.lines ?? []), `${paint(words)} (${run.target.name}, seed ${run.seed || 'none'})`].join(
    '\n',
  );
}

function byReason(results: readonly CheckResult[]): string[] {
  const groups = Map.groupBy(results, ({ verdict, message }) => `${MARKS[verdict]} ${verdict}: ${message}`);
  return [...groups].map(([reason, members]) => {
    const names = members.slice(0, MAX_NAMES).map(({ id }) => id);
    const others = members.length - names.length;
    return `${reason}\n    ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  });
}
