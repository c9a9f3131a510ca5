// Call detail records: what people wrote on them goes with them; recordings stay, they are found by the live id.
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

export const cdrRules = rulesFor<Stored['cdrs']>({
  owns: { cdrnotes: 'cdr_id' },
  settle: ({ store, customerId }, { before, after }) => {
    if (before === undefined || after !== undefined) return;
    store.cdrlabels.delete(before.id);
    for (const { id } of store.trackedcalls.find('cdr_id', before.id, customerId))
      store.trackedcalls.update(id, { cdr_id: 0 });
  },
  emptied: ({ store, customerId }: Ground) => {
    store.cdrnotes.clear(customerId);
    store.cdrlabels.clear(customerId);
    for (const { id } of [...store.trackedcalls.list(customerId)]) store.trackedcalls.update(id, { cdr_id: 0 });
  },
});

export const cdrNoteRules = rulesFor<Stored['cdrnotes']>({ references: { cdr_id: 'cdrs' } });
