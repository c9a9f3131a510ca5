// Mutants of credentials, written by hand: tokens that live too long or die too early, keys that nobody has and that open all the same.
import type { Answered } from '../../../wires/http-client.ts';
import {
  type Act,
  asFirst,
  asNobody,
  credentialsIn,
  type Mutant,
  made,
  mutant,
  type Passing,
  withStatus,
} from '../mutant.ts';

const refusal: Answered = made(401, { message: 'No.', errors: ['No.'] });

function isTokenOf({ asked, target }: Passing): boolean {
  const given = credentialsIn(asked);
  return given !== undefined && !Object.values(target.users).some((user) => user?.key === given.key);
}

/** Remembers which tokens have worked; `late` says what becomes of one that is refused later. */
function tokenKeeper(late: (passing: Passing, answered: Answered) => Promise<Answered> | Answered): () => Act {
  return () => {
    const known = new Set<string>();
    return async (passing) => {
      const answered = await passing.forward(passing.asked);
      const key = credentialsIn(passing.asked)?.key;
      if (key === undefined || !answered.ok) return answered;
      if (answered.status === 401 && known.has(key)) return late(passing, answered);
      if (answered.status < 400) known.add(key);
      return answered;
    };
  };
}

function on(operation: string, act: Act): Act {
  return (passing) => (passing.operation?.id === operation ? act(passing) : passing.forward(passing.asked));
}

export const authMutants: readonly Mutant[] = [
  mutant('auth: tokens are worth nothing', 'AUTH-TOKEN-WORKS', async (passing) =>
    isTokenOf(passing) ? refusal : passing.forward(passing.asked),
  ),
  mutant(
    'auth: the login gives the id of somebody else',
    'AUTH-TOKEN-WORKS',
    on('login', async ({ asked, forward }) => {
      const answered = await forward(asked);
      if (!answered.ok || answered.status !== 200) return answered;
      const body = JSON.parse(answered.text) as { user_id: number };
      return made(200, { ...body, user_id: body.user_id + 1 });
    }),
  ),
  {
    id: 'auth: tokens outlive logout and time',
    clauses: ['AUTH-LOGOUT-DESTROYS', 'AUTH-TOKEN-EXPIRES'],
    begin: tokenKeeper((passing) => passing.forward(asFirst(passing))),
  },
  mutant(
    'auth: logout does nothing',
    'AUTH-LOGOUT-DESTROYS',
    on('logout', async () => made(200, { message: 'Goodbye.' })),
  ),
  {
    id: 'auth: a token is good for one request',
    clauses: ['AUTH-TOKEN-EXPIRES', 'AUTH-PING-REFRESHES', 'AUTH-USE-REFRESHES'],
    begin: () => {
      const used = new Map<string, number>();
      return async (passing) => {
        const key = isTokenOf(passing) ? credentialsIn(passing.asked)?.key : undefined;
        if (key === undefined) return passing.forward(passing.asked);
        used.set(key, (used.get(key) ?? 0) + 1);
        return (used.get(key) ?? 0) > 1 ? refusal : passing.forward(passing.asked);
      };
    },
  },
  {
    id: 'auth: ping does not refresh',
    clauses: ['AUTH-PING-REFRESHES'],
    begin: () => {
      const pings = new Map<string, number>();
      return async (passing) => {
        const key = isTokenOf(passing) ? credentialsIn(passing.asked)?.key : undefined;
        if (key === undefined || passing.operation?.id !== 'ping') return passing.forward(passing.asked);
        pings.set(key, (pings.get(key) ?? 0) + 1);
        // The ping of the login's own check and one more: by the third the first 15 minutes are over.
        return (pings.get(key) ?? 0) > 2 ? refusal : passing.forward(passing.asked);
      };
    },
  },
  {
    id: 'auth: only ping refreshes',
    clauses: ['AUTH-USE-REFRESHES'],
    begin: () => {
      const uses = new Map<string, number>();
      return async (passing) => {
        const key = isTokenOf(passing) ? credentialsIn(passing.asked)?.key : undefined;
        if (key === undefined || passing.operation?.id === 'ping') return passing.forward(passing.asked);
        uses.set(key, (uses.get(key) ?? 0) + 1);
        return (uses.get(key) ?? 0) > 1 ? refusal : passing.forward(passing.asked);
      };
    },
  },
  mutant('auth: any key opens', 'AUTH-UNKNOWN-KEY', async (passing) => {
    const answered = await passing.forward(passing.asked);
    const isRefused = answered.ok && answered.status === 401 && credentialsIn(passing.asked) !== undefined;
    return isRefused ? passing.forward(asFirst(passing)) : answered;
  }),
  mutant('auth: the key of anybody opens', 'AUTH-FOREIGN-KEY', async (passing) => {
    const given = credentialsIn(passing.asked);
    const isSomebodys = Object.values(passing.target.users).some((user) => user?.key === given?.key);
    return passing.forward(isSomebodys && passing.operation?.id === 'ping' ? asFirst(passing) : passing.asked);
  }),
  mutant('auth: a broken header opens', 'AUTH-MALFORMED', async (passing) => {
    const has = Object.keys(passing.asked.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
    const isBroken = has && credentialsIn(passing.asked) === undefined;
    return passing.forward(isBroken ? asFirst(passing) : passing.asked);
  }),
  mutant('auth: a broken header is a server error', 'AUTH-MALFORMED', async ({ asked, forward }) => {
    const has = Object.keys(asked.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
    const isBroken = has && credentialsIn(asked) === undefined;
    return isBroken ? made(500, { message: 'null', errors: ['null'] }) : forward(asked);
  }),
  mutant(
    'auth: a wrong login is 401',
    'AUTH-LOGIN-WRONG',
    on('login', async ({ asked, forward }) => {
      const answered = await forward(asNobody(asked));
      return answered.ok && answered.status === 400 ? withStatus(answered, 401) : answered;
    }),
  ),
  mutant(
    'auth: any password will do',
    'AUTH-LOGIN-WRONG',
    on('login', async ({ asked, forward, target }) => {
      const { email, password } = target.users.first ?? {};
      const answered = await forward(asked);
      if (!answered.ok || answered.status !== 400) return answered;
      return forward({ ...asked, body: JSON.stringify({ email, password }) });
    }),
  ),
];
