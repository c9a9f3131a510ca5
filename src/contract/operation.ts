// What one operation of the specification is, as data. Knows neither a resource's fields nor how a request is handled.

import type { TSchema } from 'typebox';
import type { OperationId } from './operations.ts';
import type { ResourceId } from './resources.ts';

export type Module = 'auth' | 'calls' | 'storage' | 'settings' | 'customer' | 'history' | 'callmeback' | 'reports';
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * What a request does to the account: `read` changes nothing, `write` makes, changes or removes single things that the
 * API can make again, `destroy` removes what nobody can bring back through the API (collections, users, recordings).
 */
export type Effect = 'read' | 'write' | 'destroy';

/** `id` an integer, `ids` integers with commas, `e164` a public number, `number` a public number or an extension. */
export type PathKind = 'id' | 'ids' | 'e164' | 'number';

export interface PathParameter {
  readonly name: string;
  readonly kind: PathKind;
}

export interface QueryParameter {
  readonly name: string;
  readonly summary: string;
  readonly schema: TSchema;
}

export interface Parameters {
  /** In the order of the path. */
  readonly path: readonly PathParameter[];
  /** `collection`: page, limit, filter and group_by (see filter.ts). */
  readonly query: 'none' | 'collection';
  /** Query parameters that this operation alone has. */
  readonly named: readonly QueryParameter[];
}

export interface RequestBody {
  /** The whole body; for a bulk operation the array. */
  readonly schema: TSchema;
  /** The body is an array of objects that carry the identifying attribute. */
  readonly bulk: boolean;
}

export type ResponseShape =
  /** `{data: [...], total}` */
  | { readonly kind: 'collection'; readonly resource: ResourceId }
  /** `{data: {...}, links}` */
  | { readonly kind: 'single'; readonly resource: ResourceId }
  /** One record in a collection's envelope: `{data: [record], total: 1}`. */
  | { readonly kind: 'list-single'; readonly resource: ResourceId }
  /** `{data: {...the owner's fields, items: [...], total}, links}` */
  | { readonly kind: 'sub-collection'; readonly owner: ResourceId; readonly items: ResourceId }
  /** A flat object of strings and ids, such as what a login returns. Some members depend on the case. */
  | { readonly kind: 'message'; readonly schema: TSchema }
  | { readonly kind: 'file'; readonly mediaType: string }
  | { readonly kind: 'empty' };

export interface Operation<Id extends string = OperationId> {
  readonly id: Id;
  readonly module: Module;
  readonly method: Method;
  /** As published, after the API root: `/calls/{id}`, `/cdrs/{id}.trace`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: 'none' | 'basic';
  readonly parameters: Parameters;
  readonly body?: RequestBody;
  /** Published success statuses, the one the simulator gives first. */
  readonly success: readonly number[];
  /** Errors published for this endpoint. */
  readonly listed: readonly number[];
  /** Errors that the general error rules add to the listed ones. */
  readonly general: readonly number[];
  /** Errors that only a choice of ours gives (see choices.ts). */
  readonly chosen: readonly number[];
  readonly response: ResponseShape;
  readonly effect: Effect;
  /** The part of the specification that the row comes from. */
  readonly spec: string;
}

/** What a row states beyond its id, route and summary; the rest follows from those and the general error rules. */
export interface OperationFacts {
  readonly auth?: 'none';
  readonly named?: readonly QueryParameter[];
  readonly body?: TSchema;
  readonly bulk?: true;
  /** Where it is not 200 for GET and PATCH, 201 for POST, 204 for DELETE. */
  readonly success?: readonly number[];
  readonly listed: readonly number[];
  readonly response: ResponseShape;
  readonly effect?: Effect;
}

const usualSuccess: Readonly<Record<Method, readonly number[]>> = {
  GET: [200],
  POST: [201],
  PATCH: [200],
  DELETE: [204],
};

/** Makes the rows of one module: `row(id, 'METHOD /path', summary, facts)`. */
export function rowsOf(module: Module, spec: string) {
  return <const Id extends string>(
    id: Id,
    route: `${Method} /${string}`,
    summary: string,
    facts: OperationFacts,
  ): Operation<Id> => {
    const [method, path] = route.split(' ') as [Method, string];
    const named = pathParameters(path);
    const auth = facts.auth ?? 'basic';
    const query = method === 'GET' && pages(facts.response) ? 'collection' : 'none';
    return {
      id,
      module,
      method,
      path,
      summary,
      auth,
      parameters: { path: named, query, named: facts.named ?? [] },
      ...(facts.body === undefined ? {} : { body: { schema: facts.body, bulk: facts.bulk === true } }),
      success: facts.success ?? usualSuccess[method],
      listed: facts.listed,
      general: without(facts.listed, [
        ...(facts.body === undefined ? [] : [400]),
        ...(auth === 'basic' ? [401, 403] : []),
        ...(named.length > 0 || facts.bulk === true ? [404] : []),
      ]),
      chosen: [
        ...(query === 'collection' || (facts.named ?? []).length > 0 ? without(facts.listed, [400]) : []),
        ...(facts.body === undefined ? [] : [413, 415]),
      ],
      response: facts.response,
      effect: facts.effect ?? (method === 'GET' ? 'read' : 'write'),
      spec,
    };
  };
}

export function collection(resource: ResourceId): ResponseShape {
  return { kind: 'collection', resource };
}

export function single(resource: ResourceId): ResponseShape {
  return { kind: 'single', resource };
}

export function listSingle(resource: ResourceId): ResponseShape {
  return { kind: 'list-single', resource };
}

export function subCollection(owner: ResourceId, items: ResourceId): ResponseShape {
  return { kind: 'sub-collection', owner, items };
}

export function message(schema: TSchema): ResponseShape {
  return { kind: 'message', schema };
}

export function file(mediaType: string): ResponseShape {
  return { kind: 'file', mediaType };
}

export const empty: ResponseShape = { kind: 'empty' };

function pages(response: ResponseShape): boolean {
  return response.kind === 'collection' || response.kind === 'sub-collection';
}

function without(listed: readonly number[], statuses: readonly number[]): readonly number[] {
  return statuses.filter((status) => !listed.includes(status));
}

function pathParameters(path: string): readonly PathParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, kind: pathKind(name) }));
}

function pathKind(name: string): PathKind {
  return name === 'id' || name === 'ids' || name === 'e164' ? name : 'number';
}
