// Operations that do with records what every resource does: list, read, make, change, remove. Knows no resource.
import { pathIdsLimit } from '../contract/limits.ts';
import { operations } from '../contract/operations.ts';
import { type ResourceId, resources } from '../contract/resources.ts';
import { type Failure, failure, type Result, success } from '../kernel/errors.ts';
import { readForm } from '../store/records/read-form.ts';
import {
  changeRecord,
  changeRecords,
  createRecord,
  removeAllRecords,
  removeRecord,
} from '../store/records/record-book.ts';
import type { Ground, Members } from '../store/records/rules.ts';
import { collectionOf, type StoredRecord } from '../store/store.ts';
import type { StoredResourceId } from '../store/stored.ts';
import { ownerRuleOf } from './access.ts';
import { findRecord, readCollection } from './reading.ts';
import {
  type ApiDeps,
  type ApiRequest,
  flat,
  type Handler,
  type Links,
  many,
  nothing,
  type Outcome,
  one,
} from './request.ts';
import { inWrittenNames } from './written-names.ts';

/** Records of one kind that an account may have. */
export const RECORDS_PER_ACCOUNT = 100_000;

/** The account that asks, now. */
export function groundOf({ caller }: Pick<ApiRequest, 'caller'>, { store, clock }: ApiDeps): Ground {
  return { store, customerId: caller.customerId, nowMs: clock.now() };
}

/** `GET /things` */
export function listing(resource: StoredResourceId): Handler {
  return (request, { store }) => {
    const page = readCollection(request, resource, collectionOf(store, resource), ownerRuleOf(resource));
    return page.ok ? many(page.value) : page;
  };
}

/** `GET /things/{id}` */
export function reading(resource: StoredResourceId): Handler {
  return (request, deps) => {
    const found = findStored(request, deps, resource);
    return found.ok ? shown(request, resource, found.value) : found;
  };
}

/** `POST /things`: `members` makes of the body what is stored, by default its read form. */
export function making<Body extends object>(
  resource: StoredResourceId,
  members: (request: ApiRequest<Body>, deps: ApiDeps) => Result<Members> = plain(resource),
): Handler<Body> {
  return (asked, deps) => {
    const request = ofKnownMembers(asked);
    const ground = groundOf(request, deps);
    if (collectionOf(deps.store, resource).count(ground.customerId) >= RECORDS_PER_ACCOUNT) return full(resource);
    const written = members(request, deps);
    if (!written.ok) return written;
    const created = createRecord(ground, resource, written.value);
    return created.ok ? shown(request, resource, created.value) : refused(request, resource, created.failure);
  };
}

/** `PATCH /things/{id}` */
export function changing<Body extends object>(
  resource: StoredResourceId,
  members: (request: ApiRequest<Body>, deps: ApiDeps, before: StoredRecord) => Result<Members> = plain(resource),
): Handler<Body> {
  return (asked, deps) => {
    const request = ofKnownMembers(asked);
    const found = findStored(request, deps, resource);
    if (!found.ok) return found;
    const written = members(request, deps, found.value);
    if (!written.ok) return written;
    const changed = changeRecord(groundOf(request, deps), resource, found.value.id, written.value);
    return changed.ok ? shown(request, resource, changed.value) : refused(request, resource, changed.failure);
  };
}

/** `PATCH /things`: an array of elements with `id`, all or none (CHOICE-BULK-RESPONSE). */
export function changingMany<Element extends { readonly id: number }>(
  resource: StoredResourceId,
  members: (element: Element) => Members = (element) => readForm(resource, element),
): Handler<readonly Element[]> {
  return (asked, deps) => {
    const request = ofKnownMembers(asked);
    const ids = request.body.map(({ id }) => String(id));
    const found = findMany(request, deps, resource, ids, (index) => `[${index}].id`);
    if (!found.ok) return found;
    const changes = request.body.map((element) => ({ id: element.id, members: members(element) }));
    const changed = changeRecords(groundOf(request, deps), resource, changes);
    return changed.ok ? many({ items: changed.value, total: changed.value.length }) : changed;
  };
}

/** `DELETE /things/{id}` */
export function removing(resource: StoredResourceId): Handler {
  return (request, deps) => {
    const found = findStored(request, deps, resource);
    if (!found.ok) return found;
    removeRecord(groundOf(request, deps), resource, found.value.id);
    return nothing();
  };
}

/** `DELETE /things/{ids}`: all or none (CHOICE-BULK-DELETE). */
export function removingMany(resource: StoredResourceId): Handler {
  return (request, deps) => {
    const ids = (request.params.ids ?? '').split(',');
    if (ids.length > pathIdsLimit)
      return failure('invalid', `ids: expected at most ${pathIdsLimit}, got ${ids.length}`);
    const found = findMany(request, deps, resource, ids, (index) => `ids[${index}]`);
    if (!found.ok) return found;
    const ground = groundOf(request, deps);
    for (const { id } of found.value) removeRecord(ground, resource, id);
    return nothing();
  };
}

/** `DELETE /things`: all of the account's; 202 carries a message (CHOICE-ACCEPTED-BODY). */
export function emptying(resource: StoredResourceId): Handler {
  return (request, deps) => {
    removeAllRecords(groundOf(request, deps), resource);
    return request.operation.response.kind === 'message' ? flat({ message: 'Everything was removed.' }) : nothing();
  };
}

/** The record of `{id}` within the caller's reach: 404 or 403 otherwise. */
export function findStored(
  request: Pick<ApiRequest, 'params' | 'caller'>,
  { store }: Pick<ApiDeps, 'store'>,
  resource: StoredResourceId,
): Result<StoredRecord> {
  return findRecord(request, resource, collectionOf(store, resource), ownerRuleOf(resource));
}

/** Every record of the ids, or the refusal that names the first that is not there; `placeOf` tells where the id was written. */
export function findMany(
  request: ApiRequest,
  deps: ApiDeps,
  resource: StoredResourceId,
  ids: readonly string[],
  placeOf: (index: number) => string,
): Result<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const found = findStored({ params: { id }, caller: request.caller }, deps, resource);
    if (!found.ok) {
      const { kind, message } = found.failure;
      return failure(kind, message, [`${placeOf(index)}: ${message.replace(/\.$/, '')}, got ${id}`]);
    }
    records.push(found.value);
  }
  return success(records);
}

/** A record with links to itself and what it names. */
export function shown({ root }: Pick<ApiRequest, 'root'>, resource: ResourceId, record: StoredRecord): Outcome {
  return one(record, linksOf(root, resource, record));
}

/** `self` where the resource has a path of its own, and the user that the record names (CHOICE-LINKS). */
export function linksOf(root: string, resource: ResourceId, record: StoredRecord): Links {
  const path = ownPaths.get(resource);
  const self = path === undefined ? {} : { self: root + path.replace('{id}', String(record.id)) };
  const user = record.user_id;
  return typeof user === 'number' && user > 0 ? { ...self, user: `${root}/users/${user}` } : self;
}

/** Where one record of a resource is read. */
const ownPaths: ReadonlyMap<ResourceId, string> = new Map(
  operations.flatMap(({ method, path, response }) =>
    method === 'GET' && response.kind === 'single' && path.endsWith('/{id}')
      ? [[response.resource, path] as const]
      : [],
  ),
);

/**
 * The request with the members that its operation's body has, and no others: what a record stores beyond them is not for
 * clients to write (CHOICE-UNKNOWN-MEMBERS). Elements of a bulk body likewise.
 */
export function ofKnownMembers<Body extends object>(request: ApiRequest<Body>): ApiRequest<Body> {
  const { schema, bulk } = request.operation.body ?? {};
  const { properties = {} } = (bulk === true ? (schema as { items?: object }).items : schema) as {
    properties?: object;
  };
  const known = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
  const { body } = request;
  return { ...request, body: (Array.isArray(body) ? body.map(known) : known(body)) as Body };
}

function plain(resource: StoredResourceId): (request: ApiRequest<object>) => Result<Members> {
  return ({ body }) => success(readForm(resource, body));
}

function refused({ body }: ApiRequest<object>, resource: ResourceId, why: Failure): Outcome {
  return { ok: false, failure: inWrittenNames(resource, body, why) };
}

function full(resource: StoredResourceId): Outcome {
  const { name } = resources[resource];
  return failure(
    'invalid',
    `The account has ${RECORDS_PER_ACCOUNT} records of the kind ${name}, the most that it may have.`,
  );
}
