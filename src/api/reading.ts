// Reading records as every resource does it: found in the caller's account, within the caller's reach, queried. Knows no resource.
import { type ResourceId, resources } from '../contract/resources.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Collection, Key } from '../store/collection.ts';
import { type Page, parseQuery, runQuery, type Source, wholeCollection } from '../store/query.ts';
import { accessMatrix, placesOf } from './access.ts';
import type { ApiRequest, Caller } from './request.ts';

/** Whether a record is the user's own. */
export type Owns<T> = (record: T, userId: number) => boolean;

export const all: Owns<unknown> = () => true;

/** Whether the caller reaches a record of its own account. */
export function reaches<T>({ rank, user }: Caller, record: T, owns: Owns<T>): boolean {
  return accessMatrix[rank].records === 'account' || owns(record, user.id);
}

/** The id that a path parameter names; undefined when no record can have it (CHOICE-BAD-PATH-ID). */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The record that `{id}` names: another account's does not exist, the caller's own may be forbidden. */
export function findRecord<T extends { readonly id: Key }>(
  { params, caller }: Pick<ApiRequest, 'params' | 'caller'>,
  resource: ResourceId,
  collection: Collection<T>,
  owns: Owns<T>,
): Result<T> {
  const id = readId(params.id);
  const record = id === undefined ? undefined : collection.get(id);
  if (record === undefined || collection.customerOf(record.id) !== caller.customerId) return notFound(resource);
  return reaches(caller, record, owns) ? success(record) : forbidden(resource, caller);
}

/** The same words for every id, so that nobody learns which ids others have (CHOICE-TENANTS). */
export function notFound(resource: ResourceId): Result<never> {
  return failure('not_found', `There is no such ${resources[resource].name}.`);
}

export function forbidden(resource: ResourceId, { rank }: Caller): Result<never> {
  const { title } = accessMatrix[rank];
  return failure('forbidden', `The role ${title} does not reach this ${resources[resource].name}.`);
}

/** One page of what the caller reaches in a collection. */
export function readCollection<T extends { readonly id: Key }>(
  request: ApiRequest,
  resource: ResourceId,
  collection: Collection<T>,
  owns: Owns<T>,
): Result<Page<T>> {
  const { caller } = request;
  const seesAll = accessMatrix[caller.rank].records === 'account';
  if (seesAll) return readPage(request, resource, collection.source(caller.customerId));
  return readOf(request, resource, collection, caller.user.id, owns);
}

/** One page of what is one user's in a collection. */
export function readOf<T extends { readonly id: Key }>(
  request: ApiRequest,
  resource: ResourceId,
  collection: Collection<T>,
  userId: number,
  owns: Owns<T>,
): Result<Page<T>> {
  const keep = (record: T): boolean => owns(record, userId);
  return readPage(request, resource, collection.source(request.caller.customerId, keep, placesOf(resource, userId)));
}

/** One page of any records. */
export function readPage<T extends { readonly id: Key }>(
  { query }: Pick<ApiRequest, 'query'>,
  resource: ResourceId,
  source: Source<T>,
): Result<Page<T>> {
  if (query.size === 0) return success(runQuery(source, wholeCollection));
  const parsed = parseQuery(resource, query);
  return parsed.ok ? success(runQuery(source, parsed.value)) : parsed;
}

/** A list of records as a source. */
export function sourceOf<T>(records: readonly T[]): Source<T> {
  return { all: () => records, count: records.length };
}
