// Who may use an operation, in words: CHOICE-ACL. Knows no user.

import type { Operation } from '../operation.ts';
import { openToRestricted } from '../restricted.ts';

/** One sentence: who may use it. */
export function accessWords({ id, auth, effect }: Operation): string {
  if (auth === 'none') return 'No credentials are needed.';
  if (effect === 'destroy') return 'Root and administrators may use it.';
  if (!openToRestricted.has(id)) return 'Root, administrators and agents may use it.';
  return 'Every role may use it; restricted users reach only what is theirs.';
}
