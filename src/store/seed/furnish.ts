// The furnishings of a seeded account: what its users have set up, through the same rules as everybody's records. Knows no history.

import { BrokenInvariant } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { readForm } from '../records/read-form.ts';
import { createRecord } from '../records/record-book.ts';
import type { Ground } from '../records/rules.ts';
import type { Stored, StoredResourceId } from '../stored.ts';
import type { Invention } from './invention.ts';
import type { SeededUser } from './people.ts';

/** Whose account, and what is drawn and invented for it. */
export interface Furnishing {
  readonly ground: Ground;
  readonly users: readonly SeededUser[];
  /** Numbers of the account that ring nobody yet. */
  readonly numbers: readonly string[];
  readonly random: Random;
  readonly invention: Invention;
}

/** A record as a client would write it. The seed world is valid or it is not there. */
export function make<R extends StoredResourceId>(
  { ground }: Pick<Furnishing, 'ground'>,
  resource: R,
  body: object,
): Stored[R] {
  const made = createRecord(ground, resource, readForm(resource, body));
  if (!made.ok)
    throw new BrokenInvariant(`the seed's ${resource}`, made.failure.details.join('; '), 'seed what the rules allow');
  return made.value as unknown as Stored[R];
}

/** The user at a place of the list, counted around. */
export function userAt({ users }: Pick<Furnishing, 'users'>, index: number): number {
  return users[index % users.length]?.user_id ?? 0;
}
