// The rest of the world: text messages that arrive, the state table, reset. Knows no store.
import { integer, nullable, record, string } from '../../contract/schema.ts';
import { success } from '../../kernel/errors.ts';
import { type ControlRow, row } from '../row.ts';
import { listOf, members } from '../shapes.ts';

const publicNumber = string({ pattern: '^\\+?[0-9]{3,15}$', description: 'a public number, with or without +' });

export const worldRows: readonly ControlRow[] = [
  row({
    id: 'receiveSms',
    method: 'POST',
    path: '/sms',
    summary: 'A text message arrives from the public network for one of our numbers.',
    body: members(
      {
        from: string({ minLength: 1, maxLength: 20, description: 'a number or a sender name' }),
        to: publicNumber,
        text: string({ maxLength: 1600 }),
      },
      ['from', 'to', 'text'],
    ),
    success: 201,
    answer: record({ customer_id: integer(), user_id: nullable(integer()) }),
    errors: [400, 404],
    handle: ({ body }, { exchange, clock }) => {
      const received = exchange.receiveSms(body.from, body.to, body.text);
      if (!received.ok) return received;
      clock.settle();
      return success({ customer_id: received.value.customerId, user_id: received.value.userId });
    },
  }),
  row({
    id: 'listStates',
    method: 'GET',
    path: '/states',
    summary: 'The call state table: which signalling moves a call where, and which event that raises.',
    success: 200,
    answer: listOf('TransitionRow'),
    errors: [],
    handle: (_input, { exchange }) => success({ data: exchange.states, total: exchange.states.length }),
  }),
  row({
    id: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Back to the state after the start: calls, records, scripts, webhooks.',
    success: 200,
    answer: record({}),
    errors: [],
    handle: (_input, { reset, clock }) => {
      reset();
      clock.settle();
      return success({});
    },
  }),
];
