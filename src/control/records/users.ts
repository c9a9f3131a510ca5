// Users as the administration application keeps them: every published attribute, and what they prove who they are with.
import type { TProperties } from 'typebox';
import { KeptOfUser, type User, UserSchema } from '../../contract/resources/customer.ts';
import { nullable, string, word } from '../../contract/schema.ts';
import { shown } from '../../contract/schema-words.ts';
import { type Result, success } from '../../kernel/errors.ts';
import { runQuery } from '../../store/query.ts';
import { takenExtension } from '../../store/records/extensions.ts';
import { changeRecord, createRecord, removeRecord } from '../../store/records/record-book.ts';
import { ACL_ROLE, type Role } from '../../store/seed/people.ts';
import type { Account } from '../../store/store.ts';
import type { ControlDeps } from '../deps.ts';
import { lineOf } from '../operations/phones.ts';
import { idIn } from '../row.ts';
import { groundOf } from './any-record.ts';
import { inEitherForm, inReadForm } from './either-form.ts';
import { type Members, notValid, type RecordKind } from './record-kind.ts';

const secret = string({ minLength: 1, maxLength: 128 });

/** Members that are not published: they live with the account. */
const accountProperties = {
  password: secret,
  api_key: nullable(secret),
  role: word(['root', 'admin', 'agent', 'restricted', 'two_factor', 'other_customer']),
  sip_username: string({ pattern: '^[A-Za-z0-9_.-]{1,64}$', description: 'letters, digits, _ . -' }),
  sip_password: secret,
};

const properties: TProperties = {
  ...inEitherForm('users', { ...UserSchema.properties, ...KeptOfUser.properties }),
  ...accountProperties,
  email: string({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254, description: 'email address' }),
  ext: string({ pattern: '^[0-9]{2,10}$', description: '2 to 10 digits' }),
};

export const userRecords: RecordKind = {
  id: 'users',
  name: 'user',
  properties,
  required: ['email', 'ext'],
  requiredAny: [],
  ofAccount: ['customer', 'customer_id_id'],
  page: ({ store }, customerId, query) => {
    const { items, total } = runQuery(store.users.source(customerId), query);
    return { items: items.map((user) => viewOf(user, store.accounts.get(user.id))), total };
  },
  get: ({ store }, id) => {
    const user = store.users.get(idIn(id));
    return user === undefined ? undefined : viewOf(user, store.accounts.get(user.id));
  },
  ownerOf: ({ store }, id) => store.users.customerOf(idIn(id)),
  create,
  change,
  remove: (deps, id) => {
    const user = deps.store.users.get(idIn(id));
    if (user === undefined) return false;
    deps.phones.remove(user.customer, user.ext);
    return removeRecord(groundOf(deps, user.customer), 'users', user.id);
  },
};

function viewOf(user: User, account: Account | undefined): Members {
  if (account === undefined) return user;
  const { password, apiKey, role, sipUsername, sipPassword } = account;
  return { ...user, password, api_key: apiKey, role, sip_username: sipUsername, sip_password: sipPassword };
}

function create(deps: ControlDeps, customerId: number, members: Members): Result<Members> {
  const { store, random } = deps;
  const { published, account } = split(members);
  const problems = [...takenBy(deps, customerId, members, undefined), ...strangeRoles(deps, customerId, members)];
  if (problems.length > 0) return notValid(...problems);
  const created = createRecord(groundOf(deps, customerId), 'users', published);
  if (!created.ok) return created;
  const user = created.value as unknown as User;
  const secrets = random.split(`user-${user.id}`);
  store.accounts.insert(customerId, {
    password: secrets.token(14),
    apiKey: secrets.token(40),
    sipUsername: `${customerId}-${user.ext}`,
    sipPassword: secrets.token(16),
    role: 'agent',
    ...account,
    id: user.id,
    email: user.email,
  });
  return success(viewOf(user, store.accounts.get(user.id)));
}

function change(deps: ControlDeps, id: string, members: Members): Result<Members> {
  const { store } = deps;
  const before = store.users.get(idIn(id));
  if (before === undefined) return notValid(`id: no user ${id}`);
  const { published, account } = split(members);
  const problems = [
    ...takenBy(deps, before.customer, members, before.id),
    ...strangeRoles(deps, before.customer, members, before.roles),
  ];
  if (problems.length > 0) return notValid(...problems);
  const changed = changeRecord(groundOf(deps, before.customer), 'users', before.id, published);
  if (!changed.ok) return changed;
  const user = changed.value as unknown as User;
  const login = store.accounts.update(before.id, {
    ...account,
    ...revokedBy(store.accounts.get(before.id), account),
    email: user.email,
  });
  movePhone(deps, before, user, account);
  return success(viewOf(user, login));
}

/** Keys of a user of which is remembered that they were revoked. */
const REVOKED_KEYS = 20;

function revokedBy(before: Account | undefined, after: Partial<Account>): Partial<Account> {
  const key = before?.apiKey ?? null;
  if (key === null || after.apiKey === undefined || after.apiKey === key) return {};
  return { revokedKeys: [...(before?.revokedKeys ?? []), key].slice(-REVOKED_KEYS) };
}

/** A phone that stays with its user when the extension or what it registers with changes: the old one goes, its like comes. */
function movePhone(deps: ControlDeps, before: User, after: User, account: Partial<Account>): void {
  const renamed = before.ext !== after.ext;
  if (!renamed && account.sipUsername === undefined && account.sipPassword === undefined) return;
  const phone = deps.phones.view(before.customer, before.ext);
  const line = lineOf(deps, after.customer, after.ext);
  if (phone === undefined || !line.ok) return;
  deps.phones.remove(before.customer, before.ext);
  deps.phones.add({ ...line.value, behaviour: phone.behaviour });
}

/** Names of the members whose value somebody else has already. */
function takenBy(deps: ControlDeps, customerId: number, members: Members, self: number | undefined): string[] {
  const { store } = deps;
  const others = <T extends { readonly id: number }>(found: readonly T[]) => found.filter(({ id }) => id !== self);
  const { email, ext, api_key: apiKey, sip_username: sipUsername } = members;
  const problems: string[] = [];
  if (typeof ext === 'string')
    problems.push(...takenExtension(groundOf(deps, customerId), 'ext', ext, { resource: 'users', id: self }));
  if (typeof email === 'string' && others(store.accounts.find('email', email)).length > 0) {
    problems.push(`email: another user has ${email}`);
  }
  if (typeof apiKey === 'string' && others(store.accounts.find('apiKey', apiKey)).length > 0) {
    problems.push('api_key: another user has it');
  }
  if (typeof sipUsername === 'string' && others(store.accounts.find('sipUsername', sipUsername)).length > 0) {
    problems.push(`sip_username: another user has ${sipUsername}`);
  }
  return problems;
}

/** Roles are those of the account, by their `_name`; those that the user has already may stay. */
function strangeRoles(
  { store }: ControlDeps,
  customerId: number,
  members: Members,
  had: readonly string[] = [],
): string[] {
  const { roles } = inReadForm('users', { roles: members.roles });
  if (!Array.isArray(roles)) return [];
  const names = Array.from(store.aclroles.list(customerId), ({ _name }) => _name);
  return roles.flatMap((role, index) =>
    names.includes(role) || had.includes(role)
      ? []
      : [`roles[${index}]: there is no role ${shown(role)} in this account, only ${names.join(', ') || 'none'}`],
  );
}

/** Published members apart from those of the account, the latter in the store's names. */
function split(members: Members): { published: Members; account: Partial<Account> } {
  const { password, api_key: apiKey, role, sip_username: sipUsername, sip_password: sipPassword, ...written } = members;
  const published = inReadForm('users', written);
  const account = { password, apiKey, role, sipUsername, sipPassword };
  // What a role may do hangs on its ACL role: one without the other would be a word that changes nothing.
  const roles = role === undefined || 'roles' in published ? {} : { roles: [ACL_ROLE[role as Role]] };
  const given = Object.entries(account).filter(([, value]) => value !== undefined);
  return { published: { ...published, ...roles }, account: Object.fromEntries(given) as Partial<Account> };
}
