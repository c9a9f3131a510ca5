// Removes what the harness has made, last in first out, each by its exact id. What cannot be removed is named.
import { operationById } from '../../contract/operations.ts';
import { requestOf } from '../run/request.ts';
import { credentialsOf } from '../run/rest-client.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Workshop } from './work-bench.ts';

type Tools = Pick<Workshop, 'session' | 'ledger' | 'control'>;

/**
 * Names of what is left: `conferences/17`. Of what an earlier run could not remove, only what could be removed by now is worth a word;
 * `all` names everything. Never rejects.
 */
export async function sweep(tools: Tools, { all = false }: { readonly all?: boolean } = {}): Promise<string[]> {
  const { ledger } = tools;
  const left: string[] = [];
  for (const entry of ledger.open) {
    if (await isRemoved(entry, tools)) ledger.gone(entry.number);
    else if (all || entry.removal !== undefined || ledger.isOfThisRun(entry))
      left.push(`${entry.path.slice(1)}/${entry.id === undefined ? 'of unknown id' : String(entry.id)}`);
  }
  ledger.close();
  return left;
}

async function isRemoved({ path, id, removal }: LedgerEntry, { session, control }: Tools): Promise<boolean> {
  if (id === undefined || session.isSilent) return false;
  if (removal?.by === 'api') {
    const { first } = session.target.users;
    const as = first === undefined ? undefined : credentialsOf(first);
    const operation = operationById(removal.operation);
    const asked = requestOf(session.target.apiRoot, { operation, as, path: { id, ids: id } });
    const sent = await session.send(asked, operation);
    // What is gone already need not be removed.
    return sent.ok && (sent.status < 300 || sent.status === 404);
  }
  const recordPath = removal?.path ?? `/records/${path.split('/').at(-1)}`;
  const answer = await control?.ask('DELETE', `${recordPath}/${id}`).catch(() => undefined);
  return answer !== undefined && (answer.status < 300 || answer.status === 404);
}
