// A file of known deviations: what a target is known to do otherwise, why, and until when that is taken. Knows no run.
import type { Static } from 'typebox';
import { array, string, word } from '../../contract/schema.ts';
import { misfits } from '../language/check-shape.ts';
import { type Problem, problemAt, problemText } from '../language/problem.ts';
import { closed } from '../language/shapes.ts';
import { readYaml } from '../language/yaml-source.ts';

export const DEVIATION_KINDS = ['bug', 'by_design', 'spec_dispute'] as const;

const text = string({ minLength: 1, maxLength: 2000 });

const deviation = closed(
  {
    check: string({ minLength: 1, maxLength: 200, description: 'the id of a check' }),
    signature: string({ minLength: 1, maxLength: 500, description: 'how it fails, as reports say it' }),
    kind: word(DEVIATION_KINDS),
    reason: text,
    issue: text,
    expires: string({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'a day: 2027-01-31' }),
  },
  ['check', 'kind', 'reason', 'expires'],
  { description: 'a known deviation' },
);

export const deviationsSchema = closed({ deviations: array(deviation, { maxItems: 10_000 }) }, ['deviations']);

export type Deviation = Static<typeof deviation>;

export type DeviationsReading =
  | { readonly ok: true; readonly deviations: readonly Deviation[] }
  /** `known.yaml:3:5: deviations/0/kind: expected ...`, a line each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the file. Every check stands in it once, and each day is one of the calendar. */
export function readDeviations(file: string, content: string): DeviationsReading {
  const reading = readYaml(file, content);
  if (!reading.ok) return { ok: false, problems: reading.problems.map(problemText) };
  const { source } = reading;
  const wrong = misfits(deviationsSchema, source.value).map(({ path, message, part }) =>
    problemAt(source, path, message, part),
  );
  if (wrong.length > 0) return { ok: false, problems: wrong.map(problemText) };
  const { deviations } = source.value as Static<typeof deviationsSchema>;
  const problems = deviations.flatMap((one, index): Problem[] => {
    const first = deviations.findIndex(({ check }) => check === one.check);
    const again =
      first < index
        ? [problemAt(source, ['deviations', index, 'check'], `expected each check once, ${one.check} is there already`)]
        : [];
    const noDay = isDay(one.expires)
      ? []
      : [problemAt(source, ['deviations', index, 'expires'], `expected a day of the calendar, found ${one.expires}`)];
    return [...again, ...noDay];
  });
  return problems.length > 0 ? { ok: false, problems: problems.map(problemText) } : { ok: true, deviations };
}

function isDay(written: string): boolean {
  const ms = Date.parse(`${written}T00:00:00Z`);
  return Number.isFinite(ms) && written === isoDay(ms);
}

/** `2026-11-21`, of ms since 1970, UTC. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
