// The seed world: a plausible company with its users, numbers and past, and a second one beside it. Knows no SIP and no HTTP.
import { IdBlocks } from '../../kernel/ids.ts';
import type { Random } from '../../kernel/random.ts';
import type { Store } from '../store.ts';
import { seedAfterwards } from './afterwards.ts';
import { seedAnnouncements } from './announcements.ts';
import { make } from './furnish.ts';
import { seedHistory } from './history.ts';
import { type Invention, inventionFrom } from './invention.ts';
import { inventPastCalls } from './past-calls.ts';
import { mailWord, type Role, type SeededUser, seedAclRoles, seedNumber, seedPeople } from './people.ts';
import { seedOutsiders } from './people-outside.ts';
import { type RefusedCredential, seedRefused } from './refused.ts';
import { seedSettings } from './settings.ts';
import { seedWidgets } from './widgets.ts';

export interface SeedOptions {
  /** Each account draws from a part of its own, named after its id. */
  readonly random: Random;
  /** The history ends some hours before. */
  readonly nowMs: number;
  /** The SIP domain of the exchange: where the numbers' URIs lead. */
  readonly domain: string;
  /** The exchange's live ids. History takes its own from here, so that no live call ever gets one of them. */
  readonly liveIds?: IdBlocks;
  /** Past calls of the account (`seedWorld`: of the first one). */
  readonly history?: number;
  /** Of the company; one is invented when none is given. */
  readonly name?: string;
}

export interface SeededCustomer {
  readonly customerId: number;
  readonly users: readonly SeededUser[];
  /** E.164 with `+`; `numbers[i]` rings `users[i]`. */
  readonly numbers: readonly string[];
  /** Credentials of the account that are good no longer. */
  readonly refused: readonly RefusedCredential[];
}

export interface SeededWorld {
  readonly customers: readonly SeededCustomer[];
}

/** The users of the first account and of any fresh one, in order: agents or above come first. */
export const HOUSE_ROLES: readonly Role[] = ['root', 'admin', 'agent', 'agent', 'agent', 'restricted', 'two_factor'];

/** Past calls of the first account, and of any other. */
export const PAST_CALLS = { first: 400, other: 40 } as const;

/** Numbers that ring no user, in the order in which the settings use them. */
const SHARED_LINES = ['Support line', 'Sales line', 'Main line', 'Conference line', 'Campaign line'] as const;

/** Contacts of the account with whom it was on the phone. */
const REGULARS = 12;

const LABELS = [
  ['Sales', '#1f77b4'],
  ['Support', '#2ca02c'],
  ['Complaint', '#d62728'],
  ['Follow up', '#ff7f0e'],
] as const;

/** Fills an empty store: customer 1 with a user of each role, customer 2 with one user whom customer 1 must never see. */
export function seedWorld(store: Store, options: SeedOptions): SeededWorld {
  const { history = PAST_CALLS.first } = options;
  const first = seedCustomer(store, 1, HOUSE_ROLES, { ...options, history });
  return { customers: [first, seedCustomer(store, 2, ['other_customer'], { ...options, history: PAST_CALLS.other })] };
}

/** One more account with users, numbers, settings and a past of its own. `customerId` must be new and at most MAX_SEEDED_CUSTOMERS. */
export function seedCustomer(
  store: Store,
  customerId: number,
  roles: readonly Role[],
  options: SeedOptions,
): SeededCustomer {
  const random = options.random.split(`seed-customer-${customerId}`);
  const invention = inventionFrom(random.split('invention'));
  const { name, mailHost } =
    options.name === undefined ? inventCompany(store, invention) : namedCompany(options.name, customerId);
  store.customers.insert(customerId, { id: customerId, name, balance: 250, currencyIso: 'GBP', countryCode: '44' });
  seedAclRoles(store, customerId);
  const { nowMs, domain, history: count = PAST_CALLS.other } = options;
  const people = random.split('people');
  const users = seedPeople({ store, customerId, roles, random: people, invention, mailHost, domain, nowMs });
  const ground = { store, customerId, nowMs };
  const numbers = SHARED_LINES.map((line, index) => seedNumber({ ...ground, domain }, users.length + index, line));
  const furnishing = { ground, users, numbers, random: random.split('furnishing'), invention };
  for (const [label, color] of LABELS) make(furnishing, 'calllabels', { name: label, color });
  seedSettings(furnishing);
  seedWidgets(furnishing);
  seedOutsiders(furnishing);
  seedAnnouncements(furnishing);
  const nameOf = (userId: number): string => {
    const user = store.users.get(userId);
    return user === undefined ? '' : `${user.first_name} ${user.last_name}`;
  };
  const outsiders = [...store.contacts.list(customerId)].slice(0, REGULARS).map((contact) => ({
    number: contact.tel,
    name: `${contact.first_name} ${contact.last_name}`,
  }));
  const past = inventPastCalls({ users, nameOf, outsiders, random: random.split('past'), nowMs, count });
  seedHistory({ store, customerId, liveIds: options.liveIds ?? new IdBlocks(), domain }, past);
  seedAfterwards(furnishing);
  const refused = seedRefused(store, users, random.split('refused'));
  return { customerId, users, refused, numbers: users.map((user) => store.users.get(user.user_id)?.cli ?? '') };
}

/** A company that no account has yet, and its host under a name reserved for examples (RFC 2606). */
function inventCompany(store: Store, invention: Invention): { name: string; mailHost: string } {
  const taken = new Set([...store.customers.entries()].map(([, customer]) => mailHostOf(customer.name)));
  for (;;) {
    const name = invention.companyName();
    const mailHost = mailHostOf(name);
    if (!taken.has(mailHost)) return { name, mailHost };
  }
}

/** A host that no other account has: no invented one has a hyphen, and no two have the same number. */
function namedCompany(name: string, customerId: number): { name: string; mailHost: string } {
  const word = mailWord(name).slice(0, 40) || 'company';
  return { name, mailHost: `${word}-${customerId}.example` };
}

function mailHostOf(company: string): string {
  return `${mailWord(company.split(/[\s,-]/, 1)[0] ?? '')}.example`;
}
