// Conference rooms.
import { changing, listing, making, reading, removing } from '../records.ts';

export const conferenceHandlers = {
  listConferences: listing('conferences'),
  createConference: making('conferences'),
  getConference: reading('conferences'),
  updateConference: changing('conferences'),
  deleteConference: removing('conferences'),
};
