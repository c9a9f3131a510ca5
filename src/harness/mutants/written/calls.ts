// Mutants of live calls: not seen while they last, seen when they are over, and not moved by the requests that move them. Knows no check.

import { callStateCodes } from '../../../contract/codes.ts';
import type { Answered, Asked } from '../../../wires/http-client.ts';
import {
  type Act,
  bodyOf,
  isObject,
  type Json,
  type Mutant,
  made,
  madeEmpty,
  mutant,
  on,
  recordsIn,
  withJson,
} from '../mutant.ts';

const { codes } = callStateCodes;
const notFound = made(404, { message: 'There is no such call.', errors: ['There is no such call.'] });

/** Changes the call of GET /calls/{id}; undefined when it is not found then. */
function shown(change: (call: Json) => Json | undefined): Act {
  return on('getCall', async ({ asked, forward }) => {
    const answered = await forward(asked);
    if (!answered.ok || answered.status !== 200) return answered;
    let isThere = true;
    const changed = withJson(answered, (body) => {
      const call = isObject(body.data) ? change(body.data) : undefined;
      isThere = call !== undefined;
      return { ...body, data: call };
    });
    return isThere ? changed : notFound;
  });
}

/** A PATCH of a call with that member is answered as if it had been done. */
function ignoring(member: string): Act {
  return on('updateCall', async ({ asked, forward }) => {
    if (!(member in bodyOf(asked))) return forward(asked);
    const { body: _, ...reading } = asked;
    const answered = await forward({ ...reading, method: 'GET' });
    return answered.ok ? { ...answered, status: answered.status === 200 ? 301 : answered.status } : answered;
  });
}

/** What was found once is found for ever. */
function lasting(): Act {
  const found = new Map<string, Answered>();
  return on('getCall', async ({ asked, forward }) => {
    const answered = await forward(asked);
    if (answered.ok && answered.status === 200) found.set(asked.url, answered);
    return answered.ok && answered.status === 404 ? (found.get(asked.url) ?? answered) : answered;
  });
}

function listedForEver(): Act {
  const seen = new Map<unknown, Json>();
  return on('listCalls', async ({ asked, forward }) =>
    withJson(await forward(asked), (body) => {
      for (const call of recordsIn(body)) seen.set(call.id, call);
      return { ...body, data: [...seen.values()], total: seen.size };
    }),
  );
}

/** A call that nobody placed. */
async function pretended({ asked, forward }: Parameters<Act>[0]): Promise<Answered> {
  const list: Asked = { method: 'GET', url: asked.url, headers: asked.headers ?? {} };
  const answered = await forward(list);
  const body = answered.ok ? (JSON.parse(answered.text) as Json) : {};
  const [call = {}] = recordsIn(body);
  return made(201, { data: { ...call, id: 5_000_000 }, links: {} });
}

const isIn = (state: keyof typeof codes | string) => (call: Json) => call.state === codes[state as keyof typeof codes];

export const callMutants: readonly Mutant[] = [
  mutant(
    'calls: the list of calls is empty',
    'CALL-ACTIVE',
    on('listCalls', async ({ asked, forward }) =>
      withJson(await forward(asked), (body) => ({ ...body, data: [], total: 0 })),
    ),
  ),
  mutant(
    'calls: one that is connected is not found',
    'CALL-ACTIVE',
    shown((call) => (isIn('CONNECTED')(call) ? undefined : call)),
  ),
  mutant(
    'calls: one that is held is not found',
    'CALL-HOLD-SIGNALLED',
    shown((call) => (isIn('ON_HOLD')(call) ? undefined : call)),
  ),
  { id: 'calls: one that has ended is still found', clauses: ['CALL-GONE', 'CALL-DELETED-GONE'], begin: lasting },
  { id: 'calls: one that has ended is still listed', clauses: ['CALL-GONE-LIST'], begin: listedForEver },
  mutant(
    'calls: all are in one state',
    ['CALL-STATE-OF', 'CALL-STATE-HELD'],
    shown((call) => ({ ...call, state: 1 })),
  ),
  mutant(
    'calls: a hold is not seen',
    'CALL-STATE-HELD',
    shown((call) => (isIn('ON_HOLD')(call) ? { ...call, state: codes.CONNECTED } : call)),
  ),
  mutant(
    'calls: duration stands still',
    'CALL-DURATION',
    shown((call) => ({ ...call, duration: 1 })),
  ),
  mutant(
    'calls: src and dst are the other way round',
    'CALL-PARTIES',
    shown((call) => ({ ...call, src: call.dst, dst: call.src })),
  ),
  mutant(
    'calls: start_time is in local time',
    'CALL-TIMES',
    shown((call) => ({ ...call, start_time: Number(call.start_time) + 3600 })),
  ),
  mutant('calls: POST /calls calls nobody', 'CALL-PLACED', on('createCall', pretended)),
  mutant(
    'calls: POST /calls tells a wrong id',
    ['CALL-PLACED-ID', 'CALL-PLACED-EVENTS'],
    on('createCall', async ({ asked, forward }) =>
      withJson(await forward(asked), (body) =>
        isObject(body.data) ? { ...body, data: { ...body.data, id: Number(body.data.id) + 5_000_000 } } : undefined,
      ),
    ),
  ),
  mutant(
    'calls: DELETE does not hang up',
    ['CALL-DELETED', 'CALL-DELETED-GONE'],
    on('deleteCall', async () => madeEmpty(204)),
  ),
  mutant('calls: a transfer is ignored', 'CALL-TRANSFERRED', ignoring('dst')),
  mutant('calls: a ringing call is not answered by PATCH', 'CALL-ANSWERED', ignoring('state')),
  mutant('calls: the command to record is ignored', ['CALL-RECORDED', 'MONITOR-FOUND'], ignoring('monitor_state')),
  mutant(
    'calls: an action is refused',
    'CALL-LABELLED',
    on('updateCall', async ({ asked, forward }) =>
      'action_url' in bodyOf(asked) ? made(400, { message: 'No.', errors: ['No.'] }) : forward(asked),
    ),
  ),
  mutant(
    'calls: recording is not seen',
    'MONITOR-STATE',
    shown((call) => ({ ...call, monitor_state: 0 })),
  ),
];
