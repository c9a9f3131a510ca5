// Call tracking: campaigns, the numbers they use and the calls that came over them.
import type { UpdateTrackedDdisBody } from '../../contract/resources/settings.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { numberNamed } from '../../store/records/numbers.ts';
import { changeRecords } from '../../store/records/record-book.ts';
import type { Ground } from '../../store/records/rules.ts';
import type { Stored } from '../../store/stored.ts';
import { readPage } from '../reading.ts';
import { groundOf, listing, making } from '../records.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome } from '../request.ts';

type Change = UpdateTrackedDdisBody[number];

/** The numbers in a campaign: both paths list the same (CHOICE-TRACKED-DDIS). */
function listTrackedDdis(request: ApiRequest, { store }: ApiDeps): Outcome {
  const tracked = store.ddis.source(request.caller.customerId, ({ campaign_id = 0 }) => campaign_id > 0);
  const page = readPage(request, 'ddis', tracked);
  return page.ok ? many(page.value) : page;
}

/** All of the numbers change their campaign or none (CHOICE-BULK-RESPONSE). */
function updateTrackedDdis(request: ApiRequest<UpdateTrackedDdisBody>, deps: ApiDeps): Outcome {
  const ground = groundOf(request, deps);
  const changes: Array<{ id: string; members: { campaign_id: number } }> = [];
  for (const [index, change] of request.body.entries()) {
    const found = numberOf(ground, change, index);
    if (!found.ok) return found;
    changes.push({ id: found.value.id, members: { campaign_id: change.campaign_id ?? 0 } });
  }
  const changed = changeRecords(ground, 'ddis', changes);
  return changed.ok ? many({ items: changed.value, total: changed.value.length }) : changed;
}

function numberOf(ground: Ground, { e164, id }: Change, index: number): Result<Stored['ddis']> {
  const written = [e164, id].filter((name) => name !== undefined);
  const numbers = written.map((name) => numberNamed(ground, name));
  const missing = numbers.indexOf(undefined);
  if (missing >= 0) {
    const what = `There is no number ${written[missing]} in this account.`;
    return failure('not_found', what, [`[${index}].${e164 === undefined || missing > 0 ? 'id' : 'e164'}: ${what}`]);
  }
  const [number, other = number] = numbers;
  if (number !== undefined && number === other) return success(number);
  return failure('invalid', 'The number is not valid.', [`[${index}].id: ${id} is not the number ${e164}`]);
}

export const callTrackingHandlers = {
  listTrackedDdis,
  listCallTrackingDdis: listTrackedDdis,
  updateTrackedDdis,
  listCampaigns: listing('campaigns'),
  createCampaign: making('campaigns'),
  listTrackedCalls: listing('trackedcalls'),
};
