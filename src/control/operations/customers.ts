// Accounts: a test that wants one to itself gets one. Knows no seed.
import { array, integer, record, string } from '../../contract/schema.ts';
import { failure, success } from '../../kernel/errors.ts';
import { removeAccount } from '../../store/records/account.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { members, shape } from '../shapes.ts';

const customer = record({ customer_id: integer(), name: string(), users: integer(), numbers: integer() });

const wish = {
  ...members(
    { name: string({ minLength: 1, maxLength: 255, description: 'of the company; invented when none is given' }) },
    [],
  ),
  minProperties: 0,
};

export const customerRows: readonly ControlRow[] = [
  row({
    id: 'listCustomers',
    method: 'GET',
    path: '/customers',
    summary: 'The accounts, with how many users and numbers each has.',
    success: 200,
    answer: record({ data: array(customer), total: integer() }),
    errors: [],
    handle: (_input, { store }) => {
      const data = [...store.customers.entries()].map(([id, { name }]) => {
        return { customer_id: id, name, users: store.users.count(id), numbers: store.ddis.count(id) };
      });
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'createCustomer',
    method: 'POST',
    path: '/customers',
    summary: 'A fresh account that shares nothing with others: users of every role with phones, numbers, credentials.',
    body: wish,
    mayLackBody: true,
    success: 201,
    answer: shape('FreshCustomer'),
    errors: [400, 409],
    handle: ({ body }, { makeCustomer, clock }) => {
      const made = makeCustomer(body?.name);
      if (!made.ok) return made;
      clock.settle();
      const { customerId, users, numbers, refused } = made.value;
      return success({ customer_id: customerId, users, numbers, refused_credentials: refused });
    },
  }),
  row({
    id: 'removeCustomer',
    method: 'DELETE',
    path: '/customers/{id}',
    summary: 'Remove an account with everything in it: calls, phones, records, webhooks, credentials.',
    success: 204,
    errors: [404],
    handle: ({ path }, { store, clock }) => {
      const id = idIn(path.id);
      if (store.customers.get(id) === undefined) return failure('not_found', `There is no customer ${path.id}.`);
      removeAccount(store, id);
      clock.settle();
      return success(undefined);
    },
  }),
];
