// Whether a process grows with what it does: readings of its memory, and what each piece of work adds to it. Knows no work.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory after so much work. */
export interface Reading {
  readonly done: number;
  readonly bytes: number;
}

/** What objects and buffers take that somebody still holds. */
export async function liveBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  // Code that was not run lately would go after some collections, megabytes of it at once.
  setFlagsFromString('--no-flush-bytecode');
  const collect = runInNewContext('gc') as () => void;
  // What a WeakRef points to stays until the turn in which it was made or read is over, and buffers go a turn after their owners.
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes that a piece of work leaves behind: the middle one of the slopes between any two readings, which single steps do not move. */
export function growthOf(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, index) =>
    readings.slice(index + 1).map((other) => (other.bytes - one.bytes) / (other.done - one.done)),
  );
  slopes.sort((one, other) => one - other);
  const middle = slopes.length >> 1;
  const upper = slopes[middle] ?? 0;
  return slopes.length % 2 === 1 ? upper : ((slopes[middle - 1] ?? 0) + upper) / 2;
}
