// Users as the administration application keeps them: every published attribute, and what they prove who they are with.
import type { TProperties } from 'typebox';
import { type User, UserSchema } from '../../contract/resources/customer.ts';
import { nullable, string, word } from '../../contract/schema.ts';
import { type Result, success } from '../../kernel/errors.ts';
import { utcText } from '../../kernel/time.ts';
import { ACL_ROLE, type Role } from '../../store/seed/people.ts';
import type { Account } from '../../store/store.ts';
import type { ControlDeps } from '../deps.ts';
import { lineOf } from '../operations/phones.ts';
import { idIn } from '../row.ts';
import { emptyRecord, type Members, notValid, type RecordKind } from './record-kind.ts';

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
  ...UserSchema.properties,
  ...accountProperties,
  email: string({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254, description: 'email address' }),
  ext: string({ pattern: '^[0-9]{2,10}$', description: '2 to 10 digits' }),
};

/** What differs from nothing in a user whom nobody has configured: a phone that rings 20 s and takes a second call. */
const usual: Partial<User> = {
  active: true,
  two_factor_auth: 'D',
  roles: ['ROLE_AGENT'],
  ring_time: '20',
  final_dst_type: 'H',
  vm_pin: '0000',
  cw: true,
  rec_allowed: true,
  fm_allowed: true,
  fm_ring_time: '20',
  fm_strategy: 'A',
  vm_tts: 'N',
  email_missed: 'N',
  fm_final_dst_type: 'H',
  log_missed_calls: true,
  language: 'en',
};

export const userRecords: RecordKind = {
  id: 'users',
  name: 'user',
  properties,
  required: ['email', 'ext'],
  fixed: ['id', 'customer', 'customer_id_id'],
  list: ({ store }, customerId) =>
    [...store.users.list(customerId)].map((user) => viewOf(user, store.accounts.get(user.id))),
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
    deps.store.accounts.delete(user.id);
    return deps.store.users.delete(user.id);
  },
};

function viewOf(user: User, account: Account | undefined): Members {
  if (account === undefined) return user;
  const { password, apiKey, role, sipUsername, sipPassword } = account;
  return { ...user, password, api_key: apiKey, role, sip_username: sipUsername, sip_password: sipPassword };
}

function create(deps: ControlDeps, customerId: number, members: Members): Result<Members> {
  const { store, random, clock } = deps;
  const { published, account } = split(members);
  const problems = [...takenBy(deps, customerId, members, undefined), ...strangersIn(deps, customerId, members)];
  if (problems.length > 0) return notValid(...problems);
  const id = store.users.nextId(customerId);
  const secrets = random.split(`user-${id}`);
  const ext = String(published.ext);
  const user = {
    ...emptyRecord(UserSchema),
    ...usual,
    cc: store.customers.get(customerId)?.countryCode ?? '',
    created_at: utcText(clock.now()),
    ...published,
    id,
    customer: customerId,
    customer_id_id: customerId,
  } as User;
  store.users.insert(customerId, user);
  store.accounts.insert(customerId, {
    password: secrets.token(14),
    apiKey: secrets.token(40),
    sipUsername: `${customerId}-${ext}`,
    sipPassword: secrets.token(16),
    role: 'agent',
    ...account,
    id,
    email: user.email,
  });
  return success(viewOf(user, store.accounts.get(id)));
}

function change(deps: ControlDeps, id: string, members: Members): Result<Members> {
  const { store } = deps;
  const before = store.users.get(idIn(id));
  if (before === undefined) return notValid(`id: no user ${id}`);
  const { published, account } = split(members);
  const problems = [
    ...takenBy(deps, before.customer, members, before.id),
    ...strangersIn(deps, before.customer, members, before),
  ];
  if (problems.length > 0) return notValid(...problems);
  const user = store.users.update(before.id, published as Partial<User>) ?? before;
  const login = store.accounts.update(before.id, { ...account, email: user.email });
  movePhone(deps, before, user, account);
  return success(viewOf(user, login));
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
function takenBy({ store }: ControlDeps, customerId: number, members: Members, self: number | undefined): string[] {
  const others = <T extends { readonly id: number }>(found: readonly T[]) => found.filter(({ id }) => id !== self);
  const { email, ext, api_key: apiKey, sip_username: sipUsername } = members;
  const problems: string[] = [];
  if (typeof ext === 'string' && others(store.users.find('ext', ext)).some((user) => user.customer === customerId)) {
    problems.push(`ext: another user of the customer has ${ext}`);
  }
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

/** Final destinations that are written and are no users of this customer: calls never cross customers that way. */
function strangersIn({ store }: ControlDeps, customerId: number, members: Members, before?: User): string[] {
  const after: Members = { ...before, ...members };
  return ['final_dst', 'fm_final_dst'].flatMap((name) => {
    const id = Number(after[`${name}_id`] ?? 0);
    const written = `${name}_id` in members || `${name}_type` in members;
    if (!written || after[`${name}_type`] !== 'U' || store.users.customerOf(id) === customerId) return [];
    return [`${name}_id: the customer has no user ${id}`];
  });
}

/** Published members apart from those of the account, the latter in the store's names. */
function split(members: Members): { published: Members; account: Partial<Account> } {
  const {
    password,
    api_key: apiKey,
    role,
    sip_username: sipUsername,
    sip_password: sipPassword,
    ...published
  } = members;
  const account = { password, apiKey, role, sipUsername, sipPassword };
  // What a role may do hangs on its ACL role: one without the other would be a word that changes nothing.
  const roles = role === undefined || 'roles' in published ? {} : { roles: [ACL_ROLE[role as Role]] };
  const given = Object.entries(account).filter(([, value]) => value !== undefined);
  return { published: { ...published, ...roles }, account: Object.fromEntries(given) as Partial<Account> };
}
