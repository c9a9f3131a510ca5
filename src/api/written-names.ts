// Refusals in the names that the client wrote: a record knows its members by their read names alone. Knows no record.
import type { ResourceId } from '../contract/resources.ts';
import { twinOf } from '../contract/twins.ts';
import type { Failure } from '../kernel/errors.ts';

/** `moh: there is no ...` becomes `moh_id: there is no ...` for a client that wrote moh_id. */
export function inWrittenNames(resource: ResourceId, body: object, { kind, message, details }: Failure): Failure {
  const renamed = details.map((detail) => {
    const [name = ''] = /^\w+/.exec(detail) ?? [];
    const written = twinOf(resource, name)?.written ?? name;
    return Object.hasOwn(body, name) || !Object.hasOwn(body, written) ? detail : written + detail.slice(name.length);
  });
  return { kind, message, details: renamed };
}
