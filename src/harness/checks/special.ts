// Operations whose success needs more than an id and a body: what a login gave, what came by email, an account to lose.
import type { OperationId } from '../../contract/operations.ts';
import type { Bench } from '../conform/check.ts';
import { blocked, CheckEnd, unevaluable } from '../conform/finding.ts';
import type { TargetUser } from '../target/target.ts';
import type { PathValues } from './attempt.ts';

/** What differs from the usual attempt; the rest is as usual. */
export interface Prepared {
  readonly path?: PathValues;
  readonly body?: unknown;
  readonly as?: TargetUser | null;
}

interface Mail {
  readonly kind: string;
  readonly to: string;
  readonly code?: string;
  readonly token?: string;
}

export const special: Readonly<Partial<Record<OperationId, (bench: Bench) => Promise<Prepared>>>> = {
  loginTwoFactor: async (bench) => {
    const { email, password } = bench.user('two_factor');
    if (email === undefined || password === undefined) throw lacking('email and password of the two-factor user');
    const { body } = await bench.ask('login', { as: null, body: { email, password } });
    const { nonce } = (body ?? {}) as { readonly nonce?: unknown };
    if (typeof nonce !== 'string') throw new CheckEnd(blocked('POST /login gives the two-factor user no nonce.'));
    const { code } = await latestMail(bench, '2fa', email);
    return { body: { code, nonce } };
  },
  resetPassword: async (bench) => {
    const { email, password } = bench.user('third');
    if (email === undefined) throw lacking('email of a third user whose password may be set');
    await bench.ask('requestPasswordReset', { as: null, body: { email } });
    const { token } = await latestMail(bench, 'reset', email);
    return { body: { token, password: password ?? 'Set by a check' } };
  },
  /** With a token of its own: the run goes on with the first user's key. */
  logout: async (bench) => ({ as: await bench.login('first') }),
  /** An account made to be removed. */
  deleteCustomer: async (bench) => {
    const { body } = await bench.control.ask('POST', '/customers');
    const { customer_id: id, users } = (body ?? {}) as {
      customer_id?: number;
      users?: Array<{ user_id: number; api_key: string }>;
    };
    const [root] = users ?? [];
    if (id === undefined || root === undefined) throw lacking('account that may be removed');
    return { path: { id }, as: { id: root.user_id, key: root.api_key, customerId: id } };
  },
};

async function latestMail(bench: Bench, kind: string, to: string): Promise<Mail> {
  const outbox = await bench.control.get<{ readonly data: readonly Mail[] }>('GET', '/outbox');
  const mail = outbox.data.findLast((one) => one.kind === kind && one.to === to);
  if (mail === undefined) throw new CheckEnd(blocked(`No email of kind ${kind} was sent to ${to}.`));
  return mail;
}

function lacking(what: string): CheckEnd {
  return new CheckEnd(unevaluable(`Nobody gave ${/^an? |^email/.test(what) ? what : `an ${what}`}.`));
}
