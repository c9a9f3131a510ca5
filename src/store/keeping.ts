// What it takes to keep state beyond the process, as ports: who says what has changed, and what waits until it is kept. Knows no file.
import type { Key } from './collection.ts';

/**
 * Told by whoever remembers something that a part of it is another now. `owner` and `key` find the part within its section;
 * `read` gives it, as JSON holds it, when it is to be written: undefined when it is gone. What is kept `later` is kept
 * within a second, and no answer waits for it.
 */
export type Mark = (section: string, owner: number, key: Key, read: () => unknown, when?: 'now' | 'later') => void;

/** For whoever remembers in memory alone. */
export const markNothing: Mark = () => {};

/** Where answers wait for what they acknowledge. */
export interface Outgoing {
  /** True when everything is kept: an answer may leave at once. */
  readonly isClear: boolean;
  /** Calls `send` when everything that has changed until now is kept; never when it cannot be. */
  leave(send: () => void): void;
}
