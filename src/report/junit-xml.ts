// JUnit XML: suites of cases, as build servers read them. Knows no run.

export interface JunitCase {
  /** The suite it is in, and the class name that readers group by. */
  readonly suite: string;
  readonly name: string;
  readonly ms: number;
  readonly outcome: 'passed' | 'failures' | 'errors' | 'skipped';
  /** What is told of it; unused when it passed. */
  readonly message: string;
  /** The whole story of a failure. */
  readonly text?: string;
}

/** The whole document; suites in the order of their first case. */
export function junitDocument(name: string, cases: readonly JunitCase[]): string {
  const suites = Map.groupBy(cases, ({ suite }) => suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(name)}" ${totals(cases)}>`,
    ...[...suites].flatMap(([title, members]) => suiteLines(title, members)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines(title: string, cases: readonly JunitCase[]): string[] {
  return [
    `  <testsuite name="${escaped(title)}" ${totals(cases)}>`,
    ...cases.flatMap((one) => {
      const head = `    <testcase classname="${escaped(title)}" name="${escaped(one.name)}" time="${seconds(one.ms)}"`;
      const inside = elementOf(one);
      return inside === '' ? [`${head}/>`] : [`${head}>`, `      ${inside}`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

function elementOf({ outcome, message, text }: JunitCase): string {
  switch (outcome) {
    case 'passed':
      return '';
    case 'failures':
      return `<failure message="${escaped(message)}">${escaped(text ?? message)}</failure>`;
    case 'errors':
      return `<error message="${escaped(message)}"/>`;
    case 'skipped':
      return `<skipped message="${escaped(message)}"/>`;
  }
}

function totals(cases: readonly JunitCase[]): string {
  const count = (outcome: JunitCase['outcome']): number => cases.filter((one) => one.outcome === outcome).length;
  const ms = cases.reduce((sum, one) => sum + one.ms, 0);
  return `tests="${cases.length}" failures="${count('failures')}" errors="${count('errors')}" skipped="${count('skipped')}" time="${seconds(ms)}"`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Text inside XML, in attributes too; what XML 1.0 cannot hold becomes a replacement character. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
