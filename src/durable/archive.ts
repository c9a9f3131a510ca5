// The snapshots in a world's file: copies of what it holds, each at a place of its own. Knows no SQL.
import { type WorldState, withoutCalls } from '../world-state.ts';
import type { DataFile } from './data-file.ts';
import type { Keeper } from './keeper.ts';
import { worldFacts } from './rows.ts';

export interface Archive {
  /** `at` in ms since 1970 on the clock. */
  list(): Array<{ readonly id: number; readonly at: number }>;
  save(id: number): void;
  load(id: number): WorldState;
  drop(id: number): void;
}

export function archiveIn(file: DataFile, keeper: Keeper): Archive {
  return {
    list: () => file.places().map((id) => ({ id, at: worldFacts(file, id).at })),
    save: (id) => keeper.copyTo(id),
    load: (id) => {
      const { state } = keeper.stateAt(id);
      return { ...state, store: withoutCalls(state.store) };
    },
    drop: (id) => keeper.drop(id),
  };
}
