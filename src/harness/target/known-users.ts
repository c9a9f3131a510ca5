// Users of a target that its control API knows: every role of the first user's account, and somebody of another one. Knows no check.
import type { UserName } from '../language/document.ts';
import { valueAt } from '../matching.ts';
import type { ControlClient } from '../run/control-client.ts';
import { ROLE_NAMES } from './role-names.ts';
import type { Target, TargetUser } from './target.ts';

/** The target with the users that nobody named; those that were named stay as they are. Nobody is added when the API does not say. */
export async function withKnownUsers(target: Target, control: ControlClient): Promise<Target> {
  const own = target.users.first?.customerId;
  const { body } = await control.ask('GET', '/customers');
  const customers = valueAt(body, '/data');
  if (!Array.isArray(customers) || own === undefined) return target;
  const found: { [Name in UserName]?: TargetUser | undefined } = {};
  for (const { customer_id: id } of customers as Array<{ customer_id?: unknown }>) {
    const answer = await control.ask('GET', `/records/users?customer_id=${String(id)}`);
    const users = valueAt(answer.body, '/data');
    if (!Array.isArray(users)) continue;
    if (id === own) Object.assign(found, byRole(users, target.users.first?.id));
    else found.other_customer ??= users.map(userOf).find((user) => user !== undefined);
  }
  return { ...target, users: { ...(withoutNothing(found) as Target['users']), ...target.users } };
}

function byRole(users: readonly unknown[], first: unknown): Partial<Record<UserName, TargetUser>> {
  return Object.fromEntries(
    ROLE_NAMES.flatMap(([name, role]) => {
      if (name === 'first' || name === 'other_customer') return [];
      const record = users.find((one) => valueAt(one, '/role') === role && valueAt(one, '/id') !== first);
      const user = userOf(record);
      return user === undefined ? [] : [[name, user]];
    }),
  );
}

function userOf(record: unknown): TargetUser | undefined {
  const id = valueAt(record, '/id');
  const key = valueAt(record, '/api_key');
  if (typeof id !== 'number') return undefined;
  return { id, key: typeof key === 'string' ? key : null, ...factsOf(record) };
}

/** What a user's record says beyond id and key; what is empty there is unknown. */
export function factsOf(record: unknown): Partial<TargetUser> {
  const text = (name: string): string | undefined => {
    const value = valueAt(record, `/${name}`);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const customerId = valueAt(record, '/customer_id_id') ?? valueAt(record, '/customer');
  const [username, password] = [text('sip_username'), text('sip_password')];
  return withoutNothing({
    customerId: typeof customerId === 'number' ? customerId : undefined,
    email: text('email'),
    password: text('password'),
    ext: text('ext'),
    number: text('cli'),
    sip: username === undefined || password === undefined ? undefined : { username, password },
  }) as Partial<TargetUser>;
}

function withoutNothing<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
