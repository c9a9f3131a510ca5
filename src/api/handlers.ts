// The handler of each built operation, by the operation's id. Knows no HTTP.
import { builtOperations } from '../contract/built.ts';
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import { aclRoleHandlers } from './handlers/aclroles.ts';
import { authHandlers, openAuthHandlers } from './handlers/auth.ts';
import { callLabelHandlers } from './handlers/calllabels.ts';
import { callHandlers } from './handlers/calls.ts';
import { cdrHandlers } from './handlers/cdrs.ts';
import { leadCallHandlers } from './handlers/leadcalls.ts';
import { meHandlers } from './handlers/me.ts';
import { mediaSessionHandlers } from './handlers/mediasessions.ts';
import { monitorHandlers } from './handlers/monitors.ts';
import { msdrHandlers } from './handlers/msdrs.ts';
import { userHandlers } from './handlers/users.ts';
import { webcallHandlers } from './handlers/webcalls.ts';
import type { ApiDeps, ApiRequest, Caller, Handler, OpenHandler, OpenRequest, Outcome } from './request.ts';

/** Runs an operation whose body has been validated; `caller` is there unless the operation is open to all. */
export type Call = (request: OpenRequest, caller: Caller | undefined, deps: ApiDeps) => Outcome | Promise<Outcome>;

/** `never` as the body: each handler wants its own, which the validator has made sure of. */
const handlers: Partial<Record<OperationId, Handler<never>>> = {
  ...authHandlers,
  ...aclRoleHandlers,
  ...callHandlers,
  ...webcallHandlers,
  ...leadCallHandlers,
  ...mediaSessionHandlers,
  ...callLabelHandlers,
  ...meHandlers,
  ...userHandlers,
  ...cdrHandlers,
  ...monitorHandlers,
  ...msdrHandlers,
};

const openHandlers: Partial<Record<OperationId, OpenHandler<never>>> = openAuthHandlers;

/** The operations that have a handler. */
export const handledOperations: ReadonlySet<string> = new Set([...Object.keys(handlers), ...Object.keys(openHandlers)]);

/** Undefined for an operation that this release does not have. */
export function handlerOf({ id, auth }: Operation): Call | undefined {
  if (!builtOperations.has(id)) return undefined;
  if (auth === 'none') {
    const open = openHandlers[id] ?? lost(id);
    return (request, _, deps) => open(request as OpenRequest<never>, deps);
  }
  const handler = handlers[id] ?? lost(id);
  return (request, caller, deps) =>
    caller === undefined ? lost(id) : handler({ ...request, caller } as ApiRequest<never>, deps);
}

function lost(id: OperationId): never {
  throw new BrokenInvariant(`${id} cannot be handled`, 'it is listed as built', 'give it a handler, and a caller');
}
