// Where a phone that answers 3xx sends its callers, and how often that may go on. Knows no dial and no signalling but the response.
import { nameAddrOf } from '../sip/fields.ts';
import { parseUri } from '../sip/uri.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import type { Call } from './call.ts';
import { type Cause, causeOfStatus } from './causes.ts';
import type { Directory } from './directory.ts';
import type { Target } from './place.ts';

/** Two phones that send callers to each other would do so for ever. */
export const MAX_REDIRECTIONS = 5;
export const REDIRECTED_TOO_OFTEN: Cause = causeOfStatus(482);
export const COMPLETED_BY_REDIRECTION = 'SIP;cause=302;text="Moved Temporarily"';

/**
 * RFC 3261, 8.1.3.4: the Contact of a 3xx names the next target. Only what the customer could dial is followed; a Contact
 * elsewhere is undefined, and the 3xx is then a failure like another.
 */
export function redirectedTo(directory: Directory, call: Call, ending: Ending): Target | undefined {
  if (ending.by !== 'failure' || ending.outcome.response === undefined) return undefined;
  const { status, response } = ending.outcome;
  if (status < 300 || status > 399) return undefined;
  const contact = nameAddrOf(response, 'Contact');
  const number = contact === undefined ? undefined : parseUri(contact.uri)?.user;
  if (number === undefined) return undefined;
  const destination = directory.dialled(call.customerId, number);
  return destination.kind === 'user' || destination.kind === 'public' ? destination : undefined;
}
