// The agents of queues: who is logged in, who could take a call now, and who is rung next (CHOICE-QUEUE-STRATEGIES). Rings nobody.
import { queueStrategyCodes, wordOf } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Random } from '../kernel/random.ts';
import type { Leg } from './leg.ts';
import type { Queue } from './place.ts';
import type { Switchboard } from './switchboard.ts';

/** Waits of callers whom an agent took: as many as an estimate is made of. */
const REMEMBERED_WAITS = 10;

/** What an agent has done since the exchange began. */
interface Deeds {
  /** When its last call from a queue ended, ms since 1970; 0 for none yet. */
  idleSince: number;
  /** Until then it rests, ms since 1970. */
  restsUntil: number;
  /** How many callers it took, per queue. */
  readonly taken: Map<number, number>;
}

/** What queues remember of their agents between callers. */
export class AgentLog {
  readonly #deeds = new Map<number, Deeds>();
  /** Who was rung last, per queue. */
  readonly #last = new Map<number, number>();
  readonly #waitsMs = new Map<number, number[]>();
  /** Agents with a caller, by their leg, and how long they rest afterwards. */
  readonly #talking = new Map<Leg, { readonly userId: number; readonly restMs: number }>();

  /** The agent has answered a caller of that queue. */
  took(queue: Queue, leg: Leg): void {
    const { userId } = leg.party;
    if (userId !== null) this.#talking.set(leg, { userId, restMs: queue.wrap_up_time * 1000 });
  }

  /** Agent and caller were joined. */
  joined(queue: Queue, { party: { userId } }: Leg, waitedMs: number): void {
    if (userId !== null) this.#of(userId).taken.set(queue.id, this.takenBy(userId, queue.id) + 1);
    this.#waitsMs.set(queue.id, [...(this.#waitsMs.get(queue.id) ?? []), waitedMs].slice(-REMEMBERED_WAITS));
  }

  /** To be told of every leg that is over, at that time. */
  legEnded(leg: Leg, now: number): void {
    const talking = this.#talking.get(leg);
    if (talking === undefined) return;
    this.#talking.delete(leg);
    const deeds = this.#of(talking.userId);
    deeds.idleSince = now;
    deeds.restsUntil = now + talking.restMs;
  }

  rang(queueId: number, userId: number): void {
    this.#last.set(queueId, userId);
  }

  lastRung(queueId: number): number | undefined {
    return this.#last.get(queueId);
  }

  restsUntil(userId: number): number {
    return this.#deeds.get(userId)?.restsUntil ?? 0;
  }

  idleSince(userId: number): number {
    return this.#deeds.get(userId)?.idleSince ?? 0;
  }

  takenBy(userId: number, queueId: number): number {
    return this.#deeds.get(userId)?.taken.get(queueId) ?? 0;
  }

  /** How long those waited on average whom agents of the queue took last; undefined when nobody was taken yet. */
  usualWaitMs(queueId: number): number | undefined {
    const waits = this.#waitsMs.get(queueId);
    return waits && waits.reduce((sum, ms) => sum + ms, 0) / waits.length;
  }

  forgetUser(userId: number): void {
    this.#deeds.delete(userId);
  }

  forgetQueue(queueId: number): void {
    this.#last.delete(queueId);
    this.#waitsMs.delete(queueId);
    for (const { taken } of this.#deeds.values()) taken.delete(queueId);
  }

  #of(userId: number): Deeds {
    const known = this.#deeds.get(userId);
    if (known !== undefined) return known;
    const deeds = { idleSince: 0, restsUntil: 0, taken: new Map() };
    this.#deeds.set(userId, deeds);
    return deeds;
  }
}

/** The agents that are logged in, in the queue's order. */
export function loggedIn(board: Switchboard, queue: Queue): User[] {
  const ids = new Set(queue.users.filter(({ status }) => status).map(({ id }) => id));
  const customerId = board.store.queues.customerOf(queue.id);
  const users = [...ids].flatMap((id) => board.directory.user(id) ?? []);
  return users.filter((user) => user.active && user.customer === customerId);
}

/** Logs an agent of the queue in or out; callers who wait are told. False for whoever is no agent there. */
export function logAgent(board: Switchboard, queue: Queue, userId: number, isIn: boolean): boolean {
  const { store, queues, journal } = board;
  if (!queue.users.some(({ id }) => id === userId)) return false;
  const users = queue.users.map((user) => (user.id === userId ? { ...user, status: isIn } : user));
  store.queues.update(queue.id, { users });
  const customerId = store.queues.customerOf(queue.id) ?? null;
  journal.append('queue.login', { callId: null, customerId, data: { queue: queue.id, user: userId, in: isIn } });
  queues.get(queue.id)?.lookSoon();
  return true;
}

/** Those of the agents who could be rung now: reachable, rested, not disturbed, and not talking where that counts. */
export function freeAgents(board: Switchboard, log: AgentLog, queue: Queue, agents: readonly User[]): User[] {
  const [first] = agents;
  if (first === undefined) return [];
  const now = board.clock.now();
  const ready = agents.filter(({ id, dnd }) => !dnd && log.restsUntil(id) <= now && board.registrar.isReached(id));
  // All calls of the account are walked past: only for somebody.
  if (ready.length === 0) return [];
  const { ringing, busy } = agentsWithCalls(board, first.customer);
  // Without call waiting a user takes one call at a time, whatever the queue likes.
  const isBusy = ({ id, cw }: User): boolean => busy.has(id) && (queue.skip_busy || !cw);
  return ready.filter((agent) => !isBusy(agent) && !ringing.has(agent.id));
}

/** Users of the account whose phones are called, and all who are party to a call. */
export function agentsWithCalls(
  { calls }: Switchboard,
  customerId: number,
): { readonly ringing: ReadonlySet<number>; readonly busy: ReadonlySet<number> } {
  const ringing = new Set<number>();
  const busy = new Set<number>();
  for (const call of calls.ofCustomer(customerId)) {
    for (const id of call.userIds()) busy.add(id);
    if (!call.isAnswered && call.dst.userId !== null) ringing.add(call.dst.userId);
  }
  return { ringing, busy };
}

/** Who is rung together, of agents that could be: all, or the one whose turn it is. */
export function nextAgents(queue: Queue, agents: readonly User[], log: AgentLog, chance: Random): User[] {
  const idle = (a: User, b: User): number => log.idleSince(a.id) - log.idleSince(b.id);
  const calls = (a: User, b: User): number => log.takenBy(a.id, queue.id) - log.takenBy(b.id, queue.id);
  switch (wordOf(queueStrategyCodes, queue.ring_strategy)) {
    case 'longest_idle':
      return agents.toSorted(idle).slice(0, 1);
    case 'fewest_calls':
      return agents.toSorted((a, b) => calls(a, b) || (queue.liaf ? idle(a, b) : 0)).slice(0, 1);
    case 'round_robin':
      return inTurn(queue, agents, log.lastRung(queue.id)).slice(0, 1);
    case 'linear':
      return agents.slice(0, 1);
    case 'random':
      return agents.length === 0 ? [] : agents.slice(chance.int(agents.length)).slice(0, 1);
    default:
      return [...agents];
  }
}

/** Beginning with whoever comes after the one rung last in the order of the queue. */
function inTurn(queue: Queue, agents: readonly User[], last: number | undefined): User[] {
  const order = queue.users.map(({ id }) => id);
  const after = order.indexOf(last ?? -1);
  const place = ({ id }: User): number => (order.indexOf(id) - after - 1 + order.length) % order.length;
  return agents.toSorted((a, b) => place(a) - place(b));
}
