// One customer's rows, by id, in chunks, with their indexes. Knows no query and no other customer.
import { ID_BLOCK } from '../../kernel/ids.ts';
import { CHUNK_ROWS, Chunk, type Owner } from './chunk.ts';
import type { Column } from './column.ts';
import type { RowForm } from './row-form.ts';
import { SortedIndex } from './sorted-index.ts';

type Members = Readonly<Record<string, unknown>>;

interface ColumnIndex {
  readonly column: Column;
  readonly entries: SortedIndex;
}

export class Table {
  readonly customerId: number;
  readonly form: RowForm;
  /** How many rows there are. */
  count = 0;
  /** Ids that are not of the customer's block. */
  readonly strays = new Set<number>();
  readonly #firstId: number;
  #owner: Owner = {};
  /** By their first id. */
  #chunks: Chunk[] = [];
  readonly #indexes: ReadonlyMap<string, ColumnIndex>;

  constructor(customerId: number, form: RowForm, indexes: Iterable<readonly [string, ColumnIndex]>) {
    this.customerId = customerId;
    this.form = form;
    this.#firstId = customerId * ID_BLOCK + 1;
    this.#indexes = new Map(indexes);
  }

  static empty(customerId: number, form: RowForm, indexed: readonly string[]): Table {
    const columns = indexed.flatMap((name) => form.column(name) ?? []);
    return new Table(
      customerId,
      form,
      columns.map((column) => [column.name, { column, entries: new SortedIndex() }]),
    );
  }

  /** A copy that shares everything until either changes it. */
  fork(): Table {
    const indexes = [...this.#indexes].map(
      ([name, { column, entries }]) => [name, { column, entries: entries.fork() }] as const,
    );
    const copy = new Table(this.customerId, this.form, indexes);
    copy.#chunks = [...this.#chunks];
    copy.count = this.count;
    for (const id of this.strays) copy.strays.add(id);
    this.#owner = {};
    return copy;
  }

  index(property: string): SortedIndex | undefined {
    return this.#indexes.get(property)?.entries;
  }

  has(id: number): boolean {
    return this.find(id) !== undefined;
  }

  /** The chunk that has the row; undefined when there is no such row. */
  find(id: number): Chunk | undefined {
    const chunk = this.#chunks[this.#search(id)];
    return chunk !== undefined && id >= chunk.firstId && chunk.has(chunk.at(id)) ? chunk : undefined;
  }

  read(id: number): Record<string, unknown> | undefined {
    const chunk = this.find(id);
    return chunk === undefined ? undefined : this.form.read(chunk, chunk.at(id));
  }

  /** Adds the row, or puts it in place of the one that is there. */
  write(id: number, record: Members): void {
    const chunk = this.#writable(id);
    const at = chunk.at(id);
    chunk.reach(at);
    const isNew = !chunk.has(at);
    const before = isNew ? [] : [...this.#indexes.values()].map(({ column }) => column.keyAt(chunk, at));
    if (isNew) {
      chunk.count += 1;
      this.count += 1;
      if (Math.floor(id / ID_BLOCK) !== this.customerId) this.strays.add(id);
    }
    this.form.write(chunk, at, record);
    let index = 0;
    for (const { column, entries } of this.#indexes.values()) {
      const was = before[index];
      const is = column.keyAt(chunk, at);
      index += 1;
      // Most changes of a record leave most keys as they are.
      if (was === is) continue;
      if (was !== undefined) entries.remove(was, id);
      entries.add(is, id);
    }
  }

  delete(id: number): boolean {
    if (!this.has(id)) return false;
    const chunk = this.#writable(id);
    const at = chunk.at(id);
    for (const { column, entries } of this.#indexes.values()) entries.remove(column.keyAt(chunk, at), id);
    this.form.clear(chunk, at);
    chunk.count -= 1;
    this.count -= 1;
    this.strays.delete(id);
    if (chunk.count === 0) this.#chunks.splice(this.#search(id), 1);
    return true;
  }

  /** The first id above `id`; rows may come and go between two calls. */
  nextId(id: number): number | undefined {
    for (let number = this.#search(id); number < this.#chunks.length; number += 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined) break;
      for (let at = chunk.at(Math.max(id + 1, chunk.firstId)); at < chunk.words.length; at += chunk.stride)
        if (chunk.has(at)) return chunk.idAt(at);
    }
    return undefined;
  }

  /** Ids by their rank, from 0: whole chunks are passed over. */
  slice(start: number, limit: number): number[] {
    const ids: number[] = [];
    let rank = 0;
    for (const chunk of this.#chunks) {
      if (rank + chunk.count > start) {
        for (let at = 0; at < chunk.words.length && ids.length < limit; at += chunk.stride) {
          if (!chunk.has(at)) continue;
          if (rank >= start) ids.push(chunk.idAt(at));
          rank += 1;
        }
      } else rank += chunk.count;
      if (ids.length >= limit) break;
    }
    return ids;
  }

  /** How many rows have ids between these, whole chunks counted. */
  countBetween(lowest: number, highest: number): number {
    let rows = 0;
    for (let number = this.#search(lowest); number < this.#chunks.length; number += 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined || chunk.firstId > highest) break;
      rows += chunk.count;
    }
    return rows;
  }

  /** Visits the rows between two ids, oldest first, until `visit` returns false. Nothing may change meanwhile. */
  scan(lowest: number, highest: number, visit: (chunk: Chunk, at: number) => boolean): void {
    for (let number = this.#search(lowest); number < this.#chunks.length; number += 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined || chunk.firstId > highest) return;
      const { words, stride } = chunk;
      const end = Math.min(words.length, chunk.at(highest) + 1);
      for (let at = chunk.at(Math.max(lowest, chunk.firstId)); at < end; at += stride)
        if (chunk.has(at) && !visit(chunk, at)) return;
    }
  }

  /** The number of the chunk that covers the id, or of the next one. Where ids leave no gap, the first guess is right. */
  #search(id: number): number {
    const chunks = this.#chunks;
    const guess = Math.floor((id - (chunks[0]?.firstId ?? 0)) / CHUNK_ROWS);
    const guessed = chunks[guess];
    if (guessed !== undefined && id >= guessed.firstId && id < guessed.firstId + CHUNK_ROWS) return guess;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((chunks[middle]?.firstId ?? 0) + CHUNK_ROWS <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The chunk for the id, made if need be, and ours alone. */
  #writable(id: number): Chunk {
    const number = this.#search(id);
    const found = this.#chunks[number];
    if (found !== undefined && id >= found.firstId) {
      if (found.owner === this.#owner) return found;
      const copy = found.copyFor(this.#owner);
      this.#chunks[number] = copy;
      return copy;
    }
    const firstId = this.#firstId + Math.floor((id - this.#firstId) / CHUNK_ROWS) * CHUNK_ROWS;
    const fresh = new Chunk(this.#owner, firstId, this.customerId * ID_BLOCK, this.form.stride);
    this.#chunks.splice(number, 0, fresh);
    return fresh;
  }
}
