// Chats with visitors of a website, and the messages in them.

import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const chatRules = rulesFor<Stored['chats']>({
  ofAccount: ['customer_id'],
  remembers: { operator_id: 'users', website_id: 'callmebackwebsites' },
  owns: { chatmsgs: 'chat_id' },
});

export const chatMessageRules = rulesFor<Stored['chatmsgs']>({
  references: { chat_id: 'chats' },
  remembers: { user_id: 'users' },
});
