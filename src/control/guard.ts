// Who may speak to the control API: requests to this machine by its own name, from no other site, with the token where
// one is due. Knows no operation.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { failure, type Result, success } from '../kernel/errors.ts';

/** On the certificate of `--https`. Nobody's name server can make it lead here: names below `test` are never delegated (RFC 6761, 6.2). */
const OUR_DOMAIN = 'pbxsim.test';

export interface GuardedServer {
  /** As it was told to listen: a name or an address. */
  readonly host: string;
  readonly token?: string;
}

/**
 * A page in a browser can reach a server on loopback. It cannot forge the Host header (so a name of the attacker's that
 * resolves to 127.0.0.1 is seen), nor leave Origin out of a request that changes something.
 */
export function admit(request: Pick<IncomingMessage, 'headers'>, server: GuardedServer): Result<void> {
  const { host, origin, authorization } = request.headers;
  if (host === undefined || !isOurName(hostOf(host), server.host)) {
    return failure('forbidden', `The Host header ${host ?? '(none)'} is not an address of this server.`);
  }
  if (origin !== undefined && hostAndPort(origin) !== host.toLowerCase()) {
    return failure('forbidden', `The control API takes no requests from pages of ${origin}.`);
  }
  if (server.token === undefined && isLoopback(server.host)) return success(undefined);
  if (server.token !== undefined && authorization !== undefined && same(authorization, `Bearer ${server.token}`)) {
    return success(undefined);
  }
  const seen = authorization === undefined ? 'no Authorization header' : 'another credential';
  return failure('unauthenticated', `The control API of ${server.host} needs its token (Bearer); it saw ${seen}.`);
}

/** True for names and addresses that never leave the machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

function isOurName(name: string, configured: string): boolean {
  if (isLoopback(name) || name === configured.toLowerCase() || name === OUR_DOMAIN) return true;
  // On all addresses any address is ours; a name could be anybody's.
  return ['0.0.0.0', '::'].includes(configured) && /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/.test(name);
}

/** The Host header without its port and without the brackets of IPv6. */
function hostOf(header: string): string {
  const name = /^\[([^\]]*)\](?::\d*)?$/.exec(header)?.[1] ?? header.replace(/:\d*$/, '');
  return name.toLowerCase();
}

function hostAndPort(origin: string): string {
  return origin.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase();
}

/** Takes the same time whatever the credential. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
