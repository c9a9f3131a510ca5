// Voice messages: new as long as they are in the inbox (CHOICE-VOICE-FOLDERS), and counted with the user whose box it is.
import { codeOf, folderCodes, wordOf } from '../../../contract/codes.ts';
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor, type Step } from '../rules.ts';

type Message = Stored['voicemessages'];

const INBOX = codeOf(folderCodes, 'inbox');

export const voiceMessageRules = rulesFor<Message>({
  references: { extension_id: 'users' },
  usual: () => ({ folder: INBOX, is_new: true }),
  /** Whoever moves a message and says nothing of its being new has listened to it, or wants it to be new again. */
  derived: (_, after, before) =>
    before !== undefined && before.folder !== after.folder && before.is_new === after.is_new
      ? { is_new: after.folder === INBOX }
      : {},
  problems: (_, { folder }) =>
    wordOf(folderCodes, folder) !== undefined ? [] : [`folder: expected ${folderCodes.words.join(', ')}`],
  settle: (ground, step) => count(ground, step),
  emptied: ({ store, customerId }) => {
    for (const { id, vm_new, vm_old } of [...store.users.list(customerId)])
      if (vm_new + vm_old > 0) store.users.update(id, { vm_new: 0, vm_old: 0 });
  },
});

function count({ store }: Ground, { before, after }: Step<Message>): void {
  if (before !== undefined && before.extension_id === after?.extension_id && before.is_new === after.is_new) return;
  if (before !== undefined) add(before, -1);
  if (after !== undefined) add(after, 1);

  function add({ extension_id, is_new }: Message, by: number): void {
    const user = store.users.get(extension_id);
    if (user === undefined) return;
    const { id, vm_new, vm_old } = user;
    store.users.update(id, is_new ? { vm_new: Math.max(0, vm_new + by) } : { vm_old: Math.max(0, vm_old + by) });
  }
}
