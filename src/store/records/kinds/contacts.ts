// Contacts: people whom the account's users call.
import { codeOf, contactTypeCodes } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const contactRules = rulesFor<Stored['contacts']>({
  references: { user_id: 'users', rel_user_id: 'users' },
  usual: () => ({ type: codeOf(contactTypeCodes, 'contact') }),
});
