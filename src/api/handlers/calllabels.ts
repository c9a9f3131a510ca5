// Call labels: names and colours that people mark calls with. Knows no call.
import type { CallLabel, CreateCallLabelBody, UpdateCallLabelBody } from '../../contract/resources/calls.ts';
import { failure } from '../../kernel/errors.ts';
import { utcText } from '../../kernel/time.ts';
import { all, findRecord, notFound, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, nothing, type Outcome, one } from '../request.ts';

/** Call labels that one account may have. */
export const LABELS_PER_ACCOUNT = 10_000;

function listCallLabels(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'calllabels', store.calllabels, all);
  return page.ok ? many(page.value) : page;
}

function createCallLabel(request: ApiRequest<CreateCallLabelBody>, { store, clock }: ApiDeps): Outcome {
  const { body, caller } = request;
  const { calllabels } = store;
  if (calllabels.count(caller.customerId) >= LABELS_PER_ACCOUNT)
    return failure('invalid', `The account has ${LABELS_PER_ACCOUNT} call labels, the most that it may have.`);
  const label = calllabels.insert(caller.customerId, {
    id: calllabels.nextId(caller.customerId),
    name: body.name,
    color: body.color ?? '',
    created_at: utcText(clock.now()),
  });
  return shown(request, label);
}

function getCallLabel(request: ApiRequest, { store }: ApiDeps): Outcome {
  const label = findRecord(request, 'calllabels', store.calllabels, all);
  return label.ok ? shown(request, label.value) : label;
}

function updateCallLabel(request: ApiRequest<UpdateCallLabelBody>, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'calllabels', store.calllabels, all);
  if (!found.ok) return found;
  const { name, color } = request.body;
  const changes = { ...(name === undefined ? {} : { name }), ...(color === undefined ? {} : { color }) };
  const label = store.calllabels.update(found.value.id, changes);
  return label === undefined ? notFound('calllabels') : shown(request, label);
}

function deleteCallLabel(request: ApiRequest, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'calllabels', store.calllabels, all);
  if (!found.ok) return found;
  store.calllabels.delete(found.value.id);
  return nothing();
}

function shown({ root }: ApiRequest, label: CallLabel): Outcome {
  return one(label, { self: `${root}/calllabels/${label.id}` });
}

export const callLabelHandlers = { listCallLabels, createCallLabel, getCallLabel, updateCallLabel, deleteCallLabel };
