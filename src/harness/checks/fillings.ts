// Lists whose records come to be by another operation than one of their own: how two of them are had. Knows no clause.
import type { OperationId } from '../../contract/operations.ts';
import type { Bench } from '../conform/check.ts';
import type { PathValues } from './attempt.ts';

/** Resolves with whether anything was done. Ends the check where it cannot be. */
type Filling = (bench: Bench, path: PathValues) => Promise<boolean>;

/** Nothing takes these back: elsewhere than at a simulator only with leave to destroy. */
function isOurs(bench: Bench): boolean {
  return bench.allows('write') && (bench.target.control !== undefined || bench.allows('destroy'));
}

/** Two numbers of the account belong to a campaign. */
const tracking: Filling = async (bench) => {
  if (!isOurs(bench)) return false;
  const [campaign, numbers] = [await bench.find('/calltracking/campaigns'), await bench.list('/ddis')];
  // The first number is the one that others are tried on.
  const body = numbers.slice(-2).map(({ e164 }) => ({ e164, campaign_id: Number(campaign.id) }));
  if (body.length > 0) await bench.once('tracked numbers', (inner) => inner.ask('updateTrackedDdis', { body }));
  return body.length > 0;
};

/** Two notes on the record. */
const notes: Filling = async (bench, { id }) => {
  if (!isOurs(bench)) return false;
  for (const text of ['Noted by a check', 'Noted again by a check'])
    await bench.ask('updateCdrs', { body: [{ id, notes: text }] });
  return true;
};

export const fillings: Readonly<Partial<Record<OperationId, Filling>>> = {
  listTrackedDdis: tracking,
  listCallTrackingDdis: tracking,
  listCdrNotes: notes,
};
