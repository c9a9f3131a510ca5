// What people did with calls of the past: notes on them, and which of them a campaign brought. Invents no call.
import { parseUtc, utcText } from '../../kernel/time.ts';
import { type Furnishing, make, userAt } from './furnish.ts';

const NOTED = 5;
const TRACKED = 4;
const HOUR_MS = 3_600_000;

/** Notes on the last answered calls, and tracked calls for those to a number of the campaign. */
export function seedAfterwards(furnishing: Furnishing): void {
  const { store, customerId } = furnishing.ground;
  const answered = [...store.cdrs.list(customerId)].filter(
    ({ billsec, context }) => billsec > 0 && context === 'PSTN_CALL',
  );
  for (const cdr of answered.slice(-NOTED)) {
    const at = (parseUtc(cdr.calldate) ?? 0) + HOUR_MS;
    const note = { cdr_id: cdr.id, user_id: userAt(furnishing, 0), text: 'Wants an offer by Friday.' };
    make(furnishing, 'cdrnotes', { ...note, created_at: utcText(at) });
  }
  const [campaign] = store.campaigns.list(customerId);
  if (campaign === undefined) return;
  const campaign_id = Number(campaign.id);
  const [ddi] = store.ddis.find('campaign_id', campaign_id);
  for (const cdr of answered.filter(({ type }) => type === 'I').slice(-TRACKED)) {
    const { e164 = '', uri = '' } = ddi ?? {};
    make(furnishing, 'trackedcalls', {
      cdr_id: cdr.id,
      campaign_id,
      e164,
      uri,
      name: campaign.name,
      created_at: cdr.calldate,
    });
  }
}
