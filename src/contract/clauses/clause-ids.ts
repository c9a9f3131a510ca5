// What generated clauses are called. Ids follow from published routes and fields alone, so they stay when anything else changes.

import type { Operation } from '../operation.ts';
import type { ResourceId } from '../resources.ts';

/** What of an operation a clause is about; a number is a status. */
export type Aspect =
  | number
  /** Envelope, or media type of a file. */
  | 'BODY'
  | 'LIMIT'
  | 'TOTAL'
  | 'PAGE'
  | 'FILTER'
  /** What was made, changed or removed is found so afterwards. */
  | 'MADE'
  | 'WRITTEN'
  | 'GONE'
  | 'EMPTY'
  /** Somebody of another customer does not reach it. */
  | 'TENANT'
  /** What was refused has changed nothing. */
  | 'REFUSED';

/** `CALLS-ID-PATCH-301` of `PATCH /calls/{id}`. */
export function clauseIdOf({ path, method }: Pick<Operation, 'path' | 'method'>, aspect: Aspect): string {
  const parts = path.split(/[/.]/).map((part) => part.replace(/[{}]/g, ''));
  return [...parts.filter((part) => part !== ''), method, String(aspect)].join('-').toUpperCase();
}

/** `USERS-FIELD-EMAIL`. */
export function fieldClauseId(resource: ResourceId, field: string): string {
  return `${resource}-FIELD-${field.replace(/^_/, 'UNDERSCORE-').replaceAll('_', '-')}`.toUpperCase();
}
