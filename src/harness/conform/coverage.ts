// How much of the specification a run has judged, along each axis. Knows results and the catalogue, no target.
import { clauses } from '../../contract/clauses.ts';
import type { CheckResult, Coverage } from '../../report/conform-results.ts';

const MAX_MISSED = 1000;
const judging = new Set(['pass', 'fail', 'warn', 'observed']);

export function coverageOf(results: readonly CheckResult[]): readonly Coverage[] {
  const judged = new Set(results.filter(({ verdict }) => judging.has(verdict)).map(({ clause }) => clause));
  const of = (axis: Coverage['of'], ids: readonly string[]): Coverage => {
    const missed = ids.filter((id) => !judged.has(id));
    return { of: axis, judged: ids.length - missed.length, total: ids.length, missed: missed.slice(0, MAX_MISSED) };
  };
  const ids = clauses.filter(({ untestable }) => untestable === undefined).map(({ id }) => id);
  return [
    of('clauses', ids),
    of(
      'operation statuses',
      ids.filter((id) => /-(GET|POST|PATCH|DELETE)-\d{3}$/.test(id)),
    ),
    of(
      'fields',
      ids.filter((id) => id.includes('-FIELD-')),
    ),
    of(
      'events',
      ids.filter((id) => id.startsWith('EVT-')),
    ),
    of(
      'transitions',
      ids.filter((id) => id.startsWith('STATE-')),
    ),
  ];
}
