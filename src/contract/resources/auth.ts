// Access control roles, and the bodies and answers of the Auth module. Knows no token.

import type { Static } from 'typebox';
import { email, name } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { body, boolean, having, integer, record, string } from '../schema.ts';

const secret = string({ minLength: 1, maxLength: 1024 });

export const LoginBody = body(
  {
    email: string({ minLength: 1, maxLength: 254 }),
    password: secret,
    remember_me: boolean(),
    device_fingerprint: string(),
  },
  ['email', 'password'],
);
export type LoginBody = Static<typeof LoginBody>;

export const TwoFactorBody = body({ code: secret, nonce: secret, add_device: boolean(), remember_me: boolean() }, [
  'code',
  'nonce',
]);
export type TwoFactorBody = Static<typeof TwoFactorBody>;

export const ConfirmationBody = body({ email }, ['email']);
export type ConfirmationBody = Static<typeof ConfirmationBody>;

export const PasswordBody = body({ email }, ['email']);
export type PasswordBody = Static<typeof PasswordBody>;

export const ResetBody = body({ token: secret, password: secret }, ['token', 'password']);
export type ResetBody = Static<typeof ResetBody>;

/** A login's answer: `user_token` and `user_id`, or `nonce` alone when the second factor is still to come. */
export const LoginAnswer = {
  ...body({ message: string(), user_token: string(), user_id: integer(), nonce: string() }, ['message']),
  oneOf: [having('user_token', 'user_id'), having('nonce')],
};
export type LoginAnswer = Static<typeof LoginAnswer>;

export const MessageAnswer = record({ message: string() });
export type MessageAnswer = Static<typeof MessageAnswer>;

export const AclRoleSchema = record({ id: integer(), _name: string(), name, product_code: string() });
export type AclRole = Static<typeof AclRoleSchema>;

export const authResources = {
  aclroles: { name: 'access control role', schema: AclRoleSchema, published: true, spec: 'ACL role' },
} as const satisfies Record<string, ResourceRow>;
