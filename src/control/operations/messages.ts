// Faxes, call-me-backs and chats as the world outside makes them. Knows no signalling.
import { anything, boolean, integer, nullable, record, string } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { customerOf, unknownCustomer } from '../deps.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { members, query } from '../shapes.ts';
import { startedCall } from '../started-call.ts';

const publicNumber = string({ pattern: '^\\+?[0-9]{3,15}$', description: 'a public number, with or without +' });
const country = string({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1' });
const words = string({ maxLength: 200 });
/** From the answer to the first page, and a page: as long as the exchange takes for its own. */
const FAX_HANDSHAKE_MS = 10_000;
const FAX_PAGE_MS = 30_000;

export const messageRows: readonly ControlRow[] = [
  row({
    id: 'fax',
    method: 'POST',
    path: '/faxes',
    summary: 'A fax: sent from one of our numbers, or else arriving from outside at one. Its record follows the call.',
    body: members(
      {
        from: publicNumber,
        to: publicNumber,
        pages: integer({ minimum: 1, maximum: 200 }),
        filename: string({ minLength: 1, maxLength: 255, description: 'of one that is sent' }),
      },
      ['from', 'to'],
    ),
    success: 201,
    answer: record({ fax_id: nullable(integer()), call_id: nullable(integer()) }),
    errors: [400, 404, 409],
    handle: ({ body }, deps) => {
      const { from, to, pages = 1, filename } = body;
      const [own] = deps.store.ddis.find('e164', `+${from.replace('+', '')}`);
      const customerId = own === undefined ? undefined : deps.store.ddis.customerOf(own.id);
      if (customerId === undefined) return arriving(deps, { from, to, pages });
      const named = filename === undefined ? {} : { filename };
      const sent = deps.exchange.sendFax({ customerId, from, to, pages, ...named });
      return sent.ok ? success({ fax_id: sent.value.id, call_id: null }) : sent;
    },
  }),
  row({
    id: 'seeWidget',
    method: 'GET',
    path: '/widgets/{id}',
    summary:
      'What a visitor of a website sees of a call-me-back widget: whether it is shown, and the words of its button.',
    query: query({ country }),
    success: 200,
    answer: record({ shown: boolean(), online: boolean(), text: string(), setting: anything() }),
    errors: [404],
    handle: ({ path, query: visitor }, { exchange }) => exchange.widgets.see({ settingId: idIn(path.id), ...visitor }),
  }),
  row({
    id: 'askCallback',
    method: 'POST',
    path: '/widgets/{id}/requests',
    summary: 'A visitor asks to be called: the visitor rings first, then whoever the number of the widget leads to.',
    body: members({ number: publicNumber, name: words, country }, ['number']),
    success: 201,
    answer: record({ call_id: nullable(integer()), visitor_id: integer(), cdr_id: nullable(integer()) }),
    errors: [400, 404, 409],
    handle: ({ path, body }, { exchange, clock }) => {
      const asked = exchange.widgets.ask({ settingId: idIn(path.id), ...body });
      if (!asked.ok) return asked;
      clock.settle();
      const { callId, visitor, cdr } = asked.value;
      return success({ call_id: callId, visitor_id: visitor.id, cdr_id: cdr?.id ?? null });
    },
  }),
  row({
    id: 'beginChat',
    method: 'POST',
    path: '/chats',
    summary: 'A visitor of a website begins a chat, with a message.',
    body: members(
      {
        customer_id: integer(),
        website_id: integer(),
        name: words,
        email: string({ maxLength: 254 }),
        country,
        city: words,
        ip: string({ maxLength: 45 }),
        referer: string({ maxLength: 2048 }),
        message: string({ minLength: 1, maxLength: 4000 }),
      },
      ['message'],
    ),
    success: 201,
    answer: record({ chat_id: integer(), state: integer() }),
    errors: [400, 409],
    handle: ({ body }, deps) => {
      const { customer_id, website_id, ...visitor } = body;
      const customerId = customerOf(deps, customer_id);
      if (deps.store.customers.get(customerId) === undefined) return unknownCustomer(customerId);
      const site = website_id === undefined ? {} : { websiteId: website_id };
      return shown(deps.exchange.chats.begin({ customerId, ...site, ...visitor }));
    },
  }),
  row({
    id: 'writeInChat',
    method: 'POST',
    path: '/chats/{id}/messages',
    summary: 'The visitor writes, or the operator who is named.',
    body: members({ operator_id: integer(), message: string({ minLength: 1, maxLength: 4000 }) }, ['message']),
    success: 201,
    answer: record({ chat_id: integer(), state: integer() }),
    errors: [400, 404, 409],
    handle: ({ path, body }, { exchange }) =>
      shown(exchange.chats.write(idIn(path.id), body.message, body.operator_id)),
  }),
  row({
    id: 'closeChat',
    method: 'POST',
    path: '/chats/{id}/close',
    summary: 'The chat is over.',
    mayLackBody: true,
    success: 200,
    answer: record({ chat_id: integer(), state: integer() }),
    errors: [404, 409],
    handle: ({ path }, { exchange }) => shown(exchange.chats.close(idIn(path.id))),
  }),
];

function arriving(
  deps: Parameters<ControlRow['handle']>[1],
  { from, to, pages }: { readonly from: string; readonly to: string; readonly pages: number },
): Result<{ fax_id: null; call_id: number }> {
  const before = deps.journal.last;
  const talk_ms = FAX_HANDSHAKE_MS + pages * FAX_PAGE_MS;
  const called = deps.carrier.call({ from, to, behaviour: { on_call: 'answer', talk_ms }, isFax: true });
  if (!called.ok) return called;
  deps.clock.settle();
  const call = startedCall(deps, before, called.value.sipCallId, 'not_found');
  return call.ok
    ? success({ fax_id: null, call_id: call.value.call_id })
    : failure(call.failure.kind, call.failure.message);
}

function shown(
  chat: Result<{ readonly id: number; readonly state: number }>,
): Result<{ chat_id: number; state: number }> {
  return chat.ok ? success({ chat_id: chat.value.id, state: chat.value.state }) : chat;
}
