// The snapshots that the control API keeps, by number. Outlives resets and restores; knows nothing of what is in them.
import { failure, type Result, success } from '../kernel/errors.ts';

/** Snapshots that are kept at a time. They share every record that has not changed in between. */
export const MAX_SNAPSHOTS = 20;

export interface SnapshotView {
  readonly id: number;
  /** ms since 1970 on the clock, when it was taken. */
  readonly at: number;
}

export class SnapshotShelf<State extends { readonly at: number }> {
  readonly #take: () => State;
  readonly #restore: (state: State) => void;
  readonly #states = new Map<number, State>();
  #lastId = 0;

  constructor(simulator: { readonly take: () => State; readonly restore: (state: State) => void }) {
    this.#take = simulator.take;
    this.#restore = simulator.restore;
  }

  /** `conflict` when there are as many as there may be. */
  take(): Result<SnapshotView> {
    if (this.#states.size >= MAX_SNAPSHOTS)
      return failure('conflict', `There are ${MAX_SNAPSHOTS} snapshots, and no more are kept: remove one first.`);
    const state = this.#take();
    this.#lastId += 1;
    this.#states.set(this.#lastId, state);
    return success({ id: this.#lastId, at: state.at });
  }

  /** Oldest first. */
  list(): SnapshotView[] {
    return [...this.#states].map(([id, { at }]) => ({ id, at }));
  }

  /** The snapshot stays: it can be restored again. */
  restore(id: number): Result<SnapshotView> {
    const state = this.#states.get(id);
    if (state === undefined) return unknownSnapshot(id);
    this.#restore(state);
    return success({ id, at: state.at });
  }

  remove(id: number): Result<void> {
    return this.#states.delete(id) ? success(undefined) : unknownSnapshot(id);
  }
}

function unknownSnapshot(id: number): Result<never> {
  return failure('not_found', Number.isNaN(id) ? 'There is no such snapshot.' : `There is no snapshot ${id}.`);
}
