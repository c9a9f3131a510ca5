// Canned responses: texts kept for answering SMS, in the shape of an SMS (CHOICE-CANNED).
import { changing, listing, making, reading, removing } from '../records.ts';

export const cannedResponseHandlers = {
  listCannedResponses: listing('cannedresponses'),
  createCannedResponse: making('cannedresponses'),
  getCannedResponse: reading('cannedresponses'),
  updateCannedResponse: changing('cannedresponses'),
  deleteCannedResponse: removing('cannedresponses'),
};
