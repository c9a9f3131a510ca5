// Chats with visitors, and the messages in them.

import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const chatRules = rulesFor<Stored['chats']>({ owns: { chatmsgs: 'chat_id' } });

export const chatMessageRules = rulesFor<Stored['chatmsgs']>({ references: { chat_id: 'chats' } });
