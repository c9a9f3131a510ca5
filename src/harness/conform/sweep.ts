// Removes what the harness has made, last in first out, each by its exact id. What cannot be removed is named.
import { type OperationId, operationById, operations } from '../../contract/operations.ts';
import { requestOf } from '../run/request.ts';
import { credentialsOf } from '../run/rest-client.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Workshop } from './work-bench.ts';

type Tools = Pick<Workshop, 'session' | 'ledger' | 'control'>;

export interface Swept {
  readonly removed: number;
  /** Was not there any more. */
  readonly goneBefore: number;
  /** Names of what is left: `conferences/17`. */
  readonly left: readonly string[];
}

type Outcome = 'removed' | 'gone before' | 'left';

/**
 * Of what an earlier run could not remove, only what could be removed by now is worth a word; `all` names everything, and takes for removed
 * only what its target does not show any more. Never rejects.
 */
export async function sweep(tools: Tools, { all = false }: { readonly all?: boolean } = {}): Promise<Swept> {
  const { ledger } = tools;
  const left: string[] = [];
  const counts: Record<Outcome, number> = { removed: 0, 'gone before': 0, left: 0 };
  for (const entry of ledger.open) {
    const outcome = await outcomeOf(entry, tools, all);
    counts[outcome] += 1;
    if (outcome !== 'left') ledger.gone(entry.number);
    else if (all || entry.removal !== undefined || ledger.isOfThisRun(entry))
      left.push(`${entry.path.slice(1)}/${entry.id === undefined ? 'of unknown id' : String(entry.id)}`);
  }
  ledger.close();
  return { removed: counts.removed, goneBefore: counts['gone before'], left };
}

async function outcomeOf(entry: LedgerEntry, tools: Tools, look: boolean): Promise<Outcome> {
  const { path, id, removal } = entry;
  if (id === undefined || tools.session.isSilent) return 'left';
  if (removal?.by !== 'api') return removedByControl(removal?.path ?? `/records/${path.split('/').at(-1)}`, id, tools);
  const status = await asked(removal.operation, entry, tools);
  if (status === 404) return 'gone before';
  if (status === undefined || status >= 300) return 'left';
  return look && (await isStillShown(entry, tools)) ? 'left' : 'removed';
}

async function removedByControl(list: string, id: unknown, { control }: Tools): Promise<Outcome> {
  const statusOf = async (method: string, path: string) =>
    (await control?.ask(method, path).catch(() => undefined))?.status ?? 0;
  const status = await statusOf('DELETE', `${list}/${id}`);
  if (status >= 200 && status < 300) return 'removed';
  // 404 also answers where there is no such list: that says nothing about the record.
  return status === 404 && (await statusOf('GET', `${list}?limit=1`)) === 200 ? 'gone before' : 'left';
}

/** A live call may take its time to end. */
async function isStillShown(entry: LedgerEntry, tools: Tools): Promise<boolean> {
  const look = operations.find(({ method, path }) => method === 'GET' && path === `${entry.path}/{id}`);
  return look !== undefined && look.id !== 'getCall' && (await asked(look.id, entry, tools)) === 200;
}

/** The status of the answer to whoever made the record. */
async function asked(named: OperationId, { id, by }: LedgerEntry, { session }: Tools): Promise<number | undefined> {
  const { first, ...others } = session.target.users;
  const maker = by === undefined ? first : Object.values(others).find((user) => user?.id === by);
  const as = maker === undefined ? undefined : credentialsOf(maker);
  // Another user would not be shown it: that is no reason to take it for gone.
  if (as === undefined) return undefined;
  const operation = operationById(named);
  const sent = await session.send(
    requestOf(session.target.apiRoot, { operation, as, path: { id, ids: id } }),
    operation,
  );
  return sent.ok ? sent.status : undefined;
}
