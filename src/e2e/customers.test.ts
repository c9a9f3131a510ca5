// Fresh accounts in one request: each with users, numbers and phones of its own, and nothing of anybody else.
import { expect, it } from 'vitest';
import { createSimulator } from '../index.ts';

interface Answer {
  readonly total: number;
  readonly data: { readonly id: number } & ReadonlyArray<{ readonly customer: number }>;
}

interface Fresh {
  readonly customer_id: number;
  readonly users: ReadonlyArray<{ user_id: number; api_key: string | null; role: string; ext: string }>;
  readonly numbers: readonly string[];
  readonly refused_credentials: ReadonlyArray<{ kind: string; user_id: number; secret: string }>;
}

it('an account made for a test works at once and is sealed from the others', async () => {
  await using simulator = await createSimulator({ seed: 5 });
  const { url } = simulator;
  const make = async () => {
    const response = await fetch(`${url}/_sim/customers`, { method: 'POST' });
    expect(response.status).toBe(201);
    return (await response.json()) as Fresh;
  };
  const [third, fourth] = [await make(), await make()];
  expect([third.customer_id, fourth.customer_id]).toEqual([3, 4]);
  expect(third.users.map(({ role }) => role)).toEqual([
    ...['root', 'admin', 'agent', 'agent', 'agent', 'restricted', 'two_factor'],
  ]);
  expect(third.numbers).toHaveLength(7);
  expect(new Set([...third.numbers, ...fourth.numbers, ...simulator.numbers]).size).toBe(21);

  const ask = async ({ users: [root] }: Fresh, path: string, init: RequestInit = {}) => {
    const authorization = `Basic ${btoa(`${root?.user_id}:${root?.api_key}`)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1.1/pbx${path}`, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const placed = await ask(third, '/calls', { method: 'POST', body: JSON.stringify({ to: '102' }) });
  expect(placed.status).toBe(201);
  await simulator.clock.advance('5s');
  expect((await ask(third, '/calls')).body).toMatchObject({ total: 1 });
  expect((await ask(fourth, '/calls')).body).toMatchObject({ total: 0 });
  expect((await ask(fourth, `/calls/${placed.body.data.id}`)).status).toBe(404);
  const { body } = await ask(fourth, '/users');
  expect(body.data.map(({ customer }) => customer)).toEqual(Array(7).fill(4));

  const list = (await (await fetch(`${url}/_sim/customers`)).json()) as { total: number };
  expect(list.total).toBe(4);
  const snapshot = await simulator.snapshot();
  expect((await make()).customer_id).toBe(5);
  await simulator.restore(snapshot);
  expect((await make()).customer_id).toBe(5);
});

it('credentials that were good once are refused with the reason', async () => {
  await using simulator = await createSimulator({ seed: 5 });
  const { url } = simulator;
  const fresh = (await (await fetch(`${url}/_sim/customers`, { method: 'POST' })).json()) as Fresh;
  const answers = await Promise.all(
    fresh.refused_credentials.map(async ({ kind, user_id, secret }) => {
      const authorization = `Basic ${btoa(`${user_id}:${secret}`)}`;
      const response = await fetch(`${url}/v1.1/pbx/me`, { headers: { authorization } });
      return [kind, response.status, ((await response.json()) as { message: string }).message];
    }),
  );
  expect(answers).toEqual([
    ['expired_token', 401, expect.stringMatching(/^The user token has expired/)],
    ['revoked_api_key', 401, expect.stringMatching(/^The API key was revoked/)],
  ]);
});

it('an account can be removed again, and its id is not given out twice', async () => {
  await using simulator = await createSimulator({ seed: 5 });
  const { url } = simulator;
  const make = async () => (await (await fetch(`${url}/_sim/customers`, { method: 'POST' })).json()) as Fresh;
  const { customer_id, users } = await make();
  const remove = async () => (await fetch(`${url}/_sim/customers/${customer_id}`, { method: 'DELETE' })).status;
  expect([await remove(), await remove()]).toEqual([204, 404]);
  const authorization = `Basic ${btoa(`${users[0]?.user_id}:${users[0]?.api_key}`)}`;
  expect((await fetch(`${url}/v1.1/pbx/me`, { headers: { authorization } })).status).toBe(401);
  const phones = (await (await fetch(`${url}/_sim/phones?customer_id=${customer_id}`)).json()) as { total: number };
  expect(phones.total).toBe(0);
  expect((await make()).customer_id).toBe(customer_id + 1);
});

it('an account has the name that it is given; anything else in the request is refused', async () => {
  await using simulator = await createSimulator({ seed: 5 });
  const post = async (body?: string) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`${simulator.url}/_sim/customers`, init);
    return { status: response.status, body: (await response.json()) as { errors: string[] } & Fresh };
  };
  const named = [await post('{"name":"Bäckerei Ada"}'), await post('{"name":"Bäckerei Ada"}'), await post('{}')];
  expect(named.map(({ status }) => status)).toEqual([201, 201, 201]);
  const { data } = (await (await fetch(`${simulator.url}/_sim/customers`)).json()) as {
    data: Array<{ customer_id: number; name: string }>;
  };
  expect(data.slice(2)).toMatchObject([
    { customer_id: 3, name: 'Bäckerei Ada' },
    { customer_id: 4, name: 'Bäckerei Ada' },
    { customer_id: 5, name: expect.stringMatching(/^[A-Z]/) },
  ]);
  const refusals = ['[]', 'null', '{"name":""}', '{"name":7}', '{"nam":"Ada"}', `{"name":"${'x'.repeat(256)}"}`];
  const answers = await Promise.all(refusals.map(post));
  const name = 'expected text (of the company; invented when none is given; 1 to 255 characters)';
  expect(answers.map(({ status, body }) => [status, body.errors])).toEqual([
    [400, ['body: expected an object']],
    [400, ['body: expected an object']],
    [400, [`name: ${name}`]],
    [400, [`name: ${name}`]],
    [400, ['nam: unknown, expected one of name']],
    [400, [`name: ${name}`]],
  ]);
  expect((await post()).body.customer_id).toBe(6);
});
