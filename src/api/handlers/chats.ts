// Chats with visitors of websites, and their messages.
import { emptying, listing, reading, removingMany } from '../records.ts';

export const chatHandlers = {
  listChats: listing('chats'),
  getChat: reading('chats'),
  deleteChatMessages: removingMany('chatmsgs'),
  deleteAllChatMessages: emptying('chatmsgs'),
};
