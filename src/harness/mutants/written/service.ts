// Mutants of the service as a whole, written by hand: media types, other origins, unknown paths, filters, lists of other customers.
import type { Answered } from '../../../wires/http-client.ts';
import {
  type Act,
  asFirst,
  credentialsIn,
  type Mutant,
  made,
  mutant,
  queryOf,
  recordsIn,
  withJson,
  withQuery,
  withStatus,
  withText,
} from '../mutant.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function withHeaders(answered: Answered, change: (headers: Headers) => Headers): Answered {
  return answered.ok ? { ...answered, headers: change(answered.headers) } : answered;
}

function without(...names: readonly string[]) {
  return (headers: Headers): Headers =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Changes every answer. */
function answers(change: (answered: Answered) => Answered): Act {
  return async ({ asked, forward }) => change(await forward(asked));
}

interface Rule {
  readonly property: string;
  readonly operator: string;
  readonly value: unknown;
}

/** Asks with other rules of the filter. */
function filters(change: (rules: readonly Rule[]) => readonly Rule[]): Act {
  return async ({ asked, forward }) => {
    const written = queryOf(asked, 'filter');
    if (written === null || !written.startsWith('[{"')) return forward(asked);
    return forward(withQuery(asked, { filter: JSON.stringify(change(JSON.parse(written) as Rule[])) }));
  };
}

const CORS = 'access-control-allow-origin';
const refused = made(400, { message: 'No.', errors: ['No.'] });

/** Successes of every kind: what refuses everything, or nothing, or is not there, does not keep one of them. */
const SUCCESSES = ['PING-GET-200', 'CONTACTS-GET-200', 'CONTACTS-POST-201'];

export const serviceMutants: readonly Mutant[] = [
  mutant('service: everything is refused', SUCCESSES, async () => refused),
  mutant('service: nobody is known', SUCCESSES, async () => made(401, { message: 'Who?', errors: ['Who?'] })),
  mutant('service: nothing is there', SUCCESSES, async () => made(404, { message: 'No.', errors: ['No.'] })),
  mutant(
    'service: nothing is refused',
    ['CONTACTS-GET-401', 'CONTACTS-POST-400', 'CONTACTS-ID-GET-404'],
    async (passing) => {
      const answered = await passing.forward(passing.asked);
      const [status = 200] = passing.operation?.success ?? [];
      return answered.ok && answered.status >= 400 ? made(status, { data: {}, links: {}, total: 0 }) : answered;
    },
  ),
  mutant(
    'service: a body is refused for what is right in it',
    'CONTACTS-POST-201',
    async ({ asked, operation, forward }) => (operation?.id === 'createContact' ? refused : forward(asked)),
  ),
  mutant('service: whose id is unknown is denied', 'CONTACTS-ID-GET-404', async ({ asked, operation, forward }) => {
    const answered = await forward(asked);
    return operation?.id === 'getContact' && answered.ok && answered.status === 404
      ? withStatus(answered, 403)
      : answered;
  }),
  mutant(
    'service: errors are HTML',
    'SERVE-JSON',
    answers((answered) =>
      answered.ok && answered.status >= 400 ? withText(answered, '<html>Not found</html>') : answered,
    ),
  ),
  mutant(
    'service: JSON is called text',
    'SERVE-JSON-TYPE',
    answers((answered) => withHeaders(answered, (headers) => ({ ...headers, 'content-type': 'text/plain' }))),
  ),
  mutant(
    'service: no page of another origin may read',
    'SERVE-CORS',
    answers((answered) => withHeaders(answered, without(CORS))),
  ),
  mutant(
    'service: refusals are for its own pages alone',
    'SERVE-CORS-ERRORS',
    answers((answered) => (answered.ok && answered.status >= 400 ? withHeaders(answered, without(CORS)) : answered)),
  ),
  mutant('service: preflights are refused', 'SERVE-CORS-PREFLIGHT', async ({ asked, forward }) =>
    asked.method === 'OPTIONS' ? made(405, { message: 'No.', errors: ['No.'] }) : forward(asked),
  ),
  mutant('service: preflights do not allow credentials', 'SERVE-CORS-PREFLIGHT', async ({ asked, forward }) => {
    const answered = await forward(asked);
    return asked.method === 'OPTIONS' ? withHeaders(answered, without('access-control-allow-headers')) : answered;
  }),
  mutant('service: unknown paths are empty lists', 'SERVE-UNKNOWN-PATH', async ({ asked, operation, forward }) => {
    const answered = await forward(asked);
    const isUnknown = operation === undefined && answered.ok && answered.status === 404;
    return isUnknown ? made(200, { data: [], total: 0 }) : answered;
  }),
  mutant('service: broken bodies are a server error', 'SERVE-BROKEN-BODY', async ({ asked, forward }) => {
    const answered = await forward(asked);
    return isJson(asked.body) ? answered : withStatus(answered, 500);
  }),
  mutant('service: pages may be longer than 5000', 'SERVE-LONG-LIMIT', async ({ asked, forward }) => {
    if (Number(queryOf(asked, 'limit') ?? 0) <= 5000) return forward(asked);
    const answered = await forward(withQuery(asked, { limit: '5000' }));
    return withJson(answered, (body) => {
      const [record = { id: 1 }] = recordsIn(body);
      return { ...body, data: Array.from({ length: 5001 }, () => record) };
    });
  }),
  ...['eq', '=', 'like'].map((operator) =>
    mutant(`filters: ${operator} is not known`, 'FILTER-OPERATORS', async ({ asked, forward }) =>
      (queryOf(asked, 'filter') ?? '').includes(`"operator":"${operator}"`) ? refused : forward(asked),
    ),
  ),
  mutant('filters: group_by is not known', 'COLLECTION-GROUP-BY', async ({ asked, forward }) =>
    queryOf(asked, 'group_by') === null ? forward(asked) : refused,
  ),
  mutant(
    'filters: like is equal',
    'FILTER-LIKE-PART',
    filters((rules) => rules.map((rule) => ({ ...rule, operator: 'eq' }))),
  ),
  mutant(
    'filters: the last element alone counts',
    'FILTER-ALL-OF',
    filters((rules) => rules.slice(-1)),
  ),
  mutant('filters: total is from before the filter', 'FILTER-BEFORE-PAGE', async ({ asked, forward }) => {
    const answered = await forward(asked);
    if (queryOf(asked, 'filter') === null) return answered;
    const whole = await forward(withQuery(asked, { filter: undefined, limit: '1' }));
    const total = whole.ok ? (JSON.parse(whole.text) as { total?: number }).total : undefined;
    return withJson(answered, (body) => ({ ...body, total }));
  }),
  mutant('filters: broken ones are ignored', 'FILTER-BROKEN', async ({ asked, forward }) => {
    const answered = await forward(asked);
    const isRefused = answered.ok && answered.status === 400 && queryOf(asked, 'filter') !== null;
    return isRefused ? forward(withQuery(asked, { filter: undefined })) : answered;
  }),
  mutant('accounts: lists have the records of everybody', 'ACCOUNT-LISTS-SEALED', async (passing) => {
    const { asked, operation, target, forward } = passing;
    const stranger = target.users.other_customer;
    const isStranger = stranger !== undefined && credentialsIn(asked)?.id === String(stranger.id);
    return forward(isStranger && operation?.response.kind === 'collection' ? asFirst(passing) : asked);
  }),
];

function isJson(body: string | undefined): boolean {
  if (body === undefined) return true;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
