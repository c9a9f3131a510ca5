// Which published operation a request is. Knows no mutant.
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

/** Paths with fewer parameters come first: `/contacts/dictionaries` is no contact. */
const routes: readonly Route[] = [...operations]
  .sort((a, b) => a.parameters.path.length - b.parameters.path.length)
  .map((operation) => ({ operation, pattern: patternOf(operation.path) }));

/** Undefined when it is none of them. */
export function operationAt(apiRoot: string, method: string, url: string): Operation | undefined {
  if (!url.startsWith(`${apiRoot}/`)) return undefined;
  const [path = ''] = url.slice(apiRoot.length).split('?');
  return routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('[^/]+?')}$`);
}
