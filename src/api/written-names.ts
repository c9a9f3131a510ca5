// Refusals in the names that the client wrote: a record knows its members by their read names alone. Knows no record.
import type { ResourceId } from '../contract/resources.ts';
import { twinOf } from '../contract/twins.ts';
import type { Failure } from '../kernel/errors.ts';

/** `moh: there is no ...` becomes `moh_id: there is no ...` for a client that wrote moh_id. */
export function inWrittenNames(resource: ResourceId, body: object, { kind, message, details }: Failure): Failure {
  const renamed = details.map((detail) => {
    const [name = ''] = /^\w+/.exec(detail) ?? [];
    const written = twinOf(resource, name)?.written ?? name;
    // Of both names of a twin the written one counts (CHOICE-TWINS).
    return Object.hasOwn(body, written) ? written + detail.slice(name.length) : detail;
  });
  return { kind, message, details: renamed };
}
