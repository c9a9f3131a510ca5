// What is wrong in a scenario file, and where: a person can go there. Knows no kind of mistake.

/** Members and positions from the top of a document. */
export type Path = readonly (string | number)[];

/** Lines and columns count from 1; absent in documents that have no text (TypeScript). */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Problem {
  readonly place: Place;
  /** `steps/2/do`; empty for the document itself. */
  readonly where: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** A document with the places of its parts. */
export interface Source {
  readonly file: string;
  readonly value: unknown;
  /** Of a member's value, or of its name. Of the nearest part that there is when the path leads nowhere. */
  place(path: Path, part?: 'value' | 'key'): Place;
}

export function problemAt(source: Source, path: Path, message: string, part?: 'value' | 'key'): Problem {
  return { place: source.place(path, part), where: path.join('/'), message };
}

/** `calls/busy.yaml:12:7: steps/2/do: expected ...` */
export function problemText({ place, where, message }: Problem): string {
  return `${placeText(place)}: ${where === '' ? '' : `${where}: `}${message}`;
}

export function placeText({ file, line, column }: Place): string {
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

/** What is wrong in the same way at many places of a file is told at the first, with the lines of the others: it has one cause. */
export function eachOnce(problems: readonly Problem[]): Problem[] {
  const alike = Map.groupBy(problems, ({ place, message }) => `${place.file} ${message}`);
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const lines = [...new Set(others.flatMap(({ place: { line } }) => (line === undefined ? [] : [line])))];
    const where =
      lines.length === 0 ? '' : `, in line${lines.length === 1 ? '' : 's'} ${lines.slice(0, MAX_LINES).join(', ')}`;
    const also = others.length === 0 ? '' : ` (and ${others.length} more like it${where})`;
    return [{ ...first, message: `${first.message}${also}` }];
  });
}

const MAX_LINES = 5;

/** `one of a, b, c`. */
export function oneOf(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
}

/** The known word that is nearest to what was written, for a hint; undefined when none is near. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const scored = known.map((word) => ({ word, far: distance(written.toLowerCase(), word.toLowerCase()) }));
  const best = scored.sort((a, b) => a.far - b.far)[0];
  return best !== undefined && best.far <= (written.length > 3 ? 2 : 1) ? best.word : undefined;
}

/** Letters to add, drop or change from one word to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
