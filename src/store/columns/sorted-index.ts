// Ids in the order of a key: what equal values, ranges and sorting are answered from. Knows no column and no row.
import type { Owner } from './chunk.ts';

const BLOCK_ENTRIES = 512;
const FIRST_ENTRIES = 16;

/** A run of entries, ordered by key and then by id. */
class Block {
  readonly owner: Owner;
  keys: Float64Array;
  ids: Float64Array;
  count: number;
  /** All its ids lie between these; they are not drawn in when one goes. */
  lowest = Number.POSITIVE_INFINITY;
  highest = Number.NEGATIVE_INFINITY;

  constructor(owner: Owner, keys = new Float64Array(FIRST_ENTRIES), ids = new Float64Array(FIRST_ENTRIES), count = 0) {
    this.owner = owner;
    this.keys = keys;
    this.ids = ids;
    this.count = count;
    for (let at = 0; at < count; at += 1) this.#widen(ids[at] as number);
  }

  copyFor(owner: Owner): Block {
    return new Block(owner, this.keys.slice(), this.ids.slice(), this.count);
  }

  insert(at: number, key: number, id: number): void {
    if (this.count === this.keys.length) {
      this.keys = grown(this.keys);
      this.ids = grown(this.ids);
    }
    if (at < this.count) {
      this.keys.copyWithin(at + 1, at, this.count);
      this.ids.copyWithin(at + 1, at, this.count);
    }
    this.keys[at] = key;
    this.ids[at] = id;
    this.count += 1;
    this.#widen(id);
  }

  remove(at: number): void {
    this.keys.copyWithin(at, at + 1, this.count);
    this.ids.copyWithin(at, at + 1, this.count);
    this.count -= 1;
  }

  /** The later half of its entries, which it loses. */
  split(): Block {
    const middle = this.count >> 1;
    const later = new Block(this.owner, this.keys.slice(middle), this.ids.slice(middle), this.count - middle);
    this.count = middle;
    return later;
  }

  /** Where the first entry stands that is not before (key, id). */
  search(key: number, id: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.isBefore(middle, key, id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isBefore(at: number, key: number, id: number): boolean {
    const found = this.keys[at] as number;
    return found < key || (found === key && (this.ids[at] as number) < id);
  }

  #widen(id: number): void {
    if (id < this.lowest) this.lowest = id;
    if (id > this.highest) this.highest = id;
  }
}

/** A place among the entries: one past the last is a place, too. */
interface Place {
  readonly block: number;
  readonly at: number;
}

/** Entries that stand together. */
export interface Span {
  readonly from: Place;
  readonly to: Place;
  readonly count: number;
}

export class SortedIndex {
  #owner: Owner = {};
  #blocks: Block[] = [];

  /** A copy that shares all blocks until either changes one. */
  fork(): SortedIndex {
    const copy = new SortedIndex();
    copy.#blocks = [...this.#blocks];
    this.#owner = {};
    return copy;
  }

  add(key: number, id: number): void {
    const place = this.#place(key, id);
    const isEnd = place.block === this.#blocks.length;
    const at = isEnd ? place.block - 1 : place.block;
    const block = this.#owned(at);
    if (block === undefined || (isEnd && block.count === BLOCK_ENTRIES)) {
      const fresh = new Block(this.#owner);
      fresh.insert(0, key, id);
      this.#blocks.push(fresh);
    } else if (block.count < BLOCK_ENTRIES) block.insert(isEnd ? block.count : place.at, key, id);
    else {
      this.#blocks.splice(at + 1, 0, block.split());
      this.add(key, id);
    }
  }

  remove(key: number, id: number): void {
    const { block: number, at } = this.#place(key, id);
    const block = this.#owned(number);
    if (block === undefined || block.keys[at] !== key || block.ids[at] !== id) return;
    block.remove(at);
    if (block.count === 0) this.#blocks.splice(number, 1);
  }

  /** The entries from the first that is not before `from` to the last that is before `to`; each is a key and an id. */
  span(from: readonly [key: number, id: number], to: readonly [key: number, id: number]): Span {
    const start = this.#place(...from);
    const end = this.#place(...to);
    let count = end.block < start.block ? 0 : end.at - start.at;
    for (let block = start.block; block < end.block; block += 1) count += this.#blocks[block]?.count ?? 0;
    return count > 0 ? { from: start, to: end, count } : { from: start, to: start, count: 0 };
  }

  /** Between which ids all of a span lie, both included. At times wider than need be, never too narrow. */
  window({ from, to, count }: Span): readonly [lowest: number, highest: number] {
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    if (count === 0) return [lowest, highest];
    for (let number = from.block; number <= to.block; number += 1) {
      const block = this.#blocks[number];
      if (block === undefined) break;
      const start = number === from.block ? from.at : 0;
      const end = number === to.block ? to.at : block.count;
      const isWhole = start === 0 && end === block.count;
      for (let at = start; at < end && !isWhole; at += 1) {
        lowest = Math.min(lowest, block.ids[at] as number);
        highest = Math.max(highest, block.ids[at] as number);
      }
      if (!isWhole) continue;
      lowest = Math.min(lowest, block.lowest);
      highest = Math.max(highest, block.highest);
    }
    return [lowest, highest];
  }

  /** The ids of a span, in the order of their keys. */
  ids({ from, to }: Span): number[] {
    const found: number[] = [];
    for (let number = from.block; number <= to.block; number += 1) {
      const block = this.#blocks[number];
      if (block === undefined) break;
      const end = number === to.block ? to.at : block.count;
      for (let at = number === from.block ? from.at : 0; at < end; at += 1) found.push(block.ids[at] as number);
    }
    return found;
  }

  /** Some ids by their rank in the whole index, from 0. Descending, ids of equal keys still rise. */
  slice(start: number, limit: number, descending: boolean): number[] {
    const found: number[] = [];
    if (!descending) {
      for (let place = this.#atRank(start); place !== undefined && found.length < limit; place = this.#after(place))
        found.push(this.#id(place));
      return found;
    }
    const all = this.span(
      [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ).count;
    for (let rank = start; rank < all && found.length < limit; ) {
      const last = this.#atRank(all - 1 - rank);
      if (last === undefined) break;
      const key = this.#blocks[last.block]?.keys[last.at] ?? 0;
      const run = this.span([key, Number.NEGATIVE_INFINITY], [key, Number.POSITIVE_INFINITY]);
      const above = this.span([key, Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
      const skipped = rank - above.count;
      const taken = Math.min(run.count - skipped, limit - found.length);
      for (let place: Place | undefined = this.#forward(run.from, skipped), n = 0; place && n < taken; n += 1) {
        found.push(this.#id(place));
        place = this.#after(place);
      }
      rank += taken;
    }
    return found;
  }

  #place(key: number, id: number): Place {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = this.#blocks[middle];
      if (block?.isBefore(block.count - 1, key, id) === true) low = middle + 1;
      else high = middle;
    }
    return { block: low, at: this.#blocks[low]?.search(key, id) ?? 0 };
  }

  #atRank(rank: number): Place | undefined {
    return this.#forward({ block: 0, at: 0 }, rank);
  }

  /** The place so many entries further on. */
  #forward({ block, at }: Place, entries: number): Place | undefined {
    let rest = at + entries;
    for (let number = block; number < this.#blocks.length; number += 1) {
      const count = this.#blocks[number]?.count ?? 0;
      if (rest < count) return { block: number, at: rest };
      rest -= count;
    }
    return undefined;
  }

  #after(place: Place): Place | undefined {
    return this.#forward(place, 1);
  }

  #id({ block, at }: Place): number {
    return this.#blocks[block]?.ids[at] ?? 0;
  }

  #owned(number: number): Block | undefined {
    const block = this.#blocks[number];
    if (block === undefined || block.owner === this.#owner) return block;
    const copy = block.copyFor(this.#owner);
    this.#blocks[number] = copy;
    return copy;
  }
}

function grown(array: Float64Array): Float64Array {
  const larger = new Float64Array(Math.min(array.length * 2, BLOCK_ENTRIES));
  larger.set(array);
  return larger;
}
