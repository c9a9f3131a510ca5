// Call detail records: what people wrote on them goes with them; recordings stay, they are found by the live id.
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

export const cdrRules = rulesFor<Stored['cdrs']>({
  remembers: { user_id: 'users' },
  owns: { cdrnotes: 'cdr_id' },
  settle: ({ store }, { before, after }) => {
    if (before !== undefined && after === undefined) store.cdrlabels.delete(before.id);
  },
  emptied: ({ store, customerId }: Ground) => {
    store.cdrnotes.clear(customerId);
    store.cdrlabels.clear(customerId);
    for (const { id } of [...store.trackedcalls.list(customerId)]) store.trackedcalls.update(id, { cdr_id: 0 });
  },
});

export const cdrNoteRules = rulesFor<Stored['cdrnotes']>({
  references: { cdr_id: 'cdrs' },
  remembers: { user_id: 'users' },
});
