// Who asks: HTTP Basic with a user token or an API key. Every refusal says what was seen and what is missing. Knows no operation.
import { failure, type Result, success } from '../kernel/errors.ts';
import { sameText, type TokenState } from '../store/sessions.ts';
import { rankOf } from './access.ts';
import type { ApiDeps, Caller } from './request.ts';

/** The challenge of every 401 (RFC 7617). */
export const challenge = 'Basic realm="pbxsim", charset="UTF-8"';

const EXPECTED = 'expected Authorization: Basic with the base64 of user_id:user_token or user_id:api_key';
/** Read headers that are remembered: decoding them costs more than looking them up. */
const REMEMBERED_HEADERS = 2000;
/** A longer one is of nobody, and would only take room. */
const REMEMBERED_CHARACTERS = 256;

interface Credentials {
  readonly userId: number;
  readonly secret: string;
}

const tokenEndings: Readonly<Record<Exclude<TokenState, 'valid' | 'unknown'>, string>> = {
  expired: 'The user token has expired after 15 minutes without a request; log in again with POST /login.',
  'logged out': 'The user token was destroyed by POST /logout; log in again with POST /login.',
  replaced: 'The user token was ended by a newer login of the same user; log in again with POST /login.',
  'password changed': 'The user token ended when the password was changed; log in again with POST /login.',
};

export class Authenticator {
  readonly #deps: Pick<ApiDeps, 'store' | 'sessions'>;
  readonly #read = new Map<string, Credentials>();

  constructor(deps: Pick<ApiDeps, 'store' | 'sessions'>) {
    this.#deps = deps;
  }

  /** A valid token's window of inactivity begins anew. */
  authenticate(header: string | undefined): Result<Caller> {
    if (header === undefined || header === '') return refused(`There is no Authorization header; ${EXPECTED}.`);
    const known = this.#read.get(header);
    const credentials = known === undefined ? readCredentials(header) : success(known);
    if (!credentials.ok) return credentials;
    if (known === undefined && header.length <= REMEMBERED_CHARACTERS) this.#remember(header, credentials.value);
    return this.#check(credentials.value);
  }

  #check({ userId, secret }: Credentials): Result<Caller> {
    const { store, sessions } = this.#deps;
    const user = store.users.get(userId);
    const account = store.accounts.get(userId);
    const customerId = store.users.customerOf(userId);
    if (user === undefined || account === undefined || customerId === undefined) return refused(nobody(userId));
    const isKey = account.apiKey !== null && sameText(account.apiKey, secret);
    if (account.revokedKeys?.some((key) => sameText(key, secret)) === true)
      return refused('The API key was revoked; another one is given in the administration application.');
    if (!isKey) {
      const state = sessions.touch(userId, secret);
      if (state !== 'valid') return refused(state === 'unknown' ? nobody(userId) : tokenEndings[state]);
    }
    if (!user.active) return refused(`User ${userId} is not active; an administrator must activate it.`);
    return success({ user, customerId, rank: rankOf(user), token: isKey ? undefined : secret });
  }

  #remember(header: string, credentials: Credentials): void {
    if (this.#read.size >= REMEMBERED_HEADERS) this.#read.clear();
    this.#read.set(header, credentials);
  }
}

function readCredentials(header: string): Result<Credentials> {
  const [, scheme = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(header.trim()) ?? [];
  if (scheme.toLowerCase() !== 'basic')
    return refused(`The Authorization header has the scheme ${shown(scheme)}, not Basic; ${EXPECTED}.`);
  if (rest === '') return refused(`The Authorization header has no credentials after Basic; ${EXPECTED}.`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(rest)) return refused(`The credentials are not base64; ${EXPECTED}.`);
  const text = Buffer.from(rest, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return refused(`The decoded credentials have no colon; ${EXPECTED}.`);
  const id = text.slice(0, colon);
  if (!/^\d{1,15}$/.test(id)) {
    const seen = id.includes('@') ? 'an email address' : id === '' ? 'nothing' : 'something else';
    return refused(`The part before the colon should be a numeric user_id, and is ${seen}; ${EXPECTED}.`);
  }
  const secret = text.slice(colon + 1);
  if (secret === '') return refused(`The part after the colon is empty; ${EXPECTED}.`);
  return success({ userId: Number(id), secret });
}

/** The same words whether there is such a user or not: nobody learns who is there (CHOICE-TENANTS). */
function nobody(userId: number): string {
  return `No user ${userId} has this user token or API key; get a token from POST /login.`;
}

function refused(message: string): Result<never> {
  return failure('unauthenticated', message);
}

/** Of a scheme only what looks like one: a client that forgot the scheme has put its secret there. */
function shown(scheme: string): string {
  return /^[A-Za-z][A-Za-z-]{0,20}$/.test(scheme) ? scheme : 'of another form';
}
