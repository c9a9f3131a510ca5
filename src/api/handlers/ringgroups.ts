// Ring groups: users whose phones ring for one number.
import { changing, listing, making, reading, removing } from '../records.ts';

export const ringGroupHandlers = {
  listRingGroups: listing('ringgroups'),
  listRingGroupDictionaries: listing('ringgroups'),
  createRingGroup: making('ringgroups'),
  getRingGroup: reading('ringgroups'),
  updateRingGroup: changing('ringgroups'),
  deleteRingGroup: removing('ringgroups'),
};
