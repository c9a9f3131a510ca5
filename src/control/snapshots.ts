// The snapshots that the control API keeps, by number. Outlives resets and restores, and with an archive the process; knows
// nothing of what is in them.
import { failure, type Result, success } from '../kernel/errors.ts';

/** Snapshots that are kept at a time. They share every record that has not changed in between. */
export const MAX_SNAPSHOTS = 20;

export interface SnapshotView {
  readonly id: number;
  /** ms since 1970 on the clock, when it was taken. */
  readonly at: number;
}

/** Where snapshots outlive the process. */
export interface SnapshotArchive<State> {
  /** Those of earlier processes, oldest first. */
  list(): readonly SnapshotView[];
  /** Keeps what there is now. */
  save(id: number): void;
  load(id: number): State;
  drop(id: number): void;
}

export class SnapshotShelf<State extends { readonly at: number }> {
  readonly #take: () => State;
  readonly #restore: (state: State) => void;
  readonly #archive: SnapshotArchive<State> | undefined;
  /** Those of earlier processes are in the archive alone. */
  readonly #states = new Map<number, { readonly at: number; readonly state?: State }>();
  #lastId = 0;

  constructor(
    simulator: { readonly take: () => State; readonly restore: (state: State) => void },
    archive?: SnapshotArchive<State>,
  ) {
    this.#take = simulator.take;
    this.#restore = simulator.restore;
    this.#archive = archive;
    for (const { id, at } of archive?.list() ?? []) {
      this.#states.set(id, { at });
      this.#lastId = id;
    }
  }

  /** `conflict` when there are as many as there may be. */
  take(): Result<SnapshotView> {
    if (this.#states.size >= MAX_SNAPSHOTS)
      return failure('conflict', `There are ${MAX_SNAPSHOTS} snapshots, and no more are kept: remove one first.`);
    const state = this.#take();
    this.#lastId += 1;
    this.#states.set(this.#lastId, { at: state.at, state });
    this.#archive?.save(this.#lastId);
    return success({ id: this.#lastId, at: state.at });
  }

  /** Oldest first. */
  list(): SnapshotView[] {
    return [...this.#states].map(([id, { at }]) => ({ id, at }));
  }

  /** The snapshot stays: it can be restored again. */
  restore(id: number): Result<SnapshotView> {
    const kept = this.#states.get(id);
    const state = kept?.state ?? (kept === undefined ? undefined : this.#archive?.load(id));
    if (kept === undefined || state === undefined) return unknownSnapshot(id);
    this.#restore(state);
    return success({ id, at: kept.at });
  }

  remove(id: number): Result<void> {
    if (!this.#states.delete(id)) return unknownSnapshot(id);
    this.#archive?.drop(id);
    return success(undefined);
  }
}

function unknownSnapshot(id: number): Result<never> {
  return failure('not_found', Number.isNaN(id) ? 'There is no such snapshot.' : `There is no snapshot ${id}.`);
}
