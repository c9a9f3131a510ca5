// Which transactions and sessions are alive on which flow: they hear when it closes, and hold a fast clock while an external peer owes something.
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

  /** Tells all users of a flow that it is gone, in the order in which they came. */
  closed(flow: Flow, why: string): void {
    for (const user of [...(this.#uses.get(flow)?.users ?? [])]) user.flowClosed(why);
  }

  clear(): void {
    for (const use of this.#uses.values()) use.release?.();
    this.#uses.clear();
  }
}
