// Remembers the flow of each peer of a connectionless wire, within bounds. Knows nothing of sockets.
import type { Flow } from '../sip/flow.ts';

/**
 * A map of flows that forgets those used least lately. Two halves: what is used moves to the young one, and when that is
 * full the old one is dropped. So the last `capacity / 2` flows used are always there, and a look costs one map access.
 */
export class FlowMemory<F extends Flow> {
  readonly #half: number;
  #young = new Map<string, F>();
  #old = new Map<string, F>();

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  /** How many flows are remembered: at most the capacity. */
  get size(): number {
    let size = this.#young.size;
    for (const key of this.#old.keys()) if (!this.#young.has(key)) size += 1;
    return size;
  }

  /** The flow of that key, made when there is none. */
  get(key: string, make: () => F): F {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const flow = this.#old.get(key) ?? make();
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, flow);
    return flow;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
