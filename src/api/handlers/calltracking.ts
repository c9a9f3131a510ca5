// Call tracking: campaigns, the numbers they use and the calls that came over them.
import { listing, making } from '../records.ts';

export const callTrackingHandlers = {
  listCampaigns: listing('campaigns'),
  createCampaign: making('campaigns'),
  listTrackedCalls: listing('trackedcalls'),
};
