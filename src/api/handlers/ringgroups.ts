// Ring groups: users whose phones ring for one number.
import { failure, type Result, success } from '../../kernel/errors.ts';
import { ddisOf } from '../../store/records/record-book.ts';
import { publishedWith } from '../published.ts';
import { changing, groundOf, listing, making, reading, removing } from '../records.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';

const besides = ['ddis', 'users'] as const;
type Besides = (typeof besides)[number];

const list = listing('ringgroups');

/** With `include`, each record carries its numbers, its users or both besides (CHOICE-INCLUDE). */
async function listRingGroups(request: ApiRequest, deps: ApiDeps): Promise<Outcome> {
  const asked = included(request.query);
  if (!asked.ok) return asked;
  const listed = await list(request, deps);
  if (!listed.ok || asked.value.size === 0 || listed.value.page === undefined) return listed;
  const { items, total } = listed.value.page;
  const ground = groundOf(request, deps);
  const carrying = items.map((record) => {
    const { id, users } = record as { readonly id: number; readonly users: readonly number[] };
    return publishedWith('ringgroups', record, {
      ...(asked.value.has('ddis') ? { ddis: ddisOf(ground, 'ringgroups', id) } : {}),
      ...(asked.value.has('users') ? { users } : {}),
    });
  });
  return success({ page: { items: carrying, total } });
}

function included(query: URLSearchParams): Result<ReadonlySet<Besides>> {
  const words = query.getAll('include').flatMap((text) => text.split(','));
  const strange = words.find((word) => !besides.some((known) => known === word));
  return strange === undefined
    ? success(new Set(words as Besides[]))
    : failure('invalid', 'The query is not valid.', [
        `include: expected ${besides.join(', ')} or both with a comma, got ${JSON.stringify(strange.slice(0, 60))}`,
      ]);
}

export const ringGroupHandlers = {
  listRingGroups,
  listRingGroupDictionaries: list,
  createRingGroup: making('ringgroups'),
  getRingGroup: reading('ringgroups'),
  updateRingGroup: changing('ringgroups'),
  deleteRingGroup: removing('ringgroups'),
};
