// Contacts: people whom the account's users call.
import { codeOf, contactTypeCodes, wordOf } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Contact = Stored['contacts'];

export const contactRules = rulesFor<Contact>({
  /** A contact must be recognisable. */
  requiredAny: ['first_name', 'last_name', 'company', 'email', 'tel', 'mobile'],
  references: { user_id: 'users', rel_user_id: 'users' },
  usual: () => ({ type: codeOf(contactTypeCodes, 'contact') }),
  derived: (ground, after, before) => ({ global: isGlobal(after, before), ...colleague(ground, after, before) }),
  problems: (_, { type }) =>
    wordOf(contactTypeCodes, type) === undefined ? [`type: expected one of ${contactTypeCodes.words.join(', ')}`] : [],
});

/** A contact of nobody in particular is everybody's (CHOICE-CONTACT-FLAGS). */
function isGlobal(after: Contact, before: Contact | undefined): boolean {
  if (after.user_id === 0) return true;
  const wasNobodys = before?.user_id === 0 && after.global === before.global;
  return after.global && !wasNobodys;
}

/** A contact that stands for a user is internal, and reached at the user's extension. */
function colleague({ store }: Ground, after: Contact, before: Contact | undefined): Partial<Contact> {
  const { rel_user_id } = after;
  if (rel_user_id === (before?.rel_user_id ?? 0)) return {};
  return { internal: rel_user_id > 0, ext: store.users.get(rel_user_id)?.ext ?? '' };
}
