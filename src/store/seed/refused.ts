// Credentials of a seeded account that were good once: for clients that want to see how they are refused. Knows no session.
import type { Random } from '../../kernel/random.ts';
import type { Store } from '../store.ts';
import type { SeededUser } from './people.ts';

/** What stands after the colon and is refused with 401; the user's own credentials are good. */
export interface RefusedCredential {
  readonly kind: 'expired_token' | 'revoked_api_key';
  readonly user_id: number;
  readonly secret: string;
}

/** A token that has expired and an API key that was revoked, both of the account's first user. */
export function seedRefused(store: Store, users: readonly SeededUser[], random: Random): RefusedCredential[] {
  const [first] = users;
  if (first === undefined) return [];
  const { user_id } = first;
  const revoked = random.token(40);
  store.accounts.update(user_id, { revokedKeys: [revoked] });
  return [
    { kind: 'expired_token', user_id, secret: random.token(40) },
    { kind: 'revoked_api_key', user_id, secret: revoked },
  ];
}
