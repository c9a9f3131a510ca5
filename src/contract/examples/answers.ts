// Answers that are no record: what logins say, what files look like, and refusals that a schema cannot foretell. Knows no handler.

import type { OperationId } from '../operations.ts';
import { ada, carla } from './people.ts';

export interface ErrorExample {
  readonly message: string;
  readonly errors: readonly string[];
}

/** Flat answers by operation. */
export const flatExamples: Readonly<Partial<Record<OperationId, Readonly<Record<string, object>>>>> = {
  login: {
    'Logged in': { message: 'You are logged in.', user_token: 'u-3d0c8a51e7', user_id: ada.id },
    'A code is still to come': {
      message: 'A code was sent by email; send it with the nonce to POST /login2fa.',
      nonce: 'n-5f21c0',
    },
  },
  loginTwoFactor: {
    'Logged in': { message: 'You are logged in.', user_token: 'u-3d0c8a51e7', user_id: ada.id },
  },
  logout: { 'Logged out': { message: 'You are logged out; the user token is destroyed.' } },
  ping: { Alive: { message: 'pong' } },
  resendConfirmation: {
    'Whether known or not': { message: 'If a user has this email, a confirmation is on its way to it.' },
  },
  requestPasswordReset: {
    'Whether known or not': { message: 'If a user has this email, a token for a new password is on its way to it.' },
  },
  resetPassword: { Changed: { message: 'The password is changed; log in with it.' } },
};

/** Any other flat answer: a deletion that is done when the answer leaves. */
export const acceptedExample = { message: 'Everything is removed.' };

/** Refusals with 400 besides a body that does not fit its schema. */
export const refusals: Readonly<Partial<Record<OperationId, Readonly<Record<string, ErrorExample>>>>> = {
  login: {
    'Wrong email or password': {
      message: 'There is no active user with this email and password.',
      errors: ['email, password: no active user has both'],
    },
  },
  loginTwoFactor: {
    'Wrong code': { message: 'The code is wrong.', errors: ['code: wrong; attempts left with this nonce: 4'] },
    'Unknown nonce': {
      message: 'The nonce is unknown, used or too old; log in again with POST /login.',
      errors: ['nonce: unknown, used or too old'],
    },
  },
  resetPassword: {
    'Unknown token': {
      message: 'The token is unknown, used or too old.',
      errors: ['token: unknown, used or too old'],
    },
  },
  createCall: {
    'Unknown user': { message: 'The call cannot be placed.', errors: ['from: there is no user 999'] },
    'Not a number of ours': {
      message: 'The call cannot be placed.',
      errors: ['caller_id: expected anonymous or a number of this account'],
    },
  },
};

const trace = [
  `carla                     pbxsim                    ada`,
  '  |--- INVITE ------------->|                        |',
  '  |<------------ 100 -------|                        |',
  '  |                         |--- INVITE ------------>|',
  '  |                         |<----------- 180 -------|',
  '  |<------------ 180 -------|                        |',
  '  |                         |<----------- 200 -------|',
  '  |<------------ 200 -------|                        |',
  '',
  `INVITE sip:${ada.number}@pbxsim.test SIP/2.0`,
  `From: "${carla.name}" <sip:${carla.number}@pbxsim.test>;tag=a1`,
  `To: <sip:${ada.number}@pbxsim.test>`,
  '...',
].join('\n');

/** What text files look like; binary ones have no example. */
export const fileExamples: Readonly<Record<string, string>> = { 'text/plain': trace };
