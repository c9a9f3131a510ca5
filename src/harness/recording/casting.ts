// The cast of a recorded scenario: who is which user and which phone of it, and by what name values are known. Knows no step.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
import { USERS, type UserName } from '../language/document.ts';
import type { Meeting, PartyKey, Recording } from './heard.ts';
import type { Roster, RosterUser } from './roster.ts';

/** Meetings that a scenario can ask of a phone. */
const WORDS: readonly unknown[] = ['ring', 'busy', 'decline', 'unavailable', 'silent'];

/** What scenarios know of users beside their ids. */
const FACTS = ['ext', 'number', 'email'] as const;

export class Casting {
  readonly #roster: Roster;
  readonly #users: ReadonlyMap<number, UserName>;
  readonly #phones = new Map<PartyKey, string>();

  constructor(recording: Recording, roster: Roster) {
    this.#roster = roster;
    const parties = partiesOf(recording, roster);
    const users = parties.flatMap((party) => this.#userOf(party) ?? []);
    const askers = recording.requests.flatMap(({ userId }) => roster.byId(userId) ?? []);
    this.#users = roster.cast([...users, ...askers], new Set(askers.map(({ id }) => id)));
    const impossible = new Set(recording.meetings.filter(({ how }) => !WORDS.includes(how)).map(({ party }) => party));
    let outside = 0;
    for (const party of parties) {
      const user = this.#userOf(party);
      const name = user === undefined ? undefined : this.#users.get(user.id);
      if (name !== undefined) this.#phones.set(party, `${name}_phone`);
      if (user !== undefined || impossible.has(party)) continue;
      outside += 1;
      this.#phones.set(party, outside === 1 ? 'outside' : `outside_${outside}`);
    }
  }

  /** The phones of the scenario with whose they are, in the order in which they took part. */
  get phones(): ReadonlyMap<PartyKey, string> {
    return this.#phones;
  }

  phoneOf(party: PartyKey): string | undefined {
    return this.#phones.get(party);
  }

  lineOf(party: PartyKey): { readonly user: UserName } | { readonly outside: string } {
    const user = this.#userOf(party);
    const name = user === undefined ? undefined : this.#users.get(user.id);
    return name === undefined ? { outside: party.slice('outside:'.length) } : { user: name };
  }

  user(id: number | null): UserName | undefined {
    return id === null ? undefined : this.#users.get(id);
  }

  /** Users who are played by another, and those whom nobody can play. */
  get remarks(): string[] {
    return this.#roster.users.flatMap((user) => {
      const name = this.#users.get(user.id);
      const own = name !== undefined && this.#roster.named(name)?.id === user.id;
      return name === undefined || own ? [] : [`Extension ${user.ext} is played by the ${name} user.`];
    });
  }

  /** A party in words: the extension, or the number. */
  wordsFor(party: PartyKey): string {
    const user = this.#userOf(party);
    return user === undefined ? party.slice('outside:'.length) : `extension ${user.ext} of account ${user.customerId}`;
  }

  /** What to write for a number that somebody at `party` dialled. */
  dialled(to: string, party: PartyKey): string {
    const fromUser = this.#userOf(party);
    const outside = this.#phones.get(`outside:${to.startsWith('+') ? to : `+${to}`}`);
    if (outside !== undefined) return outside;
    const user =
      fromUser === undefined
        ? this.#roster.byNumber(to.startsWith('+') ? to : `+${to}`)
        : this.#roster.byExt(to, fromUser.customerId);
    return (user === undefined ? undefined : this.#phones.get(`user:${user.id}`)) ?? to;
  }

  /** The user of the scenario whose id it is. */
  userReference(id: unknown): string | undefined {
    const known = this.#known.find(([user]) => String(user.id) === String(id));
    return known === undefined ? undefined : `\${${known[1]}.id}`;
  }

  /** The extension, number or address of somebody in the scenario. */
  factReference(value: unknown): string | undefined {
    if (typeof value !== 'string' || value === '') return undefined;
    for (const [user, name] of this.#known) {
      const fact = FACTS.find((one) => user[one] === value);
      if (fact !== undefined) return `\${${name}.${fact}}`;
    }
    const outside = this.#phones.get(`outside:${value}`);
    return outside === undefined ? undefined : `\${${outside}.number}`;
  }

  customerReference(id: unknown): string | undefined {
    const known = this.#known.find(([user]) => user.customerId === id);
    return known === undefined ? undefined : `\${${known[1]}.customer_id}`;
  }

  /** Who takes part by the names that they play; the others by their own, when nobody plays those. */
  get #known(): (readonly [RosterUser, UserName])[] {
    const taken = new Set(this.#users.values());
    const cast = [...this.#users].flatMap(([id, name]) => {
      const user = this.#roster.byId(id);
      return user === undefined ? [] : [[user, name] as const];
    });
    const others = USERS.flatMap((name) => {
      const user = this.#roster.named(name);
      return user === undefined || taken.has(name) || this.#users.has(user.id) ? [] : [[user, name] as const];
    });
    return [...cast, ...others];
  }

  #userOf(party: PartyKey): RosterUser | undefined {
    return party.startsWith('user:') ? this.#roster.byId(Number(party.slice('user:'.length))) : undefined;
  }
}

/** Everybody who did something, met a call, or was called without a phone to ring. */
function partiesOf({ acts, meetings, texts }: Recording, roster: Roster): PartyKey[] {
  const parties: { seq: number; party: PartyKey }[] = [...acts, ...meetings];
  for (const { seq, party, to } of acts) {
    const caller = party.startsWith('user:') ? roster.byId(Number(party.slice('user:'.length))) : undefined;
    const called = caller === undefined ? roster.byNumber(to ?? '') : roster.byExt(to ?? '', caller.customerId);
    if (called !== undefined) parties.push({ seq, party: `user:${called.id}` });
  }
  for (const { seq, payload } of texts) {
    if (isPublic(plus(payload.from_no))) parties.push({ seq, party: `outside:${plus(payload.from_no)}` });
    const user = roster.byNumber(plus(payload.to_no));
    if (user !== undefined) parties.push({ seq, party: `user:${user.id}` });
  }
  parties.sort((a, b) => a.seq - b.seq);
  return [...new Set(parties.map(({ party }) => party))];
}

/** E.164 with `+`. */
function isPublic(number: string): boolean {
  return /^\+[1-9]\d{4,14}$/.test(number);
}

/** A public number as scenarios write it. */
export function plus(number: unknown): string {
  const text = String(number);
  return text.startsWith('+') ? text : `+${text}`;
}

/** How a phone meets a call, in the words of a scenario; a refusal that has none is told from the others by 480. */
export function conductWords({ how, afterMs }: Meeting): string | { on_call: string; after: string } {
  const word = typeof how === 'number' ? 'unavailable' : how;
  return afterMs === 0 || how === 'ring' ? word : { on_call: word, after: durationText(afterMs) };
}

/** Rounded as people say it: tenths of seconds up to ten of them, then whole ones. */
export function durationText(ms: number): string {
  return `${rounded(ms) / 1000}s`;
}

/** ms; 0 is no time worth speaking of. */
export function rounded(ms: number): number {
  return ms < 10_000 ? Math.round(ms / 100) * 100 : Math.round(ms / 1000) * 1000;
}
