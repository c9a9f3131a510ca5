// A conformance run as one JSON document: verdict, counts, every check with its evidence. Pure.
import type { CheckResult, ConformRun, Exchange } from './conform-results.ts';
import { conformVerdictOf, countsOf } from './conform-verdict.ts';

/** The version of this form; a number is added when a member goes or changes its meaning. */
export const JSON_FORM = 1;

export function conformJsonOf(run: ConformRun): string {
  const { verdict, status, words } = conformVerdictOf(run);
  const { checks, exchanges, planned, ...rest } = run;
  const document = {
    form: JSON_FORM,
    verdict,
    status,
    words,
    counts: countsOf(checks),
    ...rest,
    planned: planned.length,
    checks: checks.map(checkOf),
    exchanges: evidenceOf(checks, exchanges),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

/** Members that are asked for are there for every check. */
function checkOf({ operation, expected, actual, ...rest }: CheckResult): object {
  return { ...rest, operation: operation ?? null, expected: expected ?? null, actual: actual ?? null };
}

/** Of what passed, that it passed is enough: the exchanges of everything else are told in full. */
function evidenceOf(checks: readonly CheckResult[], exchanges: readonly Exchange[]): readonly Exchange[] {
  const wanted = new Set(checks.filter(({ verdict }) => verdict !== 'pass').flatMap((one) => one.exchanges));
  return exchanges.filter(({ seq }) => wanted.has(seq));
}
