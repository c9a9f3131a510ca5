// Where answers go: to where the request came from (RFC 3261, 18.2.2; RFC 3581, 4). Knows no transactions.
import { readHead } from './sip-head.ts';
import type { Flow } from './wire.ts';

/** Requests remembered that did not come the usual way; the oldest is forgotten first. */
const MAX_PATHS = 256;

export class ReturnPath {
  readonly #usual: Flow;
  readonly #others = new Map<string, Flow>();

  constructor(usual: Flow) {
    this.#usual = usual;
  }

  /** Takes note of what came on a flow. */
  came(flow: Flow, text: string): void {
    const head = flow === this.#usual ? undefined : readHead(text);
    if (head === undefined || head.status !== undefined) return;
    this.#others.set(head.branch, flow);
    for (const oldest of this.#others.keys()) {
      if (this.#others.size <= MAX_PATHS) break;
      this.#others.delete(oldest);
    }
  }

  /** The flow for what we send: that of the request for an answer, the usual one for all else. */
  of(text: string): Flow {
    const head = this.#others.size === 0 ? undefined : readHead(text);
    const other = head?.status === undefined ? undefined : this.#others.get(head.branch);
    return other?.open === true ? other : this.#usual;
  }
}
