// A recorded scenario as YAML that people like to read: a step a line where it fits, words where no step can be. Knows no recording.
import { Document, isCollection, isMap, isPair, isSeq, type Node } from 'yaml';
import type { Draft } from './scenario-of.ts';

/** A longer line is broken into its members. */
const LINE_CHARACTERS = 120;

/** `origin`: a sentence that says where it is from. */
export function scenarioText({ head, steps, finally: last, remarks }: Draft, origin: string): string {
  const known = steps.filter(({ step }) => step !== undefined);
  const value = {
    ...head,
    steps: known.map(({ step }) => step),
    ...(last.length === 0 ? {} : { finally: last }),
  };
  const document = new Document(value, { aliasDuplicateObjects: false });
  document.commentBefore = [origin, ...remarks].map((line) => ` ${printable(line)}`).join('\n');
  const { contents } = document;
  if (isMap(contents))
    for (const pair of contents.items) layOut(pair.value as Node | null, 2, String(pair.key) === 'steps');
  const list = document.get('steps');
  let waiting: string[] = [];
  let index = 0;
  for (const { step, comments } of steps) {
    waiting.push(...comments);
    if (step === undefined) continue;
    const node = isSeq(list) ? (list.items[index] as Node) : undefined;
    if (node !== undefined && waiting.length > 0) node.commentBefore = commentOf(waiting);
    waiting = [];
    index += 1;
  }
  if (waiting.length > 0) document.comment = commentOf(waiting);
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

/** Whatever fits in a line is one; `list`: its items are looked at one by one. */
function layOut(node: Node | null, indent: number, list = false): void {
  if (!isCollection(node)) return;
  if (!list && lengthOf(node) + indent <= LINE_CHARACTERS) {
    node.flow = true;
    return;
  }
  for (const item of node.items) {
    if (isPair(item)) layOut(item.value as Node | null, indent + String(item.key).length + 4);
    else layOut(item as Node, indent + 4);
  }
}

function lengthOf(node: Node): number {
  return JSON.stringify(node).length + 2;
}

function commentOf(lines: readonly string[]): string {
  return lines.map((line) => ` ${printable(line)}`).join('\n');
}

/** What peers have sent stays within its comment. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
