// Rows of neighbouring ids in one array: each row is a run of cells, each cell one word. Knows no collection.
import { unshared } from '../../kernel/unshared.ts';

/** Ids that one chunk covers. */
export const CHUNK_ROWS = 512;
const FIRST_ROWS = 16;

/** A cell that holds nothing. As a row's first cell: there is no such row. */
export const ABSENT = -0x8000_0000;

/** Values that fit no word, side by side with the rows that have them. */
class LooseValues {
  readonly #values: unknown[];
  readonly #free: number[];

  constructor(values: unknown[] = [], free: number[] = []) {
    this.#values = values;
    this.#free = free;
  }

  get(slot: number): unknown {
    return this.#values[slot];
  }

  put(value: unknown): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = typeof value === 'string' ? unshared(value) : value;
    return slot;
  }

  drop(slot: number): void {
    this.#values[slot] = undefined;
    this.#free.push(slot);
  }

  copy(): LooseValues {
    return new LooseValues([...this.#values], [...this.#free]);
  }
}

/** Whose chunk or block it is: only its owner may write to it, everybody else takes a copy first. */
export type Owner = object;

export class Chunk {
  readonly owner: Owner;
  /** The id of its first row, whether there is one or not. */
  readonly firstId: number;
  /** Where the ids of the customer begin: cells with an id count from here. */
  readonly block: number;
  /** Cells of a row. */
  readonly stride: number;
  words: Int32Array;
  readonly loose: LooseValues;
  /** Rows that are there. */
  count = 0;

  constructor(owner: Owner, firstId: number, block: number, stride: number, from?: Chunk) {
    this.owner = owner;
    this.firstId = firstId;
    this.block = block;
    this.stride = stride;
    this.words = from?.words.slice() ?? new Int32Array(FIRST_ROWS * stride).fill(ABSENT);
    this.loose = from?.loose.copy() ?? new LooseValues();
    this.count = from?.count ?? 0;
  }

  copyFor(owner: Owner): Chunk {
    return new Chunk(owner, this.firstId, this.block, this.stride, this);
  }

  /** Where the row of an id begins in `words`; the row may be absent, and beyond what there is room for yet. */
  at(id: number): number {
    return (id - this.firstId) * this.stride;
  }

  idAt(at: number): number {
    return this.firstId + at / this.stride;
  }

  has(at: number): boolean {
    return at < this.words.length && this.words[at] !== ABSENT;
  }

  /** Makes room for the row that begins there. */
  reach(at: number): void {
    let length = this.words.length;
    if (at < length) return;
    while (at >= length) length *= 2;
    const words = new Int32Array(Math.min(length, CHUNK_ROWS * this.stride)).fill(ABSENT, this.words.length);
    words.set(this.words);
    this.words = words;
  }
}
