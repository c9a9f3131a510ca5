// How much of the specification a run has judged, along each axis. Knows results and the catalogue, no target.
import { clauses } from '../../contract/clauses.ts';
import { publishedEventNames } from '../../contract/events.ts';
import type { CheckResult, Coverage } from '../../report/conform-results.ts';

const MAX_MISSED = 1000;
/** What names more is about events as such. */
const MAX_TYPES_OF_ONE = 4;
const judging = new Set(['pass', 'fail', 'warn', 'observed']);

export function coverageOf(results: readonly CheckResult[]): readonly Coverage[] {
  const judged = new Set(
    results.filter(({ verdict }) => judging.has(verdict)).flatMap(({ clause, also = [] }) => [clause, ...also]),
  );
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
    eventTypes(judged),
    of(
      'transitions',
      ids.filter((id) => id.startsWith('STATE-')),
    ),
  ];
}

/** An event type is judged by a clause about it, not by one about all events. */
function eventTypes(judged: ReadonlySet<string>): Coverage {
  const told = new Set(
    clauses.flatMap(({ id, events = [] }) => (judged.has(id) && events.length < MAX_TYPES_OF_ONE ? events : [])),
  );
  const missed = publishedEventNames.filter((name) => !told.has(name));
  const total = publishedEventNames.length;
  return { of: 'events', judged: total - missed.length, total, missed };
}
