// The phones of one or several agents ring for a caller of a queue, each as a call of its own whose parent is the caller's. Knows
// neither who comes next nor what agent and caller say to each other.
import type { User } from '../contract/resources/customer.ts';
import type { Timer } from '../kernel/clock.ts';
import type { Call } from './call.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { clidOf, type Shown } from './caller-id.ts';
import { CALLER_CANCELLED, type Cause, COMPLETED_ELSEWHERE, isCalleesWish, NO_ANSWER } from './causes.ts';
import { Dial } from './dial.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';

export interface AgentCall {
  readonly agent: User;
  /** The agent's: a child of the caller's. */
  readonly call: Call;
  /** Answered. */
  readonly leg: Leg;
}

export interface RingingEvents {
  /** The first of the phones rings. */
  onRinging(): void;
  /** This agent does not take the caller; the others ring on. */
  onSpared(agent: User): void;
  /** An agent has answered, and its call is connected; nothing else rings any more. Exactly one of onAnswered and onNobody comes. */
  onAnswered(answer: AgentCall): void;
  onNobody(): void;
}

export interface RingingOptions {
  /** The caller in the queue. */
  readonly call: Call;
  readonly caller: Leg;
  readonly codecs: readonly string[];
  readonly ringTimeMs: number;
  /** What the agent's phone shows. */
  readonly shown: (agent: User) => Shown;
  readonly maxForwards?: number;
  readonly events: RingingEvents;
}

interface Ringing {
  readonly agent: User;
  readonly dial: Dial;
}

export class AgentsRinging {
  readonly #board: Switchboard;
  readonly #options: RingingOptions;
  readonly #ringing = new Map<Call, Ringing>();
  #timer: Timer | undefined;
  #isInviting = false;
  #rang = false;
  #over = false;

  constructor(board: Switchboard, options: RingingOptions) {
    this.#board = board;
    this.#options = options;
  }

  /** Rings them all at once. Events may come before this returns. */
  start(agents: readonly User[]): void {
    const { call, ringTimeMs, events } = this.#options;
    this.#isInviting = true;
    for (const agent of agents) if (!this.#over) this.#ring(agent);
    this.#isInviting = false;
    if (this.#over) return;
    if (this.#ringing.size === 0) {
      this.#over = true;
      return events.onNobody();
    }
    this.#timer = this.#board.clock.after(ringTimeMs, `ring time of agents for call ${call.id}`, () => {
      this.#stopAll(NO_ANSWER, null, true);
      events.onNobody();
    });
  }

  /** Stops ringing; no event follows. The phones are told why, but for a caller who gave up. */
  cancel(cause: Cause): void {
    this.#stopAll(cause, cause === CALLER_CANCELLED ? 'caller' : null, false);
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return [...this.#ringing.values()].flatMap(({ dial }) => dial.ringing());
  }

  #ring(agent: User): void {
    const { call, caller, codecs, maxForwards, events } = this.#options;
    const { calls, directory } = this.#board;
    if (calls.size >= MAX_LIVE_CALLS) return events.onSpared(agent);
    const shown = this.#options.shown(agent);
    const child = calls.open({
      parent: call,
      isForGroup: true,
      customerId: call.customerId,
      direction: 'in',
      origin: call.origin,
      src: caller.party,
      dst: directory.partyOf(agent),
      clid: clidOf(shown),
      rate: 0,
    });
    const dial = new Dial(this.#board, {
      call: child,
      target: { kind: 'user', user: agent },
      shown,
      codecs,
      ...(maxForwards === undefined ? {} : { maxForwards }),
      isForGroup: true,
      events: {
        onInvited: (leg) => {
          child.dstLeg ??= leg;
          calls.move(child, 'invited');
        },
        onProvisional: (leg) => this.#provisional(child, leg),
        onRedirected: () => {},
        onAnswered: (leg) => this.#answered(child, agent, leg),
        onFailed: (cause) => this.#refused(child, agent, cause),
      },
    });
    child.srcLeg = caller;
    child.hangUp = (cause) => this.#dismiss(child, cause);
    child.ringing = () => dial.ringing();
    this.#ringing.set(child, { agent, dial });
    dial.start();
  }

  #provisional(child: Call, leg: Leg): void {
    child.dstLeg = leg;
    this.#board.calls.move(child, 'ringing');
    if (this.#rang) return;
    this.#rang = true;
    this.#options.events.onRinging();
  }

  #answered(child: Call, agent: User, leg: Leg): void {
    this.#ringing.delete(child);
    this.#close();
    child.dstLeg = leg;
    this.#board.calls.move(child, 'answered');
    this.#board.mediaStarted(child, leg);
    for (const [loser, { dial }] of this.#ringing) {
      dial.cancel(COMPLETED_ELSEWHERE);
      this.#board.calls.endElsewhere(loser);
    }
    this.#ringing.clear();
    this.#options.events.onAnswered({ agent, call: child, leg });
  }

  #refused(child: Call, agent: User, cause: Cause): void {
    this.#ringing.delete(child);
    this.#options.events.onSpared(agent);
    this.#board.calls.end(child, cause, isCalleesWish(cause) ? 'callee' : null);
    if (this.#ringing.size > 0 || this.#isInviting || this.#over) return;
    this.#close();
    this.#options.events.onNobody();
  }

  /** Somebody ends the call of one agent: its phone rings no more. */
  #dismiss(child: Call, cause: Cause): void {
    const ringing = this.#ringing.get(child);
    if (ringing === undefined) return;
    ringing.dial.cancel(cause);
    this.#refused(child, ringing.agent, cause);
  }

  #stopAll(cause: Cause, by: 'caller' | null, isSpared: boolean): void {
    this.#close();
    const stopped = [...this.#ringing];
    this.#ringing.clear();
    for (const [child, { agent, dial }] of stopped) {
      dial.cancel(cause);
      if (isSpared) this.#options.events.onSpared(agent);
      this.#board.calls.end(child, cause, by);
    }
  }

  #close(): void {
    this.#over = true;
    this.#timer?.cancel();
  }
}
