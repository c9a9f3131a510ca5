// Carries bytes into the file, a load after the other and no more at a time than nobody notices; the row of a load comes with its last part. Knows no SQL.
import type { Bulk, Load } from '../kernel/bulk.ts';
import type { Key } from '../store/collection.ts';
import type { DataFile, Part, Row } from './data-file.ts';

/** Bytes that one transaction takes: some milliseconds, two minutes of sound. A load that comes alone and is no larger is kept at once. */
export const CARRIED_BYTES = 1024 * 1024;
/** Until the next transaction takes its share, ms. */
export const NEXT_SHARE_MS = 20;

export interface Place {
  readonly section: string;
  readonly owner: number;
  readonly key: Key;
}

interface Waiting {
  readonly place: Place;
  readonly load: Load;
  /** Its number in the file, once a part of it is there. */
  bulk: number | undefined;
  carried: number;
}

/** What one transaction takes. */
export interface Share {
  readonly rows: readonly Row[];
  readonly parts: readonly Part[];
  /** To be called when the transaction is done. */
  readonly done: () => void;
}

/** Bytes that are in the file. */
export class FileBulk implements Bulk {
  readonly number: number;
  readonly count: number;
  readonly #file: Pick<DataFile, 'part'>;

  constructor(file: Pick<DataFile, 'part'>, number: number, count: number) {
    this.#file = file;
    this.number = number;
    this.count = count;
  }

  part(at: number): Uint8Array | undefined {
    return this.#file.part(this.number, at);
  }
}

export class BulkPorter {
  readonly #file: DataFile;
  readonly #waiting = new Map<string, Waiting>();

  constructor(file: DataFile) {
    this.#file = file;
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Instead of what waits for the same place. */
  add(name: string, place: Place, load: Load): void {
    this.forget(name);
    this.#waiting.set(name, { place, load, bulk: undefined, carried: 0 });
  }

  forget(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    this.#waiting.delete(name);
    if (waiting.bulk !== undefined) this.#file.discard(waiting.bulk);
  }

  /** Of what waits nothing is kept. What is in the file of it already goes when it is opened next. */
  clear(): void {
    this.#waiting.clear();
  }

  share(): Share {
    const rows: Row[] = [];
    const parts: Part[] = [];
    const finished: Array<() => void> = [];
    let bytes = 0;
    for (const [name, waiting] of this.#waiting) {
      if (bytes >= CARRIED_BYTES) break;
      const { place, load } = waiting;
      waiting.bulk ??= this.#file.nextBulk();
      const { bulk } = waiting;
      bytes += carry(waiting, bulk, CARRIED_BYTES - bytes, parts);
      if (waiting.carried < load.bulk.count) continue;
      this.#waiting.delete(name);
      rows.push(bulkRow(place, load, bulk));
      finished.push(() => load.onKept?.(new FileBulk(this.#file, bulk, load.bulk.count)));
    }
    return { rows, parts, done: () => finished.forEach((tell) => void tell()) };
  }
}

/** Adds parts of it until there is no more room or no more of them: how many bytes. */
function carry(waiting: Waiting, bulk: number, room: number, parts: Part[]): number {
  const { load } = waiting;
  let bytes = 0;
  for (; waiting.carried < load.bulk.count && bytes < room; waiting.carried += 1) {
    const part = load.bulk.part(waiting.carried) ?? new Uint8Array();
    parts.push({ bulk, at: waiting.carried, bytes: part });
    bytes += part.length;
  }
  return bytes;
}

/** What a row of bytes says. */
export interface BulkFacts {
  readonly parts: number;
  readonly facts: unknown;
}

export function bulkRow(place: Place, { facts, bulk: { count } }: Load, bulk: number): Row {
  return { ...place, value: JSON.stringify({ parts: count, facts } satisfies BulkFacts), bulk };
}
