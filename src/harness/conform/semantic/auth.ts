// Checks of credentials: what a login is worth, how long, and what is refused. Knows no record.
import type { TargetUser } from '../../target/target.ts';
import type { Asking, Bench, Check } from '../check.ts';
import { CheckEnd, demand, met, observed, unevaluable } from '../finding.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = 15 * MINUTE_MS;

async function statusOf(bench: Bench, as: Asking['as'], operation: 'ping' | 'me' = 'ping'): Promise<number> {
  return (await bench.ask(operation === 'ping' ? 'ping' : 'getMe', as === undefined ? {} : { as })).status;
}

/** A token that is fresh and works. */
async function loggedIn(bench: Bench): Promise<TargetUser> {
  const user = await bench.login('first');
  await demandTaken(bench, user, 'The token of a login is refused at once.');
  return user;
}

async function demandRefused(bench: Bench, as: Asking['as'], what: string): Promise<void> {
  const status = await statusOf(bench, as);
  demand(status === 401, what, 401, status);
}

async function demandTaken(bench: Bench, as: Asking['as'], what: string, operation?: 'me'): Promise<void> {
  const status = await statusOf(bench, as, operation);
  demand(status === 200, what, 200, status);
}

/** What becomes of a fresh token while the target's time passes. */
function timed(id: string, clause: string, judge: (bench: Bench, user: TargetUser) => Promise<void>): Check {
  return {
    ...{ id, clause, effects: ['read', 'wait'], needs: ['password', 'clock'], lane: 'alone' },
    run: async (bench) => {
      await judge(bench, await loggedIn(bench));
      return met();
    },
  };
}

export const authChecks: readonly Check[] = [
  {
    id: 'auth/token-works',
    clause: 'AUTH-TOKEN-WORKS',
    effects: ['read'],
    needs: ['password'],
    run: async (bench) => {
      const { body } = await bench.ask('login', { as: null, body: credentialsOf(bench) });
      const { user_id: id, user_token: token } = (body ?? {}) as { user_id?: unknown; user_token?: unknown };
      demand(
        String(id) === String(bench.user('first').id),
        'The login gives the id of somebody else.',
        bench.user('first').id,
        id,
      );
      demand(typeof token === 'string' && token !== '', 'The login gives no token.', 'a text', token);
      await demandTaken(bench, { id, key: String(token) }, 'The token of a login is refused.');
      return met();
    },
  },
  {
    id: 'auth/logout-destroys',
    clause: 'AUTH-LOGOUT-DESTROYS',
    effects: ['read'],
    needs: ['password'],
    run: async (bench) => {
      const user = await loggedIn(bench);
      const { status } = await bench.ask('logout', { as: user });
      demand(status === 200, 'The logout is refused.', 200, status);
      await demandRefused(bench, user, 'The token is taken after its logout.');
      return met();
    },
  },
  timed('auth/token-expires', 'AUTH-TOKEN-EXPIRES', async (bench, user) => {
    await bench.pass(IDLE_MS + 5_000);
    await demandRefused(bench, user, 'The token is taken after 15 minutes without a request.');
  }),
  timed('auth/token-lives', 'AUTH-TOKEN-EXPIRES', async (bench, user) => {
    await bench.pass(IDLE_MS - MINUTE_MS);
    await demandTaken(bench, user, 'The token is refused before 15 minutes have passed.');
  }),
  timed('auth/ping-refreshes', 'AUTH-PING-REFRESHES', async (bench, user) => {
    for (let times = 0; times < 2; times += 1) {
      await bench.pass(10 * MINUTE_MS);
      await demandTaken(bench, user, 'A token that was pinged 10 minutes ago is refused.');
    }
  }),
  {
    ...timed('auth/use-refreshes', 'AUTH-USE-REFRESHES', async (bench, user) => {
      for (let times = 0; times < 2; times += 1) {
        await bench.pass(10 * MINUTE_MS);
        await demandTaken(bench, user, 'A token that was used 10 minutes ago is refused.', 'me');
      }
    }),
    operation: 'getMe',
  },
  {
    id: 'auth/unknown-key',
    clause: 'AUTH-UNKNOWN-KEY',
    effects: ['read'],
    run: async (bench) => {
      const { id } = bench.user('first');
      await demandRefused(bench, { id, key: bench.random.hex(40) }, 'A key that nobody has is taken.');
      return met();
    },
  },
  {
    id: 'auth/foreign-key',
    clause: 'AUTH-FOREIGN-KEY',
    effects: ['read'],
    needs: ['second user'],
    run: async (bench) => {
      const { key } = bench.user('second');
      if (key === null) throw new CheckEnd(unevaluable('Nobody gave a key of the second user.'));
      await demandRefused(
        bench,
        { id: bench.user('first').id, key },
        'The key of one user is taken with the id of another.',
      );
      return met();
    },
  },
  {
    id: 'auth/malformed',
    clause: 'AUTH-MALFORMED',
    operation: 'ping',
    effects: ['read'],
    run: async (bench) => {
      const { id, key } = bench.user('first');
      const headers = [
        'Basic',
        'Basic !!!',
        `Basic ${Buffer.from(String(id)).toString('base64')}`,
        `Bearer ${Buffer.from(`${id}:${key}`).toString('base64')}`,
      ];
      for (const authorization of headers) {
        const { status } = await bench.send({ method: 'GET', path: '/ping', headers: { authorization } });
        const shown = authorization.split(' ')[0];
        demand(status === 401, `An Authorization header of ${shown} without credentials is not refused.`, 401, status);
      }
      return met();
    },
  },
  {
    id: 'auth/login-wrong',
    clause: 'AUTH-LOGIN-WRONG',
    operation: 'login',
    effects: ['read'],
    needs: ['password'],
    run: async (bench) => {
      const right = credentialsOf(bench);
      const wrong = [
        ['a wrong password', { ...right, password: `${right.password}-` }],
        ['an unknown address', { ...right, email: `nobody-${bench.random.hex(8)}@nowhere.example` }],
      ] as const;
      for (const [what, body] of wrong) {
        const { status } = await bench.ask('login', { as: null, body });
        demand(status === 400, `A login with ${what} is not answered 400.`, 400, status);
      }
      const { status } = await bench.ask('login', { as: null, body: right });
      demand(status === 200, 'The right login is refused.', 200, status);
      return met();
    },
  },
  {
    id: 'auth/second-login',
    clause: 'AUTH-SECOND-LOGIN',
    effects: ['read'],
    needs: ['password'],
    run: async (bench) => {
      const earlier = await loggedIn(bench);
      await loggedIn(bench);
      const status = await statusOf(bench, earlier);
      return observed(status === 200 ? 'Earlier tokens stay valid.' : 'A login ends earlier tokens.', status);
    },
  },
];

function credentialsOf(bench: Bench): { readonly email: string; readonly password: string } {
  const { email, password } = bench.user('first');
  if (email !== undefined && password !== undefined) return { email, password };
  throw new CheckEnd(unevaluable('Nobody gave email and password of the first user.'));
}
