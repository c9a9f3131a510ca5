// Call-tracking campaigns, and the calls that came over their numbers.
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

/** Chats and trackers have no settings of their own here: their ids are kept as they are written (CHOICE-CAMPAIGNS). */
export const campaignRules = rulesFor<Stored['campaigns']>({
  references: { call_me_back_setting_id: 'callmebacksettings' },
});

export const trackedCallRules = rulesFor<Stored['trackedcalls']>({
  references: { campaign_id: 'campaigns', cdr_id: 'cdrs' },
});
