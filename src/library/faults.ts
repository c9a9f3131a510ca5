// Deliberate faults as a test sets them. Knows nothing of what they do.
import type { FaultDraft, FaultView } from '../faults/rule.ts';
import { readFault, type Simulator } from '../simulator.ts';
import { granted } from './refusal.ts';

/** Faults at API responses, webhook attempts and SIP messages; none until they are set, all gone with a reset. */
export class SimulatorFaults {
  readonly #simulator: Simulator;

  /** @internal */
  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  /**
   * Sets a rule behind the others: `set({ match: { at: 'api', operation: 'listCalls' }, action: { do: 'status', status: 503
   * }, times: 2 })`. Throws `Refused` (`invalid`) naming what it does not know.
   */
  set(fault: FaultDraft): FaultView {
    return granted(this.#simulator.world.faults.set(granted(readFault(fault))));
  }

  /** With how often each matched and acted. */
  list(): FaultView[] {
    return this.#simulator.world.faults.list();
  }

  /** False when there is no such rule. */
  remove(id: number): boolean {
    return this.#simulator.world.faults.remove(id);
  }

  clear(): void {
    this.#simulator.world.faults.clear();
  }
}
