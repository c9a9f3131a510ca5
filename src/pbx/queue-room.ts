// A queue while callers wait in it: who is before whom, and which agents are rung for which caller. Knows neither sounds nor keys.
import type { User } from '../contract/resources/customer.ts';
import type { Timer } from '../kernel/clock.ts';
import type { DomainEvent } from './events.ts';
import type { Queue } from './place.ts';
import { AgentLog, freeAgents, loggedIn, nextAgents } from './queue-agents.ts';
import type { Switchboard } from './switchboard.ts';

/** How often a queue looks whether an agent could be rung for whom nobody was: phones register, users want calls again. */
const LOOK_MS = 1000;
/** An agent whose phone refused is not rung again in the same moment, whatever `retry` says. */
const SHORTEST_RETRY_MS = 1000;
const MINUTE_MS = 60_000;

/** A caller, as the room sees it. */
export interface Waiting {
  readonly callId: number;
  /** When it came, ms since 1970. */
  readonly since: number;
  /** The user who calls, whose own phone is not rung for it; null for an outsider. */
  readonly userId: number | null;
  /** Nobody is rung for it, or has answered. */
  readonly isIdle: boolean;
  /** Rings these, in the queue as it is set now. */
  ring(agents: readonly User[], queue: Queue): void;
  /** The queue is none any more, or has nobody and lets nobody wait for nobody. It leaves the room before this returns. */
  turnedAway(): void;
}

export class QueueRoom {
  readonly #board: Switchboard;
  readonly #log: AgentLog;
  readonly #queueId: number;
  readonly #onEmpty: () => void;
  /** In the order in which they came, and who was rung for each in this round. */
  readonly #callers = new Map<Waiting, Set<number>>();
  /** Until when agents who did not answer are left alone, ms since 1970. */
  readonly #leftAlone = new Map<number, number>();
  readonly #stopListening: () => void;
  #timer: Timer | undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(board: Switchboard, log: AgentLog, queue: Queue, onEmpty: () => void) {
    this.#board = board;
    this.#log = log;
    this.#queueId = queue.id;
    this.#onEmpty = onEmpty;
    const customerId = board.store.queues.customerOf(queue.id);
    this.#stopListening = board.calls.subscribe((event) => {
      if (event.customerId === customerId && isEnd(event)) this.lookSoon();
    });
  }

  get size(): number {
    return this.#callers.size;
  }

  /** In the order in which they are served. */
  get callers(): readonly Waiting[] {
    return [...this.#callers.keys()];
  }

  /** The queue as it is set now; undefined when it was removed. */
  get queue(): Queue | undefined {
    return this.#board.store.queues.get(this.#queueId);
  }

  /** Comes last. `look` is the caller's to ask for, when it is ready. */
  enter(caller: Waiting): void {
    this.#callers.set(caller, new Set());
  }

  /** Whoever was behind it moves up. */
  leave(caller: Waiting): void {
    if (!this.#callers.delete(caller)) return;
    if (this.#callers.size > 0) return this.lookSoon();
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#stopListening();
    this.#onEmpty();
  }

  /** 1 for who is next. */
  positionOf(caller: Waiting): number {
    return [...this.#callers.keys()].indexOf(caller) + 1;
  }

  /** How long the caller will wait, in whole minutes and at least one: as long as others did, for each place before it. */
  minutesToWait(caller: Waiting): number {
    const usualMs = this.#log.usualWaitMs(this.#queueId) ?? 0;
    return Math.max(1, Math.ceil((usualMs * this.positionOf(caller)) / MINUTE_MS));
  }

  /** The agent did not take the caller: others come first, and it is left alone for a while. */
  spared(agent: User): void {
    const { retry = 0 } = this.queue ?? {};
    this.#leftAlone.set(agent.id, this.#board.clock.now() + Math.max(SHORTEST_RETRY_MS, retry * 1000));
  }

  /** Looks when the present step is over: several changes are one reason. */
  lookSoon(): void {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#board.clock.soon(() => {
      this.#isLooking = false;
      this.look();
    });
  }

  /** Gives each caller for whom nobody is rung the agents who are free, first come, first served. */
  look(): void {
    this.#timer?.cancel();
    if (this.#isClosed) return;
    const { queue } = this;
    const agents = queue === undefined ? [] : loggedIn(this.#board, queue);
    if (queue === undefined) this.#log.forgetQueue(this.#queueId);
    if (queue === undefined || (agents.length === 0 && !queue.join_empty)) return this.#turnAllAway();
    const now = this.#board.clock.now();
    for (const [id, until] of this.#leftAlone) if (until <= now) this.#leftAlone.delete(id);
    if (this.#isSomebodyIdle()) this.#serve(queue, freeAgents(this.#board, this.#log, queue, agents));
    if (!this.#isSomebodyIdle()) return;
    // A look may have come from within this one.
    this.#timer?.cancel();
    this.#timer = this.#board.clock.after(this.#untilNextMs(agents), `look of queue ${this.#queueId}`, () =>
      this.look(),
    );
  }

  /** Of the agents who are free each rings for one caller at a time. */
  #serve(queue: Queue, free: readonly User[]): void {
    let left = free.filter(({ id }) => !this.#leftAlone.has(id));
    if (left.length === 0) return;
    for (const [caller, tried] of [...this.#callers]) {
      if (left.length === 0) return;
      if (!this.#callers.has(caller) || !caller.isIdle) continue;
      const able = left.filter(({ id }) => id !== caller.userId);
      const fresh = able.filter(({ id }) => !tried.has(id));
      if (fresh.length === 0) tried.clear();
      const next = nextAgents(queue, fresh.length === 0 ? able : fresh, this.#log, this.#board.chance);
      left = left.filter((agent) => !next.includes(agent));
      for (const { id } of next) {
        tried.add(id);
        this.#log.rang(this.#queueId, id);
      }
      if (next.length > 0) caller.ring(next, queue);
    }
  }

  #isSomebodyIdle(): boolean {
    for (const { isIdle } of this.#callers.keys()) if (isIdle) return true;
    return false;
  }

  /** To the next moment at which an agent is known to be free again, at most a second. */
  #untilNextMs(agents: readonly User[]): number {
    const now = this.#board.clock.now();
    const moments = agents.map(({ id }) => Math.max(this.#log.restsUntil(id), this.#leftAlone.get(id) ?? 0));
    return Math.min(LOOK_MS, ...moments.filter((at) => at > now).map((at) => at - now));
  }

  #turnAllAway(): void {
    for (const caller of [...this.#callers.keys()]) if (caller.isIdle) caller.turnedAway();
  }
}

/** The queues in which somebody waits, and what all of them remember of their agents. */
export class QueueRooms {
  readonly log = new AgentLog();
  readonly #rooms = new Map<number, QueueRoom>();

  /** Callers in all queues. */
  get waiting(): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + room.size, 0);
  }

  /** The room of a queue in which somebody waits. */
  get(queueId: number): QueueRoom | undefined {
    return this.#rooms.get(queueId);
  }

  /** The room of a queue, made for its first caller and gone with its last. */
  open(board: Switchboard, queue: Queue): QueueRoom {
    const known = this.#rooms.get(queue.id);
    if (known !== undefined) return known;
    const room = new QueueRoom(board, this.log, queue, () => this.#rooms.delete(queue.id));
    this.#rooms.set(queue.id, room);
    return room;
  }
}

function isEnd(event: DomainEvent): boolean {
  return event.kind === 'call' && ['call.hangup', 'call.missed', 'call.failed'].includes(event.name);
}
