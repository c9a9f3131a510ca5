// Pickup groups: users who may take each other's calls.
import { listing, reading } from '../records.ts';

export const pickupGroupHandlers = {
  listPickupGroups: listing('pickupgroups'),
  getPickupGroup: reading('pickupgroups'),
};
