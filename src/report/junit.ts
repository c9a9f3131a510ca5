// A run as JUnit XML: a suite for each file, a case for each scenario, a failure element for each failed one. Pure.
import type { RunResult, ScenarioResult } from './results.ts';
import { failureText } from './text.ts';
import { verdictOf } from './verdict.ts';

interface Case {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
  readonly outcome: 'passed' | 'failures' | 'errors' | 'skipped';
  /** The element inside the case; empty when it passed. */
  readonly element: string;
}

/** The whole document. A run that judged nothing, or that something stood in the way of, has an error of its own. */
export function junitOf(run: RunResult): string {
  const { words } = verdictOf(run);
  const { obstacle, scenarios } = run;
  const broken = obstacle === undefined && scenarios.length > 0 ? [] : [[...(obstacle?.lines ?? []), words].join('\n')];
  const cases = [
    ...scenarios.map(caseOf),
    ...broken.map((message): Case => {
      return {
        file: 'pbxsim',
        name: 'run',
        ms: 0,
        outcome: 'errors',
        element: `<error message="${escaped(message)}"/>`,
      };
    }),
  ];
  const files = [...new Set(cases.map(({ file }) => file))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pbxsim" ${totals(cases)}>`,
    ...files.flatMap((file) =>
      suite(
        file,
        cases.filter((one) => one.file === file),
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, cases: readonly Case[]): string[] {
  return [
    `  <testsuite name="${escaped(file)}" ${totals(cases)}>`,
    ...cases.flatMap(({ name, ms, element }) => {
      const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${seconds(ms)}"`;
      return element === '' ? [`${head}/>`] : [`${head}>`, `      ${element}`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

function caseOf(result: ScenarioResult): Case {
  const { file, id, title, durationMs: ms, verdict, reason = '' } = result;
  const common = { file, name: `${id}: ${title}`, ms };
  switch (verdict) {
    case 'pass':
      return { ...common, outcome: 'passed', element: '' };
    case 'fail':
      return { ...common, outcome: 'failures', element: failureElement(result) };
    case 'error':
      return { ...common, outcome: 'errors', element: `<error message="${escaped(reason)}"/>` };
    default:
      return { ...common, outcome: 'skipped', element: `<skipped message="${escaped(`${verdict}: ${reason}`)}"/>` };
  }
}

function failureElement(result: ScenarioResult): string {
  const [first] = result.failures;
  const message = `expected ${first?.expected ?? ''}, actual ${first?.actual ?? ''}`;
  return `<failure message="${escaped(message)}">${escaped(failureText(result))}</failure>`;
}

function totals(cases: readonly Case[]): string {
  const count = (outcome: Case['outcome']): number => cases.filter((one) => one.outcome === outcome).length;
  const ms = cases.reduce((sum, one) => sum + one.ms, 0);
  return `tests="${cases.length}" failures="${count('failures')}" errors="${count('errors')}" skipped="${count('skipped')}" time="${seconds(ms)}"`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Text inside XML; what XML 1.0 cannot hold becomes a replacement character. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
