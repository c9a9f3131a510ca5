// One property of every record of a collection: how its values become words of 32 bits and come back. Knows no row.
import { ID_BLOCK } from '../../kernel/ids.ts';
import { type FieldKind, keyOf } from '../conditions.ts';
import { ABSENT, type Chunk } from './chunk.ts';
import { Dictionary } from './dictionary.ts';
import { secondsOf, textOf } from './times.ts';

export interface ColumnSpec {
  readonly name: string;
  readonly kind: FieldKind;
}

// A word from 0 up is the value itself: a whole number below OWN_IDS, an id of the customer's block from there on, or the
// seconds of a time. From -1 down it is a code of the dictionary, from LOOSE down a slot among the chunk's loose values.
const OWN_IDS = 0x4000_0000;
const LOOSE = -0x4000_0001;
const SECONDS_END = 0x8000_0000;

export const isCode = (word: number): boolean => word < 0 && word > LOOSE;
export const codeIn = (word: number): number => -1 - word;

export class Column {
  readonly name: string;
  readonly kind: FieldKind;
  /** Its place among the cells of a row. */
  readonly offset: number;
  readonly dictionary = new Dictionary();

  constructor({ name, kind }: ColumnSpec, offset: number) {
    this.name = name;
    this.kind = kind;
    this.offset = offset;
  }

  /** The value in the row that begins at `at`. */
  read({ words, loose, block }: Chunk, at: number): unknown {
    const word = words[at + this.offset] as number;
    if (word >= 0) {
      if (this.kind === 'time') return textOf(word);
      return word < OWN_IDS ? word : block + word - OWN_IDS;
    }
    if (word > LOOSE) return this.dictionary.value(codeIn(word));
    return word === ABSENT ? undefined : loose.get(LOOSE - word);
  }

  write(chunk: Chunk, at: number, value: unknown): void {
    const { words, loose } = chunk;
    const before = words[at + this.offset] as number;
    if (before <= LOOSE && before !== ABSENT) loose.drop(LOOSE - before);
    words[at + this.offset] = this.#wordFor(chunk, value);
  }

  /** What orders the value in that row, as `keyOf` has it. */
  keyAt(chunk: Chunk, at: number): number {
    const word = chunk.words[at + this.offset] as number;
    if (word >= 0) return word < OWN_IDS || this.kind === 'time' ? word : chunk.block + word - OWN_IDS;
    return keyOf(this.kind, this.read(chunk, at));
  }

  #wordFor({ loose, block }: Chunk, value: unknown): number {
    if (value === undefined) return ABSENT;
    const inline = this.#inline(value, block);
    if (inline !== undefined) return inline;
    const code = this.dictionary.codeOf(value);
    return code === undefined ? LOOSE - loose.put(value) : -1 - code;
  }

  #inline(value: unknown, block: number): number | undefined {
    if (this.kind === 'number' && typeof value === 'number' && Number.isInteger(value)) {
      if (value >= 0 && value < OWN_IDS) return value;
      if (value >= block && value < block + ID_BLOCK) return OWN_IDS + value - block;
    }
    if (this.kind === 'time' && typeof value === 'string') {
      const seconds = secondsOf(value);
      if (seconds !== undefined && seconds >= 0 && seconds < SECONDS_END) return seconds;
    }
    return undefined;
  }
}
