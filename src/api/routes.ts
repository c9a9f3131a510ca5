// Which operation a request names: roots, paths and methods of the contract's rows in a radix tree. Knows no handler.
import findMyWay from 'find-my-way';
import { pathIdsLimit } from '../contract/limits.ts';
import type { Method, Operation } from '../contract/operation.ts';

/** Where the API is served. The last one is an alias: CHOICE-VERSION-ALIAS. */
const roots = ['/v1.1/pbx', '/v1.2/pbx', '/v1.1'] as const;

/** Characters of one path parameter: a list of as many ids as may be named, each with its comma. */
const LONGEST_PARAMETER = pathIdsLimit * 17;

export interface Target {
  readonly root: string;
  /** Below the root, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Route =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  /** The path has other methods. */
  | { readonly kind: 'other methods'; readonly allow: string }
  | { readonly kind: 'unknown' };

const noQuery = new URLSearchParams();
const noParams: Readonly<Record<string, string>> = {};
const unknown: Route = { kind: 'unknown' };

/** Takes a request target apart; undefined when it is not below one of the roots. */
export function readTarget(url: string): Target | undefined {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const root = roots.find((one) => path.startsWith(one) && (path.length === one.length || path[one.length] === '/'));
  if (root === undefined) return isVersioned(path) ? { root: '', path, query: noQuery } : undefined;
  return {
    root,
    path: path.slice(root.length),
    query: mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1)),
  };
}

/** Paths of a version are the API's to answer, even those that name nothing. */
function isVersioned(path: string): boolean {
  return /^\/v1\.[12](\/|$)/.test(path);
}

export class Routes {
  readonly #tree = findMyWay({ maxParamLength: LONGEST_PARAMETER });

  constructor(operations: readonly Operation[]) {
    for (const [path, methods] of byPath(operations)) this.#tree.on('GET', path, unrouted, methods);
  }

  /** HEAD is answered as GET. */
  find(method: string, { root, path }: Target): Route {
    const found = root === '' || path === '' ? null : this.#tree.find('GET', path);
    if (found === null) return unknown;
    const methods = found.store as Methods;
    const operation = methods.get((method === 'HEAD' ? 'GET' : method) as Method);
    if (operation === undefined) return { kind: 'other methods', allow: allowed(methods) };
    return { kind: 'operation', operation, params: named(operation, found.params) };
  }
}

type Methods = ReadonlyMap<Method, Operation>;

/** The tree wants a function at each leaf; what we need there is the store beside it. */
function unrouted(): void {}

/** Rows by path, with parameters named by their place: `{id}` and `{ids}` of two methods are one path. */
function byPath(operations: readonly Operation[]): Map<string, Map<Method, Operation>> {
  const paths = new Map<string, Map<Method, Operation>>();
  for (const operation of operations) {
    let place = 0;
    const path = operation.path.replace(/\{\w+\}/g, () => `:${placeName(place++)}`);
    const methods = paths.get(path) ?? new Map<Method, Operation>();
    paths.set(path, methods.set(operation.method, operation));
  }
  return paths;
}

function placeName(place: number): string {
  return `p${place}`;
}

function named(
  operation: Operation,
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const { path } = operation.parameters;
  if (path.length === 0) return noParams;
  return Object.fromEntries(path.map(({ name }, place) => [name, values[placeName(place)] ?? '']));
}

function allowed(methods: Methods): string {
  const names: string[] = [...methods.keys()];
  return [...names, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
