// The file of --data: opened, and asked whether it agrees with the other flags. Loads SQLite only when there is one.
import type { ClockMode } from '../kernel/clock.ts';
import { isoText } from '../kernel/time.ts';
import { factsOf } from '../simulator.ts';
import { DataTrouble, SqliteFile } from '../wires/sqlite-file.ts';
import { UsageError } from './errors.ts';

export interface DataWishes {
  /** Undefined: whatever the file says. */
  readonly seed: number | string | undefined;
  readonly clock: ClockMode;
  /** ms since 1970. */
  readonly start: number | undefined;
  /** Past calls that a new world would begin with. */
  readonly history: number | undefined;
}

export interface KeptData {
  readonly file: SqliteFile;
  /** What the file says, if it says anything. */
  readonly seed?: number | string;
  readonly startMs?: number;
  /** Whatever is found wrong in the file while `start` reads it is a `UsageError`. */
  readonly refusing: <T>(start: () => T) => T;
}

/** Every refusal is a `UsageError`, and the file is closed again then. */
export function openData(path: string, wishes: DataWishes): KeptData {
  const file = refusing(() => SqliteFile.open(path));
  try {
    return file.isNew ? { file, refusing } : refusing(() => agreed(file, wishes));
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A file that cannot be used is a wrong flag; one that fails later is not. */
function refusing<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw error instanceof DataTrouble ? new UsageError(error.message) : error;
  }
}

function agreed(file: SqliteFile, { seed, clock, start, history }: DataWishes): KeptData {
  const facts = factsOf(file);
  if (seed !== undefined && seed !== facts.seed)
    throw new UsageError(
      `--seed ${seed}: ${file.path} was made with seed ${facts.seed}; leave --seed out, or name another file.`,
    );
  if (history !== undefined)
    throw new UsageError(
      `--history ${history}: ${file.path} has its history already; leave --history out, or name a file that is not there yet.`,
    );
  if (clock === 'real') return { file, refusing, seed: facts.seed };
  if (start !== undefined && start < facts.at)
    throw new UsageError(
      `--start ${isoText(start)}: the clock of ${file.path} stands at ${isoText(facts.at)}, and time does not go back; leave --start out, or name a later time.`,
    );
  return { file, refusing, seed: facts.seed, startMs: start ?? facts.at };
}
