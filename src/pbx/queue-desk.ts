// What a supervisor sees of a queue, and does with its agents. Moves no call.
import type { User } from '../contract/resources/customer.ts';
import type { AgentState, QueueDesk, QueueView } from './face.ts';
import type { Queue } from './place.ts';
import { agentsWithCalls, freeAgents, logAgent } from './queue-agents.ts';
import type { Switchboard } from './switchboard.ts';

export function queueDesk(board: Switchboard): QueueDesk {
  return {
    view: (queueId) => {
      const queue = board.store.queues.get(queueId);
      return queue && viewOf(board, queue);
    },
    login: (queueId, userId, isIn) => {
      const queue = board.store.queues.get(queueId);
      return queue !== undefined && logAgent(board, queue, userId, isIn);
    },
  };
}

function viewOf(board: Switchboard, queue: Queue): QueueView {
  const { store, queues, clock, calls } = board;
  const now = clock.now();
  const waiting = queues.get(queue.id)?.callers ?? [];
  return {
    queue_id: queue.id,
    customer_id: store.queues.customerOf(queue.id) ?? 0,
    name: queue.name,
    callers: waiting.map(({ callId, since }, index) => ({
      call_id: callId,
      position: index + 1,
      waited_s: Math.floor((now - since) / 1000),
      from: calls.get(callId)?.src.number ?? '',
      state: calls.get(callId)?.queueState ?? '',
    })),
    agents: queue.users.flatMap(({ id, status }) => {
      const user = board.directory.user(id);
      if (user === undefined) return [];
      const state = status && user.active ? stateOf(board, queue, user) : 'logged_out';
      return [{ user_id: id, ext: user.ext, status, state, taken: queues.log.takenBy(id, queue.id) }];
    }),
  };
}

function stateOf(board: Switchboard, queue: Queue, user: User): AgentState {
  const { ringing, busy } = agentsWithCalls(board, user.customer);
  if (ringing.has(user.id)) return 'ringing';
  if (busy.has(user.id)) return 'talking';
  if (board.queues.log.restsUntil(user.id) > board.clock.now()) return 'resting';
  return freeAgents(board, board.queues.log, queue, [user]).length > 0 ? 'free' : 'unreachable';
}
