// Calls that a campaign brought: each leaves a record in the shape of a number (CHOICE-CAMPAIGNS). Writes to the store only.
import type { Cdr } from '../contract/resources/history.ts';
import { resources } from '../contract/resources.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import type { Store } from '../store/store.ts';
import type { Stored } from '../store/stored.ts';
import type { Call } from './call.ts';

/** Notes the call when the number that was called is in a campaign now. */
export function trackCall({ ddis, campaigns, trackedcalls }: Store, { customerId, ddi: e164 }: Call, cdr: Cdr): void {
  const ddi = e164 === undefined ? undefined : ddis.find('e164', e164, customerId)[0];
  const campaign = ddi === undefined ? undefined : campaigns.get(String(ddi.campaign_id ?? 0));
  if (ddi === undefined || campaign === undefined) return;
  trackedcalls.insert(customerId, {
    ...(emptyRecord(resources.trackedcalls.schema, cdr.calldate) as unknown as Stored['trackedcalls']),
    id: String(trackedcalls.nextId(customerId)),
    created_at: cdr.calldate,
    name: campaign.name,
    e164: ddi.e164,
    uri: ddi.uri,
    target_type: ddi.target_type,
    target_id: ddi.target_id,
    rate: ddi.rate,
    cdr_id: cdr.id,
    campaign_id: Number(campaign.id),
  });
}
