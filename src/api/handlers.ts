// The handler of each built operation, by the operation's id. Knows no HTTP.
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import { aclRoleHandlers } from './handlers/aclroles.ts';
import { authHandlers, openAuthHandlers } from './handlers/auth.ts';
import { callLabelHandlers } from './handlers/calllabels.ts';
import { callMeBackHandlers } from './handlers/callmeback.ts';
import { callHandlers } from './handlers/calls.ts';
import { callTrackingHandlers } from './handlers/calltracking.ts';
import { cannedResponseHandlers } from './handlers/cannedresponses.ts';
import { cdrHandlers } from './handlers/cdrs.ts';
import { chatHandlers } from './handlers/chats.ts';
import { conferenceHandlers } from './handlers/conferences.ts';
import { contactHandlers } from './handlers/contacts.ts';
import { customerHandlers } from './handlers/customers.ts';
import { ddiHandlers } from './handlers/ddis.ts';
import { faxHandlers } from './handlers/faxes.ts';
import { ivrHandlers } from './handlers/ivrs.ts';
import { leadCallHandlers } from './handlers/leadcalls.ts';
import { meHandlers } from './handlers/me.ts';
import { mediaSessionHandlers } from './handlers/mediasessions.ts';
import { mohHandlers } from './handlers/mohs.ts';
import { monitorHandlers } from './handlers/monitors.ts';
import { msdrHandlers } from './handlers/msdrs.ts';
import { pickupGroupHandlers } from './handlers/pickupgroups.ts';
import { queueGroupHandlers } from './handlers/queuegroups.ts';
import { queueHandlers } from './handlers/queues.ts';
import { reportScheduleHandlers } from './handlers/reportschedules.ts';
import { ringGroupHandlers } from './handlers/ringgroups.ts';
import { routingRuleHandlers } from './handlers/routingrules.ts';
import { smsHandlers } from './handlers/sms.ts';
import { statementHandlers } from './handlers/statements.ts';
import { userGroupHandlers } from './handlers/usergroups.ts';
import { userHandlers } from './handlers/users.ts';
import { vmAnnouncementHandlers } from './handlers/vmannouncements.ts';
import { voiceMessageHandlers } from './handlers/voicemessages.ts';
import { webcallHandlers } from './handlers/webcalls.ts';
import type { ApiDeps, ApiRequest, Caller, Handler, OpenHandler, OpenRequest, Outcome } from './request.ts';

/** Runs an operation whose body has been validated; `caller` is there unless the operation is open to all. */
export type Call = (request: OpenRequest, caller: Caller | undefined, deps: ApiDeps) => Outcome | Promise<Outcome>;

/** `never` as the body: each handler wants its own, which the validator has made sure of. */
const handlers: Partial<Record<OperationId, Handler<never>>> = {
  ...aclRoleHandlers,
  ...authHandlers,
  ...callLabelHandlers,
  ...callMeBackHandlers,
  ...callHandlers,
  ...callTrackingHandlers,
  ...cannedResponseHandlers,
  ...cdrHandlers,
  ...chatHandlers,
  ...conferenceHandlers,
  ...contactHandlers,
  ...customerHandlers,
  ...ddiHandlers,
  ...faxHandlers,
  ...ivrHandlers,
  ...leadCallHandlers,
  ...meHandlers,
  ...mediaSessionHandlers,
  ...mohHandlers,
  ...monitorHandlers,
  ...msdrHandlers,
  ...pickupGroupHandlers,
  ...queueGroupHandlers,
  ...queueHandlers,
  ...reportScheduleHandlers,
  ...ringGroupHandlers,
  ...routingRuleHandlers,
  ...smsHandlers,
  ...statementHandlers,
  ...userGroupHandlers,
  ...userHandlers,
  ...vmAnnouncementHandlers,
  ...voiceMessageHandlers,
  ...webcallHandlers,
};

const openHandlers: Partial<Record<OperationId, OpenHandler<never>>> = openAuthHandlers;

/** The operations that have a handler. */
export const handledOperations: ReadonlySet<string> = new Set([...Object.keys(handlers), ...Object.keys(openHandlers)]);

/** What runs an operation: each has a handler of its own. */
export function handlerOf({ id, auth }: Operation): Call {
  if (auth === 'none') {
    const open = openHandlers[id] ?? lost(id);
    return (request, _, deps) => open(request as OpenRequest<never>, deps);
  }
  const handler = handlers[id] ?? lost(id);
  return (request, caller, deps) =>
    caller === undefined ? lost(id) : handler({ ...request, caller } as ApiRequest<never>, deps);
}

function lost(id: OperationId): never {
  throw new BrokenInvariant(
    `${id} cannot be handled`,
    'it has no handler, or nobody asks',
    'give it a handler, and authenticate before it is called',
  );
}
