// Deliberate faults: set, listed, removed. Knows nothing of what they do.
import { failure, success } from '../../kernel/errors.ts';
import { readFault } from '../fault-words.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { listOf, shape } from '../shapes.ts';

export const faultRows: readonly ControlRow[] = [
  row({
    id: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'The faults that are set, with how often each matched and acted.',
    success: 200,
    answer: listOf('Fault'),
    errors: [],
    handle: (_input, { faults }) => {
      const data = faults.list();
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'setFault',
    method: 'POST',
    path: '/faults',
    summary:
      'Set a fault behind those that are set: of the rules that match a message the first that acts has it. On a manual clock what is delayed waits for the clock.',
    body: shape('FaultRule'),
    success: 201,
    answer: shape('Fault'),
    errors: [400, 409],
    handle: ({ body }, { faults }) => {
      const draft = readFault(body);
      return draft.ok ? faults.set(draft.value) : draft;
    },
  }),
  row({
    id: 'removeFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove every fault.',
    success: 204,
    errors: [],
    handle: (_input, { faults }) => {
      faults.clear();
      return success(undefined);
    },
  }),
  row({
    id: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Remove one fault.',
    success: 204,
    errors: [404],
    handle: ({ path }, { faults }) => {
      const { id = '' } = path;
      return faults.remove(idIn(id)) ? success(undefined) : failure('not_found', `There is no fault ${id}.`);
    },
  }),
];
