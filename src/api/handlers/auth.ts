// Logging in and out, and what goes out by email: codes, confirmations, password resets. Knows no token's life.
import type {
  ConfirmationBody,
  LoginBody,
  PasswordBody,
  ResetBody,
  TwoFactorBody,
} from '../../contract/resources/auth.ts';
import { failure } from '../../kernel/errors.ts';
import { sameText } from '../../store/sessions.ts';
import type { Account } from '../../store/store.ts';
import { type ApiDeps, type ApiRequest, flat, type OpenRequest, type Outcome } from '../request.ts';

/** A user without the second factor gets a token, the others a nonce and a code by email: CHOICE-NONCE. */
function login({ body }: OpenRequest<LoginBody>, deps: ApiDeps): Outcome {
  const { store, sessions, outbox } = deps;
  const account = accountsOf(deps, body.email).find(({ password }) => sameText(password, body.password));
  const user = account === undefined ? undefined : store.users.get(account.id);
  if (account === undefined || user === undefined || !user.active)
    return failure('invalid', 'There is no active user with this email and password.', [
      'email, password: no active user has both',
    ]);
  if (user.two_factor_auth === 'D') return loggedIn(deps, user.id);
  const { nonce, code } = sessions.openNonce(user.id);
  outbox.send({ kind: '2fa', to: account.email, code });
  return flat({ message: 'A code was sent by email; send it with the nonce to POST /login2fa.', nonce });
}

function loginTwoFactor({ body }: OpenRequest<TwoFactorBody>, deps: ApiDeps): Outcome {
  const check = deps.sessions.checkCode(body.nonce, body.code);
  switch (check.kind) {
    case 'unknown nonce':
      return failure('invalid', 'The nonce is unknown, used or too old; log in again with POST /login.', [
        'nonce: unknown, used or too old',
      ]);
    case 'wrong code':
      return failure('invalid', 'The code is wrong.', [
        `code: wrong; attempts left with this nonce: ${check.attemptsLeft}`,
      ]);
    case 'right':
      if (deps.store.users.get(check.userId)?.active === true) return loggedIn(deps, check.userId);
      return failure('invalid', 'The user is no longer active.', ['nonce: its user is no longer active']);
  }
}

function loggedIn({ sessions }: ApiDeps, userId: number): Outcome {
  return flat({ message: 'You are logged in.', user_token: sessions.open(userId), user_id: userId });
}

/** An API key outlives logging out: CHOICE-LOGOUT-KEY. */
function logout({ caller }: ApiRequest, { sessions }: ApiDeps): Outcome {
  if (caller.token === undefined) return flat({ message: 'You are logged out; the API key stays valid.' });
  sessions.close(caller.user.id, caller.token);
  return flat({ message: 'You are logged out; the user token is destroyed.' });
}

function ping(): Outcome {
  return flat({ message: 'pong' });
}

/** The same answer whether the email is known or not: CHOICE-RESET. */
function resendConfirmation({ body }: OpenRequest<ConfirmationBody>, deps: ApiDeps): Outcome {
  for (const { email } of accountsOf(deps, body.email))
    deps.outbox.send({ kind: 'confirmation', to: email, token: deps.sessions.confirmationToken() });
  return flat({ message: 'If a user has this email, a confirmation is on its way to it.' });
}

function requestPasswordReset({ body }: OpenRequest<PasswordBody>, deps: ApiDeps): Outcome {
  for (const { id, email } of accountsOf(deps, body.email))
    deps.outbox.send({ kind: 'reset', to: email, token: deps.sessions.openReset(id) });
  return flat({ message: 'If a user has this email, a token for a new password is on its way to it.' });
}

function resetPassword({ body }: OpenRequest<ResetBody>, { store, sessions }: ApiDeps): Outcome {
  const userId = sessions.useReset(body.token);
  if (userId === undefined || store.accounts.update(userId, { password: body.password }) === undefined)
    return failure('invalid', 'The token is unknown, used or too old.', ['token: unknown, used or too old']);
  sessions.passwordChanged(userId);
  return flat({ message: 'The password is changed; log in with it.' });
}

/** Usually one. Emails are compared as written, and in small letters. */
function accountsOf({ store }: ApiDeps, email: string): Account[] {
  const exact = store.accounts.find('email', email);
  return exact.length > 0 ? exact : store.accounts.find('email', email.toLowerCase());
}

export const openAuthHandlers = { login, loginTwoFactor, resendConfirmation, requestPasswordReset, resetPassword };
export const authHandlers = { logout, ping };
