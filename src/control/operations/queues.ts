// Queues as a supervisor sees them: who waits, what each agent does; agents log in and out. Knows no call.
import { boolean } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { members, shape } from '../shapes.ts';

export const queueRows: readonly ControlRow[] = [
  row({
    id: 'getQueue',
    method: 'GET',
    path: '/queues/{id}',
    summary: 'A queue as it is now: who waits, and what each of its agents does.',
    success: 200,
    answer: shape('Queue'),
    errors: [404],
    handle: ({ path }, { exchange }) => {
      const view = exchange.queues.view(idIn(path.id));
      return view === undefined ? noQueue(path.id) : success(view);
    },
  }),
  row({
    id: 'logAgent',
    method: 'PUT',
    path: '/queues/{id}/agents/{user_id}',
    summary: 'Log an agent in to the queue, or out of it, as *45 and its extension do.',
    body: members({ status: boolean({ description: 'logged in' }) }, ['status']),
    success: 200,
    answer: shape('Queue'),
    errors: [400, 404],
    handle: ({ path, body }, { exchange, clock }) => {
      const [queueId, userId] = [idIn(path.id), idIn(path.user_id)];
      if (exchange.queues.view(queueId) === undefined) return noQueue(path.id);
      if (!exchange.queues.login(queueId, userId, body.status))
        return failure('not_found', `User ${path.user_id} is no agent of queue ${path.id}.`);
      clock.settle();
      return success(exchange.queues.view(queueId));
    },
  }),
];

function noQueue(id: string | undefined): Result<never> {
  return failure('not_found', `There is no queue ${id}.`);
}
