// What the harness has made at a target: noted before it is asked for and before it is used, removed last in first out by its exact id.
import { type OperationId, operations } from '../../contract/operations.ts';

/** Where lines are kept; a file, so that they survive a crash. */
export interface LedgerLines {
  append(line: string): void;
  lines(): string[];
  remove(): void;
}

/** How a thing is removed: by the operation that removes such, or by the control API. */
export type Removal =
  | { readonly by: 'api'; readonly operation: OperationId }
  | { readonly by: 'control'; readonly path: string };

export interface LedgerEntry {
  readonly number: number;
  /** `/conferences`, the list that it is in. */
  readonly path: string;
  /** Undefined while nobody knows whether it was made. */
  readonly id: unknown;
  /** Undefined when nothing removes such a thing. */
  readonly removal: Removal | undefined;
  /** Id of the user who made it; undefined for the first user. */
  readonly by?: number;
}

type Line =
  | { readonly intends: number; readonly path: string; readonly removal?: Removal; readonly by?: number }
  | { readonly made: number; readonly id: unknown }
  | { readonly gone: number };

export class Ledger {
  readonly #lines: LedgerLines;
  readonly #entries = new Map<number, LedgerEntry>();
  #last = 0;
  readonly #before: number;

  /** Goes on where the lines end: what a crashed run has left is still in it. */
  constructor(lines: LedgerLines) {
    this.#lines = lines;
    for (const line of lines.lines()) this.#read(line);
    this.#before = this.#last;
  }

  /** Not left by an earlier one. */
  isOfThisRun({ number }: LedgerEntry): boolean {
    return number > this.#before;
  }

  /** What is there and not removed, the latest first. */
  get open(): readonly LedgerEntry[] {
    return [...this.#entries.values()].sort((a, b) => b.number - a.number);
  }

  /** Before the request leaves. `by`: whose request it is, unless it is the first user's. */
  intend(path: string, removal: Removal | undefined, by?: number): number {
    this.#last += 1;
    this.#write({
      ...{ intends: this.#last, path },
      ...(removal === undefined ? {} : { removal }),
      ...(by === undefined ? {} : { by }),
    });
    return this.#last;
  }

  /** Before the record is used. */
  made(number: number, id: unknown): void {
    this.#write({ made: number, id });
  }

  gone(number: number): void {
    this.#write({ gone: number });
  }

  /** A record is gone by another way. */
  goneById(path: string, id: unknown): void {
    for (const entry of this.#entries.values())
      if (entry.path === path && String(entry.id) === String(id)) this.gone(entry.number);
  }

  /** The file goes when nothing is left in it. */
  close(): void {
    if (this.#entries.size === 0) this.#lines.remove();
  }

  #write(line: Line): void {
    const text = JSON.stringify(line);
    this.#lines.append(text);
    this.#read(text);
  }

  #read(text: string): void {
    const line = lineIn(text);
    if (line === undefined) return;
    if ('intends' in line) {
      this.#last = Math.max(this.#last, line.intends);
      const { intends: number, path, removal, by } = line;
      this.#entries.set(number, { number, path, id: undefined, removal, ...(by === undefined ? {} : { by }) });
    } else if ('gone' in line) this.#entries.delete(line.gone);
    else {
      const entry = this.#entries.get(line.made);
      if (entry !== undefined) this.#entries.set(line.made, { ...entry, id: line.id });
    }
  }
}

/** A ledger for a target that is thrown away: nothing has to survive. */
export function memoryLines(): LedgerLines {
  return { append: () => {}, lines: () => [], remove: () => {} };
}

/** The list that a record is in, and what removes it; leads are live calls. */
export function removalOf(listPath: string): { readonly path: string; readonly removal: Removal | undefined } {
  const path = listPath === '/leadcalls' ? '/calls' : listPath;
  const operation = operations.find(
    ({ method, path: route }) => method === 'DELETE' && (route === `${path}/{id}` || route === `${path}/{ids}`),
  );
  return { path, removal: operation === undefined ? undefined : { by: 'api', operation: operation.id } };
}

function lineIn(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    // The line during which a crash happened: what it says was not done yet.
    return undefined;
  }
}
