// REGISTER: who asks must prove to be the user whose contacts it changes (RFC 3261, 10.3).
import { toOf } from '../sip/fields.ts';
import { parseUri } from '../sip/uri.ts';
import type { ServerRequest } from '../sip/user-agent-api.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { Switchboard } from './switchboard.ts';

export function registerUser(board: Switchboard, gatekeeper: Gatekeeper, request: ServerRequest): void {
  const admission = gatekeeper.admit(request);
  if (!admission.ok) {
    const { status, headers } = admission.refusal;
    return request.respond(status, { headers: headers ?? [] });
  }
  const { account } = admission;
  const to = toOf(request.request);
  const named = to === undefined ? undefined : parseUri(to.uri)?.user;
  const extension = board.directory.user(account.id)?.ext;
  // Step 3 and 4: nobody changes the contacts of another.
  if (named !== account.sipUsername && named !== extension)
    return request.respond(403, { reason: 'Not your address of record' });
  board.registrar.register(account.id, request);
}
