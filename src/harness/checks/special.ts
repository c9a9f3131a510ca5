// Operations whose success needs more than an id and a body: what a login gave, what came by email, an account to lose.
import { type OperationId, operationById } from '../../contract/operations.ts';
import type { ControlClient } from '../run/control-client.ts';
import type { Target, TargetUser } from '../target/target.ts';
import type { Lacking, PathValues, Subjects } from './subjects.ts';

export interface Situation {
  readonly target: Target;
  readonly control: ControlClient | undefined;
  readonly subjects: Subjects;
}

/** What differs from the usual try; the rest is as usual. */
export interface Prepared {
  readonly path?: PathValues;
  readonly body?: unknown;
  readonly as?: TargetUser;
}

type Preparation = (situation: Situation) => Promise<Prepared | Lacking>;

interface Mail {
  readonly kind: string;
  readonly to: string;
  readonly code?: string;
  readonly token?: string;
}

export const special: Readonly<Partial<Record<OperationId, Preparation>>> = {
  loginTwoFactor: async ({ target, control, subjects }) => {
    const user = target.users.two_factor;
    if (user?.email === undefined || user.password === undefined) return { lacking: 'user with two-factor login' };
    const login = await subjects.ask(operationById('login'), { body: { email: user.email, password: user.password } });
    const { nonce } = (login?.body ?? {}) as { readonly nonce?: string };
    const mail = await latestMail(control, '2fa', user.email);
    return mail === undefined ? { lacking: 'outbox to read the code in' } : { body: { code: mail.code, nonce } };
  },
  resetPassword: async ({ target, control, subjects }) => {
    const { third: user } = target.users;
    if (user?.email === undefined) return { lacking: 'third user whose password may be set' };
    await subjects.ask(operationById('requestPasswordReset'), { body: { email: user.email } });
    const mail = await latestMail(control, 'reset', user.email);
    if (mail === undefined) return { lacking: 'outbox to read the token in' };
    return { body: { token: mail.token, password: user.password ?? 'Set by a check' } };
  },
  /** With a token of its own: the run goes on with the first user's key. */
  logout: async ({ target, subjects }) => {
    const { first } = target.users;
    if (first?.email === undefined || first.password === undefined) return { lacking: 'password of the first user' };
    const login = await subjects.ask(operationById('login'), {
      body: { email: first.email, password: first.password },
    });
    const { user_token: key } = (login?.body ?? {}) as { readonly user_token?: string };
    return key === undefined ? { lacking: 'user token from POST /login' } : { as: { ...first, key } };
  },
  /** An account made to be removed. */
  deleteCustomer: async ({ control }) => {
    const made = await control?.ask('POST', '/customers');
    const { customer_id: id, users } = (made?.body ?? {}) as {
      customer_id?: number;
      users?: Array<{ user_id: number; api_key: string }>;
    };
    const [root] = users ?? [];
    if (id === undefined || root === undefined) return { lacking: 'account that may be removed' };
    return { path: { id }, as: { id: root.user_id, key: root.api_key } };
  },
};

async function latestMail(control: ControlClient | undefined, kind: string, to: string): Promise<Mail | undefined> {
  const outbox = await control?.get<{ readonly data: readonly Mail[] }>('GET', '/outbox');
  return outbox?.data.findLast((mail) => mail.kind === kind && mail.to === to);
}
