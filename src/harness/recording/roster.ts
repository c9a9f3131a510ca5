// Who is who at the recorded system: its users, what scenarios call them, and who stands in for whom. Knows no message.
import type { UserName } from '../language/document.ts';
import { ROLE_NAMES } from '../target/role-names.ts';

export interface RosterUser {
  readonly id: number;
  readonly customerId: number;
  readonly ext: string;
  /** The public number that rings the user. */
  readonly number?: string;
  readonly email?: string;
  readonly sipUsername?: string;
  readonly key?: string;
  readonly role: string;
  /** The user's phone is registered when the recording begins. */
  readonly registered: boolean;
}

/** Whoever has no name is played by one of these that is free, in this order. */
const STAND_INS: readonly UserName[] = ['third', 'second', 'first'];
/** These can do less by the API, but have phones like anybody. */
const PHONE_STAND_INS: readonly UserName[] = [...STAND_INS, 'restricted', 'two_factor'];

export class Roster {
  readonly users: readonly RosterUser[];
  readonly #named = new Map<UserName, RosterUser>();

  constructor(users: readonly RosterUser[]) {
    this.users = users;
    for (const [name, role] of ROLE_NAMES) {
      const user = users.find((one) => one.role === role);
      if (user !== undefined) this.#named.set(name, user);
    }
  }

  named(name: UserName): RosterUser | undefined {
    return this.#named.get(name);
  }

  byId(id: unknown): RosterUser | undefined {
    return this.users.find((user) => user.id === id);
  }

  bySip(username: string): RosterUser | undefined {
    return this.users.find((user) => user.sipUsername === username);
  }

  byExt(ext: string, customerId: number | null): RosterUser | undefined {
    return this.users.find((user) => user.ext === ext && (customerId === null || user.customerId === customerId));
  }

  byNumber(number: string): RosterUser | undefined {
    return this.users.find((user) => user.number === number);
  }

  /**
   * The names of those who take part: their own, or that of a free user of the same account; nobody's when all are taken.
   * `asking`: ids of those who ask the API.
   */
  cast(taking: readonly RosterUser[], asking: ReadonlySet<number>): ReadonlyMap<number, UserName> {
    const cast = new Map<number, UserName>();
    for (const [name, user] of this.#named) if (taking.some(({ id }) => id === user.id)) cast.set(user.id, name);
    const taken = new Set(cast.values());
    for (const { id, customerId } of taking) {
      if (cast.has(id)) continue;
      const free = (asking.has(id) ? STAND_INS : PHONE_STAND_INS).find(
        (name) => !taken.has(name) && this.#named.get(name)?.customerId === customerId,
      );
      if (free === undefined) continue;
      cast.set(id, free);
      taken.add(free);
    }
    return cast;
  }
}

/** From users as the control API shows them, and phones likewise: extensions that are registered, by account. */
export function rosterOf(
  records: readonly unknown[],
  registered: (customerId: number, ext: string) => boolean,
): Roster {
  return new Roster(
    records.flatMap((record): RosterUser[] => {
      const facts = record as Readonly<Record<string, unknown>>;
      const { id, customer_id_id: customerId, ext, role } = facts;
      if (typeof id !== 'number' || typeof customerId !== 'number' || typeof ext !== 'string') return [];
      const text = (name: string): string | undefined => {
        const value = facts[name];
        return typeof value === 'string' && value !== '' ? value : undefined;
      };
      const known = {
        number: text('cli'),
        email: text('email'),
        sipUsername: text('sip_username'),
        key: text('api_key'),
      };
      const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
      return [{ id, customerId, ext, role: String(role ?? ''), registered: registered(customerId, ext), ...given }];
    }),
  );
}
