// Seeded chance, split by name: a new consumer never shifts the numbers that another one draws.

const HEX = '0123456789abcdef';
const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Where a generator stands. */
type Position = readonly [number, number, number, number];

/** Where every generator of one seed stands, by its path of names. */
export type RandomPositions = ReadonlyMap<string, Position>;

/** Generators split from one another, those that are still in use: a snapshot asks them all where they stand. */
class Family {
  readonly #members = new Map<string, WeakRef<Random>>();
  #sweepAt = 1024;

  add(path: string, member: Random): void {
    if (this.#members.size >= this.#sweepAt) {
      for (const [name, gone] of this.#members) if (gone.deref() === undefined) this.#members.delete(name);
      this.#sweepAt = Math.max(1024, this.#members.size * 2);
    }
    this.#members.set(path, new WeakRef(member));
  }

  *members(): IterableIterator<readonly [path: string, member: Random]> {
    for (const [path, reference] of this.#members) {
      const member = reference.deref();
      if (member !== undefined) yield [path, member];
    }
  }
}

/** A small fast counter generator (sfc32) seeded by a hash of its path of names. Not for secrets on a real network. */
export class Random {
  readonly #path: string;
  readonly #family: Family;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `family` is for `split` alone. */
  constructor(seed: number | string, path = '', family = new Family()) {
    this.#path = `${seed}/${path}`;
    this.#family = family;
    this.#a = hash(this.#path, 0x9e3779b9);
    this.#b = hash(this.#path, 0x85ebca6b);
    this.#c = hash(this.#path, 0xc2b2ae35);
    for (let i = 0; i < 12; i += 1) this.uint32();
    family.add(this.#path, this);
  }

  /** An independent generator for one purpose. The same name gives the same numbers, whatever was drawn before. */
  split(name: string): Random {
    return new Random(this.#path, name, this.#family);
  }

  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** In [0, 1). */
  float(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** A whole number in [0, below). */
  int(below: number): number {
    return Math.floor(this.float() * below);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.int(items.length)] ?? items[0];
  }

  hex(length: number): string {
    return inOnePiece(length, () => HEX.charCodeAt(this.uint32() & 15));
  }

  /** Letters and digits: safe in SIP tokens, URLs and Basic credentials. */
  token(length: number): string {
    return inOnePiece(length, () => TOKEN.charCodeAt(this.int(TOKEN.length)));
  }

  /** Where this generator and all that are split from it or from its origin stand, for snapshots. */
  positions(): RandomPositions {
    return new Map([...this.#family.members()].map(([path, member]) => [path, member.#position()]));
  }

  /** Sets every generator of the family that is in use where one of its name stood; the others stay where they are. */
  restore(positions: RandomPositions): void {
    for (const [path, member] of this.#family.members()) {
      const position = positions.get(path);
      if (position !== undefined) [member.#a, member.#b, member.#c, member.#counter] = position;
    }
  }

  #position(): Position {
    return [this.#a, this.#b, this.#c, this.#counter];
  }
}

/** Texts that were put together character by character would be kept as trees, of 32 bytes a character. */
function inOnePiece(length: number, draw: () => number): string {
  const codes: number[] = [];
  while (codes.length < length) codes.push(draw());
  return String.fromCharCode(...codes);
}

/** Mixes a text into 32 bits (a FNV-style walk with a final avalanche). */
function hash(text: string, salt: number): number {
  let h = salt | 0;
  for (let i = 0; i < text.length; i += 1) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h ^= h >>> 13;
  }
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
