// What scenarios call the users of a target, by the role that the sandbox says they have. Data.
import type { UserName } from '../language/document.ts';

/** Of several users with one role the first has the name. */
export const ROLE_NAMES: ReadonlyArray<readonly [UserName, string]> = [
  ['first', 'root'],
  ['second', 'admin'],
  ['third', 'agent'],
  ['restricted', 'restricted'],
  ['two_factor', 'two_factor'],
  ['other_customer', 'other_customer'],
];
