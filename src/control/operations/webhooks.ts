// Webhooks over HTTP: what the administration application lets its users do, and the delivery log. Knows no payload.
import { array, boolean, string, word } from '../../contract/schema.ts';
import { type Result, success } from '../../kernel/errors.ts';
import { isoText } from '../../kernel/time.ts';
import type { Delivery } from '../../webhooks/log.ts';
import { unknownWebhook } from '../../webhooks/subscriptions.ts';
import { customerOf, unknownCustomer } from '../deps.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { categoryWords, customerId, listOf, members, query, shape } from '../shapes.ts';

const settings = {
  name: string({ minLength: 1, maxLength: 255 }),
  url: string({ minLength: 1, maxLength: 2048 }),
  events: array(word(categoryWords), { minItems: 1, maxItems: 20 }),
  active: boolean(),
};

export const webhookRows: readonly ControlRow[] = [
  row({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'All webhooks, or those of one customer.',
    query: query({ customer_id: customerId }),
    success: 200,
    answer: listOf('Webhook'),
    errors: [],
    handle: ({ query }, { webhooks }) => {
      const data = webhooks.list(query.customer_id);
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Save a webhook; its URL must answer a test event within 5 s, with any status.',
    body: members({ ...settings, customer_id: customerId }, ['url', 'events']),
    success: 201,
    answer: shape('Webhook'),
    errors: [400, 409],
    handle: ({ body }, deps) => {
      const { url, events, name = url, active = true } = body;
      const customer = customerOf(deps, body.customer_id);
      if (deps.store.customers.get(customer) === undefined) return unknownCustomer(customer);
      const draft = { name, url, events: [...new Set(events)], active, customer_id: customer };
      return answered((done) => deps.webhooks.create(draft, done));
    },
  }),
  row({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'One webhook.',
    success: 200,
    answer: shape('Webhook'),
    errors: [404],
    handle: ({ path }, { webhooks }) => {
      const id = idIn(path.id);
      const webhook = webhooks.get(id);
      return webhook === undefined ? unknownWebhook(id) : success(webhook);
    },
  }),
  row({
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Edit, activate or deactivate a webhook; another URL is tested first.',
    body: members(settings, []),
    success: 200,
    answer: shape('Webhook'),
    errors: [400, 404],
    handle: ({ path, body }, { webhooks }) => answered((done) => webhooks.change(idIn(path.id), body, done)),
  }),
  row({
    id: 'removeWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Remove a webhook with its log and its pending deliveries.',
    success: 204,
    errors: [404],
    handle: ({ path }, { webhooks }) => {
      const id = idIn(path.id);
      return webhooks.remove(id) ? success(undefined) : unknownWebhook(id);
    },
  }),
  row({
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'What was sent, in the order of the events: every pending delivery and the last 5000 finished ones.',
    success: 200,
    answer: listOf('Delivery'),
    errors: [404],
    handle: ({ path }, { webhooks }) => {
      const found = webhooks.deliveries(idIn(path.id));
      return found.ok ? success({ data: found.value.map(deliveryView), total: found.value.length }) : found;
    },
  }),
  row({
    id: 'replayDelivery',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/replay',
    summary: 'One more attempt with the same body; answers when it is over.',
    success: 200,
    answer: shape('Delivery'),
    errors: [404, 409],
    handle: async ({ path }, { webhooks, clock }) => {
      const replayed = answered<Delivery>((done) => webhooks.replay(idIn(path.id), idIn(path.delivery), done));
      clock.settle();
      const result = await replayed;
      return result.ok ? success(deliveryView(result.value)) : result;
    },
  }),
];

function answered<T>(ask: (done: (result: Result<T>) => void) => void): Promise<Result<T>> {
  return new Promise((resolve) => ask(resolve));
}

function deliveryView({ id, event, payload, state, attempts, givenUp }: Delivery): object {
  return {
    ...{ id, event, body: payload, state },
    ...(givenUp === undefined ? {} : { given_up: givenUp }),
    attempts: attempts.map((one) => ({ ...one, at: isoText(one.at) })),
  };
}
