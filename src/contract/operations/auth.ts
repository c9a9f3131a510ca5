// The operations of the Auth module. Knows no request handler.

import { collection, message, rowsOf, single } from '../operation.ts';
import {
  ConfirmationBody,
  LoginAnswer,
  LoginBody,
  MessageAnswer,
  PasswordBody,
  ResetBody,
  TwoFactorBody,
} from '../resources/auth.ts';

const row = rowsOf('auth', 'Endpoints, Auth module');

export const authOperations = [
  row(
    'login',
    'POST /login',
    'Exchange email and password for a user token, or for a nonce if a code is still to come.',
    {
      auth: 'none',
      body: LoginBody,
      success: [200],
      listed: [400],
      response: message(LoginAnswer),
    },
  ),
  row('loginTwoFactor', 'POST /login2fa', 'Exchange a nonce and the code sent by email for a user token.', {
    auth: 'none',
    body: TwoFactorBody,
    success: [200],
    listed: [400],
    response: message(LoginAnswer),
  }),
  row('logout', 'POST /logout', 'Destroy the user token that the request carries.', {
    success: [200],
    listed: [401],
    response: message(MessageAnswer),
  }),
  row('ping', 'GET /ping', 'Keep the user token alive.', { listed: [], response: message(MessageAnswer) }),
  row('resendConfirmation', 'POST /confirmation', 'Send the confirmation email again.', {
    auth: 'none',
    body: ConfirmationBody,
    success: [200],
    listed: [400],
    response: message(MessageAnswer),
  }),
  row('requestPasswordReset', 'POST /password', 'Start a password reset: a token goes out by email.', {
    auth: 'none',
    body: PasswordBody,
    success: [200],
    listed: [400],
    response: message(MessageAnswer),
  }),
  row('resetPassword', 'POST /reset', 'Set a new password with the token from the email.', {
    auth: 'none',
    body: ResetBody,
    success: [200],
    listed: [400],
    response: message(MessageAnswer),
  }),
  row('listAclRoles', 'GET /aclroles', 'List the roles that access control knows.', {
    listed: [401],
    response: collection('aclroles'),
  }),
  row('getAclRole', 'GET /aclroles/{id}', 'Read one role.', { listed: [401, 403, 404], response: single('aclroles') }),
];
