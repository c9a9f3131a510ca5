// A file of known deviations: what a target is known to do otherwise, why, and until when that is taken. Knows no run.
import type { Static } from 'typebox';
import { array, string, word } from '../../contract/schema.ts';
import { misfits } from '../language/check-shape.ts';
import { type Problem, problemAt, problemText } from '../language/problem.ts';
import { closed } from '../language/shapes.ts';
import { readYaml } from '../language/yaml-source.ts';

export const DEVIATION_KINDS = ['bug', 'by_design', 'spec_dispute'] as const;

/** What a proposed entry says until somebody has said why. */
export const SAY_WHY = 'say why this is accepted';

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

/**
 * Reads the file. Every check stands in it once, each day is one of the calendar, and somebody has said why of each: a proposed entry
 * counts only where the next proposal is made (`unsaid: 'taken'`).
 */
export function readDeviations(
  file: string,
  content: string,
  { unsaid = 'refused' }: { readonly unsaid?: 'taken' | 'refused' } = {},
): DeviationsReading {
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
    const noReason =
      unsaid === 'taken' || isSaid(one.reason)
        ? []
        : [
            problemAt(
              source,
              ['deviations', index, 'reason'],
              `${NO_REASON}${one.check}, found ${JSON.stringify(one.reason)}`,
            ),
          ];
    return [...again, ...noDay, ...noReason];
  });
  return problems.length > 0 ? { ok: false, problems: problems.map(problemText) } : { ok: true, deviations };
}

const NO_REASON = 'expected a reason of your own for taking the deviation of ';

function isSaid(reason: string): boolean {
  const words = reason.trim().toLowerCase();
  return words !== '' && words !== SAY_WHY;
}

function isDay(written: string): boolean {
  const ms = Date.parse(`${written}T00:00:00Z`);
  return Number.isFinite(ms) && written === isoDay(ms);
}

/** `2026-11-21`, of ms since 1970, UTC. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
