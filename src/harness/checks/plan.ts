// The checks that follow from the contract's rows: each operation's success and each of its errors. Knows no target.
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Check, CheckKind } from './check.ts';

const errorKinds = [400, 401, 403, 404] as const;

const reasons: Readonly<Record<(typeof errorKinds)[number], string>> = {
  400: 'a body with a member of a wrong type is refused, and nothing changes',
  401: 'a request without credentials is refused, and nothing changes',
  403: 'a user whose role does not allow it is refused, and nothing changes',
  404: 'an id that nothing has is not found',
};

/** Every check, in an order that lets a run do them all: what reads, what writes, what destroys. */
export const allChecks: readonly Check[] = (['read', 'write', 'destroy'] as const).flatMap((effect) =>
  operations.filter((operation) => operation.effect === effect).flatMap(checksOf),
);

function checksOf(operation: Operation): Check[] {
  const { id, listed, general, chosen, success } = operation;
  const errors = errorKinds.filter((status) => listed.includes(status) || general.includes(status));
  const check = (kind: CheckKind, status: number, requirement: string): Check => ({
    id: `${operation.method} ${operation.path} ${status}`,
    operation: id,
    kind,
    level: kind === 'success' || listed.includes(status) ? 'MUST' : 'SHOULD',
    requirement,
  });
  const [status = 200] = success;
  const provoked = errors
    .filter((error) => !chosen.includes(error))
    .map((error) => check(error, error, reasons[error]));
  // Errors come first: what destroys has not yet taken away what they need.
  return [...provoked, check('success', status, `answers ${success.join(' or ')} in the published shape`)];
}
