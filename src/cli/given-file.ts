// A file that a command is given to read: one that cannot be read is a wrong command. Knows nothing of what is in it.
import { FileTrouble, readTextFile } from '../wires/files.ts';
import { UsageError } from './errors.ts';

/** Its text. Rejects with `UsageError`; `what` says what it was to be. */
export async function readGivenFile(path: string, what: string): Promise<string> {
  try {
    return await readTextFile(path, what);
  } catch (error) {
    throw error instanceof FileTrouble ? new UsageError(error.message) : error;
  }
}
