// Checks of how the service answers whatever the operation. Knows no record but contacts.
import { basicAuthorization } from '../../run/request.ts';
import type { Answer, Bench, Check } from '../check.ts';
import { demand, met } from '../finding.ts';

const ORIGIN = 'https://app.conformance.example';
const UNKNOWN_ID = 2_147_000_000;
const MOST = 5000;

function authorizationOf(bench: Bench): string {
  return basicAuthorization(bench.user('first'));
}

/** A right answer and a refusal. */
async function twoAnswers(bench: Bench): Promise<readonly Answer[]> {
  return [await bench.ask('ping'), await bench.ask('getContact', { path: { id: UNKNOWN_ID } })];
}

function headerOf({ headers }: Answer, name: string): string {
  return [headers[name] ?? ''].flat().join(', ');
}

function demandOpen(answer: Answer, what: string): void {
  const allowed = headerOf(answer, 'access-control-allow-origin');
  demand(
    allowed === '*' || allowed === ORIGIN,
    `${what} may not be read by a page of another origin.`,
    `* or ${ORIGIN}`,
    allowed,
  );
}

export const servingChecks: readonly Check[] = [
  {
    id: 'serving/json',
    clause: 'SERVE-JSON',
    effects: ['read'],
    run: async (bench) => {
      for (const { body, status, text } of await twoAnswers(bench))
        demand(typeof body === 'object' && body !== null, `The answer ${status} is no JSON.`, 'an object', text);
      return met();
    },
  },
  {
    id: 'serving/json-type',
    clause: 'SERVE-JSON-TYPE',
    effects: ['read'],
    run: async (bench) => {
      for (const answer of await twoAnswers(bench)) {
        const type = headerOf(answer, 'content-type');
        demand(
          /^application\/([a-z.]+\+)?json\b/i.test(type),
          `The answer ${answer.status} does not say that it is JSON.`,
          'application/json',
          type,
        );
      }
      return met();
    },
  },
  {
    id: 'serving/cors',
    clause: 'SERVE-CORS',
    operation: 'ping',
    effects: ['read'],
    run: async (bench) => {
      const headers = { authorization: authorizationOf(bench), origin: ORIGIN };
      demandOpen(await bench.send({ method: 'GET', path: '/ping', headers }), 'An answer');
      return met();
    },
  },
  {
    id: 'serving/cors-preflight',
    clause: 'SERVE-CORS-PREFLIGHT',
    effects: ['read'],
    run: async (bench) => {
      const asked = {
        ...{ origin: ORIGIN, 'access-control-request-method': 'PATCH' },
        'access-control-request-headers': 'authorization, content-type',
      };
      const answer = await bench.send({ method: 'OPTIONS', path: '/contacts/1', headers: asked });
      demand(answer.status >= 200 && answer.status < 300, 'The preflight request is refused.', '2xx', answer.status);
      demandOpen(answer, 'A preflight answer');
      const methods = headerOf(answer, 'access-control-allow-methods').toUpperCase();
      demand(methods.includes('PATCH') || methods === '*', 'The preflight does not allow PATCH.', 'PATCH', methods);
      // A star does not stand for Authorization (Fetch standard): it has to be named.
      const names = headerOf(answer, 'access-control-allow-headers').toLowerCase();
      demand(
        names.includes('authorization'),
        'The preflight does not allow the Authorization header.',
        'authorization',
        names,
      );
      return met();
    },
  },
  {
    id: 'serving/cors-errors',
    clause: 'SERVE-CORS-ERRORS',
    effects: ['read'],
    run: async (bench) => {
      demandOpen(await bench.send({ method: 'GET', path: '/ping', headers: { origin: ORIGIN } }), 'A refusal');
      return met();
    },
  },
  {
    id: 'serving/unknown-path',
    clause: 'SERVE-UNKNOWN-PATH',
    effects: ['read'],
    run: async (bench) => {
      const headers = { authorization: authorizationOf(bench) };
      const path = `/nothing-${bench.random.hex(6)}`;
      const { status, body } = await bench.send({ method: 'GET', path, headers });
      demand(status === 404, 'A path that is nothing is not answered 404.', 404, status);
      const { message, errors } = (body ?? {}) as { message?: unknown; errors?: unknown };
      const isTold = typeof message === 'string' && Array.isArray(errors);
      demand(isTold, 'The refusal has not the body of errors.', 'message and errors', body);
      return met();
    },
  },
  {
    id: 'serving/broken-body',
    clause: 'SERVE-BROKEN-BODY',
    operation: 'createContact',
    effects: ['read', 'write'],
    run: async (bench) => {
      const headers = { authorization: authorizationOf(bench), 'content-type': 'application/json' };
      const { status } = await bench.send({ method: 'POST', path: '/contacts', headers, body: '{"first_name": "Ada"' });
      demand(
        status >= 400 && status < 500,
        'A body that is no JSON is not refused as a mistake of the client.',
        '4xx',
        status,
      );
      return met();
    },
  },
  {
    id: 'serving/long-limit',
    clause: 'SERVE-LONG-LIMIT',
    operation: 'listContacts',
    effects: ['read'],
    run: async (bench) => {
      const { status, body } = await bench.ask('listContacts', { query: { limit: MOST + 1 } });
      const { data } = (body ?? {}) as { data?: unknown };
      const size = Array.isArray(data) ? data.length : 0;
      if (status >= 400 && status < 500) return met(`A limit above ${MOST} is refused with ${status}.`);
      demand(status === 200 && size <= MOST, `A page has more than ${MOST} records.`, `at most ${MOST}, or 400`, size);
      return met(`A limit above ${MOST} counts as fewer.`);
    },
  },
];
