// Who is let in: keys of every user of an account, and what is said to credentials that are good no longer. Over HTTP, as the ready line has them.
import type { Test } from 'supertest';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Simulator } from '../simulator.ts';

let simulator: Simulator;
let made: Account;
beforeAll(async () => {
  simulator = new Simulator({ history: 20 });
  made = (await request(simulator.handler).post('/_sim/customers')).body as Account;
});
afterAll(() => simulator.close());

interface Account {
  readonly customer_id: number;
  readonly users: ReadonlyArray<{
    readonly user_id: number;
    readonly api_key: string | null;
    readonly role: string;
    readonly email: string;
    readonly password: string;
  }>;
  readonly refused_credentials: ReadonlyArray<{
    readonly kind: string;
    readonly user_id: number;
    readonly secret: string;
  }>;
}

function ping(authorization: string): Test {
  return request(simulator.handler).get('/v1.1/pbx/ping').set('Authorization', authorization);
}

function basic(userId: number, secret: string): string {
  return `Basic ${Buffer.from(`${userId}:${secret}`).toString('base64')}`;
}

const words = {
  expired_token: 'The user token has expired after 15 minutes without a request; log in again with POST /login.',
  revoked_api_key: 'The API key was revoked; another one is given in the administration application.',
};

describe('credentials', () => {
  test('of every account: an expired token and a revoked key are refused, each in its own words', async () => {
    const seeded = simulator.world.customers.map(({ refused }) => refused);
    for (const refused of [...seeded, made.refused_credentials]) {
      expect(refused.map(({ kind }) => kind).sort()).toEqual(['expired_token', 'revoked_api_key']);
      for (const { kind, user_id, secret } of refused) {
        const answer = await ping(basic(user_id, secret));
        const message = words[kind as keyof typeof words];
        expect([answer.status, answer.body]).toEqual([401, { message, errors: [message] }]);
        expect(answer.headers['www-authenticate']).toBe('Basic realm="pbxsim", charset="UTF-8"');
      }
    }
  });

  test('are keys of each user, good for that user alone', async () => {
    const keys = made.users.flatMap(({ user_id, api_key }) => (api_key === null ? [] : [{ user_id, api_key }]));
    expect(keys).toHaveLength(6);
    expect(new Set(keys.map(({ api_key }) => api_key)).size).toBe(6);
    for (const { user_id, api_key } of keys) {
      expect((await ping(basic(user_id, api_key))).status).toBe(200);
      const another = keys.find((one) => one.user_id !== user_id)?.user_id ?? 0;
      expect((await ping(basic(another, api_key))).status).toBe(401);
    }
  });

  test('tell nobody which users there are', async () => {
    const [one, never] = [20_000_001, 20_999_999];
    const answers = [];
    for (const id of [one, never])
      answers.push((await ping(basic(id, 'x'.repeat(40)))).text.replaceAll(String(id), 'ID'));
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('No user ID has this user token or API key');
  });

  test('of a user who is gone, or whose key was taken away, open nothing', async () => {
    const control = request(simulator.handler);
    const [, , agent, another] = made.users;
    if (agent === undefined || another === undefined) throw new Error('a fresh account has four users and more');
    await control.patch(`/_sim/records/users/${agent.user_id}`).send({ api_key: null }).expect(200);
    expect((await ping(basic(agent.user_id, agent.api_key ?? ''))).status).toBe(401);
    await control.delete(`/_sim/records/users/${another.user_id}`).expect(204);
    expect((await ping(basic(another.user_id, another.api_key ?? ''))).status).toBe(401);
  });
});
