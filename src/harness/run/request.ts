// An operation, its parameters and a user written as an HTTP request. Knows the contract's routes and Basic credentials (RFC 7617).
import type { Operation } from '../../contract/operation.ts';
import type { Asked } from '../../wires/http-client.ts';

export interface OperationRequest {
  readonly operation: Operation;
  /** Nobody: no Authorization header. */
  readonly as: { readonly id: unknown; readonly key: string } | undefined;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function requestOf(apiRoot: string, request: OperationRequest): Asked {
  const { operation, as, body } = request;
  return {
    method: operation.method,
    url: `${apiRoot}${routeOf(request)}`,
    headers: {
      accept: 'application/json',
      ...(as === undefined ? {} : { authorization: basicAuthorization(as) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** The Authorization header of a user: RFC 7617. */
export function basicAuthorization({ id, key }: { readonly id: unknown; readonly key: string | null }): string {
  return `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
}

/** Path and query after the API root. */
export function routeOf({ operation, path = {}, query = {} }: OperationRequest): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name] ?? '')).replaceAll('%2C', ','),
  );
  const pairs = Object.entries(query).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}
