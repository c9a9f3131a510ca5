// The users of a seeded account: who they are, how they log in, and the number that rings them. Knows no history.
import { codeOf, ddiStatusCodes, targetTypeCodes } from '../../contract/codes.ts';
import { type User, UserSchema } from '../../contract/resources/customer.ts';
import type { Ddi } from '../../contract/resources/settings.ts';
import type { Random } from '../../kernel/random.ts';
import { utcText } from '../../kernel/time.ts';
import { emptyRecord } from '../records/empty-record.ts';
import { usualUser } from '../records/kinds/users.ts';
import type { Account, Store } from '../store.ts';
import type { Invention } from './invention.ts';
import { ownNumber } from './numbers.ts';

const DAY_MS = 86_400_000;
const FIRST_EXTENSION = 101;

export type Role = Account['role'];

/** One user with what a client needs to act as it. Named as in the ready line. */
export interface SeededUser {
  readonly user_id: number;
  readonly customer_id: number;
  readonly email: string;
  readonly password: string;
  readonly api_key: string | null;
  readonly role: Role;
  readonly ext: string;
  readonly sip_username: string;
  readonly sip_password: string;
}

export interface PeoplePlan {
  readonly store: Store;
  readonly customerId: number;
  readonly roles: readonly Role[];
  readonly random: Random;
  readonly invention: Invention;
  /** Host part of the emails. */
  readonly mailHost: string;
  /** Host part of SIP URIs. */
  readonly domain: string;
  readonly nowMs: number;
}

/** The ACL role that each kind of user has, by the role's `_name`. */
export const ACL_ROLE: Readonly<Record<Role, string>> = {
  root: 'ROLE_ADMIN',
  admin: 'ROLE_ADMIN',
  agent: 'ROLE_AGENT',
  restricted: 'ROLE_RESTRICTED',
  two_factor: 'ROLE_AGENT',
  other_customer: 'ROLE_ADMIN',
};

const ROLE_NAMES = [
  ['ROLE_ADMIN', 'Administrator'],
  ['ROLE_AGENT', 'Agent'],
  ['ROLE_RESTRICTED', 'Restricted user'],
] as const;

/** The three roles that users can have, as records of the account. */
export function seedAclRoles(store: Store, customerId: number): void {
  for (const [_name, name] of ROLE_NAMES) {
    store.aclroles.insert(customerId, { id: store.aclroles.nextId(customerId), _name, name, product_code: 'pbx' });
  }
}

/** A user per role, in that order, each with an account, the next extension and a number of its own. */
export function seedPeople(plan: PeoplePlan): SeededUser[] {
  const taken = new Set<string>();
  return plan.roles.map((role, index) => seedPerson(plan, role, index, taken));
}

function seedPerson(plan: PeoplePlan, role: Role, index: number, taken: Set<string>): SeededUser {
  const { store, customerId, random } = plan;
  const { first, last, email } = inventName(plan, taken);
  const number = ownNumber(customerId, index);
  const ext = String(FIRST_EXTENSION + index);
  const createdAt = utcText(plan.nowMs - (400 - index) * DAY_MS);
  const user = store.users.insert(customerId, {
    ...userDefaults(),
    id: store.users.nextId(customerId),
    customer: customerId,
    customer_id_id: customerId,
    first_name: first,
    last_name: last,
    email,
    vm_emails: [email],
    ext,
    cli: number,
    esc_cli: number,
    vm_pin: String(random.int(10_000)).padStart(4, '0'),
    roles: [ACL_ROLE[role]],
    is_root: role === 'root' || role === 'other_customer',
    is_initial: index === 0,
    two_factor_auth: role === 'two_factor' ? 'E' : 'D',
    created_at: createdAt,
  });
  store.ddis.insert(customerId, ddiOf(String(store.ddis.nextId(customerId)), number, user, plan.domain));
  const account = store.accounts.insert(customerId, {
    id: user.id,
    email,
    password: random.token(14),
    apiKey: role === 'two_factor' ? null : random.token(40),
    sipUsername: `${customerId}-${ext}`,
    sipPassword: random.token(16),
    role,
  });
  return {
    user_id: user.id,
    customer_id: customerId,
    email,
    password: account.password,
    api_key: account.apiKey,
    role,
    ext,
    sip_username: account.sipUsername,
    sip_password: account.sipPassword,
  };
}

function inventName(plan: PeoplePlan, taken: Set<string>): { first: string; last: string; email: string } {
  for (;;) {
    const first = plan.invention.firstName();
    const last = plan.invention.lastName();
    const email = `${mailWord(first)}.${mailWord(last)}@${plan.mailHost}`;
    if (taken.has(email)) continue;
    taken.add(email);
    return { first, last, email };
  }
}

/** Letters and digits of a name in small letters, for addresses. */
export function mailWord(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A number of the account that leads nowhere yet. */
export function seedNumber(
  plan: Pick<PeoplePlan, 'store' | 'customerId' | 'domain' | 'nowMs'>,
  index: number,
  name: string,
): string {
  const { store, customerId, domain, nowMs } = plan;
  const e164 = ownNumber(customerId, index);
  const nowhere = { id: 0, first_name: name, last_name: '', email: '', created_at: utcText(nowMs - 400 * DAY_MS) };
  const ddi = ddiOf(String(store.ddis.nextId(customerId)), e164, nowhere, domain);
  store.ddis.insert(customerId, { ...ddi, name, target_type: codeOf(targetTypeCodes, 'none') });
  return e164;
}

function ddiOf(
  id: string,
  e164: string,
  user: Pick<User, 'id' | 'first_name' | 'last_name' | 'email' | 'created_at'>,
  domain: string,
): Ddi {
  return {
    id,
    e164,
    name: `${user.first_name} ${user.last_name}`,
    info: '',
    status: codeOf(ddiStatusCodes, 'active'),
    target_type: codeOf(targetTypeCodes, 'U'),
    target_id: user.id,
    channels: 4,
    cli_prefix: 0,
    flag: 0,
    cli_hide: false,
    esc_enabled: true,
    fax_enabled: false,
    has_fax_password: false,
    sms_enabled: true,
    tel_verified: true,
    created_at: user.created_at,
    fax_email: '',
    sms_email: user.email,
    uri: `sip:${e164}@${domain}`,
    rate: 0,
  };
}

/** A user as the administration makes one, with a dialplan of London and times for the settings that are still off. */
function userDefaults(): User {
  const londoner = { cc: '44', area_code: '20', fm_init_ring_time: 10, nun_ring_time: 20 };
  return { ...(emptyRecord(UserSchema, '') as User), ...usualUser, ...londoner };
}
