// Canned responses: texts kept for answering SMS, in the shape of an SMS (CHOICE-CANNED).
import { success } from '../../kernel/errors.ts';
import { readForm } from '../../store/records/read-form.ts';
import { changing, listing, making, reading, removing } from '../records.ts';

export const cannedResponseHandlers = {
  listCannedResponses: listing('cannedresponses'),
  /** It is of the user who makes it. */
  createCannedResponse: making('cannedresponses', ({ body, caller }) =>
    success({ ...readForm('cannedresponses', body), user_id: caller.user.id }),
  ),
  getCannedResponse: reading('cannedresponses'),
  updateCannedResponse: changing('cannedresponses'),
  deleteCannedResponse: removing('cannedresponses'),
};
