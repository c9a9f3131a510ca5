// Chats with visitors of websites: one begins, an operator answers, one ends. Knows no call.
import { chatStateCodes, codeOf } from '../contract/codes.ts';
import type { Chat } from '../contract/resources/history.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { parseUtc, utcText } from '../kernel/time.ts';
import { createRecord } from '../store/records/record-book.ts';
import type { ChatDesk, ChatVisitor } from './face.ts';
import type { Switchboard } from './switchboard.ts';

/** Chats that an account may have, and messages in them. */
export const MAX_CHATS = 100_000;
export const MAX_CHAT_MESSAGES = 1_000_000;

const CLOSED = codeOf(chatStateCodes, 'closed');

type ChatsDeps = Pick<Switchboard, 'clock' | 'journal' | 'store'>;

export class Chats implements ChatDesk {
  readonly #deps: ChatsDeps;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  begin({ customerId, websiteId, message, ...visitor }: ChatVisitor): Result<Chat> {
    const { store, clock } = this.#deps;
    if (store.chats.count(customerId) >= MAX_CHATS)
      return failure('conflict', `The account has ${MAX_CHATS} chats, the most that it may have.`);
    if (websiteId !== undefined && store.callmebackwebsites.customerOf(websiteId) !== customerId)
      return failure('invalid', 'The chat cannot begin.', [`website_id: no website ${websiteId}`]);
    const made = createRecord({ store, customerId, nowMs: clock.now() }, 'chats', {
      ...{ customer_id: customerId, website_id: websiteId ?? 0, state: codeOf(chatStateCodes, 'waiting') },
      ...{ visitor_name: visitor.name ?? '', visitor_email: visitor.email ?? '', visitor_ip: visitor.ip ?? '' },
      ...{ visitor_country: visitor.country ?? '', visitor_city: visitor.city ?? '' },
      ...{ visitor_referer: visitor.referer ?? '', visitor_ua: visitor.userAgent ?? '' },
      created_at: utcText(clock.now()),
    });
    if (!made.ok) return made;
    const chat = made.value as unknown as Chat;
    this.#note('begun', customerId, chat.id);
    return this.write(chat.id, message);
  }

  /** The first operator who writes has the chat from then on. */
  write(chatId: number, message: string, operatorId?: number): Result<Chat> {
    const found = this.#open(chatId);
    if (!found.ok) return found;
    const { chat, customerId } = found.value;
    const { store, clock } = this.#deps;
    if (store.chatmsgs.count(customerId) >= MAX_CHAT_MESSAGES)
      return failure('conflict', `The account has ${MAX_CHAT_MESSAGES} chat messages, the most that it may have.`);
    const operator = operatorId === undefined ? undefined : store.users.get(operatorId);
    if (operatorId !== undefined && operator?.customer !== customerId)
      return failure('invalid', 'The message cannot be written.', [`operator_id: no user ${operatorId}`]);
    const now = operator === undefined ? chat : this.#answered(chat, operator.id);
    const operatorName = store.users.get(now.operator_id)?.first_name ?? '';
    const visitorName = now.visitor_name === '' ? 'Visitor' : now.visitor_name;
    const [from, to] = operator === undefined ? [visitorName, operatorName] : [operator.first_name, visitorName];
    const written = createRecord({ store, customerId, nowMs: clock.now() }, 'chatmsgs', {
      ...{ chat_id: chatId, user_id: now.operator_id, from, to, message, created_at: utcText(clock.now()) },
    });
    if (!written.ok) return written;
    this.#note('message', customerId, chatId);
    return success(now);
  }

  close(chatId: number): Result<Chat> {
    const found = this.#open(chatId);
    if (!found.ok) return found;
    const { store, clock } = this.#deps;
    const beganAt = parseUtc(found.value.chat.created_at) ?? clock.now();
    const duration = Math.max(0, Math.floor((clock.now() - beganAt) / 1000));
    const closed = store.chats.update(chatId, { state: CLOSED, duration }) ?? found.value.chat;
    this.#note('closed', found.value.customerId, chatId);
    return success(closed);
  }

  #answered(chat: Chat, operatorId: number): Chat {
    if (chat.operator_id !== 0) return chat;
    const changes = { operator_id: operatorId, state: codeOf(chatStateCodes, 'open') };
    return this.#deps.store.chats.update(chat.id, changes) ?? chat;
  }

  #open(chatId: number): Result<{ chat: Chat; customerId: number }> {
    const { chats } = this.#deps.store;
    const chat = chats.get(chatId);
    const customerId = chats.customerOf(chatId);
    if (chat === undefined || customerId === undefined) return failure('not_found', `There is no chat ${chatId}.`);
    return chat.state === CLOSED ? failure('conflict', `Chat ${chatId} is closed.`) : success({ chat, customerId });
  }

  #note(what: 'begun' | 'message' | 'closed', customerId: number, id: number): void {
    this.#deps.journal.append(`chat.${what}`, { customerId, data: { id } });
  }
}
