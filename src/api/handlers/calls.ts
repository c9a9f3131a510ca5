// Live calls: read them, place them, change them, end them. Every change is a command to the exchange. Knows no signalling.
import { callStateCodes, monitorStateCodes, wordOf } from '../../contract/codes.ts';
import type { CreateCallBody, LiveCall, UpdateCallBody } from '../../contract/resources/calls.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import type { CallChanges, LiveCallView, RecordingAct } from '../../pbx/face.ts';
import { accessMatrix, isOwnCall, isOwnRecord } from '../access.ts';
import { forbidden, notFound, reaches, readId, readPage, sourceOf } from '../reading.ts';
import { type ApiDeps, type ApiRequest, type Links, many, manyWithin, nothing, type Outcome, one } from '../request.ts';
import { messagesOf } from '../trace-files.ts';

function listCalls(request: ApiRequest, { exchange }: ApiDeps): Outcome {
  const { caller } = request;
  const views = exchange.liveCalls(caller.customerId).filter((view) => reaches(caller, view, isOwnCall));
  const page = readPage(request, 'calls', sourceOf(views.map(({ record }) => record)));
  return page.ok ? many(page.value) : page;
}

function getCall(request: ApiRequest, deps: ApiDeps): Outcome {
  const view = findCall(request, deps);
  return view.ok ? shown(request, view.value.record) : view;
}

/** Rings the phone of `from`, by default the caller's own: CHOICE-CALL-FROM. */
function createCall(request: ApiRequest<CreateCallBody>, deps: ApiDeps): Outcome {
  const { caller, body } = request;
  const { customerId } = caller;
  const userId = body.from === undefined ? caller.user.id : Number(body.from);
  if (deps.store.users.customerOf(userId) !== customerId)
    return failure('invalid', 'The call cannot be placed.', [`from: there is no user ${userId}`]);
  if (accessMatrix[caller.rank].records === 'own' && userId !== caller.user.id) return forbidden('users', caller);
  const callerId = body.caller_id;
  if (callerId !== undefined && !mayShow(deps, customerId, callerId))
    return failure('invalid', 'The call cannot be placed.', [
      'caller_id: expected anonymous or a number of this account',
    ]);
  const command = { customerId, userId, to: body.to, ...(callerId === undefined ? {} : { callerId }) };
  const call = deps.exchange.clickToCall(command);
  return call.ok ? shown(request, call.value) : call;
}

/** Answers 301 without Location when the phone has obeyed: CHOICE-CALL-301. */
function updateCall(request: ApiRequest<UpdateCallBody>, deps: ApiDeps): Outcome | Promise<Outcome> {
  const view = findCall(request, deps);
  if (!view.ok) return view;
  const { id } = view.value.record;
  return new Promise((resolve) => {
    deps.exchange.changeCall(id, request.caller.user.id, changesOf(request.body), (changed) =>
      resolve(changed.ok ? shown(request, changed.value) : refusedBy(changed)),
    );
  });
}

/** A call that ended meanwhile answers as one that is not there. */
function refusedBy(refusal: Result<never>): Outcome {
  return !refusal.ok && refusal.failure.kind === 'not_found' ? notFound('calls') : refusal;
}

function deleteCall(request: ApiRequest, deps: ApiDeps): Outcome {
  const view = findCall(request, deps);
  if (!view.ok) return view;
  const { id } = view.value.record;
  return deps.exchange.hangUp(id) ? nothing(id) : notFound('calls');
}

function listCallMonitors(request: ApiRequest, deps: ApiDeps): Outcome {
  const view = findCall(request, deps);
  if (!view.ok) return view;
  const { caller, root } = request;
  const { record } = view.value;
  const { monitors } = deps.store;
  const recordings = monitors
    .find('live_id', record.id)
    .filter((one) => monitors.customerOf(one.id) === caller.customerId && reaches(caller, one, isOwnRecord));
  const page = readPage(request, 'monitors', sourceOf(recordings));
  const links = { self: `${root}/calls/${record.id}/monitors`, call: `${root}/calls/${record.id}` };
  return page.ok ? manyWithin(record, page.value, links, record.id) : page;
}

/** The SIP messages so far: CHOICE-CALL-TRACE. */
function getCallTrace(request: ApiRequest, deps: ApiDeps): Outcome {
  const view = findCall(request, deps);
  if (!view.ok) return view;
  const { root } = request;
  const { record } = view.value;
  const trace = deps.traces.read(record.id);
  const page = readPage(request, 'calltraces', sourceOf(trace.ok ? messagesOf(trace.value) : []));
  const links = { self: `${root}/calls/${record.id}/trace`, call: `${root}/calls/${record.id}` };
  return page.ok ? manyWithin(record, page.value, links) : page;
}

function findCall({ params, caller }: ApiRequest, { exchange }: ApiDeps): Result<LiveCallView> {
  const id = readId(params.id);
  const view = id === undefined ? undefined : exchange.liveCall(id);
  if (view === undefined || view.customerId !== caller.customerId) return notFound('calls');
  return reaches(caller, view, isOwnCall) ? success(view) : forbidden('calls', caller);
}

/** A live call with its links. */
export function shown({ root }: Pick<ApiRequest, 'root'>, call: LiveCall): Outcome {
  return one(call, callLinks(root, call), call.id);
}

function callLinks(root: string, { id }: LiveCall): Links {
  return { self: `${root}/calls/${id}`, monitors: `${root}/calls/${id}/monitors` };
}

/** Only numbers of one's own account may be shown to the called party. */
function mayShow({ store }: ApiDeps, customerId: number, callerId: string): boolean {
  if (callerId === 'anonymous') return true;
  const digits = callerId.replace('+', '');
  const found = [...store.ddis.find('e164', `+${digits}`), ...store.ddis.find('e164', digits)];
  return found.some(({ id }) => store.ddis.customerOf(id) === customerId);
}

function changesOf(body: UpdateCallBody): CallChanges {
  const { dst, state, labels, action_url, action_text, monitor_state } = body;
  const word = typeof state === 'number' ? wordOf(callStateCodes, state) : state;
  return {
    ...(labels === undefined ? {} : { labels }),
    ...(action_url === undefined ? {} : { actionUrl: action_url }),
    ...(action_text === undefined ? {} : { actionText: action_text }),
    ...(dst === undefined ? {} : { dst }),
    ...(word === undefined ? {} : { state: word }),
    ...(monitor_state === undefined ? {} : { recording: actOf(monitor_state) }),
  };
}

/** An act as it is, or the one that leads to the state of that number (CHOICE-MONITOR-STATE). */
function actOf(written: NonNullable<UpdateCallBody['monitor_state']>): RecordingAct {
  if (typeof written === 'number') return written === monitorStateCodes.codes.paused ? 'pause' : 'start';
  return written as RecordingAct;
}

export const callHandlers = { listCalls, getCall, createCall, updateCall, deleteCall, listCallMonitors, getCallTrace };
