// The file in which a simulator of the library keeps its state: opened, and asked whether it agrees with the other options. Knows no SQL.
import type { ClockMode } from '../kernel/clock.ts';
import { isoText } from '../kernel/time.ts';
import { factsOf, Simulator, type SimulatorOptions } from '../simulator.ts';
import { DataTrouble, SqliteFile } from '../wires/sqlite-file.ts';
import { refusal } from './refusal.ts';

/** Every refusal is thrown as `Refused` (`conflict`), and the file is closed again then. */
export function keptSimulator(path: string, options: SimulatorOptions): Simulator {
  const file = refusing(() => SqliteFile.open(path));
  try {
    const agreed = file.isNew ? {} : refusing(() => agreement(file, options));
    return refusing(
      () => new Simulator({ ...options, ...agreed, data: file, onDataTrouble: (error) => throwAloud(error) }),
    );
  } catch (error) {
    file.close();
    throw error;
  }
}

/** What is answered is kept; what cannot be is never answered, so whoever waits for an answer has to hear why there is none. */
function throwAloud(error: Error): never {
  throw refused(error);
}

function refusing<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw refused(error);
  }
}

function refused(error: unknown): unknown {
  return error instanceof DataTrouble ? refusal('conflict', `data: ${error.sentence}`) : error;
}

/** Seed and time are those of the file. */
function agreement(
  file: SqliteFile,
  { seed, clock, startMs }: { readonly clock?: ClockMode } & Pick<SimulatorOptions, 'seed' | 'startMs'>,
): Pick<SimulatorOptions, 'seed' | 'startMs'> {
  const facts = factsOf(file);
  if (seed !== undefined && seed !== facts.seed)
    throw refusal(
      'conflict',
      `seed: ${file.path} was made with seed ${facts.seed}; leave seed out, or name another file.`,
    );
  if (clock === 'real') return { seed: facts.seed };
  if (startMs !== undefined && startMs < facts.at)
    throw refusal(
      'conflict',
      `start: the clock of ${file.path} stands at ${isoText(facts.at)}, and time does not go back; leave start out, or name a later time.`,
    );
  return { seed: facts.seed, startMs: startMs ?? facts.at };
}
