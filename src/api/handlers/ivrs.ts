// IVRs: menus that callers answer with keys.
import { changing, listing, making, reading, removing } from '../records.ts';

export const ivrHandlers = {
  listIvrs: listing('ivrs'),
  createIvr: making('ivrs'),
  getIvr: reading('ivrs'),
  updateIvr: changing('ivrs'),
  deleteIvr: removing('ivrs'),
};
