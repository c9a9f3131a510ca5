// Steps against the REST API: requests by operation id, the live call, its records and recordings. Knows the contract, no phone.
import { callStateCodes } from '../../../contract/codes.ts';
import type { Operation } from '../../../contract/operation.ts';
import { operationById } from '../../../contract/operations.ts';
import { statusesOf } from '../../language/check-meaning.ts';
import type { CdrStep, LiveCallStep, RecordingStep, RestStep } from '../../language/document.ts';
import type { Count } from '../../language/shapes.ts';
import { differences, pointerDifferences, shown, valueAt } from '../../matching.ts';
import type { Target } from '../../target/target.ts';
import type { Difference } from '../difference.ts';
import { boundsOf, times } from '../event-check.ts';
import type { RestAnswer, RestRequest } from '../rest-client.ts';
import type { Seen } from '../scenario-time.ts';
import type { Stage } from '../stage.ts';
import { never, not, outcomeOf, patienceOf, type StepOutcome, so } from './outcome.ts';

type Look = Seen<RestAnswer, Difference>;

export async function runRest(step: RestStep, stage: Stage): Promise<StepOutcome> {
  const operation = operationById(step.rest);
  if (operation === undefined) return { expected: `operation ${step.rest}`, actual: 'the contract has none' };
  const request: RestRequest = {
    operation,
    as: operation.auth === 'none' && step.as === undefined ? undefined : stage.credentials(step.as),
    ...(step.path === undefined ? {} : { path: step.path }),
    ...(step.query === undefined ? {} : { query: step.query }),
    ...(step.body === undefined ? {} : { body: step.body }),
  };
  const once = () => look(step, request, stage);
  const { eventually } = step;
  const seen =
    eventually === undefined
      ? await once()
      : await stage.time.until(once, patienceOf(eventually.within, eventually.hold_for));
  if (seen.is === 'so') captureAll(step.capture, seen.value.body, stage);
  return outcomeOf(seen);
}

async function look(step: RestStep, request: RestRequest, stage: Stage): Promise<Look> {
  const { operation } = request;
  const curl = stage.rest.curl(request);
  const outcome = await stage.rest.send(request);
  const wanted = statusesOf(step);
  const statuses = wanted.length > 0 ? wanted : operation.success;
  if (!outcome.ok)
    return not({ expected: `${operation.id} answers ${statuses.join(' or ')}`, actual: outcome.error, curl });
  const { status, body, headers, text } = outcome.answer;
  if (!statuses.includes(status)) {
    const actual = `${status} ${body === undefined ? text.slice(0, 200) : shown(body)}`;
    return not({ expected: `${operation.id} answers ${statuses.join(' or ')}`, actual, curl });
  }
  const [wrong] = [
    ...pointerDifferences(body, step.expect?.body ?? {}),
    ...Object.entries(step.expect?.headers ?? {}).flatMap(([name, value]) =>
      differences(headers[name.toLowerCase()], value, `header ${name}`),
    ),
  ];
  if (wrong !== undefined) return not({ ...wrong, expected: `${operation.id} with ${wrong.expected}`, curl });
  const lost = Object.entries(step.capture ?? {}).find(([, pointer]) => valueAt(body, pointer) === undefined);
  if (lost !== undefined) return not({ pointer: lost[1], expected: `a value for ${lost[0]}`, actual: 'nothing', curl });
  return so(outcome.answer);
}

function captureAll(captures: Readonly<Record<string, string>> | undefined, value: unknown, stage: Stage): void {
  for (const [name, pointer] of Object.entries(captures ?? {})) stage.capture(name, valueAt(value, pointer), pointer);
}

/** Members of a record. */
type Fields = Readonly<Record<string, unknown>>;

export async function runLiveCall(step: LiveCallStep, stage: Stage): Promise<StepOutcome> {
  const seen = await stage.time.until(() => lookAtCall(step, stage), patienceOf(step.within, step.hold_for));
  if (seen.is === 'so' && seen.value !== undefined) {
    captureAll(step.capture, seen.value, stage);
    stage.noteCall(seen.value.id);
  }
  return outcomeOf(seen);
}

async function lookAtCall(step: LiveCallStep, stage: Stage): Promise<Seen<Fields | undefined, Difference>> {
  const found = await liveCall(step, stage);
  if ('difference' in found) return not(found.difference);
  const { call, curl } = found;
  const states = step.state === undefined ? [] : [step.state].flat();
  if (states.includes('gone')) {
    return call === undefined
      ? so(undefined)
      : not({ expected: 'no live call', actual: `it is ${stateWords(call.state)}`, curl });
  }
  const expected = states.length === 0 ? 'a live call' : `a live call that is ${states.join(' or ')}`;
  if (call === undefined) return not({ expected, actual: 'there is none', curl });
  if (states.length > 0 && !states.some((word) => isState(call.state, word, stage.target))) {
    return not({ pointer: '/state', expected, actual: stateWords(call.state), curl });
  }
  const [wrong] = pointerDifferences(call, step.expect ?? {});
  return wrong === undefined ? so(call) : not({ ...wrong, expected: `a live call with ${wrong.expected}`, curl });
}

type Found = { readonly call: Fields | undefined; readonly curl: string } | { readonly difference: Difference };

/** By id, or the one between two phones: either may be shown as caller. */
async function liveCall(step: LiveCallStep, stage: Stage): Promise<Found> {
  const as = stage.credentials(step.as);
  if (!Array.isArray(step.live_call)) {
    const request = { operation: operationById('getCall'), as, path: { id: step.live_call } };
    return found(
      request,
      stage,
      (answer) => (answer.status === 404 ? undefined : valueAt(answer.body, '/data')),
      [200, 404],
    );
  }
  const [one, other] = (step.live_call as readonly string[]).map((name) => namesOf(name, stage));
  const request = { operation: operationById('listCalls'), as, query: { limit: 5000 } };
  return found(
    request,
    stage,
    ({ body }) => {
      const calls = valueAt(body, '/data');
      if (!Array.isArray(calls)) return undefined;
      const isEnd = (names: readonly string[] | undefined, value: unknown): boolean =>
        names?.some((name) => digits(value) === name) === true;
      const isBetween = (src: unknown, dst: unknown): boolean =>
        (isEnd(one, src) && isEnd(other, dst)) || (isEnd(other, src) && isEnd(one, dst));
      // Numbers first: a queue or a menu may have the id of a user.
      return (
        calls.find((call: Fields) => isBetween(call.src, call.dst)) ??
        calls.find((call: Fields) => isBetween(call.src_id, call.dst_id))
      );
    },
    [200],
  );
}

async function found(
  request: RestRequest,
  stage: Stage,
  pick: (answer: RestAnswer) => unknown,
  statuses: readonly number[],
): Promise<Found> {
  const curl = stage.rest.curl(request);
  const outcome = await stage.rest.send(request);
  const expected = `${request.operation.id} answers ${statuses.join(' or ')}`;
  if (!outcome.ok) return { difference: { expected, actual: outcome.error, curl } };
  const { answer } = outcome;
  if (!statuses.includes(answer.status)) {
    return { difference: { expected, actual: `${answer.status} ${shown(answer.body)}`, curl } };
  }
  const call = pick(answer);
  return { call: typeof call === 'object' && call !== null ? (call as Fields) : undefined, curl };
}

/** Everything that a call may show for a phone: extension, number, user id; digits alone. */
function namesOf(name: string, stage: Stage): string[] {
  const at = stage.phones.get(name);
  return [at?.phone.number, at?.user?.number, at?.user?.id]
    .filter((one) => one !== undefined)
    .map((one) => digits(one));
}

function digits(value: unknown): string {
  return String(value).replace(/^\+/, '');
}

/**
 * Words are those of the specification. It gives them no numbers: what a target shows instead is judged where somebody has
 * said what it means, and otherwise it may mean what is expected.
 */
function isState(actual: unknown, word: string, { callStates }: Target): boolean {
  if (callStateCodes.words.some((known) => known === actual)) return actual === word;
  return callStates === undefined ? actual !== undefined && actual !== null : callStates[word] === actual;
}

function stateWords(state: unknown): string {
  const word = typeof state === 'number' ? callStateCodes.byCode.get(state) : undefined;
  return word === undefined ? shown(state) : `${word} (${state})`;
}

/** The records, or recordings, of a call: as many as expected, each as expected. */
export async function runHistory(step: CdrStep | RecordingStep, stage: Stage): Promise<StepOutcome> {
  const [id, operation] =
    'cdr' in step ? [step.cdr, operationById('listCdrs')] : [step.recording, operationById('listMonitors')];
  const filter = [{ property: 'live_id', operator: 'eq', value: Number(id) }];
  const request = { operation, as: stage.credentials(step.as), query: { filter, limit: 100 } };
  const seen = await stage.time.until(() => lookAtHistory(step, request, stage), patienceOf(step.within));
  if (seen.is === 'so' && seen.value[0] !== undefined) captureAll(step.capture, seen.value[0], stage);
  return outcomeOf(seen);
}

interface HistoryRequest extends RestRequest {
  readonly operation: Operation;
}

async function lookAtHistory(
  step: { readonly expect?: Fields; readonly count?: Count },
  request: HistoryRequest,
  stage: Stage,
): Promise<Seen<readonly Fields[], Difference>> {
  const curl = stage.rest.curl(request);
  const outcome = await stage.rest.send(request);
  if (!outcome.ok) return not({ expected: `${request.operation.id} answers 200`, actual: outcome.error, curl });
  const { status, body } = outcome.answer;
  if (status !== 200)
    return never({ expected: `${request.operation.id} answers 200`, actual: `${status} ${shown(body)}`, curl });
  const data = valueAt(body, '/data');
  const records = Array.isArray(data) ? (data as Fields[]) : [];
  const what = request.operation.id === 'listCdrs' ? 'record of the call' : 'recording of the call';
  const [least, most] = boundsOf(step.count ?? 1);
  if (records.length < least || records.length > most) {
    return not({
      pointer: '/data',
      expected: `${times(least, most)} ${what}`,
      actual: String(records.length),
      curl,
    });
  }
  for (const [index, record] of records.entries()) {
    const [wrong] = pointerDifferences(record, step.expect ?? {});
    if (wrong !== undefined) {
      const expected = `${what} with ${wrong.expected}`;
      return not({ ...wrong, expected, pointer: `/data/${index}${wrong.pointer}`, curl });
    }
  }
  return so(records);
}
