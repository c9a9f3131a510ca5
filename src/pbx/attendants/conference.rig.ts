// A conference room of the rig's first customer.
import { ConferenceSchema } from '../../contract/resources/settings.ts';
import { emptyRecord } from '../../store/records/empty-record.ts';
import type { Stored } from '../../store/stored.ts';
import type { Rig } from '../exchange.rig.ts';

type Conference = Stored['conferences'];

/** At 990, and at 100990 for callers who key it in; without a PIN unless it is said otherwise. */
export function makeConference(rig: Rig, settings: Partial<Conference> = {}): Conference {
  const { customerId } = rig.customer;
  return rig.store.conferences.insert(customerId, {
    ...(emptyRecord(ConferenceSchema, '') as unknown as Conference),
    ...{ id: rig.store.conferences.nextId(customerId), name: 'Weekly', confno: 990, confno_pstn: 100_990 },
    ...settings,
  });
}
