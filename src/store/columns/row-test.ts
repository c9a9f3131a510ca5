// Conditions on rows as they stand in a chunk: a value that many rows share is judged once. Knows no index.
import { type Condition, groupKey, type KeyRange, keyOf } from '../conditions.ts';
import type { Chunk } from './chunk.ts';
import { type Column, codeIn, isCode } from './column.ts';
import type { RowForm } from './row-form.ts';

const OPEN = 0;
const YES = 1;
const NO = 2;

export type RowTest = (chunk: Chunk, at: number) => boolean;

/** The condition as a test of rows. */
export function rowTest(form: RowForm, condition: Condition): RowTest {
  const column = form.column(condition.property);
  if (column === undefined) return (chunk, at) => condition.matches(chunk.idAt(at));
  const judgeOther = judge(column, condition);
  const verdicts = new Uint8Array(column.dictionary.size);
  return (chunk, at) => {
    const word = chunk.words[at + column.offset] as number;
    if (!isCode(word)) return judgeOther(chunk, at, word);
    const code = codeIn(word);
    if (verdicts[code] === OPEN) verdicts[code] = condition.matches(column.read(chunk, at)) ? YES : NO;
    return verdicts[code] === YES;
  };
}

/** What becomes of values that no dictionary has. Times are compared as seconds: their text is not made. */
function judge(column: Column, condition: Condition): (chunk: Chunk, at: number, word: number) => boolean {
  const { matches, range, values } = condition;
  const byValue = (chunk: Chunk, at: number): boolean => matches(column.read(chunk, at));
  if (column.kind !== 'time') return byValue;
  if (range !== undefined) {
    const isIn = within(range);
    return (chunk, at, word) => (word < 0 ? byValue(chunk, at) : isIn(word) && (range.exact || byValue(chunk, at)));
  }
  if (values === undefined) return byValue;
  const keys = new Set(values.map((value) => keyOf('time', value)));
  return (chunk, at, word) => (word < 0 ? byValue(chunk, at) : keys.has(word));
}

function within({ from, to, open }: KeyRange): (key: number) => boolean {
  return open ? (key) => key > from && key < to : (key) => key >= from && key <= to;
}

/** Whether a row is the first of its group. */
export function firstOfGroup(form: RowForm, property: string): RowTest {
  const column = form.column(property);
  if (column === undefined) return () => true;
  const seen = new Set<unknown>();
  return (chunk, at) => {
    const known = seen.size;
    seen.add(groupOf(column, chunk, at));
    return seen.size > known;
  };
}

/** Of a time its seconds, which stand for its text alone. */
function groupOf(column: Column, chunk: Chunk, at: number): unknown {
  const word = chunk.words[at + column.offset] as number;
  return column.kind === 'time' && word >= 0 ? word : groupKey(column.read(chunk, at));
}
