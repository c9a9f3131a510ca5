// Which transactions, sessions and subscriptions are alive on which flow: they hear when it closes, and but for the last hold a fast clock while an external peer owes something.
import type { Clock } from '../kernel/clock.ts';
import type { Flow } from './flow.ts';

export interface FlowUser {
  flowClosed(why: string): void;
}

interface Use {
  readonly users: Set<FlowUser>;
  readonly release: (() => void) | undefined;
}

export class FlowUsers {
  readonly #clock: Clock;
  readonly #uses = new Map<Flow, Use>();
  readonly #watchers = new Map<Flow, Set<FlowUser>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(flow: Flow, user: FlowUser): void {
    let use = this.#uses.get(flow);
    if (use === undefined) {
      use = { users: new Set(), release: flow.external ? this.#clock.hold('external') : undefined };
      this.#uses.set(flow, use);
    }
    use.users.add(user);
  }

  leave(flow: Flow, user: FlowUser): void {
    const use = this.#uses.get(flow);
    if (use === undefined || !use.users.delete(user) || use.users.size > 0) return;
    this.#uses.delete(flow);
    use.release?.();
  }

  /** Hears when the flow closes, without holding a clock: for what may last for days while nobody owes anything. */
  watch(flow: Flow, user: FlowUser): void {
    const watchers = this.#watchers.get(flow);
    if (watchers === undefined) this.#watchers.set(flow, new Set([user]));
    else watchers.add(user);
  }

  unwatch(flow: Flow, user: FlowUser): void {
    const watchers = this.#watchers.get(flow);
    if (watchers?.delete(user) === true && watchers.size === 0) this.#watchers.delete(flow);
  }

  /** Tells all users of a flow that it is gone, in the order in which they came. */
  closed(flow: Flow, why: string): void {
    const users = [...(this.#uses.get(flow)?.users ?? []), ...(this.#watchers.get(flow) ?? [])];
    for (const user of users) user.flowClosed(why);
  }

  clear(): void {
    for (const use of this.#uses.values()) use.release?.();
    this.#uses.clear();
    this.#watchers.clear();
  }
}
