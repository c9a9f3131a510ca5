// A run in words for people: a line for each scenario, the whole story of a failure, the verdict. Colours only where they are shown.
import chalk from 'chalk';
import type { Failure, RunResult, ScenarioResult, ScenarioVerdict } from './results.ts';
import { verdictOf } from './verdict.ts';

const MARKS: Readonly<Record<ScenarioVerdict, string>> = {
  pass: '✓',
  fail: '✗',
  unsupported: '-',
  blocked: '!',
  unevaluable: '?',
  error: '!',
};

/** Takes text and gives it colour. */
type Paint = (text: string) => string;

const COLOURS: Readonly<Record<ScenarioVerdict, Paint>> = {
  pass: chalk.green,
  fail: chalk.red,
  unsupported: chalk.dim,
  blocked: chalk.yellow,
  unevaluable: chalk.yellow,
  error: chalk.red,
};

const plain: Paint = (text) => text;

export interface TextOptions {
  /** For a terminal. */
  readonly colours?: boolean;
}

/** `✓ busy  The called phone is busy` */
export function resultLine(
  { verdict, id, title, reason, driversReason }: ScenarioResult,
  { colours = false }: TextOptions = {},
): string {
  const paint = colours ? COLOURS[verdict] : plain;
  const why = reason === undefined ? '' : `: ${reason}`;
  // Whoever misses a scenario with the other phones finds here why it has none.
  const only = driversReason === undefined ? '' : ` (${driversReason})`;
  return `${paint(MARKS[verdict])} ${id}  ${title}${why}${only}`;
}

/** Everything about the failures of one scenario, the first one first. */
export function failureText(result: ScenarioResult, options: TextOptions = {}): string {
  const dim = options.colours === true ? chalk.dim : plain;
  const [first, ...others] = result.failures;
  return [
    resultLine(result, options),
    ...(first === undefined ? [] : storyOf(first, result, dim)),
    ...others.flatMap((failure) => ['  and', ...storyOf(failure, undefined, dim)]),
    row('again', result.replay, dim),
  ].join('\n');
}

/** The closing words: what stood in the way, if anything did, and the verdict. */
export function summary(run: RunResult, { colours = false }: TextOptions = {}): string {
  const { status, words } = verdictOf(run);
  const paint = !colours ? plain : status === 0 ? chalk.green : chalk.red;
  return [...(run.obstacle?.lines ?? []), `${paint(words)} (${run.target}, phones: ${run.driver})`].join('\n');
}

function storyOf(failure: Failure, result: ScenarioResult | undefined, dim: Paint): string[] {
  const { step, expected, actual, pointer, curl, ladder } = failure;
  return [
    row('step', `${step.number}, ${step.title} (${step.place})`, dim),
    ...(result === undefined ? [] : [row('requires', `${result.requires.trim()}\n${result.spec.join('; ')}`, dim)]),
    row('expected', expected, dim),
    row('actual', pointer === undefined || pointer === '' ? actual : `${actual} at ${pointer}`, dim),
    ...(ladder === undefined ? [] : [row('ladder', ladder, dim)]),
    ...(curl === undefined ? [] : [row('ask', curl, dim)]),
  ];
}

function row(label: string, text: string, dim: Paint): string {
  return `  ${dim(label.padEnd(10))}${text.replaceAll('\n', `\n${' '.repeat(12)}`)}`;
}
