// YAML text with the places of its parts. Knows no scenario.
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import type { Path, Place, Problem, Source } from './problem.ts';

/** Longer files are refused before they are parsed. */
export const MAX_SCENARIO_CHARACTERS = 1_000_000;

/** Names that stand twice that one answer lists. */
const MAX_PROBLEMS = 20;

export type Reading =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads one document. Keys are unique, and aliases are few: a file cannot blow up in memory. */
export function readYaml(file: string, text: string): Reading {
  if (text.length > MAX_SCENARIO_CHARACTERS) {
    const message = `expected at most ${MAX_SCENARIO_CHARACTERS} characters, found ${text.length}`;
    return { ok: false, problems: [{ place: { file }, where: '', message }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, strict: true });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [mistakes, value] = contentsOf(document);
  if (mistakes.length > 0) {
    const problems = mistakes
      .slice(0, MAX_PROBLEMS)
      .map(({ pos, message }) => ({ place: at(pos), where: '', message }));
    return { ok: false, problems };
  }
  return { ok: true, source: { file, value, place: (path, part) => at(offsetOf(document, path, part ?? 'value')) } };
}

interface Mistake {
  readonly pos: number;
  readonly message: string;
}

const TWICE = 'DUPLICATE_KEY';

/** Behind the first mistake of syntax the parser only guesses: what it finds there is told when that one is mended. */
function contentsOf(document: Document.Parsed): [readonly Mistake[], unknown] {
  const mistakes = [...document.errors, ...document.warnings].sort((one, other) => one.pos[0] - other.pos[0]);
  const broken = mistakes.find(({ code }) => code !== TWICE);
  const told = broken === undefined ? mistakes : [broken];
  if (told.length > 0) return [told.map((one) => ({ pos: one.pos[0], message: inWords(one) })), undefined];
  try {
    return [[], document.toJS({ maxAliasCount: 50 })];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [[{ pos: 0, message: `expected YAML: ${message}` }], undefined];
  }
}

const WORDS: Readonly<Partial<Record<string, string>>> = {
  [TWICE]: 'expected each name once, found it again',
  TAB_AS_INDENT: 'expected YAML: lines are indented by spaces, not by tabs',
  MULTILINE_IMPLICIT_KEY: 'expected YAML: a name, a colon and a space, as in "title: Busy"',
  BLOCK_AS_IMPLICIT_KEY:
    'expected YAML: one name for each line; is a colon, a dash or a bracket missing or too many here, or in the line before?',
};

function inWords({ code, message }: { readonly code: string; readonly message: string }): string {
  return WORDS[code] ?? `expected YAML: ${message.replace(/\s+/g, ' ')}`;
}

/** Goes down as far as the path leads. */
function offsetOf(document: Document.Parsed, path: Path, part: 'value' | 'key'): number {
  let node: ParsedNode | null = document.contents;
  let offset = node?.range[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    if (!isCollection(node)) break;
    const last = depth === path.length - 1;
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      const child: ParsedNode | null = pair.value;
      offset = (last && part === 'key') || !isNode(child) ? pair.key.range[0] : child.range[0];
      node = child;
    } else {
      const child = node.items[Number(step)] as ParsedNode | undefined;
      if (child === undefined) break;
      offset = child.range[0];
      node = child;
    }
  }
  return offset;
}
