// Contacts: the people whom the account's users call.
import { success } from '../../kernel/errors.ts';
import { readForm } from '../../store/records/read-form.ts';
import { changing, changingMany, listing, making, reading, removingMany } from '../records.ts';

export const contactHandlers = {
  listContacts: listing('contacts'),
  /** A contact of nobody in particular is the one's who makes it. */
  createContact: making('contacts', ({ body, caller }) =>
    success({ user_id: caller.user.id, ...readForm('contacts', body) }),
  ),
  getContact: reading('contacts'),
  updateContact: changing('contacts'),
  updateContacts: changingMany('contacts'),
  deleteContacts: removingMany('contacts'),
};
